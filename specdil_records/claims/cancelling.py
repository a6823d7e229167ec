"""What an expression names though it is the same whatever that is: `x + g - g`, `x * g / g`, `x + 0 * g`.

Found by trying, in the arithmetic alone: each thing that is named, and each call of the catalogue, is a symbol here
that is given values. What an author sets against itself in a call of the catalogue (the same batch twice, with two
formats) rests on a law, and is not looked into; the arguments of the call are.
"""
from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from specdil_records.claims.language import Expression, called, literal_exponent, literal_value
from specdil_records.claims.quantities import within_bounds

ROUNDS = 3
"""Each time everything else has other values."""
VALUES = (Fraction(1, 10**40), Fraction(5, 7), Fraction(1009), Fraction(10**40))
"""Far beyond all that is written: `ceil(x / 80000000000)` is 1 up to there."""
SHAPING = {"min": min, "max": max, "abs": abs, "ceil": math.ceil, "floor": math.floor}
"""Functions that may leave a number as it is."""

_KNOWN: dict[str, str | None] = {}
MOST_KNOWN = 4096
"""Expressions that were looked into already, by their text: their trees would take far more room."""


def idle_part(expression: Expression) -> str | None:
    """The first thing that an expression, or an argument of a call in it, does not depend on; None for none."""
    if expression.text not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[expression.text] = _idle_part(expression.tree)
    return _KNOWN[expression.text]


def _idle_part(tree: ast.expr) -> str | None:
    symbols: dict[str, ast.expr] = {}
    _gather(tree, symbols)
    for key, node in symbols.items():
        if not _moves(tree, symbols, key):
            return ast.unparse(node)
    parts = (part for node in symbols.values() for part in _inside(node))
    return next((found for part in parts if (found := _idle_part(part)) is not None), None)


def _inside(node: ast.expr) -> Iterator[ast.expr]:
    """What stands in a call, or below the top of a range or a statement, and is an expression of its own."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            parts = [*args, *(keyword.value for keyword in keywords)]
        case ast.Compare(left=left, comparators=[right]):
            parts = [left, right]
        case ast.Tuple(elts=elts):
            parts = elts
        case _:
            parts = []
    yield from (part for part in parts if not (isinstance(part, ast.Constant) and isinstance(part.value, str)))


def _gather(node: ast.expr, symbols: dict[str, ast.expr]) -> None:
    """Every symbol of the arithmetic of an expression, by what it is."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            _gather(left, symbols)
            if not isinstance(op, ast.Pow):
                _gather(right, symbols)
        case ast.UnaryOp(operand=operand):
            _gather(operand, symbols)
        case ast.Constant():
            pass
        case ast.Call(args=args) if called(node) in SHAPING:
            for part in args:
                _gather(part, symbols)
        case _:
            symbols.setdefault(ast.dump(node), node)


def _moves(tree: ast.expr, symbols: Mapping[str, ast.expr], key: str) -> bool:
    """Whether the arithmetic gives something else once one symbol has another value; also where nothing can be told."""
    tried = False
    for turn in range(ROUNDS):
        values = {one: Fraction(7 * at + 11 * turn + 3, 5 * at + 2 * turn + 2) for at, one in enumerate(symbols)}
        found = [_worth(tree, {**values, key: value}) for value in VALUES]
        told = [one for one in found if one is not None]
        if any(one != told[0] for one in told):
            return True
        tried |= len(told) > 1
    return not tried


def _worth(node: ast.expr, values: Mapping[str, Fraction]) -> Fraction | None:
    try:
        return _value(node, values)
    except (ArithmeticError, ValueError, TypeError):  # as of `abs(x, y)`, which is refused when it is evaluated
        return None


def _value(node: ast.expr, values: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base = _value(left, values)
            if not within_bounds(base):  # such an expression is refused for that when it is evaluated
                raise OverflowError
            return Fraction(base ** literal_exponent(right))
        case ast.BinOp(left=left, op=op, right=right):
            one, two = _value(left, values), _value(right, values)
            if isinstance(op, ast.Add):
                return one + two
            if isinstance(op, ast.Sub):
                return one - two
            return one * two if isinstance(op, ast.Mult) else one / two
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, values)
            return -value if isinstance(op, ast.USub) else value
        case ast.Constant():
            return Fraction(literal_value(node))
        case ast.Call(args=args) if (name := called(node)) in SHAPING:
            assert name is not None
            return Fraction(SHAPING[name](*(_value(part, values) for part in args)))  # type: ignore[operator]
        case _:
            return values[ast.dump(node)]
