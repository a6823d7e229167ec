"""From bytes to a document: strict YAML and JSON with exact places, and the files that they come from."""
from __future__ import annotations

from specdil_records.reading.document import Document, read_document
from specdil_records.reading.files import UnreadableFile, display_path, find_records, read_file
from specdil_records.reading.limits import MOST_BYTES

__all__ = ["MOST_BYTES", "Document", "UnreadableFile", "display_path", "find_records", "read_document", "read_file"]
