"""Closed intervals of exact numbers, or of exact grids: what a rounded figure may stand for."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from specdil_records.arithmetic.grids import Exact, RationalGrid, as_grid, chosen, every, plain, some

End: TypeAlias = int | Fraction | RationalGrid


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `lo` to `hi`, both included. The ends are exact numbers, or both are exact grids.

    Every operation gives an interval that holds each result the operands could give (the natural extension);
    an operand that occurs twice may widen it. Dividing by an interval that holds zero raises
    `ZeroDivisionError`; ends in the wrong order raise `ValueError`; a float anywhere raises `TypeError`.
    """

    lo: Any
    hi: Any
    __array_ufunc__: ClassVar[None] = None

    def __post_init__(self) -> None:
        if not (is_end(self.lo) and is_end(self.hi)):
            raise TypeError("the ends of an interval are whole numbers, fractions or exact grids")
        if isinstance(self.lo, RationalGrid) != isinstance(self.hi, RationalGrid):
            object.__setattr__(self, "lo", as_grid(self.lo))
            object.__setattr__(self, "hi", as_grid(self.hi))
        if some(self.lo > self.hi):
            raise ValueError("an interval ends below its beginning")

    @property
    def width(self) -> Any:
        """The distance between the ends."""
        return self.hi - self.lo

    @property
    def is_point(self) -> bool:
        """Whether the ends are the same, on a grid at every point."""
        return every(self.lo == self.hi)

    def holds(self, value: Any) -> Any:
        """Whether a number, or all of another interval, lies inside: a bool, or an array of bool on grids."""
        inside = _split(value)
        if inside is None:
            raise TypeError("only exact numbers, grids and intervals can lie in an interval")
        return (self.lo <= inside[0]) & (inside[1] <= self.hi)

    def overlaps(self, other: Any) -> Any:
        """Whether the two have a number in common: a bool, or an array of bool on grids."""
        ends = _split(other)
        if ends is None:
            raise TypeError("only exact numbers, grids and intervals can be compared")
        return (self.lo <= ends[1]) & (ends[0] <= self.hi)

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __pos__(self) -> Interval:
        return self

    def __abs__(self) -> Interval:
        nearest = larger(larger(self.lo, -self.hi), 0)
        return Interval(nearest, larger(abs(self.lo), abs(self.hi)))

    def __add__(self, other: object) -> Interval:
        ends = _split(other)
        return NotImplemented if ends is None else Interval(self.lo + ends[0], self.hi + ends[1])

    __radd__ = __add__

    def __sub__(self, other: object) -> Interval:
        ends = _split(other)
        return NotImplemented if ends is None else Interval(self.lo - ends[1], self.hi - ends[0])

    def __rsub__(self, other: object) -> Interval:
        return -self + other

    def __mul__(self, other: object) -> Interval:
        ends = _split(other)
        if ends is None:
            return NotImplemented
        lo, hi = ends
        if _never_negative(lo) and _never_negative(self.lo):
            return Interval(self.lo * lo, self.hi * hi)
        corners = (self.lo * lo, self.lo * hi, self.hi * lo, self.hi * hi)
        return Interval(_fold(smaller, corners), _fold(larger, corners))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Interval:
        ends = _split(other)
        return NotImplemented if ends is None else self * _inverse(*ends)

    def __rtruediv__(self, other: object) -> Interval:
        return _inverse(self.lo, self.hi) * other

    def __pow__(self, exponent: int) -> Interval:
        if exponent < 0:
            return _inverse(self.lo, self.hi) ** -exponent
        if exponent == 0:
            return Interval(self.lo**0, self.lo**0)
        base = self if exponent % 2 else abs(self)
        return Interval(base.lo**exponent, base.hi**exponent)


def is_end(value: object) -> bool:
    """Whether a value may be the end of an interval: a whole number, a fraction or an exact grid."""
    return isinstance(value, int | Fraction | RationalGrid)


def quotient(a: End, b: End) -> Any:
    """Exact division: whole numbers give a whole number or a fraction, never a float."""
    if isinstance(a, RationalGrid) or isinstance(b, RationalGrid):
        return a / b
    return plain(Fraction(a) / b)


def smaller(a: End, b: End) -> Any:
    """The smaller of two exact numbers, at each point of a grid."""
    if isinstance(a, RationalGrid) or isinstance(b, RationalGrid):
        return _pick(a, b, a <= b)
    return min(a, b)


def larger(a: End, b: End) -> Any:
    """The larger of two exact numbers, at each point of a grid."""
    if isinstance(a, RationalGrid) or isinstance(b, RationalGrid):
        return _pick(a, b, a >= b)
    return max(a, b)


def _pick(a: End, b: End, condition: Any) -> RationalGrid:
    left, right = as_grid(a), as_grid(b)
    assert left is not None
    assert right is not None
    return chosen(condition, left, right)


def _split(value: object) -> tuple[Any, Any] | None:
    if isinstance(value, Interval):
        return value.lo, value.hi
    if is_end(value):
        return value, value
    if isinstance(value, np.integer):
        return int(value), int(value)
    return None


def _never_negative(value: End) -> bool:
    return every(value >= 0)


def _inverse(lo: End, hi: End) -> Interval:
    if some((lo <= 0) & (hi >= 0)):
        raise ZeroDivisionError("division by an interval that holds zero")
    return Interval(quotient(1, hi), quotient(1, lo))


def _fold(step: Callable[[Any, Any], Any], values: tuple[Exact | RationalGrid, ...]) -> Any:
    result: Any = values[0]
    for value in values[1:]:
        result = step(result, value)
    return result
