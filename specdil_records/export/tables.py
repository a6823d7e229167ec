"""What a corpus holds, as flat tables. The same corpus gives the same rows in the same order."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from specdil_records.claims import Evaluation, evaluate
from specdil_records.claims.agreement import show_interval
from specdil_records.claims.subjects import cell_text
from specdil_records.corpus import Corpus, Record, values_of
from specdil_records.figures import Figure, FigureError, read_figure
from specdil_records.findings import Place, pointer_text
from specdil_records.rules.written import numbered

Kind = Literal["text", "integer", "real", "boolean"]
Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Named, typed columns and rows. Values are in SI units (FLOP, byte, second; a percentage as a fraction)."""

    name: str
    about: str
    columns: tuple[tuple[str, Kind], ...]
    rows: tuple[tuple[Value, ...], ...]


NUMBER: tuple[tuple[str, Kind], ...] = (("value", "real"), ("half_unit", "real"), ("exact", "text"), ("unit", "text"))
"""A number as written in SI units, half a unit of its last place, the same as an exact fraction, its unit."""

COLUMNS: dict[str, tuple[str, tuple[tuple[str, Kind], ...]]] = {
    "records": ("every record", (
        ("id", "text"), ("kind", "text"), ("name", "text"), ("status", "text"), ("schema_version", "text"),
        ("path", "text"), ("own", "boolean"), ("sound", "boolean"))),
    "numbers": ("every number of the prose with its status", (
        ("record", "text"), ("field", "text"), ("line", "integer"), ("column", "integer"), ("number", "text"), *NUMBER,
        ("status", "text"), ("by", "text"))),
    "claims": ("every claim with its verdict", (
        ("record", "text"), ("claim", "text"), ("field", "text"), ("line", "integer"), ("quote", "text"),
        ("basis", "text"), ("verdict", "text"), ("disputes", "integer"))),
    "figures": ("every figure of a claim against its expression", (
        ("record", "text"), ("claim", "text"), ("anchor", "text"), ("quoted", "text"), ("expression", "text"),
        ("computed", "text"), ("low", "real"), ("high", "real"), ("state", "text"))),
    "values": ("the quantities of accelerators and the shapes of models", (
        ("record", "text"), ("kind", "text"), ("quantity", "text"), ("written", "text"), *NUMBER, ("basis", "text"),
        ("seen", "text"), ("source", "text"), ("locator", "text"), ("retrieved", "text"), ("conflicting", "boolean"))),
    "cells": ("the cells of the tables of sources", (
        ("source", "text"), ("table", "text"), ("locator", "text"), ("row", "integer"), ("column", "text"),
        ("written", "text"), *NUMBER, ("basis", "text"), ("seen", "text"), ("conditions", "text"))),
}
"""Every table with what it holds and its columns."""


def tables(corpus: Corpus, names: tuple[str, ...] = tuple(COLUMNS)) -> list[Table]:
    """These tables of a corpus. Records that do not read or fit their schema are in `records` only."""
    evaluations: list[Evaluation] = []
    if {"numbers", "claims", "figures"} & set(names):
        evaluations = [evaluate(record, corpus) for record in corpus.own
                       if record.sound and record.kind in ("flop", "source")]
    makers: dict[str, Callable[[], Iterator[tuple[Value, ...]]]] = {
        "records": lambda: _records(corpus),
        "numbers": lambda: (row for one in evaluations for row in _numbers(one)),
        "claims": lambda: (row for one in evaluations for row in _claims(one)),
        "figures": lambda: (row for one in evaluations for row in _figures(one)),
        "values": lambda: (row for record in in_force(corpus) for row in _values(record)),
        "cells": lambda: (row for record in in_force(corpus) for row in _cells(record)),
    }
    return [Table(name, COLUMNS[name][0], COLUMNS[name][1], tuple(tuple(map(_clean, row)) for row in makers[name]()))
            for name in names]


def in_force(corpus: Corpus) -> Iterator[Record]:
    """Every sound record once, own ones before those brought in, as references find them."""
    for record in corpus.records:
        if record.sound and corpus.by_id.get(record.id) is record:
            yield record


def _clean(value: Value) -> Value:
    """Text that every encoding can carry: a lone surrogate is written as an escape."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def _records(corpus: Corpus) -> Iterator[tuple[Value, ...]]:
    for record in corpus.records:
        data = record.data
        name = data.get("name", data.get("title"))
        yield (record.id, record.kind, name if isinstance(name, str) else None,
               str(data.get("status", "active")) if record.sound else None, record.version, record.path, record.own,
               record.sound)


def _numbers(evaluation: Evaluation) -> Iterator[tuple[Value, ...]]:
    record = evaluation.record
    for entry in evaluation.ledger:
        span = record.document.span(entry.place)
        yield (record.id, pointer_text(entry.pointer), span.line, span.column, entry.written,
               *_number(entry.number.figure), str(entry.status), ", ".join(entry.by))


def _claims(evaluation: Evaluation) -> Iterator[tuple[Value, ...]]:
    record = evaluation.record
    for claim in evaluation.claims:
        stands = sum(dispute.state == "stands" for dispute in claim.disputes)
        yield (record.id, claim.id, str(claim.data["in"]), record.document.span(Place(claim.pointer)).line,
               _line(claim.data["quote"]), claim.basis, str(claim.verdict), stands)


def _figures(evaluation: Evaluation) -> Iterator[tuple[Value, ...]]:
    for claim in evaluation.claims:
        for figure in claim.figures:
            low = high = None
            computed = figure.reason
            if figure.figure is not None and figure.agreement is not None:
                computed = show_interval(figure.agreement.computed, figure.figure)
                low, high = _real(figure.agreement.computed.lo), _real(figure.agreement.computed.hi)
            yield (evaluation.record.id, claim.id, _line(figure.anchor), figure.quoted, _line(figure.expression),
                   computed, low, high, figure.state)


def _values(record: Record) -> Iterator[tuple[Value, ...]]:
    data = record.data
    if record.kind == "accelerator":
        entries = [(name, entry, False) for name, entry in values_of(data, "quantities").items()]
        entries += [(entry["quantity"], entry, True) for entry in data.get("conflicts", [])]
        for name, entry, conflicting in entries:
            yield (record.id, record.kind, name, entry["value"], *_number(_read(entry["value"], None, entry)),
                   entry.get("basis"), entry.get("seen"), entry.get("source"), entry.get("locator"),
                   entry.get("retrieved"), conflicting)
    elif record.kind == "model":
        more = {key: data[key] for key in ("parameters", "active_parameters", "matmul_parameters",
                                           "kv_bytes_per_token") if key in data}
        for name, value in (*values_of(data, "shape").items(), *more.items()):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield (record.id, record.kind, name, text, *_number(_read(text, None, {})), data.get("basis"),
                   data.get("seen"), data.get("source"), data.get("locator"), data.get("retrieved"), False)


def _cells(record: Record) -> Iterator[tuple[Value, ...]]:
    if record.kind != "source":
        return
    for table in record.data.get("tables", []):
        units = table.get("unit", {})
        conditions = json.dumps(table.get("conditions", {}), ensure_ascii=False, sort_keys=True)
        for column, cells in table["columns"].items():
            for row, (_, cell) in enumerate(numbered((), cells), 1):
                text, details = cell_text(cell, None)
                seen = details.get("seen", table.get("seen", record.data.get("seen")))
                yield (record.id, table["id"], table["locator"], row, column, text,
                       *_number(_read(text, units.get(column), details)), table["basis"], seen, conditions)


def _read(text: str, unit: str | None, details: Any) -> Figure | None:
    """A text as a number, where it is one; with the uncertainty that stands beside it."""
    try:
        figure = read_figure(text, unit)
        if "uncertainty" not in details:
            return figure
        half = abs(read_figure(details["uncertainty"], unit).value)
        return Figure(figure.text, figure.value, half, figure.unit, False)
    except FigureError:
        return None


def _number(figure: Figure | None) -> tuple[Value, ...]:
    if figure is None:
        return None, None, None, None
    half = Fraction(0) if figure.exact else figure.half_unit
    return _real(figure.value), _real(half), str(figure.value), figure.unit.text if figure.unit is not None else None


def _real(value: Any) -> float | None:
    """The nearest binary number; None for one beyond its range."""
    try:
        return float(value)
    except OverflowError:
        return None


def _line(text: Any) -> str:
    return " ".join(str(text).split())
