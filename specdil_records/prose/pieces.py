"""A number of a text on the way to being one: read by itself, not yet joined with its neighbours."""
from __future__ import annotations

from dataclasses import dataclass

from specdil_records.figures import Digits, FigureError, Unit


@dataclass(slots=True)
class Piece:
    """A number on the way: its digits and its unit are known, its neighbours are not."""

    start: int
    end: int
    stop: int
    digits: Digits | None = None
    unit: Unit | None = None
    exempt: str | None = None
    problem: FigureError | None = None
    partner: int | None = None
