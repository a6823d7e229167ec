"""The pipeline: a corpus in, a report out."""
from __future__ import annotations

from specdil_records.checking.pipeline import Options, check
from specdil_records.checking.results import Report, Summary

__all__ = ["Options", "Report", "Summary", "check"]
