"""The pipeline: a corpus in, a report out."""
from __future__ import annotations

from typing import TYPE_CHECKING

from specdil_records.checking.results import Report, Summary
from specdil_records.on_demand import on_demand

if TYPE_CHECKING:
    from specdil_records.checking.pipeline import Options, check
else:
    __getattr__ = on_demand(__name__, pipeline="Options check")

__all__ = ["Options", "Report", "Summary", "check"]
