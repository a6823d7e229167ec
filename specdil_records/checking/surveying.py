"""A first look at the files of a large corpus: a card of each, made by workers that keep nothing else.

The check then begins with cards alone. A record is read once more when it is judged, by the worker that judges it, and
forgotten; to read twice side by side takes no longer than once in a row, and never is all of a corpus in memory.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from specdil_records.checking.workers import WORTH_IT, in_batches, jobs_for
from specdil_records.corpus import Corpus, Record, cards
from specdil_records.corpus.files import Contents
from specdil_records.corpus.loading import record_of


def survey(files: Sequence[Contents], known: Mapping[str, cards.Card],
           jobs: int | None) -> Iterator[tuple[int, dict[str, str]]]:
    """The cards, as text and by content, of the files that have none yet and that nothing is to be said against.

    They come in batches, each with how many files have been read.

    Raises `UnreadableFile`, and `BrokenProcessPool` for a worker that dies.
    """
    todo = [one for one in files if one.content not in known]
    if len(todo) < WORTH_IT:
        return  # a small corpus is read once, and held

    def work(start: int, end: int) -> tuple[int, dict[str, str]]:
        return end, {one.content: text for one in todo[start:end] if (text := card_text(record_of(one))) is not None}

    yield from in_batches(work, len(todo), jobs_for(len(todo), jobs))


def card_text(record: Record) -> str | None:
    """The card of a record; None for one that has to be read by whoever wants to know."""
    return cards.written(record.card) if record.card is not None and not record.problems else None


def new_cards(corpus: Corpus) -> dict[str, str]:
    """The cards of those records of a corpus that were read, likewise."""
    return {record.content: text for record in corpus.records
            if record.kept is None and (text := card_text(record)) is not None}
