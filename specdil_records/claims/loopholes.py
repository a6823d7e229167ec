"""Expressions that look like proofs and are none: those that say nothing about the number that they stand beside.

Whether an expression really depends on its inputs is found out by trying: the inputs are given other values, and
the result has to move.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from specdil_records.arithmetic import Interval, RationalGrid, every
from specdil_records.claims.cancelling import SHAPING
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.language import Expression, FormulaError, called, is_bare_value, parse_statement
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided, ends
from specdil_records.claims.statements import judge

FAULTS = (FormulaError, BrokenReference, Undecided, Unavailable)
TRIALS = (1, 2, 3)
OTHER_DIGITS = (Fraction(7, 13), 1009, 10**9)
"""What the digits of a figure could be instead."""
EXTREMES: tuple[int | Fraction, ...] = (-(10**9), -1, 0, Fraction(1, 10**9), Fraction(7, 13), 1, 10**9)


def own_digits_only(node: ast.expr, scope: Scope, grid: Grid, own: frozenset[str], base: Quantity) -> bool:
    """Whether an expression is the same whatever its inputs, cited cells and records are.

    `own` names the inputs that are read from the very digits to be proved; they do not count.
    """
    if is_bare_value(node):
        return False
    tried = False
    for trial in TRIALS:
        evaluator = Evaluator(scope.with_axes(grid.quantities()), _moved(trial, own))
        try:
            moved = evaluator.value(node).value
        except FAULTS:
            continue
        if not same(moved, base.value):
            return False
        tried = True
    return tried


def gives_back(node: ast.expr, scope: Scope, grid: Grid, own: frozenset[str]) -> bool:
    """Whether an expression is worth whatever the digits to be proved are, all else being as it is: `p * b / 64`.

    `own` names the inputs that are read from those digits.
    """
    tried = False
    for value in OTHER_DIGITS:
        evaluator = Evaluator(scope.with_axes(grid.quantities()), partial(_read_as, value, own))
        try:
            low, high = ends(evaluator.value(node).value)
        except FAULTS:
            continue
        if not (every(low <= value) and every(value <= high)):
            return False
        tried = True
    return tried


def _read_as(value: int | Fraction, own: frozenset[str], leaf: Leaf) -> Quantity:
    return leaf.quantity.worth(value) if leaf.kind == "input" and leaf.key[0] in own else leaf.quantity


def varies(value: Any) -> bool:
    """Whether a value takes more than one value on its grid."""
    if isinstance(value, Interval):
        return varies(value.lo) or varies(value.hi)
    if isinstance(value, RationalGrid):
        first = value[(slice(1),) * value.ndim]
        return not every(value == first)
    return False


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, ends and all."""
    if isinstance(a, Interval) or isinstance(b, Interval):
        (al, ah), (bl, bh) = ((x.lo, x.hi) if isinstance(x, Interval) else (x, x) for x in (a, b))
        return same(al, bl) and same(ah, bh)
    return every(a == b)


def _moved(trial: int, own: frozenset[str]) -> Callable[[Leaf], Quantity]:
    steps: dict[tuple[str, ...], int] = {}

    def adjust(leaf: Leaf) -> Quantity:
        if leaf.kind == "input" and leaf.key[0] in own:
            return leaf.quantity
        # Another factor for each leaf, so that a ratio of two of them moves as well.
        step = trial + steps.setdefault(leaf.key, len(steps))
        value = leaf.quantity.value
        if leaf.kind == "axis":
            return leaf.quantity.worth(3 * step + 1)
        if isinstance(value, int):
            return leaf.quantity.worth(value * (trial + 1) + step)
        # A share stays a share: it moves towards zero.
        return leaf.quantity.worth(value * Fraction(step, step + 2 * trial))

    return adjust


def repeated(node: ast.expr, scope: Scope, grid: Grid, base: Quantity, used: Sequence[Leaf]) -> Leaf | None:
    """The one leaf that an expression repeats: it is worth what that is worth, whatever that is. None for any other."""
    leaves = {leaf.key: leaf for leaf in used}
    calls = {called(part) for part in ast.walk(node) if isinstance(part, ast.Call)}
    if len(leaves) != 1 or varies(base.value) or calls - SHAPING.keys() - {"cited"}:
        return None
    (leaf,) = leaves.values()
    # In points: intervals carry no correlation, so that 2 * x - x would be wider than the x that it is.
    low, high = (leaf.quantity.worth(end) for end in ends(single(leaf.quantity.value)))
    for quantity in (low, high, *(_moved(trial, frozenset())(replace(leaf, quantity=low)) for trial in TRIALS)):
        try:
            moved = Evaluator(scope.with_axes(grid.quantities()), partial(_instead, quantity)).value(node).value
        except FAULTS:
            continue
        if not same(moved, quantity.value):
            return None
    return leaf


def _instead(quantity: Quantity, _: Leaf) -> Quantity:
    return quantity


def single(value: Any) -> Any:
    """The only value of an axis of one point; any other value as it is."""
    return value.at(*(0 for _ in value.shape)) if isinstance(value, RationalGrid) and value.size == 1 else value


def idle_name(name: str, statements: Sequence[str], scope: Scope, grid: Grid, held: bool,
              alike: frozenset[str] = frozenset()) -> bool:
    """Whether true statements stay true whatever the number behind a name, and the names `alike`, is.

    It is tried with values far and near, and with those of everything else in the statement, so that an inequality
    and an equality are refuted alike. A value for which a statement has no verdict speaks for an input, on which at
    least it rests that there is one; it does not make the statement `hold` a number.
    """
    leaf = scope.inputs[name]
    assert leaf is not None

    def adjusted(value: Any) -> Callable[[Leaf], Quantity]:
        keys = {leaf.key, *(other.key for one in alike if (other := scope.inputs.get(one)) is not None)}
        return lambda one: one.quantity.worth(value) if one.key in keys else one.quantity

    size = 1 + max(abs(end) for end in ends(leaf.quantity.value))
    for text in statements:
        statement = parse_statement(text)
        others = [one.quantity.value for one in judge(statement, scope, grid).used
                  if isinstance(one.quantity.value, int | Fraction | Interval)]
        for value in (*(extreme * size for extreme in EXTREMES), *others, *_sides(statement, scope, grid)):
            try:
                if judge(statement, scope, grid, adjusted(value)).verdict != "true":
                    return False
            except FAULTS:
                if not held:
                    return False
    return True


def _sides(statement: Expression, scope: Scope, grid: Grid) -> list[Any]:
    """The values of both sides of a comparison that is true, where they are single numbers."""
    if not isinstance(statement.tree, ast.Compare):
        return []
    sides = (statement.tree.left, statement.tree.comparators[0])
    values = [Evaluator(scope.with_axes(grid.quantities())).value(side).value for side in sides]
    return [value for value in values if isinstance(value, int | Fraction | Interval)]
