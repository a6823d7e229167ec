"""The tools as a client sees them: what each is for, what it takes, what it gives, and the function that answers."""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from specdil_records.assistants import answering
from specdil_records.assistants.asking import CannotAnswer
from specdil_records.corpus import KINDS
from specdil_records.report.json_report import report_schema

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
RECORD: Schema = {**TEXT, "description": "A record by its id (flops/NAME), the tail of its id (NAME), or its file."}
DRAFT: Schema = {**TEXT, "description": "The whole text of a record that is not written yet, as YAML. It stands in for "
                 "the file of the record that is named, or of its own id. It is judged, never written."}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `answer` takes the project's folder and the arguments, and raises `CannotAnswer`."""

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    answer: Callable[[Path, Mapping[str, Any]], dict[str, Any]]

    def asked(self, folder: Path, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to arguments that fit the schema. Raises `CannotAnswer`, also for those that do not."""
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        fault = best_match(Draft202012Validator(self.takes).iter_errors(dict(arguments)))
        if fault is not None:
            where = "".join(f" in {part}" for part in fault.absolute_path if isinstance(part, str))
            raise CannotAnswer(f"{self.name} cannot take these arguments: {fault.message[:300]}{where}; "
                               f"it takes {', '.join(self.takes['properties'])}")
        return self.answer(folder, arguments)


def of(required: list[str], **properties: Schema) -> Schema:
    """A mapping with these keys and no others."""
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def whole(**properties: Schema) -> Schema:
    """A mapping that has all of these keys and no others."""
    return of(list(properties), **properties)


def many(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def each(values: Schema) -> Schema:
    """A mapping of any keys to values of one form."""
    return {"type": "object", "additionalProperties": values}


DERIVED = whole(
    claim=TEXT, verdict=TEXT, basis=TEXT, quote=TEXT, inputs=each(TEXT),
    figures=many(whole(anchor=TEXT, quoted=TEXT, expression=TEXT, state=TEXT,
                       lines={**many(TEXT), "description": "The derivation: interval quoted, interval computed, "
                              "inputs with basis and source, verdict."})),
    statements=many(whole(text=TEXT, state=TEXT)),
    disputes=many(whole(state=TEXT, explanation=TEXT, because={"type": ["string", "null"]}, sources=many(TEXT))),
)
LEDGER = whole(
    record=TEXT, path=TEXT, counts=each(COUNT), coverage=SHARE,
    numbers=many(whole(line=COUNT, column=COUNT, number=TEXT, status=TEXT, by=many(TEXT))),
)
UNBOUND = whole(
    line=COUNT, column=COUNT, number=TEXT, status=TEXT, pointer=TEXT,
    proposals=many(whole(expression=TEXT, computed=TEXT, claim={
        "type": "object", "description": "A claim that would bind the number, to be added under `claims`."})),
)


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool by its name."""
    listed = (
        Tool("check", "Check records",
             "Judge every number, quote and reference: of a draft before it is written, of the named records and all "
             "that depend on them, or of the whole corpus. The findings say what is wrong, where, and how to mend it.",
             of([], records={**many(RECORD), "description": "Records, files or folders of the corpus; none for all. "
                             "With a draft: which record it is to be."}, draft=DRAFT),
             json.loads(report_schema()), answering.answer_check),
        Tool("why", "Show how a number was judged",
             "The derivation of a claim or of a number: expression, inputs with basis and source, interval, verdict, "
             "disputes.",
             of([], record=RECORD, draft=DRAFT,
                what={**TEXT, "description": "A claim's id, or a number as the prose has it, such as 12.5%; all claims "
                      "without it."}),
             whole(record=TEXT, claims=many(DERIVED)), answering.answer_why),
        Tool("ledger", "List the numbers of the prose",
             "Every number of the prose with its status and what accounts for it, and the coverage; of one record or "
             "of all.",
             of([], record=RECORD, draft=DRAFT),
             whole(records=many(LEDGER), counts=each(COUNT), coverage=SHARE,
                   left_out={**many(TEXT), "description": "Files that cannot be judged; the tool check says why."}),
             answering.answer_ledger),
        Tool("bind", "Propose what numbers are made of",
             "For each number that nothing recomputes: expressions over what its sentence states that give its digits, "
             "each with the claim that would say so. That the digits come out does not say that the sentence means it. "
             "Nothing is written.",
             of([], record=RECORD, draft=DRAFT),
             whole(record=TEXT, path=TEXT, numbers=many(UNBOUND)), answering.answer_bind),
        Tool("new", "Propose the beginning of a record",
             "The text of a file that fits its schema and says nothing that was not said. From a text of prose it "
             "takes the prose, proposes rows, and calls every number unverified. Nothing is written: write `content` "
             "to `path` yourself.",
             of(["kind", "id"], kind={"enum": [*KINDS.values()], "description": "What the record is about."},
                id={**TEXT, "description": "The id, with or without its folder: flops/NAME or NAME."},
                text={**TEXT, "description": "Prose to begin a flop record with: its first paragraph becomes the "
                      "intensity, its items workarounds, the rest notes."}),
             whole(id=TEXT, path=TEXT, content=TEXT, rows=COUNT, claims=COUNT), answering.answer_new),
    )
    return {tool.name: tool for tool in listed}
