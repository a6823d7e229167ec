"""The value types of this room: a unit, a figure, and what stops a text from being one."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from specdil_records.arithmetic import Dimension, Interval

UnitKind = Literal["", "percent", "points", "ratio", "count-scale"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it is spelled, and what it means.

    `scale` turns the written number into FLOP, bytes, seconds, tokens and joules. `kind` is empty for a physical
    unit; `percent` and `points` scale by 1/100, `ratio` (x, times, -fold) by 1, and `count-scale` is a factor on
    a plain count (32K, 8B parameters).
    """

    text: str
    dimension: Dimension
    scale: Fraction
    kind: UnitKind = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as written.

    `value` and `half_unit` are in SI (FLOP, byte, second, joule; a percentage as a fraction). `half_unit` is half
    a unit in the last written place, or the uncertainty that the text states behind a plus-minus sign. `exact` is
    true for a pure count: no decimals, no power, no unit, no scale letter.
    """

    text: str
    value: Fraction
    half_unit: Fraction
    unit: Unit | None
    exact: bool

    @property
    def interval(self) -> Interval:
        """All values that are written like this, both ends included."""
        return Interval(self.value - self.half_unit, self.value + self.half_unit)

    @property
    def as_input(self) -> int | Interval:
        """What the figure is as an input of a formula: a pure count is its integer, all else its interval."""
        return int(self.value) if self.exact else self.interval


class FigureError(Exception):
    """A text that is no figure: `name` is `unreadable-number`, `unknown-unit` or `too-large`."""

    def __init__(self, name: str, message: str) -> None:
        # Both go to args, so that the error survives the way between two processes.
        super().__init__(name, message)
        self.name = name
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FigureError) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)
