"""The corpus with another value somewhere, in memory, and what would come of it."""
from __future__ import annotations

import copy
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.agreement import show_interval
from specdil_records.claims.results import FigureResult, StatementResult
from specdil_records.claims.subjects import QUANTITIES, SHAPE
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Place, Pointer
from specdil_records.history.dependence import evaluations_of, scope
from specdil_records.rules import RULES, View
from specdil_records.rules.written import fault
from specdil_records.schemas import validate

TOLD = frozenset({"figure-drift", "conclusion-false", "stale-dispute", "undecided"})
"""Findings that are told as figures, conclusions and disputes already."""


class CannotSuppose(Exception):
    """A value that the record cannot have; the message says why."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """One value that is set: its name, and its text before (empty when there is none) and now."""

    name: str
    pointer: Pointer
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Moved:
    """Something of a claim that is not as before.

    `kind` is figure, conclusion, dispute or finding. `old` and `new` are computed values or details in words,
    `change` the relative change of a value where it has one, `was` and `is_now` the states.
    """

    kind: str
    record: str
    claim: str
    what: str
    place: str
    old: str
    new: str
    was: str
    is_now: str
    change: Fraction | None = None

    @property
    def flips(self) -> bool:
        """Whether the verdict is another one, and not merely the value."""
        return self.was != self.is_now


@dataclass(frozen=True, slots=True)
class Outcome:
    """What would come of the supposed values."""

    supposed: tuple[Supposed, ...]
    moved: tuple[Moved, ...]
    judged: int
    """Claims that were judged again."""
    untouched: int
    """Of these, claims in which nothing moved."""
    verdicts: tuple[tuple[str, str, str, str], ...]
    """Record, claim, verdict before, verdict then, where they differ."""


def suppose(corpus: Corpus, record: Record, settings: Sequence[str]) -> Outcome:
    """Judge all that depends on a record again, with other values in it. Raises `CannotSuppose`."""
    other, supposed = altered(corpus, record, settings)
    paths = scope(corpus, record)
    before = evaluations_of(corpus, [one for one in corpus.own if one.path in paths])
    after = evaluations_of(other, [one for one in other.own if one.path in paths])
    moved: list[Moved] = []
    verdicts = []
    judged = still = 0
    for name, evaluation in before.items():
        for old, new in zip(evaluation.claims, after[name].claims, strict=False):
            judged += 1
            here = list(_claim(evaluation.record, old, new))
            moved += here
            still += not here
            if old.verdict != new.verdict:
                verdicts.append((name, old.id, str(old.verdict), str(new.verdict)))
        moved += _trends(evaluation, after[name])
    moved += _findings(before, after, corpus, other, paths)
    return Outcome(tuple(supposed), tuple(moved), judged, still, tuple(verdicts))


# The other value --------------------------------------------------------------------------------------------


def altered(corpus: Corpus, record: Record, settings: Sequence[str]) -> tuple[Corpus, list[Supposed]]:
    """The corpus with `quantity=VALUE` set in a record; every place in the record stays what it was."""
    document = copy.copy(record.document)
    document.data = copy.deepcopy(record.data)
    supposed = [_set(record.kind, document.data, text) for text in settings]
    if record.kind is not None and record.version is not None:
        for problem in validate(document, record.kind, record.version):
            raise CannotSuppose(f"the record would not fit its schema: {problem.message}")
    other = replace(record, document=document)
    records = tuple(other if one is record else one for one in corpus.records)
    return replace(corpus, records=records), supposed


def _set(kind: str | None, data: dict[str, Any], text: str) -> Supposed:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise CannotSuppose(f"{text!r} is not QUANTITY=VALUE, such as memory_bandwidth=7.7TB/s")
    if name.startswith("/"):
        return _at_pointer(data, name, value)
    if kind == "accelerator":
        return _quantity(data, name, value)
    if kind == "model":
        return _shape(data, name, value)
    raise CannotSuppose("only accelerators and models have named quantities; a value elsewhere is set by its pointer, "
                        "such as /tables/0/columns/speedup/2=1.4")


def _quantity(data: dict[str, Any], name: str, value: str) -> Supposed:
    if name not in QUANTITIES:
        raise CannotSuppose(f"{name} is no quantity of an accelerator{_near(name, QUANTITIES)}")
    if wrong := fault(value, None, name):
        raise CannotSuppose(f"{name}={value}: {wrong}")
    entry = data["quantities"].setdefault(name, {"value": "", "basis": "unverified"})
    old, entry["value"] = str(entry["value"]), value
    entry.pop("uncertainty", None)
    return Supposed(name, ("quantities", name), old, value)


def _shape(data: dict[str, Any], name: str, value: str) -> Supposed:
    if name not in SHAPE:
        raise CannotSuppose(f"{name} is no part of a model's shape{_near(name, SHAPE)}")
    if not value.isascii() or not value.isdigit() or not 0 < len(value) < 16:
        raise CannotSuppose(f"{name}={value}: a part of a model's shape is a whole number")
    old = data["shape"].get(name)
    data["shape"][name] = int(value)
    return Supposed(name, ("shape", name), "" if old is None else str(old), value)


def _at_pointer(data: dict[str, Any], name: str, value: str) -> Supposed:
    parts: list[str | int] = [part.replace("~1", "/").replace("~0", "~") for part in name[1:].split("/")]
    node: Any = data
    for i, part in enumerate(parts):
        if isinstance(node, list) and part in (places := [str(place) for place in range(len(node))]):
            parts[i] = places.index(part)
        elif not isinstance(node, dict) or part not in node:
            raise CannotSuppose(f"the record has nothing at {name}")
        last, node = node, node[parts[i]]
    if isinstance(node, dict) and isinstance(node.get("value"), str):
        last, node = node, node["value"]
        parts.append("value")
    if not isinstance(node, str):
        raise CannotSuppose(f"what stands at {name} is no text that a value could take the place of")
    if len(parts) == 1:
        raise CannotSuppose(f"{name} says what the record is; a value inside it can be set")
    last[parts[-1]] = value
    return Supposed(name, tuple(parts), node, value)


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


# What moves -------------------------------------------------------------------------------------------------


def _claim(record: Record, old: ClaimResult, new: ClaimResult) -> Iterator[Moved]:
    for one, two in _pairs(old.figures, new.figures):
        texts, change = [_computed(figure) for figure in (one, two)], _change(one, two)
        if texts[0] != texts[1] or one.state != two.state or change:
            number = one.field.numbers[one.numbers[0]] if one.numbers else None
            place = Place(one.field.pointer, number.start, number.end) if number is not None else Place(one.pointer)
            yield Moved("figure", record.id, old.id, one.quoted or one.anchor, where(record, place), texts[0], texts[1],
                        _state(one), _state(two), change)
    yield from _statements(record, old.id, old.statements, new.statements)
    for before, after in zip(old.disputes, new.disputes, strict=False):
        if (before.state, before.explanation) != (after.state, after.explanation):
            what = str(before.data.get("figure") or before.data.get("words") or "")
            yield Moved("dispute", record.id, old.id, what, where(record, Place(before.pointer)), before.explanation,
                        after.explanation, before.state, after.state)


def _pairs(old: list[FigureResult], new: list[FigureResult]) -> Iterator[tuple[FigureResult, FigureResult]]:
    then = {(figure.pointer, figure.numbers, figure.anchored.start): figure for figure in new}
    for figure in old:
        other = then.get((figure.pointer, figure.numbers, figure.anchored.start))
        if other is not None:
            yield figure, other


def _state(figure: FigureResult) -> str:
    return f"{figure.state}, as disputed" if figure.excused else figure.state


def _computed(figure: FigureResult) -> str:
    if figure.figure is not None and figure.agreement is not None:
        return show_interval(figure.agreement.computed, figure.figure)
    return figure.reason


def _change(old: FigureResult, new: FigureResult) -> Fraction | None:
    """The relative change of the computed value, by the middles of the intervals; None where there is none."""
    if old.agreement is None or new.agreement is None:
        return None
    before, after = (Fraction(one.agreement.computed.lo + one.agreement.computed.hi) / 2
                     for one in (old, new) if one.agreement is not None)
    return (after - before) / abs(before) if before and after != before else None


def _statements(record: Record, claim: str, old: list[StatementResult],
                new: list[StatementResult]) -> Iterator[Moved]:
    for one, two in zip(old, new, strict=False):
        if one.state != two.state:
            yield Moved("conclusion", record.id, claim, one.text, where(record, Place(one.pointer)), _detail(one),
                        _detail(two), one.state, two.state)


def _detail(statement: StatementResult) -> str:
    return statement.reason or (statement.truth.detail if statement.truth is not None else "")


def _trends(old: Evaluation, new: Evaluation) -> Iterator[Moved]:
    yield from _statements(old.record, "", old.trends, new.trends)


def _findings(old: Mapping[str, Evaluation], new: Mapping[str, Evaluation], before: Corpus, after: Corpus,
              paths: frozenset[str]) -> Iterator[Moved]:
    """Faults that are none of the above: contradictions, a basis that is too strong, values that cannot be read."""
    then, now = (dict(_faults(evaluations, corpus, paths))
                 for evaluations, corpus in ((old, before), (new, after)))
    for here, there, words in ((now, then, ("not found", "found")), (then, now, ("found", "not found"))):
        for key in sorted(here.keys() - there.keys()):
            yield Moved("finding", key[0], "", key[1], key[2], "", here[key], *words)


def _faults(evaluations: Mapping[str, Evaluation], corpus: Corpus,
            paths: frozenset[str]) -> Iterator[tuple[tuple[str, str, str], str]]:
    """Faults by record, finding and place, with their words."""
    for record in corpus.own:
        if record.path not in paths:
            continue
        view = View(record, corpus)
        if record.id in evaluations:
            view.evaluation = evaluations[record.id]
        for rule in RULES:
            for problem in rule.check(view) if rule.name not in TOLD and not rule.historic else ():
                at = where(record, problem.where) if isinstance(problem.where, Place) else record.path
                yield (record.id, rule.name, at), problem.message


def where(record: Record, place: Place) -> str:
    """`path:line:column` of a place in a record."""
    span = record.document.span(place)
    return f"{record.path}:{span.line}:{span.column}"


__all__ = ["CannotSuppose", "Moved", "Outcome", "Supposed", "altered", "suppose", "where"]
