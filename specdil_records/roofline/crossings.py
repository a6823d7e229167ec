"""Where piecewise linear functions change sign, exactly: no bisection, no tolerance.

Times of a dense model are, in every mode, sums of maxima of functions that are linear in the batch; so is the
gain of speculation. Between two bends such a function is a straight line, and two values give its root.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from specdil_records.arithmetic import ceil, divide, floor

Value = Any
Stretch = tuple[Value, Value | None]
"""A closed range of real numbers from 0 up; None where it has no end."""


@dataclass(frozen=True, slots=True)
class Line:
    """A linear function by its value at 0 and its slope."""

    start: Value
    slope: Value

    @staticmethod
    def through(at_zero: Value, at_one: Value) -> Line:
        """The line with these values at 0 and at 1."""
        return Line(at_zero, at_one - at_zero)

    def meets(self, other: Line) -> Value | None:
        """Where two lines have the same value, if at one place."""
        if self.slope == other.slope:
            return None
        return divide(other.start - self.start, self.slope - other.slope)


def stretches_not_negative(gain: Callable[[Value], Value], bends: Iterable[Value]) -> tuple[Stretch, ...]:
    """The maximal ranges of [0, infinity) where a continuous piecewise linear function is at least zero.

    `bends` hold every place above zero where its slope changes, maybe others too.
    """
    points = [(place, gain(place)) for place in sorted({0, *bends}) if place >= 0]
    found: list[Stretch] = []
    start: Value | None = 0 if points[0][1] >= 0 else None
    for (left, low), (right, high) in pairwise(points):
        if start is not None and high < 0:
            found.append((start, _root(left, right, low, high)))
            start = None
        elif start is None and high >= 0:
            start = _root(left, right, low, high)
    last, value = points[-1]
    slope = gain(last + 1) - value
    if start is not None and slope < 0:
        found.append((start, last + divide(value, -slope)))
    elif start is not None:
        found.append((start, None))
    elif slope > 0:
        found.append((last + divide(-value, slope), None))
    return tuple(found)


def _root(left: Value, right: Value, low: Value, high: Value) -> Value:
    return left + divide(low * (right - left), low - high)


def only_crossing(stretches: tuple[Stretch, ...]) -> Value | None:
    """The place where the sign changes, if it does so exactly once above zero."""
    ends = [end for stretch in stretches for end in stretch if end is not None and end > 0]
    return ends[0] if len(ends) == 1 else None


def whole_ranges(stretches: tuple[Stretch, ...], longest: int) -> tuple[tuple[int, int], ...]:
    """The closed ranges of whole numbers from 1 to `longest` that lie in the stretches, neighbours merged."""
    found: list[tuple[int, int]] = []
    for start, end in stretches:
        first = max(1, int(ceil(start)))
        last = longest if end is None else min(longest, int(floor(end)))
        if first > last:
            continue
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return tuple(found)
