"""Mutants of what a record stands on: references that lead nowhere or elsewhere, and bases that are too strong."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from specdil_records.claims import ClaimResult
from specdil_records.claims.disputing import STRENGTH
from specdil_records.claims.language import called
from specdil_records.corpus import Record, Reference, values_of
from specdil_records.findings import Pointer
from specdil_records.mutation.ground import Ground, Spot, claim_at
from specdil_records.mutation.mutants import Mutant, value_at
from specdil_records.prose.verbatim import anchor as find_anchor
from specdil_records.rules import View
from specdil_records.rules.written import LOCATOR, REACH, named_before

WRONG = "-of-nothing"
TYPO = "of_nothing"


# References that lead nowhere ------------------------------------------------------------------------------


def references(ground: Ground) -> Iterator[Mutant]:
    """Every name of a record, a claim, an item, a column, a field and a place, with letters that make it nobody's."""
    record = ground.record
    for reference in record.references:
        if not reference.inside:
            yield from _dangling(ground, reference)
    for i, claim in enumerate(record.data.get("claims", [])):
        for key in ("in", "same_as"):
            if key in claim:
                yield _spoilt(ground, ("claims", i, key), claim[key])
        for anchor, there in claim.get("figures", {}).items() if "same_as" in claim else ():
            yield _spoilt(ground, ("claims", i, "figures", anchor), there)
    for i, dispute in enumerate(record.data.get("disputes", [])):
        yield _spoilt(ground, ("disputes", i, "claim"), dispute["claim"])
    for spot in ground.spots:
        for node in _texts_of_citations(spot):
            start, end = spot.part(node)
            wrong = spot.text[start + 1:end - 1] + WRONG
            yield _in_expression(ground, "reference", spot, start + 1, end - 1, wrong, strict=True)
    yield from _places(ground)


def _dangling(ground: Ground, reference: Reference) -> Iterator[Mutant]:
    written = value_at(ground.record.data, reference.pointer)
    item = reference.item
    for part in (reference.name, item) if item else (reference.name,):
        at = 0 if part == reference.name else len(reference.name) + 1
        wrong = part + (TYPO if part == item and "#" not in written else WRONG)
        yield ground.word("reference", claim_at(ground, reference.pointer), reference.pointer, str(part), wrong, at,
                          strict=True)


def _spoilt(ground: Ground, pointer: Pointer, text: str) -> Mutant:
    return ground.word("reference", claim_at(ground, pointer), pointer, text, text + WRONG, strict=True)


def _texts_of_citations(spot: Spot) -> Iterator[ast.Constant]:
    """Source, item, column and keys in words of every `cited(...)`."""
    for node in ast.walk(spot.tree):
        if isinstance(node, ast.Call) and called(node) == "cited":
            for part in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part


def _places(ground: Ground) -> Iterator[Mutant]:
    """Every place in a source that the prose names right behind the source."""
    if ground.evaluation is None or ground.record.kind != "flop":
        return
    view = View(ground.record, ground.corpus)
    for field in ground.evaluation.fields.values():
        for found in LOCATOR.finditer(field.text):
            if named_before(view, field.text[max(0, found.start() - REACH):found.start()]) is not None:
                where = claim_at(ground, field.pointer)
                yield ground.word("reference", where, field.pointer, found[0], found[0] + "97", found.start(),
                                  strict=True)


# References that lead elsewhere ----------------------------------------------------------------------------


def exchanges(ground: Ground) -> Iterator[Mutant]:
    """What a claim rests on, exchanged for another of its kind that is there: a record, a quote, a column, a row."""
    for claim in ground.fit:
        written = value_at(ground.record.data, claim.pointer)
        for alias, name in written.get("of", {}).items():
            for other in _other_records(ground, name):
                yield ground.word("exchange", claim.id, (*claim.pointer, "of", alias), name, other)
        for words, target in written.get("cites", {}).items():
            for other in _other_quotes(ground, target, words):
                yield ground.word("exchange", claim.id, (*claim.pointer, "cites", words), target, other, strict=True)
    for spot in ground.spots:
        for node in ast.walk(spot.tree):
            if isinstance(node, ast.Call) and called(node) == "cited":
                yield from _other_cells(ground, spot, node)


def _other_records(ground: Ground, name: str) -> list[str]:
    """Two other records of the kind of a named one."""
    corpus = ground.corpus
    for kind in ("accelerator", "model"):
        record = corpus.find(kind, name)
        if record is not None:
            others = [one for one in corpus.of_kind(kind) if one is not record and one.sound]
            others.sort(key=lambda one: (-_shared(record, one), one.id))
            return [one.tail for one in others[:2]]
    return []


def _shared(record: Record, other: Record) -> int:
    """How many quantities two records both have: the more, the likelier the one is taken for the other."""
    return sum(len(values_of(record.data, group).keys() & values_of(other.data, group).keys())
               for group in ("quantities", "shape"))


def _other_quotes(ground: Ground, target: str, words: str) -> list[str]:
    """A quote that does not hold the words, of the same source or else of another one."""
    name, _, item = target.partition("#")
    sources = sorted(ground.corpus.of_kind("source"), key=lambda one: (one.tail != name, one.id))
    return [f"{source.tail}#{quote['id']}" for source in sources if source.sound
            for quote in source.data.get("quotes", [])
            if (source.tail, quote["id"]) != (name, item) and not find_anchor(words, quote["text"])][:1]


def _other_cells(ground: Ground, spot: Spot, call: ast.Call) -> Iterator[Mutant]:
    texts = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(texts) != 3:
        return
    table = table_of(ground, texts[0], texts[1])
    if table is None:
        return
    keys = {str(keyword.arg) for keyword in call.keywords}
    column = call.args[2]
    others = [name for name in table["columns"] if name != texts[2] and name not in keys]
    for other in sorted(others, key=lambda name: name not in table.get("unit", {}))[:2]:
        start, end = spot.part(column)
        yield _in_expression(ground, "exchange", spot, start + 1, end - 1, other)
    for keyword in call.keywords:
        value = keyword.value
        cells = table["columns"].get(keyword.arg)
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and isinstance(cells, list):
            others = [cell for cell in cells if isinstance(cell, str) and cell != value.value and '"' not in cell]
            start, end = spot.part(value)
            for other in others[:1]:
                yield _in_expression(ground, "exchange", spot, start + 1, end - 1, other)


def table_of(ground: Ground, source: str, item: str) -> Mapping[str, Any] | None:
    """A table of a source of the corpus, by the names that an expression cites it by."""
    record = ground.corpus.find("source", source)
    tables = record.data.get("tables", []) if record is not None and record.sound else []
    return next((table for table in tables if table["id"] == item), None)


def _in_expression(ground: Ground, kind: str, spot: Spot, start: int, end: int, new: str,
                   strict: bool = False) -> Mutant:
    return ground.mutant(kind, spot.where, f"{spot.role} {spot.text[start:end]} becomes {new}",
                         spot.splice(start, end, new), strict=strict)


# Bases -----------------------------------------------------------------------------------------------------


def bases(ground: Ground) -> Iterator[Mutant]:
    """Every basis of a claim or a row made stronger than the weakest thing that is named behind it."""
    for claim in ground.fit:
        written = value_at(ground.record.data, claim.pointer)
        if "basis" in written:
            yield from _stronger(ground, claim.id, (*claim.pointer, "basis"), written["basis"], _ceiling(ground, claim))
    for key in ("scales_with", "hardware_parameters"):
        for i, row in enumerate(ground.record.data.get(key, [])):
            if isinstance(row, dict) and "basis" in row:
                behind = [*_named(ground, row), *(["derived"] if "trend" in row else [])]
                yield from _stronger(ground, f"{key}/{i}", (key, i, "basis"), row["basis"],
                                     min(behind, key=STRENGTH.index, default="unverified"))


def _stronger(ground: Ground, where: str, pointer: Pointer, basis: str, ceiling: str) -> Iterator[Mutant]:
    highest = max(STRENGTH.index(basis), STRENGTH.index(ceiling))
    for other in STRENGTH[highest + 1:]:
        yield ground.word("basis", where, pointer, basis, other, strict=True)


def _ceiling(ground: Ground, claim: ClaimResult) -> str:
    """The basis of the weakest thing that a claim names, or rests on where it names nothing."""
    behind = _named(ground, claim.data)
    for target in claim.data.get("cites", {}).values():
        behind.append(basis_of(ground, target))
    computed = [*(figure.used for figure in claim.figures), *(one.truth.used for one in claim.statements if one.truth)]
    for used in computed:
        sourced = [str(leaf.basis or "unverified") for leaf in used if leaf.kind in ("record", "cell")]
        behind.append(min(sourced, key=STRENGTH.index, default="derived"))
    return min(behind, key=STRENGTH.index, default="unverified")


def _named(ground: Ground, data: Mapping[str, Any]) -> list[str]:
    """The basis of everything that `backed_by` names."""
    named = data.get("backed_by", [])
    return [basis_of(ground, target) for target in ([named] if isinstance(named, str) else named)]


def basis_of(ground: Ground, target: str) -> str:
    """The basis of a claim, an item of a source or a quantity, by the name that `backed_by` and `cites` use."""
    name, hash_, item = target.partition("#")
    record = ground.corpus.find("source", name) or ground.corpus.find("flop", name) if hash_ else ground.record
    groups = ("tables", "quotes", "claims") if hash_ else ("claims",)
    entries = [one for key in groups for one in (record.data.get(key, []) if record is not None else [])]
    item = item if hash_ else target
    entry = next((one for one in entries if one["id"] == item), None)
    if entry is not None:
        base = next((one for one in entries if one["id"] == entry.get("same_as")), entry)
        return str(entry.get("basis", base.get("basis", "unverified")))
    name, _, quantity = target.rpartition(".")
    thing = ground.corpus.find("accelerator", name) or ground.corpus.find("model", name)
    if thing is None:
        return "measured"
    value = thing.data.get("quantities", {}).get(quantity)
    if isinstance(value, dict):
        return str(value.get("basis", "unverified"))
    return str(thing.data.get("basis", "reported"))
