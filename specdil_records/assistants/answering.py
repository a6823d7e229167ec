"""The questions, one function each: plain values in, plain data out. Every one raises `CannotAnswer`."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from specdil_records.assistants.asking import CannotAnswer, ask, corpus_to_be, paths_named
from specdil_records.authoring.beginning import begin
from specdil_records.authoring.binding import CannotBind, Unbound, bindable, unbound_numbers
from specdil_records.authoring.skeleton import CannotBegin
from specdil_records.checking import Options, check
from specdil_records.claims import evaluate
from specdil_records.claims.answers import NothingJudged, as_data, chosen, ledger_data, ledgers_data
from specdil_records.corpus import Record
from specdil_records.findings import pointer_text
from specdil_records.report import json_report

Arguments = Mapping[str, Any]


def answer_check(folder: Path, arguments: Arguments) -> dict[str, Any]:
    """The report on the named records, or on the draft, and on all that depend on them; on the corpus without names."""
    names, draft = list(arguments.get("records", [])), arguments.get("draft")
    if draft is not None and len(names) > 1:
        raise CannotAnswer("a draft is one record; name at most one in `records`")
    asked = ask(folder, draft, names[0] if draft is not None and names else None)
    corpus = asked.corpus
    if asked.draft is not None:
        paths: set[str] | None = {asked.draft.path}
    else:
        paths = paths_named(corpus, names) if names else None
    # Neither a cache, which would be written, nor workers, which would share the streams of the conversation.
    report = check(corpus, Options(scope=None if paths is None else frozenset(corpus.scope_of(paths)), jobs=1))
    if not (report.summary.records and report.summary.rules_run):
        raise CannotAnswer(f"nothing was checked: no record in {corpus.settings.folder}")
    return json_report.as_data(report)


def answer_why(folder: Path, arguments: Arguments) -> dict[str, Any]:
    """How the claims of a record were judged, or the one claim or number that is asked for."""
    name = arguments.get("record")
    asked = ask(folder, arguments.get("draft"), name)
    record = asked.judged(name)
    try:
        found = chosen(record, evaluate(record, asked.corpus), arguments.get("what"))
    except NothingJudged as nothing:
        raise CannotAnswer(str(nothing)) from None
    return {"record": record.id, "claims": [as_data(claim, figures) for claim, figures in found]}


def answer_ledger(folder: Path, arguments: Arguments) -> dict[str, Any]:
    """Every number of one record, or of all flop records, with its status."""
    name = arguments.get("record")
    asked = ask(folder, arguments.get("draft"), name)
    if name is None and asked.draft is None:
        left = [record.path for record in asked.corpus.own if not record.sound]
        records = [record for record in asked.corpus.own if record.kind == "flop" and record.sound]
        if not records:
            raise CannotAnswer(f"no flop record of {asked.corpus.settings.folder} can be judged")
    else:
        left, records = [], [asked.judged(name)]
    ledgers = [ledger_data(record, evaluate(record, asked.corpus)) for record in records]
    return {**ledgers_data(ledgers), "left_out": left}


def answer_bind(folder: Path, arguments: Arguments) -> dict[str, Any]:
    """Each number of a record that nothing recomputes, with the claims that would."""
    name = arguments.get("record")
    asked = ask(folder, arguments.get("draft"), name)
    try:
        record = bindable(asked.judged(name))
    except CannotBind as error:
        raise CannotAnswer(str(error)) from None
    found = unbound_numbers(record, asked.corpus, evaluate(record, asked.corpus))
    return {"record": record.id, "path": record.path, "numbers": [_number(record, number) for number in found]}


def _number(record: Record, number: Unbound) -> dict[str, Any]:
    span = record.document.span(number.entry.place)
    return {
        "line": span.line, "column": span.column, "number": number.entry.written, "status": str(number.entry.status),
        "pointer": pointer_text(number.entry.pointer),
        "proposals": [{"expression": one.expression, "computed": one.computed, "claim": dict(one.claim)}
                      for one in number.proposals],
    }


def answer_new(folder: Path, arguments: Arguments) -> dict[str, Any]:
    """The file that would begin a record, and how many rows and claims are proposed in it."""
    try:
        made = begin(corpus_to_be(folder), arguments["kind"], arguments["id"], arguments.get("text"))
    except CannotBegin as error:
        raise CannotAnswer(str(error)) from None
    return {"id": made.id, "path": made.path, "content": made.content, "rows": made.rows, "claims": made.claims}
