"""Expressions that look like proofs and are none: those that say nothing about the number that they stand beside.

Whether an expression really depends on its inputs is found out by trying: the inputs are given other values, and
the result has to move.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.language import FormulaError, parse_statement
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided
from specdil_records.claims.statements import judge

FAULTS = (FormulaError, BrokenReference, Undecided, Unavailable)
TRIALS = (1, 2, 3)
EXTREMES: tuple[int | Fraction, ...] = (-(10**9), 0, Fraction(1, 10**9), Fraction(7, 13), 1, 10**9)


def own_digits_only(node: ast.expr, scope: Scope, grid: Grid, own: frozenset[str], base: Quantity,
                    used: Sequence[Leaf]) -> bool:
    """Whether an expression is the same whatever its inputs, cited cells and records are.

    `own` names the inputs that are read from the very digits to be proved; they do not count.
    """
    free = [leaf for leaf in used if not (leaf.kind == "input" and leaf.key[0] in own)]
    if not free:
        return True
    if varies(base.value):
        return False
    tried = 0
    for trial in TRIALS:
        evaluator = Evaluator(scope.with_axes(grid.quantities()), _moved(trial, own))
        try:
            moved = evaluator.value(node).value
        except FAULTS:
            continue
        tried += 1
        if not same(moved, base.value):
            return False
    return tried > 0


def varies(value: Any) -> bool:
    """Whether a value takes more than one value on its grid."""
    if isinstance(value, Interval):
        return varies(value.lo) or varies(value.hi)
    if isinstance(value, RationalGrid) and value.size > 1:
        first = value[(slice(0, 1),) * value.ndim]
        return not bool(np.all(value == first))
    return False


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, ends and all."""
    if isinstance(a, Interval) or isinstance(b, Interval):
        (al, ah), (bl, bh) = ((x.lo, x.hi) if isinstance(x, Interval) else (x, x) for x in (a, b))
        return same(al, bl) and same(ah, bh)
    return bool(np.all(a == b))


def _moved(trial: int, own: frozenset[str]) -> Callable[[Leaf], Quantity]:
    def adjust(leaf: Leaf) -> Quantity:
        if leaf.kind == "input" and leaf.key[0] in own:
            return leaf.quantity
        # Another factor for each leaf, so that a ratio of two of them moves as well.
        step = trial + sum(map(ord, "".join(leaf.key))) % 7
        value = leaf.quantity.value
        if leaf.kind == "axis":
            return Quantity(3 * step + 1, leaf.quantity.dimension, leaf.quantity.kind)
        if isinstance(value, int):
            return Quantity(value * (trial + 1) + step, leaf.quantity.dimension, leaf.quantity.kind)
        # A share stays a share: it moves towards zero.
        return Quantity(value * Fraction(step, step + 2 * trial), leaf.quantity.dimension, leaf.quantity.kind)

    return adjust


def idle_held(name: str, statements: Sequence[str], scope: Scope, grid: Grid) -> bool:
    """Whether the statements stay true whatever the held number is."""
    using = [statement for statement in map(parse_statement, statements) if name in statement.names]

    def adjusted(value: int | Fraction) -> Callable[[Leaf], Quantity]:
        def adjust(leaf: Leaf) -> Quantity:
            if leaf.kind == "input" and leaf.key == (name,):
                return Quantity(value, leaf.quantity.dimension, leaf.quantity.kind)
            return leaf.quantity

        return adjust

    for statement in using:
        for value in EXTREMES:
            try:
                if judge(statement, scope, grid, adjusted(value)).verdict != "true":
                    return False
            except FAULTS:
                return False
    return True
