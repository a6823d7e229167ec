"""A mutant judged: the changed record and all that depends on it, until a finding appears that was not there."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property

from specdil_records.checking.pipeline import finding
from specdil_records.checking.suppressing import suppress
from specdil_records.claims import Evaluation
from specdil_records.claims.loopholes import same
from specdil_records.claims.results import FigureResult, StatementResult
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Place, Pointer, Problem
from specdil_records.mutation.mutants import Mutant, Outcome, Result, changed
from specdil_records.mutation.resting import cells_read
from specdil_records.mutation.reusing import Memory
from specdil_records.rules import Rule, View

Fingerprint = tuple[str, str, tuple[object, ...], str]
"""What a finding is known by when lines move: path, name, place in the document and message."""


class RuleFailed(Exception):
    """A rule raised on a mutant: the tool's own fault."""


@dataclass(eq=False)
class Recalling(View):
    """A view whose claims are judged again only where the change may touch them."""

    memory: Memory = field(default_factory=Memory)
    changed: Record | None = None

    @cached_property
    def evaluation(self) -> Evaluation | None:
        """The record's claims, judged; None for a record whose content may not be judged."""
        if not self.record.sound or self.record.kind not in ("flop", "source"):
            return None
        if self.changed is None:
            return self.memory.first(self.record, self.corpus)
        return self.memory.again(self.record, self.corpus, self.changed)


@dataclass(eq=False)
class Bench:
    """A corpus as it is, judged once, against which every mutant is held.

    Its records are copies about which nothing is worked out yet, so that what is read of them shows.
    """

    corpus: Corpus
    rules: tuple[Rule, ...]
    today: date = field(default_factory=date.today)
    memory: Memory = field(default_factory=Memory)
    before: dict[str, Counter[Fingerprint]] = field(default_factory=dict)
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    cells: Mapping[str, frozenset[Pointer]] = field(default_factory=dict)
    """The cells of each source that some expression reads, by record id."""

    def __post_init__(self) -> None:
        # Copies: what was worked out about the records before is not theirs.
        fresh = tuple(replace(record) for record in self.corpus.records)
        self.corpus = replace(self.corpus, records=fresh)
        views = [Recalling(record, self.corpus, self.memory) for record in self.corpus.own]
        self.evaluations = {view.record.path: view.evaluation for view in views if view.evaluation is not None}
        self.cells = cells_read(self.corpus)
        self.before = {view.record.path: Counter(mark for mark, *_ in self._found(view)) for view in views}

    def outcome(self, mutant: Mutant) -> Outcome:
        """What becomes of a mutant. Raises `CannotSplice` for one that the file cannot say, `RuleFailed`."""
        old = self.corpus.by_id[mutant.record]
        new = changed(old, mutant)
        if not new.sound and old.sound:
            known = {(problem.name, problem.message) for problem in old.problems}
            fresh = [problem.name for problem in new.problems if (problem.name, problem.message) not in known]
            return Outcome(mutant, Result.KILLED, fresh[0] if fresh else "schema")
        corpus = self._with(old, new)
        views = [Recalling(one, corpus, self.memory, new) for one in self._touched(new, corpus)]
        for view in views:
            name = self._new_finding(view)
            if name is not None:
                return Outcome(mutant, Result.KILLED, name)
        return self._living(mutant, views)

    def _with(self, old: Record, new: Record) -> Corpus:
        return replace(self.corpus, records=tuple(new if one is old else one for one in self.corpus.records))

    def _touched(self, new: Record, corpus: Corpus) -> list[Record]:
        """The changed record, then those that name it, then those that rest on it by way of others."""
        direct = self.corpus.dependents.get(new.id, frozenset())
        paths = self.corpus.scope_of({new.path})
        order = {path: (path != new.path, path not in direct, path) for path in paths}
        return sorted((one for one in corpus.own if one.path in order), key=lambda one: order[one.path])

    def _new_finding(self, view: View) -> str | None:
        left = Counter(self.before.get(view.record.path, Counter()))
        for mark, rule, problem in self._found(view):
            if left[mark] > 0:
                left[mark] -= 1
            elif not self._silenced(view, rule, problem):
                return rule.name
        return None

    def _found(self, view: View) -> Iterator[tuple[Fingerprint, Rule, Problem]]:
        for rule in self.rules:
            try:
                problems = list(rule.check(view))
            except Exception as error:
                raise RuleFailed(f"{rule.name}: {view.record.path}: {type(error).__name__}: {error}") from error
            for problem in problems:
                where = problem.where
                place = (*where.pointer, where.start, where.key) if isinstance(where, Place) else ()
                yield (view.record.path, rule.name, place, problem.message), rule, problem

    def _silenced(self, view: View, rule: Rule, problem: Problem) -> bool:
        if not self.corpus.settings.suppressions:
            return False
        told = finding(view.record, rule, problem, view.corpus)
        return told not in suppress(view.corpus, [rule], [told], frozenset({view.record.path}), self.today)

    def _living(self, mutant: Mutant, views: Iterable[View]) -> Outcome:
        """Why nobody noticed: because nothing could be told, because nothing rests on it, or for no good reason."""
        if mutant.strict:
            return Outcome(mutant, Result.SURVIVED, "it has to be found")
        moved = False
        for view in views:
            before, after = self.evaluations.get(view.record.path), view.evaluation
            if before is not None and after is not None:
                why = unnoticed(before, after)
                if why:
                    return Outcome(mutant, Result.SURVIVED, why)
                moved = moved or any_difference(before, after)
        if mutant.kind == "evidence" and not moved:
            return Outcome(mutant, Result.UNUSED, "nothing that is computed moves with it")
        return Outcome(mutant, Result.NARROWER, "what rests on it moves less than can be told" if moved
                       else "nothing that is computed moves with it")


def unnoticed(before: Evaluation, after: Evaluation) -> str:
    """What should have been found and was not: a figure that moved too far, a conclusion or a dispute that fell."""
    for old, new in zip(before.claims, after.claims, strict=False):
        for one, two in zip(old.figures, new.figures, strict=False):
            if one.state == "agrees" and not one.excused and (two.state != "agrees" or too_far(one, two)):
                return f"{old.id}: the figure {one.quoted} is {two.state}, and nothing is found"
        for first, second in zip(old.statements, new.statements, strict=False):
            if first.state == "true" != second.state:
                return f"{old.id}: {second.text} is {second.state}, and nothing is found"
        for was, is_now in zip(old.disputes, new.disputes, strict=False):
            if was.state == "stands" != is_now.state:
                return f"{old.id}: its dispute is {is_now.state}, and nothing is found"
    return ""


def too_far(before: FigureResult, after: FigureResult) -> bool:
    """Whether what is computed for a figure moved by more than its width and that of the figure as it is written."""
    one, two = before.agreement, after.agreement
    if one is None or two is None:
        return False
    widths = max(one.computed.hi - one.computed.lo, two.computed.hi - two.computed.lo) + one.quoted.hi - one.quoted.lo
    middles = [Fraction(each.computed.lo + each.computed.hi) / 2 for each in (one, two)]
    return bool(abs(middles[1] - middles[0]) > widths)


def any_difference(before: Evaluation, after: Evaluation) -> bool:
    """Whether anything that a record's claims compute, or rest on, is another value than before."""
    for old, new in zip(before.claims, after.claims, strict=False):
        if any(one is not two and not _worth_the_same(one, two)
               for one, two in zip(old.figures, new.figures, strict=False)):
            return True
        if [one.explanation for one in old.disputes] != [one.explanation for one in new.disputes]:
            return True
        if any(one is not two and not _rest_on_the_same(one, two)
               for one, two in zip(old.statements, new.statements, strict=False)):
            return True
    return False


def _worth_the_same(one: FigureResult, two: FigureResult) -> bool:
    if one.computed is None or two.computed is None:
        return one.computed is None and two.computed is None
    return same(one.computed.value, two.computed.value)


def _rest_on_the_same(one: StatementResult, two: StatementResult) -> bool:
    old, new = (() if each.truth is None else each.truth.used for each in (one, two))
    return [leaf.key for leaf in old] == [leaf.key for leaf in new] and all(
        same(left.quantity.value, right.quantity.value) for left, right in zip(old, new, strict=True))
