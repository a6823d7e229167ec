"""The expression language: text to a checked syntax tree.

Python's own parser reads the text, and a whitelist of its nodes is all that may be in it: nothing is ever compiled
or run. What a name means is not known here; `evaluating` asks a scope for it.
"""
from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from specdil_records.corpus.references import LONGEST_EXPRESSION

LARGEST_EXPONENT = 8
NUMBER = re.compile(r"\d+(\.\d+)?([eE][+-]?\d{1,3})?")
WORD = re.compile(r"[A-Za-z_]\w*")
MOST_DIGITS = 400
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
MEASURED = re.compile(r"\d *(?:%|[A-Za-z])")
CONSTRUCTS: dict[type[ast.expr], str] = {
    ast.Attribute: "a dot after anything but a name", ast.BoolOp: "and, or", ast.IfExp: "a condition",
    ast.JoinedStr: "a formatted text", ast.Lambda: "a function", ast.List: "a list", ast.Dict: "a mapping",
    ast.Set: "a set", ast.Starred: "a star", ast.Subscript: "an index",
}

FUNCTIONS = frozenset({"min", "max", "abs", "ceil", "floor", "bytes_per", "cited"})
TRENDS = frozenset({"increasing", "decreasing", "constant"})
STATEMENTS = TRENDS | {"tends", "agrees"}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}

Shape = Literal["value", "range", "statement"]


class FormulaError(Exception):
    """An expression that is refused: what is wrong with it, in plain words."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A checked expression: its text, its tree, what shape it has and the names that it uses."""

    text: str
    tree: ast.expr
    shape: Shape
    names: frozenset[str]
    calls: frozenset[str]

    @property
    def is_cited(self) -> bool:
        """A bare `cited(...)`, or a pair of them."""
        parts = self.tree.elts if isinstance(self.tree, ast.Tuple) else [self.tree]
        return all(called(part) == "cited" for part in parts)


def called(node: ast.expr) -> str | None:
    """The name that a call calls, `name` or `room.name`; None for anything else."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name):
        return node.func.id
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return f"{node.func.value.id}.{node.func.attr}"
    return None


def is_bare_value(node: ast.expr) -> bool:
    """A bare `cited(...)` or a record's value: what a figure must be a rounding of."""
    return called(node) == "cited" or isinstance(node, ast.Attribute)


def parse_value(text: str) -> Expression:
    """An expression for a figure: a value, or a pair of values for a range.

    Raises `FormulaError`.
    """
    expression = _parse(text)
    if expression.shape == "statement":
        raise FormulaError("a figure needs a value; this is a statement, which is true or false")
    return expression


def parse_statement(text: str) -> Expression:
    """A statement: one comparison, a trend, a limit or an agreement. Raises `FormulaError`."""
    expression = _parse(text)
    if expression.shape != "statement":
        raise FormulaError("a statement is one comparison, or one of " + ", ".join(sorted(STATEMENTS)))
    return expression


def names_in(text: str) -> frozenset[str]:
    """The names that an expression uses; of one that is refused all its words, so that one fault is not told twice."""
    try:
        return _parse(text).names
    except FormulaError:
        return frozenset(WORD.findall(text))


@lru_cache(maxsize=1024)
def _parse(text: str) -> Expression:
    if not text.isascii():
        raise FormulaError("only ASCII characters may stand in an expression")
    text = text.strip()
    if not text:
        raise FormulaError("the expression is empty")
    if len(text) > LONGEST_EXPRESSION:
        raise FormulaError(f"{len(text)} characters; at most {LONGEST_EXPRESSION} are allowed")
    source = " ".join(text.split())
    if "#" in QUOTED.sub("", source):
        raise FormulaError("a comment does not stand in an expression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) and error.msg else "it cannot be parsed"
        if MEASURED.search(QUOTED.sub("", source)):
            reason += "; a number with a unit is no part of one, it comes in under a name, by assume"
        raise FormulaError(f"not an expression: {reason}") from None
    names: set[str] = set()
    calls: set[str] = set()
    checker = _Checker(source, names, calls)
    shape = checker.top(tree)
    return Expression(text, tree, shape, frozenset(names), frozenset(calls))


@dataclass(slots=True)
class _Checker:
    source: str
    names: set[str]
    calls: set[str]

    def top(self, node: ast.expr) -> Shape:
        if isinstance(node, ast.Tuple):
            if len(node.elts) != 2:
                raise FormulaError("a range is a pair (low, high)")
            for part in node.elts:
                self.value(part)
            return "range"
        if isinstance(node, ast.Compare):
            if len(node.ops) != 1:
                raise FormulaError("one comparison a statement")
            if type(node.ops[0]) not in COMPARISONS:
                raise FormulaError("a comparison is one of " + " ".join(COMPARISONS.values()))
            self.value(node.left)
            self.value(node.comparators[0])
            return "statement"
        if (name := called(node)) in STATEMENTS:
            assert isinstance(node, ast.Call) and name is not None
            self.statement(name, node)
            return "statement"
        self.value(node)
        return "value"

    def statement(self, name: str, node: ast.Call) -> None:
        wanted = {"tends": 3}.get(name, 2)
        if len(node.args) != wanted or node.keywords:
            raise FormulaError(f"{name} takes {wanted} arguments, in order and without names")
        if name != "agrees" and not isinstance(node.args[1], ast.Name):
            raise FormulaError(f"the second argument of {name} is the name of an axis of the grid")
        self.calls.add(name)
        for part in node.args:
            self.value(part)

    def value(self, node: ast.expr) -> None:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                if type(op) not in OPERATORS:
                    raise FormulaError("the operators are + - * / **")
                self.value(left)
                if isinstance(op, ast.Pow):
                    literal_exponent(right)
                else:
                    self.value(right)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                self.value(operand)
            case ast.Constant():
                self.literal(node)
            case ast.Name(id=name):
                self.names.add(name)
            case ast.Attribute(value=ast.Name(id=name)):
                self.names.add(name)
            case ast.Call():
                self.call(node)
            case ast.Compare() | ast.Tuple():
                raise FormulaError("a comparison or a pair stands at the top of an expression only")
            case _:
                raise FormulaError(f"{CONSTRUCTS.get(type(node), self.segment(node))} is not part of the expression "
                                   "language")

    def literal(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            raise FormulaError("text stands only where a function names a vocabulary or a source")
        if not NUMBER.fullmatch(self.segment(node)):
            raise FormulaError("a number is written with digits, a point and an exponent")
        if sum(map(str.isdigit, self.segment(node))) > MOST_DIGITS:
            raise FormulaError(f"a number of more than {MOST_DIGITS} digits")
        # The exact text is kept beside the value: a float would already have lost digits.
        node.kind = self.segment(node)

    def segment(self, node: ast.expr) -> str:
        return self.source[node.col_offset:node.end_col_offset]

    def call(self, node: ast.Call) -> None:
        name = called(node)
        if name is None:
            raise FormulaError("only catalogue names can be called, with one dot at most")
        if name in STATEMENTS:
            raise FormulaError(f"{name} is a statement; it stands at the top of an expression only")
        self.calls.add(name)
        for part in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                if name in FUNCTIONS - {"cited", "bytes_per"}:
                    raise FormulaError(f"{name} takes numbers, no text")
            else:
                self.value(part)
        named = [keyword.arg for keyword in node.keywords]
        if None in named:
            raise FormulaError("** does not unpack arguments here")
        if len(set(named)) != len(named):
            raise FormulaError(f"{name} is given an argument twice")


def literal_exponent(node: ast.expr) -> int:
    """The literal whole exponent of a power, at most 8 in size. Raises `FormulaError`."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value <= LARGEST_EXPONENT:
        return sign * node.value
    raise FormulaError(f"an exponent is a literal whole number of at most {LARGEST_EXPONENT}")


def literal_value(node: ast.Constant) -> int | Fraction:
    """The exact value of a checked number literal."""
    value = Fraction(str(node.kind))
    return value.numerator if value.denominator == 1 else value
