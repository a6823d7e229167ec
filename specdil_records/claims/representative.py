"""A value over a grid brought down to the one point that decides."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.agreement import WIDEST
from specdil_records.claims.grids import Grid
from specdil_records.claims.quantities import Quantity, ends
from specdil_records.claims.statements import decimal


def worst_point(quantity: Quantity, quoted: Interval, grid: Grid) -> tuple[dict[str, Any], Quantity]:
    """The first grid point at which a value misses the quoted interval, else the first at which nothing can be told,
    else the first point.

    A value that does not vary over the grid comes back as it is, without a point.
    """
    low, high = ends(quantity.value)
    if not isinstance(low, RationalGrid):  # an interval has either both ends over a grid or none
        return {}, quantity
    misses = np.asarray((low > quoted.hi) | (high < quoted.lo))
    if not bool(misses.any()):
        misses = np.asarray((high - low) > (quoted.hi - quoted.lo) * WIDEST)
        if quantity.whole:  # some of the whole numbers lie outside
            misses = misses | np.asarray((low < quoted.lo) | (high > quoted.hi))
    return _at_first(misses, quantity, grid)


def worst_written(quantity: Quantity, quoted: Interval, grid: Grid) -> tuple[dict[str, Any], Quantity, Fraction]:
    """The same for a number that its source writes: the first grid point at which the number as written, which is the
    middle of its interval, lies outside the quoted one, else the first point; with that number."""
    low, high = ends(quantity.value)
    written = (low + high) * Fraction(1, 2)
    if not isinstance(written, RationalGrid):
        return {}, quantity, written
    outside = np.asarray((written > quoted.hi) | (written < quoted.lo))
    point, there = _at_first(outside, replace(quantity, value=written), grid)
    return point, _at_first(outside, quantity, grid)[1], Fraction(there.value)


def meeting_point(quantity: Quantity, quoted: Interval, grid: Grid) -> tuple[dict[str, Any], Quantity]:
    """The first grid point at which a value meets the quoted interval, else the first point."""
    low, high = ends(quantity.value)
    if not isinstance(low, RationalGrid):  # an interval has either both ends over a grid or none
        return {}, quantity
    return _at_first(np.asarray((low <= quoted.hi) & (high >= quoted.lo)), quantity, grid)


def _at_first(mask: Any, quantity: Quantity, grid: Grid) -> tuple[dict[str, Any], Quantity]:
    low, high = ends(quantity.value)
    index = first_index(mask, len(grid.axes))
    here = Interval(at(low, index), at(high, index))
    value = here.lo if here.lo == here.hi else here
    return grid.point(index), Quantity(value, quantity.dimension, quantity.kind, quantity.whole)


def first_index(mask: Any, count: int) -> tuple[int, ...]:
    """The index of the first true entry; of the first entry when none is."""
    if not mask.shape:
        return (0,) * count
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def at(value: Any, index: tuple[int, ...]) -> Any:
    """One point of a value that broadcasts over a grid."""
    if isinstance(value, RationalGrid):
        own = index[len(index) - len(value.shape):]  # one that does not vary at all has no axes
        return value.at(*(min(i, n - 1) for i, n in zip(own, value.shape, strict=True)))
    return value


def agrees_with_term(term: Quantity, quantity: Quantity,
                     grid: Grid) -> tuple[Literal["agrees", "drifts", "undecided"], str]:
    """Whether a symbolic term equals its expression at every point of the grid."""
    (tl, th), (ql, qh) = ends(term.value), ends(quantity.value)
    apart = np.asarray((th < ql) | (tl > qh))
    if bool(apart.any()):
        index = first_index(apart, len(grid.axes))
        point = grid.point(index)
        place = " at " + ", ".join(f"{name}={decimal(value)}" for name, value in point.items()) if point else ""
        return "drifts", f"the term is {decimal(at(tl, index))}, its expression {decimal(at(ql, index))}{place}"
    equal = np.asarray((tl == qh) & (th == ql))
    if bool(equal.all()):
        return "agrees", "the term equals its expression on the whole grid"
    return "undecided", "the term and its expression overlap, but are not equal for certain"
