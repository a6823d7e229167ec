"""What a mutant is: one change of one record, and what may come of it."""
from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from specdil_records.authoring.splicing import CannotSplice, planned, spliced
from specdil_records.corpus import Record, make_record
from specdil_records.findings import Place, Pointer, Splice
from specdil_records.reading import Document, read_document
from specdil_records.reading.lines import Lines


class Result(StrEnum):
    """What became of a mutant.

    `killed`: a finding appeared. `narrower`: none did, and none had to, since what rests on the place cannot tell so
    small a change. `unused`: nothing rests on the place. `survived`: a finding is missing.
    """

    KILLED = "killed"
    NARROWER = "narrower"
    UNUSED = "unused"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a record: what is changed in words, and the replacements in its file.

    A `strict` mutant has to be found whatever it is about. Of the others a living one is looked at: whether a figure
    moved further than its own digits and its expression can be off, or a conclusion or a dispute fell. Mutants of one
    `group` are about the same place; when one of them is found, the place is watched.
    """

    kind: str
    record: str
    path: str
    claim: str
    what: str
    pointer: Pointer
    splices: tuple[Splice, ...] = ()
    whole: str | None = None
    """For a scalar that is no text, what is written in its place."""
    strict: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A mutant and what became of it; `by` names the finding that appeared, or says why none had to."""

    mutant: Mutant
    result: Result
    by: str = ""


def changed(record: Record, mutant: Mutant) -> Record:
    """The record as its file would read with the change made.

    Raises `CannotSplice` when the file does not then say what is meant: the change has no place of its own there.
    """
    document = record.document
    if mutant.whole is not None:
        return _record(record, _with_scalars(document, {(mutant.pointer, False): mutant.whole}))
    wanted = planned(document.data, mutant.splices)
    other = _record(record, spliced(document, mutant.splices))
    if other.document.data != wanted:  # the new text would have to be in quotes
        other = _record(record, _with_scalars(document, _in_quotes(document.data, mutant.splices)))
    if other.document.data != wanted or wanted == document.data:
        raise CannotSplice(f"{record.path}: the file cannot say {mutant.what}")
    return other


def _record(record: Record, text: str) -> Record:
    document = read_document(text.encode("utf-8", "surrogatepass"), record.document.name)
    return make_record(document, record.path, record.path_id + PurePosixPath(record.path).suffix, record.own)


def _in_quotes(data: Any, splices: tuple[Splice, ...]) -> dict[tuple[Pointer, bool], str]:
    """For each value and key that is changed, all of it in double quotes as it is to read."""
    new: dict[tuple[Pointer, bool], str] = {}
    for one in sorted(splices, key=lambda splice: splice.start, reverse=True):
        old = new.get((one.pointer, one.key), str(one.pointer[-1]) if one.key else value_at(data, one.pointer))
        new[one.pointer, one.key] = old[:one.start] + one.text + old[one.end:]
    return {place: json.dumps(text, ensure_ascii=False) for place, text in new.items()}


def _with_scalars(document: Document, new: dict[tuple[Pointer, bool], str]) -> str:
    """The file with other scalars in the place of some."""
    text, starts = document.text, Lines(document.text).starts
    edits = []
    for (pointer, key), scalar in new.items():
        span = document.span(Place(pointer, key=key))
        edits.append((starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1, scalar))
    for start, end, scalar in sorted(edits, reverse=True):
        text = text[:start] + scalar + text[end:]
    return text


def value_at(data: Any, pointer: Pointer) -> Any:
    """The value that a pointer leads to."""
    for part in pointer:
        data = data[part]
    return data


__all__ = ["CannotSplice", "Mutant", "Outcome", "Result", "Splice", "changed", "value_at"]
