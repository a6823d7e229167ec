"""A number as written: its digits, its unit, and the interval that the writing stands for.

`match_number` reads digits at a place of a text, `match_unit` the unit behind them, `compose` makes a `Figure` of
both, and `read_figure` does all three for a text that is one figure. Everything is exact; no float is made.
"""
from __future__ import annotations

from specdil_records.figures.digits import LONGEST, Digits, Unread, match_number
from specdil_records.figures.reading import compose, in_unit, read_figure
from specdil_records.figures.units import UnitMatch, match_unit, unit_named
from specdil_records.figures.values import Figure, FigureError, Unit

__all__ = [
    "LONGEST",
    "Digits",
    "Figure",
    "FigureError",
    "Unit",
    "UnitMatch",
    "Unread",
    "compose",
    "in_unit",
    "match_number",
    "match_unit",
    "read_figure",
    "unit_named",
]
