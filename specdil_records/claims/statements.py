"""Statements over a grid: true, false at a named point, or undecided."""
from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import reduce
from typing import Any, Literal

import numpy as np

from specdil_records import arithmetic
from specdil_records.arithmetic import Interval, RationalGrid, every
from specdil_records.claims.evaluating import Adjust, Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.language import COMPARISONS, Expression, FormulaError, called
from specdil_records.claims.quantities import Leaf, Quantity, Unavailable, ends, measure, same_kind_of_thing

Verdict = Literal["true", "false", "undecided"]
FAR = (10**3, 10**6, 10**9)


@dataclass(frozen=True, slots=True)
class Truth:
    """The verdict on a statement, with the first grid point that decided it and the values there."""

    verdict: Verdict
    point: dict[str, Any] = field(default_factory=dict)
    detail: str = ""
    anywhere: bool = False
    """Whether it is true at some point of the grid."""
    nowhere: bool = False
    """Whether it is false at every point of the grid."""
    used: tuple[Leaf, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two quantities to be compared and the masks that say where the comparison certainly holds and fails."""

    holds: Any
    fails: Any
    left: Any
    right: Any


def judge(statement: Expression, scope: Scope, grid: Grid, adjust: Adjust | None = None) -> Truth:
    """Whether a statement is true at every point of the grid.

    Raises FormulaError, Undecided, Unavailable, BrokenReference.
    """
    if adjust is not None or "cited" in statement.calls:
        return _judge(statement, scope, grid, adjust)
    key = _key(statement, scope, grid)
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = _judge(statement, scope, grid, None)
    return _KNOWN[key]


_KNOWN: dict[Hashable, Truth] = {}
MOST_KNOWN = 4096
"""Verdicts on statements that were judged already, about the same things with the same values."""


def _key(statement: Expression, scope: Scope, grid: Grid) -> Hashable:
    """Everything that a statement's verdict rests on; a record is the same only while it is the same object."""
    return statement.text, grid.key, tuple((name, scope.inputs.get(name), scope.subjects.get(name))
                                           for name in sorted(statement.names - grid.axes.keys()))


def _judge(statement: Expression, scope: Scope, grid: Grid, adjust: Adjust | None) -> Truth:
    evaluator = Evaluator(scope.with_axes(grid.quantities()), adjust)
    tree = statement.tree
    if isinstance(tree, ast.Compare):
        sides = _compare(COMPARISONS[type(tree.ops[0])], evaluator.value(tree.left),
                         evaluator.value(tree.comparators[0]))
        return _truth(sides, grid, grid.point, evaluator)
    assert isinstance(tree, ast.Call)
    name, second = str(called(tree)), tree.args[1]
    if name == "agrees":
        left, right = (evaluator.value(part) for part in tree.args)
        return _truth(_overlap(left, right), grid, grid.point, evaluator)
    assert isinstance(second, ast.Name)
    if name == "tends":
        return _tends(tree, second.id, evaluator, grid)
    return _trend(name, tree, second.id, grid, evaluator)


def compare_values(operator: str, left: Quantity, right: Quantity) -> Verdict:
    """One comparison of two single values."""
    sides = _compare(operator, left, right)
    return "true" if every(sides.holds) else "false" if every(sides.fails) else "undecided"


def _compare(operator: str, a: Quantity, b: Quantity) -> _Sides:
    if not same_kind_of_thing(a, b):
        raise FormulaError(f"{measure(a.dimension)} is compared with {measure(b.dimension)}")
    (al, ah), (bl, bh) = ends(a.value), ends(b.value)
    certain: dict[str, Callable[[], tuple[Any, Any]]] = {
        "<": lambda: (ah < bl, al >= bh),
        "<=": lambda: (ah <= bl, al > bh),
        ">": lambda: (al > bh, ah <= bl),
        ">=": lambda: (al >= bh, ah < bl),
        "==": lambda: ((al == bh) & (ah == bl), (ah < bl) | (bh < al)),
        "!=": lambda: ((ah < bl) | (bh < al), (al == bh) & (ah == bl)),
    }
    holds, fails = certain[operator]()
    return _Sides(holds, fails, a.value, b.value)


def _overlap(a: Quantity, b: Quantity) -> _Sides:
    if not same_kind_of_thing(a, b):
        raise FormulaError(f"{measure(a.dimension)} cannot agree with {measure(b.dimension)}")
    (al, ah), (bl, bh) = ends(a.value), ends(b.value)
    apart = (ah < bl) | (bh < al)
    return _Sides(np.logical_not(apart), apart, a.value, b.value)


def words(node: ast.expr) -> set[str]:
    """The names that a part of an expression uses."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _position(axis: str, grid: Grid, scope: Scope) -> int:
    """The dimension of an axis. Raises `FormulaError`, and `Unavailable` for one that is told to be wrong already."""
    if axis in scope.inputs and scope.inputs[axis] is None:
        raise Unavailable(axis)
    return grid.position(axis)


def _trend(name: str, tree: ast.Call, axis: str, grid: Grid, evaluator: Evaluator) -> Truth:
    position = _position(axis, grid, evaluator.scope)
    quantity = evaluator.value(tree.args[0])
    if axis not in words(tree.args[0]):
        raise FormulaError(f"the expression does not use {axis}, so it shows no trend along it")
    if len(grid.axes[axis]) < 2:
        raise FormulaError(f"axis {axis} has one value only, which shows no trend")
    before, after = (_along(quantity.value, position, side) for side in (slice(-1), slice(1, None)))
    if before is None:  # the expression does not vary along this axis at all
        if name == "constant":
            return Truth("true", used=tuple(evaluator.used))
        first = {key: values[0] for key, values in grid.axes.items()}
        return Truth("false", first, f"it does not change with {axis}", nowhere=True, used=tuple(evaluator.used))
    operator = {"increasing": "<", "decreasing": ">", "constant": "=="}[name]
    sides = _compare(operator, Quantity(before), Quantity(after))

    def point(index: tuple[int, ...]) -> dict[str, Any]:
        here = grid.point(index)
        return {**here, axis: grid.axes[axis][index[position] + 1]}

    return _truth(sides, grid, point, evaluator)


def _along(value: Any, position: int, part: slice) -> Any:
    """A slice along one axis of the grid; None when the value does not vary along it."""
    if isinstance(value, Interval):
        low, high = _along(value.lo, position, part), _along(value.hi, position, part)
        return None if low is None else Interval(low, high)
    if not isinstance(value, RationalGrid) or value.shape[position] == 1:
        return None
    return value[(slice(None),) * position + (part,)]


def _tends(tree: ast.Call, axis: str, evaluator: Evaluator, grid: Grid) -> Truth:
    """At 10^3, 10^6 and 10^9 on the axis, the distance to the limit falls at least tenfold each time."""
    _position(axis, grid, evaluator.scope)
    rest = Grid({name: values for name, values in grid.axes.items() if name != axis})
    distances: list[Quantity] = []
    for far in FAR:
        there = Evaluator(evaluator.scope.with_axes({**rest.quantities(), axis: Quantity(far)}), evaluator.adjust)
        value, limit = there.value(tree.args[0]), there.value(tree.args[2])
        if not same_kind_of_thing(value, limit):
            raise FormulaError(f"{measure(value.dimension)} cannot tend to "
                               f"{measure(limit.dimension)}")
        distances.append(Quantity(arithmetic.absolute(value.value - limit.value)))
        evaluator.used.extend(there.used)
    steps = [(far, _compare("<=", Quantity(now.value * 10), near))
             for far, near, now in zip(FAR[1:], distances, distances[1:], strict=False)]
    holds = reduce(np.logical_and, (sides.holds for _, sides in steps))
    fails = reduce(np.logical_or, (sides.fails for _, sides in steps))
    truths = [(far, _truth(sides, rest, rest.point, evaluator)) for far, sides in steps]
    for verdict in ("false", "undecided"):
        for far, truth in truths:
            if truth.verdict == verdict:
                return replace(truth, point={axis: far, **truth.point}, anywhere=bool(np.any(holds)),
                               nowhere=bool(np.all(fails)), detail="the distance to the limit does not fall tenfold")
    return Truth("true", used=tuple(evaluator.used))


def _truth(sides: _Sides, grid: Grid, point: Callable[[tuple[int, ...]], dict[str, Any]],
           evaluator: Evaluator) -> Truth:
    used = tuple(evaluator.used)
    holds, fails = np.asarray(sides.holds), np.asarray(sides.fails)
    if bool(holds.all()):
        return Truth("true", used=used)
    verdict: Verdict = "false" if bool(fails.any()) else "undecided"
    mask = fails if verdict == "false" else ~holds
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
    full = tuple(index) if len(index) == len(grid.axes) else (0,) * len(grid.axes)
    detail = f"{_show(sides.left, index)} against {_show(sides.right, index)}"
    return Truth(verdict, point(full), detail, bool(holds.any()), bool(fails.all()), used)


def _show(value: Any, index: tuple[int, ...]) -> str:
    low, high = (_at(end, index) for end in ends(value))
    return decimal(low) if low == high else f"[{decimal(low)}, {decimal(high)}]"


def _at(value: Any, index: tuple[int, ...]) -> Any:
    if isinstance(value, RationalGrid):
        return value.at(*(min(i, n - 1) for i, n in zip(index, value.shape, strict=True)))
    return value


def decimal(value: Any, digits: int = 6) -> str:
    """An exact number in decimal notation with so many significant digits, `...` when some are cut."""
    if not isinstance(value, int | Fraction):
        return str(value)
    if value.denominator == 1 and value.numerator.bit_length() < 50:
        return str(value.numerator)
    with localcontext() as context:  # not by way of floats, which end at 10^308
        context.prec = digits
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
    shown = f"{rounded.normalize():g}" if rounded.adjusted() >= -5 else f"{rounded.normalize():e}"
    return shown if Fraction(rounded) == value or "e" in shown else shown + "…"
