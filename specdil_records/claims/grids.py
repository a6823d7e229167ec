"""The grid over which a statement is claimed: `over: {B: 1..4096, k: [1, 2, 4]}`."""
from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from specdil_records.arithmetic import RationalGrid
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import Quantity, tidy

MOST_POINTS = 100_000
RANGE = re.compile(r"([0-9]{1,18})\.\.([0-9]{1,18})(?:\*([0-9]{1,9}))?")
ELEMENT = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")


Axis = range | tuple[int | Fraction, ...]
"""The values of an axis; a range stays one, so that it costs nothing until it is used."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Axes by name, each with its exact values, in the order in which they are written."""

    axes: Mapping[str, Axis]

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.axes.values())

    @property
    def key(self) -> tuple[tuple[str, Axis], ...]:
        """The grid as a value that can be looked up by."""
        return tuple(self.axes.items())

    def quantities(self) -> dict[str, Quantity]:
        """Every axis as a quantity that broadcasts against the others; axis i varies along dimension i."""
        count = len(self.axes)
        return {name: _along(values, position, count) for position, (name, values) in enumerate(self.axes.items())}

    def position(self, axis: str) -> int:
        """The dimension along which an axis varies. Raises `FormulaError` for a name that is no axis."""
        try:
            return list(self.axes).index(axis)
        except ValueError:
            raise FormulaError(f"{axis} is no axis of the grid ({', '.join(self.axes) or 'there is none'})") from None

    def point(self, index: tuple[int, ...]) -> dict[str, int | Fraction]:
        """The values of the axes at one index of the broadcast grid."""
        return {
            name: values[min(where, len(values) - 1)]
            for (name, values), where in zip(self.axes.items(), index, strict=True)
        }


EMPTY = Grid({})


@lru_cache(maxsize=256)
def _along(values: Axis, position: int, count: int) -> Quantity:
    """One axis as an exact grid that varies along its own dimension only."""
    shape = tuple(len(values) if i == position else 1 for i in range(count))
    if isinstance(values, range):
        return Quantity(RationalGrid(np.arange(values.start, values.stop, values.step).reshape(shape)))
    return Quantity(RationalGrid.of(values).reshape(*shape))


def read_grid(over: Mapping[str, Any]) -> Grid:
    """The grid that `over` describes. Raises `FormulaError`, with the axis named."""
    axes = {name: _axis(name, values) for name, values in over.items()}
    grid = Grid(axes)
    if len(grid) > MOST_POINTS:
        raise FormulaError(f"the grid has {len(grid)} points; at most {MOST_POINTS} are checked")
    return grid


def _axis(name: str, values: Any) -> Axis:
    if isinstance(values, str):
        return _range(name, values)
    if not isinstance(values, list) or not values:
        raise FormulaError(f"axis {name} is a range such as 1..64 or a list of numbers")
    # In their order on the axis: a trend is one along it, however the list is written.
    elements = tuple(sorted(_element(name, value) for value in values))
    if len(set(elements)) != len(elements):
        raise FormulaError(f"axis {name} names a value twice")
    return elements


def _range(name: str, text: str) -> Axis:
    match = RANGE.fullmatch(text.strip())
    if match is None:
        raise FormulaError(f"axis {name}: {text!r} is no range; write a..b or a..b*2")
    low, high = int(match[1]), int(match[2])
    if low > high:
        raise FormulaError(f"axis {name}: {text} does not ascend")
    if match[3] is None:
        if high - low >= MOST_POINTS:
            raise FormulaError(f"axis {name} has {high - low + 1} points; at most {MOST_POINTS} are checked")
        return range(low, high + 1)
    factor = int(match[3])
    if factor < 2 or low < 1:
        raise FormulaError(f"axis {name}: a geometric range starts at 1 or more and multiplies by 2 or more")
    values = [low]
    while values[-1] * factor <= high:
        values.append(values[-1] * factor)
    return tuple(values)


def _element(name: str, value: Any) -> int | Fraction:
    text = str(value)
    if not ELEMENT.fullmatch(text):
        raise FormulaError(f"axis {name}: {value!r} is no number")
    exact: int | Fraction = tidy(Fraction(text))
    return exact
