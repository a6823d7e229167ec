"""The versions of the record format: their JSON Schemas, and the judgement of a document by one of them."""
from __future__ import annotations

from specdil_records.schemas.agreement import agree
from specdil_records.schemas.catalogue import UnknownSchema, kinds, schema_data, schema_text, versions
from specdil_records.schemas.validation import Judged, validate

__all__ = ["Judged", "UnknownSchema", "agree", "kinds", "schema_data", "schema_text", "validate", "versions"]
