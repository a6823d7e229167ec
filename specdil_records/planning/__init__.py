"""What follows from the closed forms for somebody who has to decide: tables over a grid, and draft schedules."""
from __future__ import annotations

from specdil_records.planning.errors import PlanningError, UnsoundRecord

__all__ = ["PlanningError", "UnsoundRecord"]
