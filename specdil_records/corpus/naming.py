"""Which record somebody means who names one in his own way."""
from __future__ import annotations

import difflib

from specdil_records.corpus.records import Corpus, Record
from specdil_records.corpus.settings import KINDS


class NoRecord(LookupError):
    """No record is called that; the message says what comes nearest."""

    def __init__(self, name: str, near: str | None) -> None:
        super().__init__(f"no record {name!r}" + (f"; did you mean {near}?" if near else ""))


def named(corpus: Corpus, name: str) -> Record:
    """A record by its id, the tail of its id, or its file. Raises `NoRecord` with the nearest name."""
    for one in (name, *(f"{folder}/{name}" for folder in KINDS)):
        if (record := corpus.by_id.get(one)) is not None:
            return record
    for record in corpus.records:
        if record.path == name:
            return record
    known = [*corpus.by_id, *(record.tail for record in corpus.records)]
    raise NoRecord(name, next(iter(difflib.get_close_matches(name, known, n=1)), None))
