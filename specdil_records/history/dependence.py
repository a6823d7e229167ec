"""What rests on a record: claims by what their evaluation really used, records by the names that they hold."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from specdil_records.claims import ClaimResult, Evaluation, evaluate
from specdil_records.claims.evaluating import Adjust, Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.language import FormulaError, parse_statement, parse_value
from specdil_records.claims.loopholes import FAULTS, same
from specdil_records.claims.quantities import Leaf, Quantity
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import pointer_text


@dataclass(frozen=True, slots=True)
class Rests:
    """A claim that rests on the record, and on what of it; `through` names the claim by which it does, if not itself.

    `uses` holds values (`chip.memory_bandwidth`), cells and quotes (`paper#table-3`).
    """

    record: str
    claim: str
    verdict: str
    uses: tuple[str, ...]
    through: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """A record that names the record, or names one that does; `at` holds the places of a direct naming."""

    record: str
    path: str
    direct: bool
    at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dependents:
    """Everything that rests on one record."""

    record: Record
    claims: tuple[Rests, ...]
    records: tuple[Names, ...]


def dependents(corpus: Corpus, record: Record) -> Dependents:
    """The claims and records that depend on a record, however far."""
    paths = scope(corpus, record)
    reached = [one for one in corpus.own if one.path in paths and one is not record]
    evaluations = evaluations_of(corpus, [record, *reached])
    return Dependents(record, tuple(_claims(corpus, record, evaluations)), tuple(_names(corpus, record, reached)))


def scope(corpus: Corpus, record: Record) -> frozenset[str]:
    """The paths of a record and of all that depend on it."""
    own = {record.path} if record.own else set()
    return frozenset(corpus.scope_of(own, {record.id}))


def evaluations_of(corpus: Corpus, records: Iterable[Record]) -> dict[str, Evaluation]:
    """The evaluation of every record that can be judged, by id."""
    return {record.id: evaluate(record, corpus) for record in records
            if record.sound and record.kind in ("flop", "source")}


def _names(corpus: Corpus, record: Record, reached: Iterable[Record]) -> Iterator[Names]:
    for one in reached:
        at = tuple(dict.fromkeys(pointer_text(reference.pointer) for reference in one.references
                                 if corpus.resolve(reference) is record))
        yield Names(one.id, one.path, bool(at), at)


# Claims ---------------------------------------------------------------------------------------------------


def _claims(corpus: Corpus, record: Record, evaluations: Mapping[str, Evaluation]) -> Iterator[Rests]:
    found: dict[str, Rests] = {}
    backing: dict[str, list[str]] = {}
    verdicts: dict[str, ClaimResult] = {}
    for evaluation in evaluations.values():
        for claim in evaluation.claims:
            key = f"{evaluation.record.id}#{claim.id}"
            verdicts[key] = claim
            uses = tuple(_uses(corpus, record, evaluation, claim))
            if uses:
                found[key] = Rests(evaluation.record.id, claim.id, str(claim.verdict), uses)
            for target in _backed_by(evaluation.record, claim):
                backing.setdefault(target, []).append(key)
    todo = [*found] + ([key for key in verdicts if key.startswith(f"{record.id}#")] if record.kind == "flop" else [])
    while todo:
        there = todo.pop(0)
        for key in backing.get(there, []):
            if key not in found and not key.startswith(f"{record.id}#"):
                owner = key.rpartition("#")[0]
                found[key] = Rests(owner, verdicts[key].id, str(verdicts[key].verdict), (), there)
                todo.append(key)
    yield from (found[key] for key in verdicts if key in found)


def _backed_by(record: Record, claim: ClaimResult) -> Iterator[str]:
    """The claims that a claim names behind itself, as `flops/ID#claim`."""
    named = claim.data.get("backed_by", [])
    for target in [named] if isinstance(named, str) else named:
        name, hash_, item = target.partition("#")
        if not hash_ and "." not in target:
            yield f"{record.id}#{target}"
        elif hash_:
            yield f"{name if name.startswith('flops/') else 'flops/' + name}#{item}"


def _uses(corpus: Corpus, record: Record, evaluation: Evaluation, claim: ClaimResult) -> Iterator[str]:
    """What of the record a claim rests on, by its expressions, statements, disputes, citations and backing."""
    found: dict[str, None] = {}
    for tree, scope_, grid, used in expressions(claim):
        mine = [leaf for leaf in used if belongs(leaf, record)]
        for leaf in moving(tree, scope_, grid, mine):
            found[leaf.reference or leaf.label] = None
    inside = evaluation.record
    ends: list[tuple[Any, ...]] = [claim.pointer, *(dispute.pointer for dispute in claim.disputes)]
    for reference in inside.references:
        if reference.item and any(reference.pointer[:2] == end[:2] for end in ends):
            named = corpus.resolve(reference)
            glue = "#" if named is not None and named.kind in ("source", "flop") else "."
            if named is record and record is not inside:
                found[f"{reference.name.removeprefix('flops/')}{glue}{reference.item}"] = None
    yield from found


def belongs(leaf: Leaf, record: Record) -> bool:
    """Whether a leaf is a value or cell of the record, or a value that the record is the source of."""
    if leaf.kind not in ("record", "cell"):
        return False
    return leaf.key[0] == record.id or (record.kind == "source" and leaf.source == record.tail)


Tree = tuple[list[ast.expr], Scope, Grid, tuple[Leaf, ...]]


def expressions(claim: ClaimResult) -> Iterator[Tree]:
    """Every expression that a claim or a dispute about it holds, with its names and what it rested on."""
    for figure in claim.figures:
        if figure.node is not None and figure.scope is not None:
            yield [figure.node], figure.scope, figure.grid or claim.grid, figure.used
    if claim.scope is None:
        return
    for statement in claim.statements:
        yield from _statement(statement.text, claim.scope, claim.grid)
    for dispute in claim.disputes:
        if dispute.data.get("means"):
            yield from _statement(str(dispute.data["means"]), claim.scope, claim.grid)
        elif dispute.data.get("against") and "basis" not in dispute.data:
            try:
                tree = parse_value(str(dispute.data["against"])).tree
            except FormulaError:
                continue
            yield from _tree(list(getattr(tree, "elts", [tree])), claim.scope, claim.grid)


def _statement(text: str, scope_: Scope, grid: Grid) -> Iterator[Tree]:
    try:
        tree = parse_statement(text).tree
    except FormulaError:
        return
    if isinstance(tree, ast.Compare):
        yield from _tree([tree.left, *tree.comparators], scope_, grid)
    elif isinstance(tree, ast.Call):
        yield from _tree([part for part in tree.args if not isinstance(part, ast.Name) or part.id not in grid.axes],
                         scope_, grid)


def _tree(nodes: list[ast.expr], scope_: Scope, grid: Grid) -> Iterator[Tree]:
    grid = corners(grid)
    used: list[Leaf] = []
    for node in nodes:
        evaluator = Evaluator(scope_.with_axes(grid.quantities()))
        with suppress(*FAULTS):  # what it met on the way, it rests on all the same
            evaluator.value(node)
        used += evaluator.used
    yield nodes, scope_, grid, tuple(used)


def corners(grid: Grid) -> Grid:
    """A grid with the ends and the middle of each axis only: enough to see on what a value rests."""
    return Grid({name: tuple(dict.fromkeys((axis[0], axis[len(axis) // 2], axis[-1])))
                 for name, axis in grid.axes.items()})


def moving(nodes: list[ast.expr], scope_: Scope, grid: Grid, leaves: Iterable[Leaf]) -> list[Leaf]:
    """Those of the leaves that move a value when they change alone; all of them when none can be seen to.

    A form of the catalogue takes an accelerator whole and uses two of its values: only these are told.
    """
    distinct = list({leaf.key: leaf for leaf in leaves}.values())
    if len(distinct) < 2:
        return distinct
    grid = corners(grid)
    found = []
    for leaf in distinct:
        for node in nodes:
            try:
                base = Evaluator(scope_.with_axes(grid.quantities())).value(node).value
                moved = Evaluator(scope_.with_axes(grid.quantities()), _other(leaf)).value(node).value
            except FAULTS:
                continue
            if not same(base, moved):
                found.append(leaf)
                break
    return found or distinct


def _other(one: Leaf) -> Adjust:
    """Another value for one leaf alone."""
    def adjust(leaf: Leaf) -> Quantity:
        value = leaf.quantity.value
        if leaf.key != one.key:
            return leaf.quantity
        other = value * 3 if isinstance(value, int) else value * Fraction(3, 2)
        return leaf.quantity.worth(other)

    return adjust


__all__ = ["Dependents", "Names", "Rests", "belongs", "dependents", "evaluations_of", "scope"]
