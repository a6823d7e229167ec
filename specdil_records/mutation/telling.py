"""A run told: as lines for people, and as plain data for programs."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from specdil_records.findings import pointer_text
from specdil_records.mutation.mutants import Outcome, Result
from specdil_records.mutation.running import SEED, Report

HEADS = ("kind", "generated", *map(str, Result))


def lines(report: Report) -> Iterator[str]:
    """The survivors, what is held less tightly by claim, the table of the kinds, and one summary line."""
    for one in report.those(Result.SURVIVED):
        yield f"survived: {place(one)}: {one.mutant.kind}: {one.mutant.what} ({one.by})"
    for failure in report.failures:
        yield f"failed: {failure}"
    yield from _narrower(report)
    width = max(len(count.kind) for count in report.counts)
    yield f"{HEADS[0]:<{width}}" + "".join(f"  {head:>9}" for head in HEADS[1:])
    for count in report.counts:
        numbers = (count.generated, *(count.results[result] for result in Result))
        yield f"{count.kind:<{width}}" + "".join(f"  {number:>9}" for number in numbers)
    yield summary(report)


def _narrower(report: Report) -> Iterator[str]:
    """For each claim how many changes of each kind are smaller than what rests on them can tell."""
    by_place: dict[str, Counter[str]] = {}
    for one in report.those(Result.NARROWER):
        by_place.setdefault(place(one), Counter())[one.mutant.kind] += 1
    for where, kinds in sorted(by_place.items()):
        yield f"narrower: {where}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.items())


def summary(report: Report) -> str:
    """The whole run in one line."""
    results = Counter(one.result for one in report.outcomes)
    told = ", ".join(f"{results[result]} {result}" for result in Result)
    sampled = report.drawn < report.possible
    of = f" (a sample of {report.drawn} out of {report.possible}, seed {SEED})" if sampled else ""
    records = f"{report.records} record{'' if report.records == 1 else 's'}"
    unsayable = report.drawn - len(report.outcomes)
    left_out = f"; {unsayable} left out" if unsayable else ""
    places = sum(count.places for count in report.counts)
    return (f"{len(report.outcomes)} mutants of {records}{of}: {told}; {places} more places that nothing rests on"
            f"{left_out}; score {report.score:.1%}")


def place(outcome: Outcome) -> str:
    """Record and claim of a mutant."""
    mutant = outcome.mutant
    return f"{mutant.record} {mutant.claim}".strip()


def data(report: Report) -> dict[str, Any]:
    """The run as plain data."""
    results = Counter(one.result for one in report.outcomes)
    return {
        "summary": {
            "records": report.records, "mutants": len(report.outcomes), "possible": report.possible,
            "drawn": report.drawn, "sampled": report.drawn < report.possible, "seed": SEED,
            **{str(result): results[result] for result in Result},
            "unused_places": sum(count.places for count in report.counts), "score": report.score,
        },
        "kinds": [{"kind": count.kind, "what": count.what, "generated": count.generated,
                   **{str(result): count.results[result] for result in Result}, "unused_places": count.places}
                  for count in report.counts],
        "survivors": [_told(one) for one in report.those(Result.SURVIVED)],
        "narrower": [_told(one) for one in report.those(Result.NARROWER)],
        "failures": list(report.failures),
    }


def _told(outcome: Outcome) -> dict[str, Any]:
    mutant = outcome.mutant
    return {"record": mutant.record, "path": mutant.path, "claim": mutant.claim, "kind": mutant.kind,
            "change": mutant.what, "pointer": pointer_text(mutant.pointer), "why": outcome.by}
