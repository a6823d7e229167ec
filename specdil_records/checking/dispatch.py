"""Stretches of a corpus sent to any executor, and the answers put together with what only the whole corpus can tell."""
from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace
from typing import Any

from specdil_records.checking.elsewhere import (
    JUDGED,
    MISSING,
    UNTOLD,
    Entry,
    Stretch,
    fingerprint,
    identity,
    judge,
    pack,
    unpack,
)
from specdil_records.checking.keys import digest
from specdil_records.checking.pipeline import UNSETTLED, Part, check_records
from specdil_records.checking.results import Verdict
from specdil_records.checking.workers import batches
from specdil_records.corpus import Corpus, Record
from specdil_records.rules import Rule

MOST_TRIES = 4
"""A worker asks at most for the common files, for files that it cannot read, and for those after it was replaced."""
LOOK = 1.0
"""Seconds between two looks whether an executor is still able to finish."""


class EngineError(Exception):
    """An executor that could not do the work: a worker died, runs another tool, or asks for what it has."""


class Watched(Executor):
    """An executor that can say, while it is waited for, that waiting is in vain."""

    @abstractmethod
    def trouble(self) -> str:
        """Why what was submitted will never be done; empty as long as it may be."""


def judged_by(executor: Executor, corpus: Corpus, rules: Sequence[Rule], scope: frozenset[str] | None,
              known: Mapping[str, Verdict], jobs: int) -> Part:
    """What `check_records` gives for all own records, most of it worked out by an executor.

    Rules that look across records run here, where all of them are. `jobs` is how many workers there may be; it decides
    the size of a stretch, never the result. Raises `EngineError`.
    """
    todo = [record for record in corpus.own
            if (scope is None or record.path in scope) and record.path not in known]
    parts = Errand(executor, corpus, tuple(rule.name for rule in rules if not rule.beyond), jobs).parts(todo)
    there = {path: Verdict(part.tally, tuple(part.findings), clean=False) for path, part in parts.items()
             if not any(one.name in UNSETTLED for one in part.findings)}
    whole = check_records(corpus, corpus.own, rules, scope, {**known, **there})
    found = {one.path for one in whole.findings}
    whole.fresh |= {path: replace(verdict, clean=path not in found) for path, verdict in there.items()
                    if path in parts[path].fresh}
    return whole


class Errand:
    """One check on its way through an executor."""

    def __init__(self, executor: Executor, corpus: Corpus, rules: tuple[str, ...], jobs: int) -> None:
        self.executor, self.corpus, self.jobs = executor, corpus, jobs
        self.numbers = {record: number for number, record in enumerate(corpus.records)}
        self.entries = [Entry(number, record.path, record.path_id, record.own, fingerprint(record))
                        for number, record in enumerate(corpus.records)]
        self.shared = tuple(entry for entry, record in zip(self.entries, corpus.records, strict=True)
                            if record.kind != "flop")
        root = corpus.settings.url or str(corpus.settings.project)
        self.common = digest([root, *map(repr, self.shared)])
        settings = replace(corpus.settings, suppressions=())
        self.blank = Stretch(settings, root, rules, (), frozenset(), self.common)
        self.unreadable = False

    def parts(self, todo: list[Record]) -> dict[str, Part]:
        """What was found for each record, by path."""
        waiting = self.stretches(todo)
        found: dict[str, Part] = {}
        running: dict[Future[tuple[str, bytes]], tuple[Stretch, int]] = {}
        sent = 0
        try:
            while True:
                # A few more than there are workers, so that none waits, and never all of a large corpus at once.
                while len(running) < 2 * self.jobs and (stretch := next(waiting, None)) is not None:
                    first = sent < 2 * self.jobs
                    sent += 1
                    self._send(running, replace(stretch, shared=self.shared) if first else stretch, 1)
                if not running:
                    return found
                for future in self._done(running):
                    stretch, tries = running.pop(future)
                    kind, parcel = self._answer(future)
                    if kind == JUDGED:
                        found.update(unpack(parcel))
                    elif kind in (UNTOLD, MISSING) and tries < MOST_TRIES:
                        self._send(running, self._richer(stretch, unpack(parcel) if parcel else ()), tries + 1)
                    else:
                        raise EngineError("a worker keeps asking for records that it was sent"
                                          if kind in (UNTOLD, MISSING) else parcel.decode("utf-8", "replace"))
        finally:
            for future in running:
                future.cancel()

    def stretches(self, todo: Sequence[Record]) -> Iterator[Stretch]:
        """The records in stretches, each with what it needs, while they are asked for."""
        for start, end in batches(len(todo), self.jobs):
            files = {self.numbers[record] for record in self._named(todo[start:end]) if record.kind == "flop"}
            stretch = replace(self.blank, files=tuple(self.entries[number] for number in sorted(files)),
                              wanted=frozenset(record.path for record in todo[start:end]))
            yield replace(stretch, sent=self._sendable(files)) if self.unreadable else stretch

    def _named(self, records: Sequence[Record]) -> set[Record]:
        """These records and all that they name, however far."""
        seen, left = set(records), list(records)
        while left:
            for name in left.pop().names:
                named = self.corpus.resolve(name)
                if named is not None and named not in seen:
                    seen.add(named)
                    left.append(named)
        return seen

    def _richer(self, stretch: Stretch, missing: tuple[int, ...]) -> Stretch:
        """The stretch with what a worker asked for: the list of the common files, or records."""
        # A worker that reads nothing of the first files will read none of the next.
        numbers = {entry.number for entry in stretch.files}
        self.unreadable = self.unreadable or (bool(numbers) and numbers <= set(missing))
        return replace(stretch, shared=self.shared, sent={**stretch.sent, **self._sendable(missing)})

    def _sendable(self, numbers: Iterable[int]) -> dict[int, Record]:
        return {number: replace(self.corpus.records[number], home=None) for number in numbers}

    def _send(self, running: dict[Future[tuple[str, bytes]], tuple[Stretch, int]], stretch: Stretch,
              tries: int) -> None:
        try:
            running[self.executor.submit(judge, identity(), pack(stretch))] = (stretch, tries)
        except Exception as error:
            raise EngineError(_words(error)) from error

    def _done(self, running: Mapping[Future[tuple[str, bytes]], Any]) -> set[Future[tuple[str, bytes]]]:
        while True:
            done, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
            if done:
                return done
            if isinstance(self.executor, Watched) and (words := self.executor.trouble()):
                raise EngineError(words)

    @staticmethod
    def _answer(future: Future[tuple[str, bytes]]) -> tuple[str, bytes]:
        try:
            return future.result()
        except (Exception, asyncio.CancelledError) as error:  # whatever an executor raises when it loses a worker
            raise EngineError(_words(error)) from error


def _words(error: BaseException) -> str:
    return f"a worker failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
