"""From bytes to a document: strict YAML and JSON with exact places, and the files that they come from."""
from __future__ import annotations

from typing import TYPE_CHECKING

from specdil_records.on_demand import on_demand
from specdil_records.reading.files import UnreadableFile, display_path, find_records, read_file
from specdil_records.reading.limits import MOST_BYTES

if TYPE_CHECKING:
    from specdil_records.reading.document import Document, read_document
else:
    __getattr__ = on_demand(__name__, document="Document read_document")

__all__ = ["MOST_BYTES", "Document", "UnreadableFile", "display_path", "find_records", "read_document", "read_file"]
