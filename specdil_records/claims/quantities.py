"""What an expression is worth: a number with its dimension and kind, or the reason why there is none."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from specdil_records.arithmetic import Dimension, Interval, RationalGrid, same_measure
from specdil_records.figures import Unit

Kind = Literal["", "percent", "points"]
PURE = Dimension()
MOST_BITS = 2**17
MOST_BITS_ON_A_GRID = 2**28
"""Exact numbers that grow past this are refused, so that no expression can fill the memory."""


class Undecided(Exception):
    """The value cannot be told: what is missing, in plain words."""


class Unavailable(Exception):
    """Something that the value rests on has a fault of its own, reported where it stands."""


class BrokenReference(Exception):
    """A source, item, column, row or record that does not resolve."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in SI units. `kind` keeps percent and points apart; `whole` marks a set of whole numbers."""

    value: Any
    dimension: Dimension = PURE
    kind: Kind = ""
    whole: bool = False

    @property
    def is_point(self) -> bool:
        """True for one exact number."""
        return isinstance(self.value, int | Fraction)

    def worth(self, value: Any) -> Quantity:
        """The same kind of quantity with another value."""
        # Claims are tried with other values all the time; `replace` asks every field for its name first.
        return Quantity(value, self.dimension, self.kind, self.whole)


def all_whole(*quantities: Quantity) -> bool:
    """Whether each of these is a whole number: a count, or one out of a set of whole numbers."""
    return all(one.whole or isinstance(one.value, int)
               or (isinstance(one.value, RationalGrid) and one.value.bottom == 1) for one in quantities)


@dataclass(frozen=True, slots=True)
class Leaf:
    """Something that an expression rests on: an input, a record's value or a cited cell."""

    kind: Literal["input", "axis", "record", "cell"]
    key: tuple[str, ...]
    label: str
    quantity: Quantity
    written: str = ""
    basis: str | None = None
    source: str = ""
    reference: str = ""
    unit: Unit | None = None
    """The unit in which a record or a cell has it written."""


def same_kind_of_thing(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities may be added or compared: the same measure."""
    return same_measure(left.dimension, right.dimension)


def measure(dimension: Dimension) -> str:
    """A dimension in words."""
    return str(dimension) or "a bare number"


def kind_of_sum(operator: str, left: Kind, right: Kind) -> Kind:
    """Percent minus percent is points; percent with points stays percent; with a bare number, a bare number."""
    if left == right:
        return "points" if operator == "-" and left == "percent" else left
    return "percent" if {left, right} == {"percent", "points"} else ""


def kind_of_product(operator: str, left: Kind, right: Kind) -> Kind:
    """A share of a bare number keeps its kind; a share of a share, or a ratio of shares, is a bare number."""
    if right == "":
        return left
    return right if operator == "*" and left == "" else ""


def kind_of_choice(*quantities: Quantity) -> Kind:
    """The kind of the least or the greatest of some: a bare number among them is taken for a share of the same kind."""
    kinds = {one.kind for one in quantities if one.kind}
    return kinds.pop() if len(kinds) == 1 else "percent" if kinds else ""


def ends(value: Any) -> tuple[Any, Any]:
    """Lower and upper end of a value; twice the value when it is exact."""
    return (value.lo, value.hi) if isinstance(value, Interval) else (value, value)


def within_bounds(value: Any) -> bool:
    """Whether exact numbers are small enough to go on with."""
    if isinstance(value, Interval):
        return _is_small(value.lo) and _is_small(value.hi)
    return _is_small(value)


def _is_small(part: int | Fraction | RationalGrid) -> bool:
    if isinstance(part, RationalGrid):
        return max(part.top, part.bottom).bit_length() * part.size <= MOST_BITS_ON_A_GRID
    return max(part.numerator.bit_length(), part.denominator.bit_length()) <= MOST_BITS


def tidy(value: Any) -> Any:
    """A whole Fraction as an int, so that counts stay counts."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value

