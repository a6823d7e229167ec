"""Whether a number as written agrees with a number as computed: the one place where that is decided.

A written number stands for the closed interval of half a unit in its last place. It agrees with a computed interval
that overlaps it, disagrees with one that does not, and nothing can be told when the computed one is more than eight
times as wide.
"""
from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from specdil_records.arithmetic import Interval, same_measure
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import Quantity, ends, measure
from specdil_records.claims.statements import decimal
from specdil_records.figures import Figure

State = Literal["agrees", "drifts", "undecided"]
WIDEST = 8


@dataclass(frozen=True, slots=True)
class Agreement:
    """Verdict and explanation of one comparison; all values in SI units, percent as fractions."""

    state: State
    quoted: Interval
    computed: Interval
    why: str
    roundings: tuple[str, ...] = ()


def check_kind(figure: Figure, quantity: Quantity, node: ast.expr | None = None) -> None:
    """Raises `FormulaError` when the figure's unit cannot belong to the expression's value."""
    unit = figure.unit
    if unit is None or unit.kind == "count-scale":
        return
    if not same_measure(unit.dimension, quantity.dimension):
        raise FormulaError(f"the figure {figure.text!r} is {measure(unit.dimension)}, "
                           f"its expression is {measure(quantity.dimension)}")
    kinds = {"percent", "points"}
    if unit.kind in kinds and quantity.kind in kinds and unit.kind != quantity.kind:
        raise FormulaError(f"the figure {figure.text!r} is in {unit.kind}, its expression in {quantity.kind}: "
                           "a difference of two percentages is in points")
    if unit.kind == "points" and quantity.kind == "" and node is not None and not is_difference(node):
        raise FormulaError(f"the figure {figure.text!r} is in points, which only a difference of two shares is in")


def is_difference(node: ast.expr) -> bool:
    """Whether an expression takes one share from another, and not a bare number from a ratio."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and not any(
        isinstance(side, ast.Constant) for side in (node.left, node.right))


def figure_interval(figure: Figure, tolerance: Fraction | None) -> Interval:
    """The interval that a figure stands for: half a unit in the last place, or the stated tolerance."""
    if tolerance is None:
        return figure.interval
    return Interval(figure.value - tolerance, figure.value + tolerance)


def compare(figure: Figure, quantity: Quantity, bare: Fraction | None, tolerance: Fraction | None) -> Agreement:
    """Compare a figure with its expression's value.

    `bare` is the number as its source writes it, for a figure that merely repeats it: then that number must lie in
    the figure's interval. Raises `FormulaError` when the kinds differ.
    """
    check_kind(figure, quantity)
    quoted = figure_interval(figure, tolerance)
    low, high = ends(quantity.value)
    computed = Interval(low, high)
    if bare is not None:
        inside = quoted.lo <= bare <= quoted.hi
        why = f"the source has {show(bare, figure)}"
        if inside:
            return Agreement("agrees", quoted, computed, why)
        return Agreement("drifts", quoted, computed, why, roundings(figure, bare, bare))
    if low > quoted.hi or high < quoted.lo:
        return Agreement("drifts", quoted, computed, "the intervals do not meet", roundings(figure, low, high))
    if quantity.whole and low != high:
        fitting = [n for n in range(math.ceil(low), math.floor(high) + 1) if quoted.lo <= n <= quoted.hi]
        if len(fitting) < math.floor(high) - math.ceil(low) + 1:
            return Agreement("undecided", quoted, computed, "it agrees with some of the whole numbers only")
    if high - low > WIDEST * (quoted.hi - quoted.lo):
        return Agreement("undecided", quoted, computed,
                         f"what it rests on is too coarse: the computed interval is more than {WIDEST} times as wide")
    return Agreement("agrees", quoted, computed, "the intervals meet")


def roundings(figure: Figure, low: Fraction, high: Fraction) -> tuple[str, ...]:
    """The other ways to round that would have given the figure: truncated, ceiled."""
    place = 2 * figure.half_unit
    found = []
    if low < figure.value + place and figure.value <= high and low >= 0:
        found.append("truncated")
    if low <= figure.value and figure.value - place < high and high >= 0:
        found.append("ceiled")
    return tuple(found)


def show(value: Fraction | int, figure: Figure) -> str:
    """A value in the unit in which the figure is written."""
    unit = figure.unit
    if unit is None:
        return decimal(Fraction(value))
    text = decimal(Fraction(value) / unit.scale)
    glue = "" if unit.kind in ("percent", "ratio", "count-scale") or unit.text.startswith("-") else " "
    return f"{text}{glue}{unit.text}"


def show_interval(interval: Interval, figure: Figure) -> str:
    """An interval in the unit in which the figure is written; one number when it is exact."""
    if interval.lo == interval.hi:
        return show(interval.lo, figure)
    unit = figure.unit
    scale = unit.scale if unit is not None else Fraction(1)
    glue = "" if unit is None or unit.kind in ("percent", "ratio", "count-scale") else " "
    low, high = decimal(Fraction(interval.lo) / scale, 7), decimal(Fraction(interval.hi) / scale, 7)
    return f"[{low}, {high}]{glue}{unit.text if unit is not None else ''}"
