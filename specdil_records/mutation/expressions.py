"""Mutants of what a claim computes with: operators, comparators, names, literals, and the inputs that it reads."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from specdil_records.claims import ClaimResult
from specdil_records.claims.language import COMPARISONS, OPERATORS, called
from specdil_records.claims.locating import Field
from specdil_records.claims.subjects import AcceleratorSubject
from specdil_records.figures import FigureError, read_figure
from specdil_records.findings import Pointer
from specdil_records.mutation.ground import Ground, Spot, short
from specdil_records.mutation.mutants import Mutant, value_at
from specdil_records.mutation.numbers import other_digit, other_unit, shifted_text
from specdil_records.roofline import CATALOGUE

OTHER_OPERATOR = {"+": "-", "-": "+", "*": "/", "/": "*", "**": "*"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
OTHER_FUNCTION = {"min": "max", "max": "min", "ceil": "floor", "floor": "ceil"}
OTHER_TREND = {"increasing": "decreasing", "decreasing": "increasing", "constant": "increasing"}
SIZES = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def operators(ground: Ground) -> Iterator[Mutant]:
    """Every operator of every expression, and the functions that have an opposite."""
    for spot in ground.spots:
        for node in ast.walk(spot.tree):
            if isinstance(node, ast.BinOp):
                old = OPERATORS[type(node.op)]
                start = spot.part(node.left)[1]
                end = spot.part(node.right)[0]
                at = spot.text.index(old, _behind_brackets(spot.text, start, end), end)
                yield _replaced(ground, "operator", spot, at, at + len(old), OTHER_OPERATOR[old])
            elif isinstance(node, ast.UnaryOp):
                start, _ = spot.part(node)
                yield _replaced(ground, "operator", spot, start, start + 1, " " if spot.text[start] == "-" else "-")
            elif (name := called(node) if isinstance(node, ast.Call) else None) in OTHER_FUNCTION:
                start, _ = spot.part(node)
                yield _replaced(ground, "operator", spot, start, start + len(str(name)), OTHER_FUNCTION[str(name)])


def _behind_brackets(text: str, start: int, end: int) -> int:
    """Where, between two operands, the brackets around the left one end."""
    while start < end and text[start] in ") \n\t":
        start += 1
    return start


def comparisons(ground: Ground) -> Iterator[Mutant]:
    """Every comparison and every trend, turned into what it denies."""
    for spot in ground.spots:
        tree = spot.tree
        if isinstance(tree, ast.Compare):
            old = COMPARISONS[type(tree.ops[0])]
            start = _behind_brackets(spot.text, spot.part(tree.left)[1], spot.part(tree.comparators[0])[0])
            at = spot.text.index(old, start)
            yield _replaced(ground, "comparison", spot, at, at + len(old), NEGATED[old], strict=True)
        elif (name := called(tree)) in OTHER_TREND:
            start, _ = spot.part(tree)
            yield _replaced(ground, "comparison", spot, start, start + len(str(name)), OTHER_TREND[str(name)],
                            strict=True)
    for i, row in enumerate(ground.record.data.get("scales_with", [])):
        trend = row.get("trend") if isinstance(row, dict) else None
        if trend:
            yield ground.word("comparison", f"trend of {trend['in']}", ("scales_with", i, "trend", "is"), trend["is"],
                              OTHER_TREND[trend["is"]], strict=True)


def literals(ground: Ground) -> Iterator[Mutant]:
    """Every number and every word of a vocabulary that is written into an expression."""
    for spot in ground.spots:
        for node in ast.walk(spot.tree):
            if isinstance(node, ast.Constant) and not isinstance(node.value, str):
                start, end = spot.part(node)
                new = _other_digits(spot.text[start:end])
                yield _replaced(ground, "literal", spot, start, end, new)
        for node, choices in _vocabulary(spot):
            start, end = spot.part(node)
            for other in [choice for choice in choices if choice != node.value][:1]:
                yield _replaced(ground, "literal", spot, start + 1, end - 1, other)


def _other_digits(text: str) -> str:
    last = max(at for at, character in enumerate(re.split("[eE]", text)[0]) if character.isdigit())
    return text[:last] + other_digit(text[last]) + text[last + 1:]


def _vocabulary(spot: Spot) -> Iterator[tuple[ast.Constant, tuple[str, ...]]]:
    """Words of a vocabulary in the calls of an expression, each with those that could stand there."""
    for call in ast.walk(spot.tree):
        entry = CATALOGUE.get(called(call) or "") if isinstance(call, ast.Call) else None
        if entry is None or not isinstance(call, ast.Call):
            continue
        given = [*zip(entry.parameters, call.args, strict=False),
                 *((entry.parameter(str(word.arg)), word.value) for word in call.keywords)]
        for parameter, node in given:
            if parameter is not None and isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node, parameter.choices


def names(ground: Ground) -> Iterator[Mutant]:
    """Every name of an expression with another name of its kind in its place: an input, a record, a quantity."""
    for spot in ground.spots:
        functions = {id(node.func) for node in ast.walk(spot.tree) if isinstance(node, ast.Call)}
        for node in ast.walk(spot.tree):
            if id(node) in functions or (isinstance(node, ast.Name) and id(node) in _parts_of(functions, spot.tree)):
                continue
            if isinstance(node, ast.Name):
                start, end = spot.part(node)
                for other in _others(spot, node.id)[:2]:
                    yield _replaced(ground, "name", spot, start, end, other)
            elif isinstance(node, ast.Attribute):
                _, end = spot.part(node)
                for other in _other_quantities(spot, node)[:1]:
                    yield _replaced(ground, "name", spot, end - len(node.attr), end, other)


def _parts_of(functions: set[int], tree: ast.expr) -> set[int]:
    """The names in front of the dot of a form of the catalogue."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) in functions}


def _others(spot: Spot, name: str) -> list[str]:
    subjects = spot.claim.scope.subjects if spot.claim is not None and spot.claim.scope is not None else {}
    if name in subjects:
        return [other for other, subject in subjects.items() if other != name and type(subject) is type(subjects[name])]
    return [other for other in spot.names if other != name] if name in spot.names else []


def _other_quantities(spot: Spot, node: ast.Attribute) -> list[str]:
    assert isinstance(node.value, ast.Name)
    subjects = spot.claim.scope.subjects if spot.claim is not None and spot.claim.scope is not None else {}
    subject = subjects.get(node.value.id)
    record = getattr(subject, "record", None)
    if record is None:
        return []
    group = "quantities" if isinstance(subject, AcceleratorSubject) else "shape"
    stem = node.attr.partition("_")[0] if group == "quantities" else ""
    others = [one for one in record.data.get(group, {}) if one != node.attr and not one.endswith("_sparse")]
    return sorted(others, key=lambda one: (one.partition("_")[0] != stem, one))


# Inputs -----------------------------------------------------------------------------------------------------


def inputs(ground: Ground) -> Iterator[Mutant]:
    """Every input: read from another place of the prose, or assumed to be another value."""
    data = ground.record.data
    read = [anchor for claim in ground.fit for anchor in _anchors(ground, claim)]
    for claim in ground.fit:
        for mine in _anchors(ground, claim):
            other = next((one for one in read if one.field is mine.field and one.value != mine.value), None)
            if other is not None:
                yield ground.word("input", claim.id, mine.pointer, mine.text, other.text)
        for name, text in value_at(data, claim.pointer).get("assume", {}).items():
            yield from assumed(ground, claim.id, (*claim.pointer, "assume", name), text)
    for i, dispute in enumerate(data.get("disputes", [])):
        for name, text in dispute.get("at", {}).items():
            yield from assumed(ground, dispute["claim"], ("disputes", i, "at", name), text)
    for i, row in enumerate(data.get("scales_with", [])):
        trend = row.get("trend", {}) if isinstance(row, dict) else {}
        for name, text in trend.get("assume", {}).items():
            yield from assumed(ground, f"trend of {trend['in']}", ("scales_with", i, "trend", "assume", name), text)


@dataclass(frozen=True, slots=True)
class _Read:
    """The words that lead to a number of the prose, where they are written, and the number's value."""

    field: Field
    pointer: Pointer
    text: str
    value: Fraction


def _anchors(ground: Ground, claim: ClaimResult) -> Iterator[_Read]:
    for name, spec in value_at(ground.record.data, claim.pointer).get("read", {}).items():
        if name in claim.inputs:
            field, place = claim.inputs[name]
            figure = field.numbers[place.numbers[0]].figure
            pointer: Pointer = (*claim.pointer, "read", name)
            if figure is not None:
                yield (_Read(field, pointer, spec, figure.value) if isinstance(spec, str)
                       else _Read(field, (*pointer, "at"), spec["at"], figure.value))


def assumed(ground: Ground, where: str, pointer: Pointer, text: object) -> Iterator[Mutant]:
    """A value that is not read from the prose: one place more, one less, twice and half, and in another unit."""
    if isinstance(text, str):
        for new in (*other_values(text), with_other_unit(text)):
            yield ground.word("input", where, pointer, text, new)


def with_other_unit(text: str) -> str:
    """A number as written in another unit than its own."""
    digits, _, unit = text.partition(" ")
    return f"{digits} {other_unit(unit)}" if unit else f"{text.removesuffix('%')}{'' if text.endswith('%') else ' %'}"


def other_values(text: str) -> Iterator[str]:
    """A number as written with a unit in its last place more and less, twice and half as large."""
    match = SIZES.search(re.sub(r"(?<=\d),(?=\d{3})", "", text))
    if match is None:
        return
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    digits = int(match[0].replace(".", ""))
    for steps in dict.fromkeys((1, -1, digits, -(digits // 2))):
        new = shifted_text(match[0], steps) if steps else None
        if new is not None:
            written = plain[:match.start()] + new + plain[match.end():]
            if _reads(written) and _reads(written) != _reads(text):
                yield written


def _reads(text: str) -> object:
    try:
        return read_figure(text).value
    except FigureError:
        return None


def _replaced(ground: Ground, kind: str, spot: Spot, start: int, end: int, new: str, strict: bool = False) -> Mutant:
    text = spot.text[:start] + new + spot.text[end:]
    before, after = (short(" ".join(one.split()), 90) for one in (spot.text, text))
    return ground.mutant(kind, spot.where, f"{spot.role} {before} becomes {after}", spot.splice(start, end, new),
                         strict=strict)


__all__ = ["comparisons", "inputs", "literals", "names", "operators", "other_values", "with_other_unit"]
