"""Which record somebody means who names one in his own way."""
from __future__ import annotations

import difflib

from specdil_records.corpus.records import Corpus, Record
from specdil_records.corpus.settings import KINDS


class NoRecord(LookupError):
    """No record is called that, or several are; the message says what comes nearest, or which."""


def named(corpus: Corpus, name: str) -> Record:
    """A record by its id, the tail of its id, or its file. Raises `NoRecord`."""
    if (record := corpus.by_id.get(name)) is not None:
        return record
    meant = [record for folder in KINDS if (record := corpus.by_id.get(f"{folder}/{name}")) is not None]
    if len(meant) > 1:
        raise NoRecord(f"{name!r} may be {' or '.join(record.id for record in meant)}; name it in full")
    meant += [record for record in corpus.records if record.path == name]
    if meant:
        return meant[0]
    known = [*corpus.by_id, *(record.tail for record in corpus.records)]
    near = difflib.get_close_matches(name, known, n=1)
    raise NoRecord(f"no record {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
