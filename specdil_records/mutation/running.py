"""The whole run: every mutant of a corpus made, perhaps sampled, judged, and counted by kind."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from specdil_records.checking import Options
from specdil_records.checking.pipeline import chosen_rules
from specdil_records.checking.workers import in_batches, jobs_for
from specdil_records.corpus import Corpus
from specdil_records.mutation.ground import Ground
from specdil_records.mutation.judging import Bench, RuleFailed
from specdil_records.mutation.kinds import KINDS, Kind
from specdil_records.mutation.mutants import CannotSplice, Mutant, Outcome, Result
from specdil_records.mutation.resting import values_used

EVERY_RULE = Options()
SEED = 20261201
"""With a limit, the same mutants are drawn every time."""


@dataclass(frozen=True, slots=True)
class Count:
    """What became of the mutants of one kind; `places` nothing rests on were not even changed."""

    kind: str
    what: str
    generated: int
    results: Mapping[Result, int]
    places: int


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a run. `possible` is how many mutants there are; fewer may have been drawn."""

    counts: tuple[Count, ...]
    outcomes: tuple[Outcome, ...]
    possible: int
    records: int
    failures: tuple[str, ...] = ()
    """Rules that raised on a mutant: faults of the tool."""
    drawn: int = 0
    """How many of the possible ones were tried. A few of them may be nothing that their file could say."""

    def those(self, result: Result) -> list[Outcome]:
        """The outcomes with one result, in order."""
        return [outcome for outcome in self.outcomes if outcome.result == result]

    @property
    def score(self) -> float:
        """The share of killed mutants among those that had to be; 1 when none had to be."""
        killed, survived = len(self.those(Result.KILLED)), len(self.those(Result.SURVIVED))
        return killed / (killed + survived) if killed + survived else 1.0


def mutate(corpus: Corpus, paths: frozenset[str] | None = None, *, limit: int | None = None,
           options: Options = EVERY_RULE, kinds: Sequence[Kind] = KINDS) -> Report:
    """Change every record of these paths (None: of the whole corpus) in every way, one at a time, and judge each.

    With a `limit` so many mutants are drawn, some of every kind. `options` say which rules judge and how many worker
    processes do.
    """
    bench = Bench(corpus, chosen_rules(corpus, options), options.today or date.today())
    grounds = grounds_of(bench, paths)
    made = [mutant for kind in kinds for ground in grounds for mutant in kind.make(ground)]
    drawn = made if limit is None else sample(made, limit)

    def work(start: int, end: int) -> list[Outcome | str]:
        return [_judged(bench, mutant) for mutant in drawn[start:end]]

    told = [one for part in in_batches(work, len(drawn), jobs_for(len(drawn), options.jobs)) for one in part]
    outcomes = watched([one for one in told if isinstance(one, Outcome)])
    failures = tuple(dict.fromkeys(one for one in told if isinstance(one, str) and one))
    places = {kind.name: sum(kind.unused(ground) for ground in grounds) for kind in kinds}
    return Report(tuple(_count(kind, outcomes, places[kind.name]) for kind in kinds), tuple(outcomes), len(made),
                  len(grounds), failures, len(drawn))


def _judged(bench: Bench, mutant: Mutant) -> Outcome | str:
    """The outcome; in words, what failed in the tool; empty for a change that the file cannot say."""
    try:
        return bench.outcome(mutant)
    except CannotSplice:
        return ""
    except RuleFailed as failure:
        return str(failure)


def grounds_of(bench: Bench, paths: frozenset[str] | None = None) -> list[Ground]:
    """The records of these paths (None: all) that may be changed: own ones that read and fit their schema."""
    corpus = bench.corpus
    evaluations = tuple(bench.evaluations.values())
    used = values_used(evaluations, corpus)
    return [Ground(corpus, record, bench.evaluations.get(record.path), bench.cells, used, evaluations)
            for record in corpus.own
            if record.sound and (paths is None or record.path in paths) and corpus.by_id.get(record.id) is record]


def sample(mutants: Sequence[Mutant], limit: int) -> list[Mutant]:
    """So many mutants, the same ones every time, of every kind its share and at least one; in their order.

    Mutants about one place stay together, since whether the place is watched shows in all of them.
    """
    bundles: dict[str, dict[str, list[int]]] = {}
    for i, mutant in enumerate(mutants):
        bundles.setdefault(mutant.kind, {}).setdefault(mutant.group or str(i), []).append(i)
    share = min(1.0, limit / max(1, len(mutants)))
    chosen: list[int] = []
    draw = random.Random(SEED)  # noqa: S311 (which mutants are drawn is no secret)
    for of_kind in bundles.values():
        wanted = max(1, int(share * sum(map(len, of_kind.values()))))
        bundled = list(of_kind.values())
        draw.shuffle(bundled)
        taken: list[int] = []
        for bundle in bundled:
            if len(taken) >= wanted:
                break
            taken += bundle
        chosen += taken
    return [mutants[i] for i in sorted(chosen)]


def watched(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes with what one mutant shows about its place taken into account.

    A number that is only used, or a record that could be exchanged, has to be watched, but not at every size: it
    counts as survived when no change of it was found.
    """
    listed = list(outcomes)
    found = Counter(one.mutant.group for one in listed if one.mutant.group and one.result == Result.KILLED)
    return [replace(one, result=Result.SURVIVED, by="no change of it is found")
            if one.result == Result.NARROWER and one.mutant.group and not found[one.mutant.group] else one
            for one in listed]


def _count(kind: Kind, outcomes: Sequence[Outcome], places: int) -> Count:
    results = Counter(one.result for one in outcomes if one.mutant.kind == kind.name)
    return Count(kind.name, kind.what, sum(results.values()), {result: results[result] for result in Result}, places)
