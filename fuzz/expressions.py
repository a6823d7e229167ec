"""The expression language: what is read is made of a few kinds of node, and is worth what plain arithmetic says."""
from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from fuzz import seeds as shipped
from specdil_records.arithmetic import Dimension, Interval
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.language import Expression, FormulaError, parse_statement, parse_value
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided

NODES = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Compare, ast.Tuple, ast.keyword,
         ast.expr_context, ast.operator, ast.unaryop, ast.cmpop)
MOST_SIZE = 4300  # bits, so that the plain arithmetic below stays quick
LONGEST_INPUT = 500


def seeds() -> Iterator[bytes]:
    """Every short text of a record that reads as an expression, and every kind of refusal."""
    texts = {value for _, value in shipped.values() if isinstance(value, str) and len(value) <= 500}
    read = sorted(text for text in texts if expressions(text))
    assert any("(" in text for text in read), "no expression among the shipped records"
    yield from (text.encode() for text in read)
    yield from (b"(B, k + 1)", b"2**-8 / 3e-400", b"min(1, 2.50, abs(-3))", b"__import__('os').system('x')", b"9**9**9",
                b"ceil(1/3) - floor(7/2)", b"tends(k, B, 1)", b"a.b.c", b"1_0", b"0x1F", b"min(**k)")


def judge(data: bytes) -> None:
    """Read a text as a value and as a statement; print, read again and work out what was read."""
    text = shipped.decoded(data)
    read = expressions(text)
    assert len(read) <= 1, "one text is a value and a statement"
    for expression in read:
        check_nodes(expression)
        check_printed(expression)
        for part in parts(expression.tree):
            check_value(expression, part)


def expressions(text: str) -> list[Expression]:
    """The text as an expression of either shape; nothing but a refusal may come of any other."""
    found = []
    for parse in (parse_value, parse_statement):
        try:
            found.append(parse(text))
        except FormulaError as error:
            assert str(error)
    return found


def check_nodes(expression: Expression) -> None:
    """No node but those of the language, one dot at most, and no name that Python keeps for itself is called."""
    for node in ast.walk(expression.tree):
        assert isinstance(node, NODES), node
        if isinstance(node, ast.Attribute):
            assert isinstance(node.value, ast.Name)
        if isinstance(node, ast.Name):
            assert node.id in expression.names or any(call.split(".")[0] == node.id for call in expression.calls)
    assert len(expression.text) <= 500


def check_printed(expression: Expression) -> None:
    """A tree printed by Python's own printer and read again is the same tree, unless a float has lost digits."""
    numbers = [node for node in ast.walk(expression.tree)
               if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    if any(math.isinf(one.value) or Fraction(repr(one.value)) != Fraction(str(one.kind)) for one in numbers):
        return
    printed = ast.unparse(ast.parse(" ".join(expression.text.split()), mode="eval").body)
    if len(printed) > 500:
        return  # the printer sets more blanks than the author
    (again,) = expressions(printed)
    assert again.shape == expression.shape
    assert shape_of(again.tree) == shape_of(expression.tree), printed
    assert (again.names, again.calls) == (expression.names, expression.calls)


def shape_of(tree: ast.expr) -> str:
    """A tree as text, without the spelling of its numbers."""
    return re.sub(r", kind='[^']*'", "", ast.dump(tree))


def parts(tree: ast.expr) -> list[ast.expr]:
    """The values of an expression: itself, both of a pair, both sides of a comparison, none of a statement by name."""
    if isinstance(tree, ast.Tuple):
        return tree.elts
    if isinstance(tree, ast.Compare):
        return [tree.left, *tree.comparators]
    return [tree]


def scope(expression: Expression) -> Scope:
    """Every name an input of its own: exact, an interval, bytes, or nothing."""
    kinds = [Quantity(7), Quantity(Interval(Fraction(1, 2), Fraction(3))), Quantity(Fraction(3, 2), Dimension(byte=1)),
             None]
    inputs = {}
    for index, name in enumerate(sorted(expression.names)):
        quantity = kinds[index % len(kinds)]
        inputs[name] = None if quantity is None else Leaf("input", (name,), name, quantity)
    return Scope(inputs, {}, {}, None)


def check_value(expression: Expression, part: ast.expr) -> None:
    """A value or one of the four reasons for none; without names and functions it is what fractions say."""
    plain = plain_value(part)
    try:
        quantity = Evaluator(scope(expression)).value(part)
    except Undecided:
        assert plain is None or plain == "undefined"
        return
    except (FormulaError, Unavailable, BrokenReference) as error:
        assert str(error)
        assert not isinstance(plain, Fraction) or size(plain) > MOST_SIZE
        return
    if isinstance(plain, Fraction):
        assert quantity.is_point
        assert quantity.value == plain, (expression.text, quantity.value, plain)
    assert plain != "undefined"


def size(value: Fraction) -> int:
    """Bits of the longer of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def plain_value(node: ast.expr) -> Any:
    """Arithmetic on literals, written once more: a fraction, `undefined`, or None for anything else."""
    try:
        return _plain_value(node)
    except ZeroDivisionError:
        return "undefined"
    except LookupError:
        return None


def _plain_value(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(kind=str(written)):
            value = Fraction(written)
        case ast.UnaryOp(op=op, operand=operand):
            value = -_plain_value(operand) if isinstance(op, ast.USub) else _plain_value(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            value = _plain_value(left) ** int(ast.literal_eval(right))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _plain_value(left), _plain_value(right)
            value = {ast.Add: a.__add__, ast.Sub: a.__sub__, ast.Mult: a.__mul__, ast.Div: a.__truediv__}[type(op)](b)
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as args, keywords=[]) if len(args) <= 8:
            value = (min if name == "min" else max)([_plain_value(arg) for arg in args])
        case ast.Call(func=ast.Name(id="abs" | "ceil" | "floor" as name), args=[arg], keywords=[]):
            value = Fraction({"abs": abs, "ceil": math.ceil, "floor": math.floor}[name](_plain_value(arg)))
        case _:
            raise LookupError
    if size(value) > MOST_SIZE:
        raise LookupError
    return value
