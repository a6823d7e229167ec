"""Records to findings: every rule on every record in scope, with what only the pipeline knows added."""
from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

from specdil_records.checking.baseline import Fingerprint, subtract
from specdil_records.checking.cache import Cache
from specdil_records.checking.results import Report, Tally, Verdict, make_report
from specdil_records.checking.suppressing import suppress
from specdil_records.checking.workers import in_batches, jobs_for
from specdil_records.corpus import Corpus, Record, SettingsError
from specdil_records.findings import Edit, Finding, Place, Problem, Severity, Span
from specdil_records.reading.files import UnreadableFile
from specdil_records.rules import NAMES, RULES, Rule, View

if TYPE_CHECKING:
    from concurrent.futures import Executor

UNSETTLED = frozenset({"unresolved-reference"})
"""Findings whose words may propose any name of the corpus: a record that has one is judged where all of it is at hand,
and anew each time."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a check is asked to do. `scope` holds the paths to report on; None means the whole corpus."""

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    scope: frozenset[str] | None = None
    today: date | None = None
    known: Mapping[Fingerprint, int] | None = None
    """Findings of a baseline: they are not reported, and each that is gone is."""
    cache: Cache | None = None
    """Where verdicts are kept between runs, open; None keeps none."""
    jobs: int | None = None
    """Worker processes; None lets the size of the corpus decide."""
    executor: Executor | None = None
    """What judges the records, in threads, processes or on other machines; None forks worker processes when they help.
    It is not shut down. `jobs` then says how many tasks it works on at a time."""


def check(corpus: Corpus, options: Options = Options()) -> Report:
    """Check a corpus. Rules across records see all of it, whatever the scope is.

    A rule that raises is no fault of the record: it is named under `summary.broken` and nothing else is lost. Workers
    that cannot do the work raise: `BrokenProcessPool`, or `EngineError` of `options.executor`.
    """
    asked = chosen_rules(corpus, options)
    rules = (*asked, *_silenced(corpus, asked))
    findings, tally = _check_all(corpus, rules, options)
    if options.scope is not None and tally.leaning:
        # A claim of a named record rests on one that was not named and has a fault: that fault must not stay unsaid.
        more = frozenset(tally.leaning) - options.scope
        part = check_records(corpus, [one for one in corpus.own if one.path in more], rules, more)
        findings += part.findings
        tally.add(part.tally)
    tally.rules_run = len(asked)
    names = {rule.name for rule in asked}
    left = suppress(corpus, rules, findings, options.scope, options.today or date.today())
    findings = [one for one in left if one.name in names]
    if options.known is None:
        return make_report(findings, tally)
    new, unmet = subtract(findings, Counter(options.known))
    gone = tuple(one for one in unmet if one[0] in names) if options.scope is None else ()
    return make_report(new, tally, gone)


def _check_all(corpus: Corpus, rules: tuple[Rule, ...], options: Options) -> tuple[list[Finding], Tally]:
    records = corpus.own
    findings: list[Finding] = []
    tally = Tally()
    # What changed against an earlier state is no property of the state at hand, so it is never kept.
    cache = options.cache if options.cache is not None and corpus.before is None else Cache()
    kept = cache.verdicts(corpus, rules)
    known = kept.known()

    def work(start: int, end: int) -> Part:
        return check_records(corpus, records[start:end], rules, options.scope, known)

    if options.executor is not None:
        from specdil_records.checking.dispatch import judged_by

        jobs = options.jobs or os.cpu_count() or 1
        parts: Iterable[Part] = [judged_by(options.executor, corpus, rules, options.scope, known, jobs)]
    else:
        corpus.index()
        for rule in rules:
            with contextlib.suppress(Exception):  # the rule raises again where it is asked, and is told as broken there
                rule.prepare(corpus)
        parts = in_batches(work, len(records), jobs_for(len(records) - len(known), options.jobs))
    for part in parts:
        findings += part.findings
        tally.add(part.tally)
        kept.keep(part.fresh)
    return findings, tally


def chosen_rules(corpus: Corpus, options: Options) -> tuple[Rule, ...]:
    """The rules that run: selected, not ignored, not switched off in the settings.

    Raises `SettingsError` when the settings name a finding that there is not.
    """
    if unknown := sorted(set(corpus.settings.severities) - NAMES):
        raise SettingsError(f"{corpus.settings.file}: no finding is called {', '.join(unknown)}")

    def wanted(rule: Rule) -> bool:
        names = {rule.name, rule.code}
        if options.select is not None and not names & options.select:
            return False
        if rule.historic and corpus.before is None:
            return False
        return not names & options.ignore and corpus.settings.severities.get(rule.name) != "off"

    return tuple(rule for rule in RULES if wanted(rule))


def _silenced(corpus: Corpus, asked: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules that were not asked for and that suppressions name, where it is asked whether one is unused."""
    if not any(rule.name == "unused-suppression" for rule in asked):
        return ()
    named = {entry.name for entry in corpus.settings.suppressions} - {rule.name for rule in asked}
    return tuple(rule for rule in chosen_rules(corpus, Options(select=frozenset(named))) if named)


@dataclass(slots=True)
class Part:
    """What some records of a corpus gave: findings, counts, and the verdicts that are new and may be kept, by path."""

    findings: list[Finding] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    fresh: dict[str, Verdict] = field(default_factory=dict)


def check_records(corpus: Corpus, records: Sequence[Record], rules: Iterable[Rule], scope: frozenset[str] | None,
                  known: Mapping[str, Verdict] = MappingProxyType({})) -> Part:
    """Check some records of a corpus.

    `known` holds verdicts on records of which nothing has changed since, nor of what they rest on: only the rules that
    look beyond a record, and what it names, are asked of them.
    """
    part = Part()
    every = [(rule, rule.check) for rule in rules]
    beyond = [(rule, check) for rule, check in every if rule.beyond]
    again = [(rule, rule.recheck) for rule, _ in beyond]
    for record in records:
        inside = scope is None or record.path in scope
        view = View(record, corpus)
        verdict = known.get(record.path)
        mine = Tally(records=int(inside and verdict is None))
        near: list[Finding] = []
        far: list[Finding] = []
        for rule, check_of in every if verdict is None else again if verdict.clean else beyond:
            try:
                problems = list(check_of(view)) if inside or rule.across else []
            except UnreadableFile:
                raise  # a record that is read when it is judged has changed since it was found
            except Exception as error:
                mine.broken.setdefault(rule.name, f"{record.path}: {type(error).__name__}: {error}")
                continue
            if problems:
                (far if rule.beyond else near).extend(
                    finding(record, rule, problem, corpus) for problem in problems
                    if inside or (scope is not None and scope & set(problem.related)))
        if inside and verdict is not None:
            near += verdict.findings
            mine.add(verdict.tally)
        elif inside:
            _count(mine, view)
            if not mine.broken and not mine.leaning and not any(one.name in UNSETTLED for one in near):
                part.fresh[record.path] = Verdict(mine, tuple(near), not near and not far)
        part.findings += near + far
        part.tally.add(mine)
        if record.kind == "flop":  # few records, if any, will ask for it again
            record.forget()
    return part


def _count(tally: Tally, view: View) -> None:
    try:
        evaluation = view.evaluation
    except Exception as error:  # the rules that need it have said so; the count must not hide it
        tally.broken.setdefault("evaluation", f"{view.record.path}: {type(error).__name__}: {error}")
        return
    if evaluation is not None:
        tally.claims.update(str(claim.verdict) for claim in evaluation.claims)
        if any(claim.unavailable for claim in evaluation.claims):
            tally.leaning.update(named.path for _, named in view.corpus.named_by(view.record) if named is not None)
        tally.numbers.update(str(entry.status) for entry in evaluation.ledger)


def finding(record: Record, rule: Rule, problem: Problem, corpus: Corpus) -> Finding:
    """A problem as it is reported."""
    severity = Severity(corpus.settings.severities.get(rule.name, rule.severity))
    where = problem.where if isinstance(problem.where, Span) else existing(record, problem.where)
    span = record.document.span(where)
    edits = tuple(Edit(record.document.span(fix.where), fix.text, fix.safe, fix.why) for fix in problem.fixes)
    return Finding(
        name=rule.name, code=rule.code, severity=severity, message=problem.message, path=record.path,
        record=record.id, span=span, pointer=problem.where.pointer if isinstance(problem.where, Place) else (),
        help=problem.help or rule.mend, notes=problem.notes, data=problem.data, fixes=edits,
        source=record.document.line(span.line))


def existing(record: Record, place: Place) -> Place:
    """A place that the document has: itself, or the nearest that holds it (for what a claim takes from another)."""
    while place.pointer and not record.document.exists(place.pointer):
        place = replace(place, pointer=place.pointer[:-1], start=None, end=None, key=False)
    return place
