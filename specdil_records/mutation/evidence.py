"""Mutants of evidence: values of accelerators and models, cells and bases of sources, if something rests on them."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from specdil_records.claims.language import called
from specdil_records.claims.subjects import cell_text
from specdil_records.corpus import values_of
from specdil_records.findings import Pointer
from specdil_records.mutation.expressions import other_values, with_other_unit
from specdil_records.mutation.ground import Ground
from specdil_records.mutation.mutants import Mutant, value_at
from specdil_records.mutation.numbers import other_unit
from specdil_records.mutation.standing import WRONG
from specdil_records.rules.totals import TOTALS


def values(ground: Ground) -> Iterator[Mutant]:
    """Every value of an accelerator or a model that something rests on: a place more and less, twice and half."""
    record = ground.record
    if record.kind == "accelerator":
        for name, entry in values_of(record.data, "quantities").items():
            if (record.id, name) in ground.used:
                for new in (*other_values(entry["value"]), with_other_unit(entry["value"])):
                    yield ground.word("evidence", name, ("quantities", name, "value"), entry["value"], new)
    if record.kind == "model":
        yield from _of_model(ground)


def _of_model(ground: Ground) -> Iterator[Mutant]:
    record = ground.record
    for name in (name for name in TOTALS if name in record.data):
        for new in other_values(record.data[name]):
            yield ground.word("evidence", name, (name,), record.data[name], new)
    for name, value in values_of(record.data, "shape").items():
        if (record.id, name) in ground.used and isinstance(value, int) and not isinstance(value, bool):
            for other in dict.fromkeys((value + 1, max(1, value - 1), 2 * value, max(1, value // 2))):
                if other != value:
                    yield ground.mutant("evidence", name, f"{value} becomes {other}", (), whole=str(other),
                                        pointer=("shape", name))


def unused_values(ground: Ground) -> int:
    """Values of an accelerator or a model on which nothing rests."""
    record = ground.record
    group = {"accelerator": "quantities", "model": "shape"}.get(record.kind or "", "")
    return sum(not isinstance(value, bool) and (record.id, name) not in ground.used
               for name, value in values_of(record.data, group).items())


def cells(ground: Ground) -> Iterator[Mutant]:
    """Every cell that some expression reads, and the keys of its row; units of columns that are read."""
    read = resting(ground)
    keys = _keys(ground)
    for t, table in enumerate(ground.record.data.get("tables", [])):
        columns = table["columns"]
        rows = {pointer[4] for pointer in read if pointer[1] == t and len(pointer) > 4}
        for name, entries in columns.items():
            for row, cell in enumerate(entries if isinstance(entries, list) else [entries]):
                pointer: Pointer = ("tables", t, "columns", name, *((row,) if isinstance(entries, list) else ()))
                where = f"{table['id']} {name}"
                if isinstance(cell, dict):
                    text, pointer_of_text = str(cell["value"]), (*pointer, "value")
                else:
                    text, pointer_of_text = cell_text(cell, None)[0], pointer
                if pointer in read:
                    for new in other_values(text):
                        yield ground.word("evidence", where, pointer_of_text, text, new)
                elif (table["id"], name) in keys and row in rows and not text[:1].isdigit():
                    yield ground.word("evidence", where, pointer_of_text, text, text + WRONG)
        for name, unit in table.get("unit", {}).items():
            if any(pointer[1] == t and pointer[3] == name for pointer in read):
                yield ground.word("evidence", f"{table['id']} {name}", ("tables", t, "unit", name), unit,
                                  other_unit(unit))


def unused_cells(ground: Ground) -> int:
    """Cells that no expression reads."""
    if ground.record.kind != "source":
        return 0
    read = resting(ground)
    return sum(("tables", t, "columns", name, *((row,) if isinstance(entries, list) else ())) not in read
               for t, table in enumerate(ground.record.data.get("tables", []))
               for name, entries in table["columns"].items()
               for row, _ in enumerate(entries if isinstance(entries, list) else [entries]))


def resting(ground: Ground) -> frozenset[Pointer]:
    """The cells of this source that some expression reads."""
    return ground.resting.get(ground.record.id, frozenset()) if ground.record.kind == "source" else frozenset()


def _keys(ground: Ground) -> set[tuple[str, str]]:
    """Item and column of every key that an expression cites this source with."""
    found = set()
    for text in _expressions(ground):
        for node in ast.walk(text):
            if isinstance(node, ast.Call) and called(node) == "cited" and len(node.args) == 3:
                source, item, _ = (getattr(part, "value", None) for part in node.args)
                if source == ground.record.tail:
                    found |= {(str(item), str(keyword.arg)) for keyword in node.keywords}
    return found


def _expressions(ground: Ground) -> Iterator[ast.expr]:
    for evaluation in ground.evaluations:
        yield from (spot.tree for spot in Ground(ground.corpus, evaluation.record, evaluation).spots)


def weaker_bases(ground: Ground) -> Iterator[Mutant]:
    """The basis of every item of a source, and of every value, taken away from under a claim that needs it."""
    record = ground.record
    needed = _needed(ground)
    if record.kind == "source":
        for key in ("tables", "quotes"):
            for i, entry in enumerate(record.data.get(key, [])):
                if entry["basis"] != "unverified" and f"{record.tail}#{entry['id']}" in needed:
                    yield ground.word("weaker basis", entry["id"], (key, i, "basis"), entry["basis"], "unverified",
                                      strict=True)
    if record.kind == "accelerator":
        for name, value in values_of(record.data, "quantities").items():
            if value.get("basis") not in (None, "unverified") and f"{record.tail}.{name}" in needed:
                yield ground.word("weaker basis", name, ("quantities", name, "basis"), value["basis"], "unverified",
                                  strict=True)


def _needed(ground: Ground) -> set[str]:
    """What claims of a basis other than unverified rest on, by the names that `backed_by` uses."""
    found: set[str] = set()
    for evaluation in ground.evaluations:
        for claim in evaluation.claims:
            if claim.basis == "unverified" or not claim.is_settled:
                continue
            found.update(claim.data.get("cites", {}).values(), _listed(claim.data))
            for used in (*(figure.used for figure in claim.figures),
                         *(one.truth.used for one in claim.statements if one.truth is not None)):
                found.update(leaf.reference for leaf in used if leaf.kind in ("record", "cell"))
        for key in ("scales_with", "hardware_parameters"):
            for row in evaluation.record.data.get(key, []):
                if isinstance(row, dict) and row.get("basis", "unverified") != "unverified":
                    found.update(_listed(row))
    return found


def _listed(data: Mapping[str, Any]) -> list[str]:
    named = data.get("backed_by", [])
    return [named] if isinstance(named, str) else list(named)


__all__ = ["cells", "unused_cells", "unused_values", "value_at", "values", "weaker_bases"]
