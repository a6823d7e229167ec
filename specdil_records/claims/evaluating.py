"""The value of a checked expression: one walk for exact numbers, intervals and grids alike."""
from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from specdil_records import arithmetic, roofline
from specdil_records.arithmetic import Dimension, same_measure
from specdil_records.claims.language import (
    FUNCTIONS,
    OPERATORS,
    FormulaError,
    called,
    literal_exponent,
    literal_value,
)
from specdil_records.claims.quantities import (
    PURE,
    Leaf,
    Quantity,
    Unavailable,
    Undecided,
    all_whole,
    kind_of_choice,
    kind_of_product,
    kind_of_sum,
    measure,
    same_kind_of_thing,
    tidy,
    within_bounds,
)
from specdil_records.roofline.machine import Watched

Adjust = Callable[[Leaf], Quantity]
BYTE = Dimension(byte=1)


class Subject(Protocol):
    """A record that a claim brings in under a name of its own."""

    def leaf(self, alias: str, quantity: str) -> Leaf: ...

    def machine(self, alias: str, adjust: Adjust | None) -> tuple[Any, tuple[Leaf, ...]]: ...


class Cells(Protocol):
    """Where cited cells come from."""

    def cell(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What the names of an expression stand for."""

    inputs: dict[str, Leaf | None]
    axes: dict[str, Quantity]
    subjects: dict[str, Subject | None]
    cells: Cells | None

    def with_axes(self, axes: dict[str, Quantity]) -> Scope:
        """The same names with other values on the axes of the grid."""
        if not axes:
            return self
        return replace(self, axes={**self.axes, **axes})


@dataclass(slots=True)
class Evaluator:
    """Evaluates one expression and notes on what it rested. `adjust` may give another value for a leaf."""

    scope: Scope
    adjust: Adjust | None = None
    used: list[Leaf] = field(default_factory=list)
    machines: list[tuple[Any, tuple[Leaf, ...]]] = field(default_factory=list)

    def value(self, node: ast.expr) -> Quantity:
        """The quantity of a node. Raises FormulaError, Undecided, Unavailable, BrokenReference."""
        try:
            result = self._node(node)
        except ZeroDivisionError:
            raise Undecided("it divides by zero, or by an interval that holds zero") from None
        if not within_bounds(result.value):
            raise FormulaError("its numbers grow past every use")
        return result

    def _node(self, node: ast.expr) -> Quantity:
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Call():
                return self._call(node)
            case ast.Constant():
                return Quantity(literal_value(node))
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(OPERATORS[type(op)], left, right)
            case ast.Attribute(value=ast.Name(id=alias), attr=quantity):
                return self._use(self._subject(alias).leaf(alias, quantity))
            case ast.UnaryOp(op=op, operand=operand):
                inner = self.value(operand)
                return inner.worth(-inner.value) if isinstance(op, ast.USub) else inner
        raise FormulaError("not part of the expression language")

    def _use(self, leaf: Leaf) -> Quantity:
        self.used.append(leaf)
        return leaf.quantity if self.adjust is None else self.adjust(leaf)

    def _name(self, name: str) -> Quantity:
        if name in self.scope.axes:
            return self._use(Leaf("axis", (name,), name, self.scope.axes[name]))
        if name in self.scope.inputs:
            leaf = self.scope.inputs[name]
            if leaf is None:  # the place that it is read from has a finding of its own
                raise Unavailable(name)
            return self._use(leaf)
        if name in self.scope.subjects:
            raise FormulaError(f"{name} is a record; one of its quantities is {name}.QUANTITY")
        raise FormulaError(unknown_name(name, [*self.scope.axes, *self.scope.inputs, *self.scope.subjects]))

    def _subject(self, alias: str) -> Subject:
        if alias not in self.scope.subjects:
            raise FormulaError(unknown_name(alias, self.scope.subjects))
        subject = self.scope.subjects[alias]
        if subject is None:
            raise Unavailable(alias)
        return subject

    def _operation(self, operator: str, left: ast.expr, right: ast.expr) -> Quantity:
        # -b + a and a + -b are a - b, so that the difference of two shares is one however it is spelt.
        if operator == "+" and (negated := _negated(left)) is not None:
            operator, left, right = "-", right, negated
        elif operator in "+-" and (negated := _negated(right)) is not None:
            operator, right = "-+"[operator == "-"], negated
        a = self.value(left)
        if operator == "**":
            exponent = literal_exponent(right)
            return Quantity(arithmetic.power(a.value, exponent), a.dimension**exponent,
                            whole=exponent >= 0 and all_whole(a))
        b = self.value(right)
        if operator in "+-":
            if not same_kind_of_thing(a, b):
                raise FormulaError(f"{measure(a.dimension)} and {measure(b.dimension)} "
                                   "cannot be added or subtracted")
            value = a.value + b.value if operator == "+" else a.value - b.value
            return Quantity(tidy(value), a.dimension, kind_of_sum(operator, a.kind, b.kind), all_whole(a, b))
        if operator == "*":
            return Quantity(tidy(a.value * b.value), a.dimension * b.dimension, kind_of_product("*", a.kind, b.kind),
                            all_whole(a, b))
        value = arithmetic.divide(a.value, b.value)
        return Quantity(tidy(value), a.dimension / b.dimension, kind_of_product("/", a.kind, b.kind))

    def _call(self, node: ast.Call) -> Quantity:
        name = called(node)
        if name == "cited":
            return self._cited(node)
        if name == "bytes_per":
            (dtype,) = self._texts(node, 1, "bytes_per")
            return Quantity(tidy(bytes_per(dtype)), BYTE)
        if name in FUNCTIONS:
            return self._function(str(name), node)
        entry = roofline.CATALOGUE.get(str(name))
        if entry is None and (name in self.scope.inputs or name in self.scope.axes):
            raise FormulaError(f"{name} is a number, no function; to multiply, write {name} * (...)")
        if entry is None:
            raise FormulaError(unknown_name(str(name), [*roofline.CATALOGUE, *FUNCTIONS]))
        return self._catalogue(entry, node)

    def _texts(self, node: ast.Call, count: int, name: str) -> list[str]:
        parts = node.args[:count]
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(texts) != count or len(node.args) != count:
            raise FormulaError(f"{name} takes {count} quoted {'text' if count == 1 else 'texts'} first")
        return texts

    def _cited(self, node: ast.Call) -> Quantity:
        source, item, column = self._texts(node, 3, "cited")
        keys: dict[str, Any] = {}
        for keyword in node.keywords:
            part = keyword.value
            is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
            keys[str(keyword.arg)] = part.value if is_text else self.value(part)  # type: ignore[attr-defined]
        if self.scope.cells is None:
            raise Unavailable(f"source {source!r}")
        return self._use(self.scope.cells.cell(source, item, column, keys))

    def _function(self, name: str, node: ast.Call) -> Quantity:
        values = [self.value(part) for part in node.args]
        wanted = {"min": range(2, 9), "max": range(2, 9)}.get(name, range(1, 2))
        if len(values) not in wanted or node.keywords:
            raise FormulaError(f"{name} takes {wanted.start} argument{'s or more' if wanted.start > 1 else ''}")
        first = values[0]
        if name in ("min", "max"):
            combine = arithmetic.minimum if name == "min" else arithmetic.maximum
            value = first.value
            for other in values[1:]:
                if not same_kind_of_thing(first, other):
                    raise FormulaError(f"{name} compares {measure(first.dimension)} "
                                       f"with {measure(other.dimension)}")
                value = combine(value, other.value)
            return replace(first, value=value, kind=kind_of_choice(*values), whole=all_whole(*values))
        function = {"abs": arithmetic.absolute, "ceil": arithmetic.ceil, "floor": arithmetic.floor}[name]
        return replace(first, value=function(first.value), whole=name != "abs" or first.whole)

    def _catalogue(self, entry: roofline.Entry, node: ast.Call) -> Quantity:
        parameters = list(entry.parameters)
        if parameters[-1].many:
            parameters += [parameters[-1]] * (len(node.args) - len(parameters))
        if len(node.args) > len(parameters):
            raise FormulaError(f"{entry.name} takes at most {len(parameters)} arguments: {roofline.signature(entry)}")
        values = [self._argument(entry, parameter, part)
                  for parameter, part in zip(parameters, node.args, strict=False)]
        by_name = {parameter.name: parameter for parameter in entry.parameters}
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            name = str(keyword.arg)
            if name not in by_name:
                raise FormulaError(f"{entry.name} has no argument {name}: {roofline.signature(entry)}")
            named[name] = self._argument(entry, by_name[name], keyword.value)
        machines, self.machines = self.machines, []
        for machine, leaves in machines:
            self.used.extend(needed(entry, values, named, machine, leaves))
        try:
            value = roofline.call(entry, *values, **named)
        except (roofline.MissingValue, roofline.NoNumber, roofline.Undecided) as error:
            raise Undecided(f"{entry.name}: {error}") from None
        except roofline.CatalogueError as error:
            raise FormulaError(str(error)) from None
        except ZeroDivisionError:
            raise  # told in words, as where a division of the expression itself is by zero
        except (ValueError, ArithmeticError) as error:
            raise Undecided(f"{entry.name} cannot be worked out with these values: {error}") from None
        if isinstance(value, roofline.Answer | str):
            raise Undecided(f"{entry.name} is {value}, which is no number")
        return Quantity(tidy(value), entry.dimension, whole=entry.result == "whole")

    def _argument(self, entry: roofline.Entry, parameter: roofline.Parameter, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.scope.subjects and node.id not in self.scope.inputs:
            machine, leaves = self._subject(node.id).machine(node.id, self.adjust)
            self.machines.append((machine, leaves))
            return machine
        quantity = self.value(node)
        if not same_measure(quantity.dimension, parameter.dimension):
            raise FormulaError(f"{entry.name}: {parameter.name} is {measure(parameter.dimension)}, "
                               f"not {measure(quantity.dimension)}")
        return quantity.value


def _negated(node: ast.expr) -> ast.expr | None:
    """What an expression takes the negative of; None for any other."""
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else None


def needed(entry: roofline.Entry, values: list[Any], named: dict[str, Any], machine: Any,
           leaves: tuple[Leaf, ...]) -> list[Leaf]:
    """The leaves of a record that a form really reads: those that it asks for."""
    if not isinstance(machine, roofline.Accelerator):
        return list(leaves)
    said = dict(zip((parameter.name for parameter in entry.parameters), values, strict=False)) | named
    words = frozenset((name, value) for name, value in said.items() if isinstance(value, str))
    chips = said.get("chips")
    key = (entry.name, frozenset(said), words, chips if isinstance(chips, int) else None,
           tuple(leaf.key[1] for leaf in leaves))
    if key not in _READ:
        _READ[key] = _asked(entry, values, named, machine)
    read = _READ[key]
    return [leaf for leaf in leaves if read is None or leaf.key[1] in read]


_READ: dict[tuple[Any, ...], frozenset[str] | None] = {}
"""What each form reads of an accelerator, found out once; None where it cannot be told."""


def _asked(entry: roofline.Entry, values: list[Any], named: dict[str, Any],
           machine: roofline.Accelerator) -> frozenset[str] | None:
    watched = Watched.over(machine)

    def at(end: Callable[[Any], Any]) -> tuple[list[Any], dict[str, Any]]:
        return ([watched if value is machine else end(value) for value in values],
                {key: watched if value is machine else end(value) for key, value in named.items()})

    # The ends of a domain tell what all of it tells: a single chip, say, needs no interconnect, but the most chips do.
    low, high = at(arithmetic.smallest), at(arithmetic.largest)
    for positional, keywords in [low] if low == high else [low, high]:
        try:
            roofline.call(entry, *positional, **keywords)
        except (roofline.MissingValue, roofline.NoNumber, roofline.Undecided, roofline.CatalogueError,
                ZeroDivisionError):
            return None  # it cannot be told, when counting all of it in is the careful answer
    return frozenset(watched.asked)


def bytes_per(dtype: str) -> Any:
    """Bytes of one element of a number format. Raises `FormulaError`."""
    try:
        return roofline.bytes_per(dtype)
    except roofline.CatalogueError as error:
        raise FormulaError(str(error)) from None


def unknown_name(name: str, known: Any) -> str:
    """The message for a name that nothing stands behind, with the nearest that there is."""
    import difflib

    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.7)
    return f"unknown name {name}" + (f"; did you mean {near[0]}?" if near else "")


__all__ = ["PURE", "Evaluator", "Scope"]
