"""Claims that a change does not touch are not judged again: what is kept of them, and when it still holds."""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from specdil_records.claims import ClaimResult, Evaluation, evaluate
from specdil_records.claims.judging import Judge
from specdil_records.claims.locating import Anchored, Field, NotLocated, Passage, locate, read_anchor
from specdil_records.claims.subjects import SourceCells
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Pointer
from specdil_records.prose.numbers import Found

NEAR = 60
"""How far around its passage a claim's terms and numbers may be read differently, in characters."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A claim as it was judged, before any dispute about it, and all the words that name what it rests on."""

    result: ClaimResult
    words: str

    def holds(self, data: Mapping[str, Any], fields: Mapping[Pointer, Field], changed: frozenset[str]) -> bool:
        """Whether the claim would be judged alike: the same claim, of the same words, resting on nothing changed."""
        known = self.result
        if data != known.data or any(name in self.words for name in changed):
            return False
        if known.field is None or known.passage is None or known.field.pointer not in fields:
            return False
        if all(fields.get(one.pointer) == one for one in self._fields()):
            return True
        try:
            return self._stands_as_before(fields)
        except NotLocated:
            return False

    def _fields(self) -> list[Field]:
        assert self.result.field is not None
        return [self.result.field, *(where for where, _ in self.result.inputs.values())]

    def _stands_as_before(self, fields: Mapping[Pointer, Field]) -> bool:
        known = self.result
        assert known.passage is not None and known.field is not None
        if len(known.inputs) != len(known.data.get("read", {})):
            return False
        old, here = known.passage, fields[known.field.pointer]
        occurrence = known.data.get("occurrence")
        new = locate(here, old.quote, None if occurrence is None else int(occurrence))
        if (new.start, new.end, new.changed, new.points) != (old.start, old.end, old.changed, old.points):
            return False
        if surroundings(here, new.start, new.end) != surroundings(old.field, old.start, old.end):
            return False
        return all(self._reads_alike(new, fields, name) for name in known.inputs)

    def _reads_alike(self, passage: Passage, fields: Mapping[Pointer, Field], name: str) -> bool:
        where, place = self.result.inputs[name]
        if fields.get(where.pointer) == where:
            return True
        spec = self.result.data["read"][name]
        found: Anchored = read_anchor(passage, fields[where.pointer], spec if isinstance(spec, str) else spec["at"])[1]
        there = fields[where.pointer]
        return found == place and (surroundings(there, found.start, found.end)
                                   == surroundings(where, place.start, place.end))

    def again(self, corpus: Corpus) -> ClaimResult:
        """The result for disputes of a changed corpus to judge by."""
        known = self.result
        scope = replace(known.scope, cells=SourceCells(corpus)) if known.scope is not None else None
        return replace(known, scope=scope, inputs=dict(known.inputs), figures=list(known.figures),
                       statements=list(known.statements), held=dict(known.held), cited=list(known.cited),
                       disputes=[], problems=list(known.problems), blamed=set(known.blamed))


def surroundings(where: Field, start: int, end: int) -> tuple[str, tuple[tuple[int, Found], ...]]:
    """A stretch of a field with the text around it and the numbers there."""
    first, last = max(0, start - NEAR), end + NEAR
    near = tuple((i, number) for i, number in enumerate(where.numbers) if number.stop > first and number.start < last)
    return where.text[first:last], near


@dataclass(slots=True)
class Keeping(Judge):
    """Judges claims and keeps each as it was judged."""

    kept: dict[Pointer, Kept] = field(default_factory=dict)
    disputes: Mapping[str, str] = field(default_factory=dict)
    """For each claim, what the disputes about it say."""

    def claim(self, data: Mapping[str, Any], pointer: Pointer) -> ClaimResult:
        """Judge one claim and keep it."""
        result = Judge.claim(self, data, pointer)
        words = json.dumps(data, ensure_ascii=False) + self.disputes.get(data["id"], "")
        self.kept[pointer] = Kept(Kept(result, "").again(self.corpus), words)
        return result


@dataclass(slots=True)
class Reusing(Judge):
    """Judges the claims that a change may touch, and takes the others as they were."""

    kept: Mapping[Pointer, Kept] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()

    def claim(self, data: Mapping[str, Any], pointer: Pointer) -> ClaimResult:
        """A kept claim where it holds, else the claim judged anew."""
        kept = self.kept.get(pointer)
        if kept is not None and kept.holds(data, self.fields, self.changed):
            return kept.again(self.corpus)
        return Judge.claim(self, data, pointer)


@dataclass(slots=True)
class Memory:
    """What is kept of the claims of every record, by path."""

    of: dict[str, dict[Pointer, Kept]] = field(default_factory=dict)

    def first(self, record: Record, corpus: Corpus) -> Evaluation:
        """Judge a record and keep its claims."""
        kept = self.of[record.path] = {}
        disputes: dict[str, str] = {}
        for dispute in record.data.get("disputes", []):
            disputes[dispute["claim"]] = disputes.get(dispute["claim"], "") + json.dumps(dispute, ensure_ascii=False)
        return evaluate(record, corpus, lambda corpus, fields: Keeping(corpus, fields, kept, disputes))

    def again(self, record: Record, corpus: Corpus, changed: Record) -> Evaluation:
        """Judge a record of a corpus in which one record is another."""
        kept = self.of.get(record.path, {})
        names = frozenset({changed.tail} if changed.path != record.path or changed.kind == "source" else ())
        return evaluate(record, corpus, lambda corpus, fields: Reusing(corpus, fields, kept, names))
