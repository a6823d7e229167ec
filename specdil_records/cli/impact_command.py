"""`records impact`: what depends on a record, and what would move with another value in it."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import click

from specdil_records.cli.common import corpus_here, echo_json, judged, record_named
from specdil_records.cli.exits import Code, Exit
from specdil_records.history.dependence import Dependents, dependents
from specdil_records.history.supposing import CannotSuppose, Moved, Outcome, suppose
from specdil_records.report.console import visible


@click.command("impact", short_help="What depends on a record.")
@click.argument("record")
@click.option("--set", "settings", multiple=True, metavar="QUANTITY=VALUE",
              help="Suppose this value, in memory; may be repeated. A quantity, a part of a shape, or a JSON pointer.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
def command(record: str, settings: tuple[str, ...], form: str) -> int:
    """Show which claims and records depend on a record; with --set, what another value in it would change.

    Example: records impact nvidia-b200 --set memory_bandwidth=7.7TB/s
    """
    corpus = corpus_here()
    one = judged(record_named(corpus, record))
    if not settings:
        found = dependents(corpus, one)
        if form == "json":
            echo_json(dependents_data(found))
        else:
            echo(dependents_lines(found))
        return Code.FINE
    try:
        outcome = suppose(corpus, one, settings)
    except CannotSuppose as error:
        raise Exit(Code.USAGE, str(error)) from None
    if form == "json":
        echo_json(outcome_data(one.id, outcome))
    else:
        echo(outcome_lines(one.id, outcome))
    return Code.FINE


def echo(lines: Iterator[str]) -> None:
    """Lines that every console can carry."""
    for line in lines:
        click.echo(visible(line).rstrip())


def plural(count: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


# What depends -----------------------------------------------------------------------------------------------


def dependents_lines(found: Dependents) -> Iterator[str]:
    """Claims, then records, then how many."""
    for claim in found.claims:
        yield f"{claim.record}#{claim.claim}  {claim.verdict}"
        yield f"  rests on {', '.join(claim.uses)}" if claim.uses else f"  backed by {claim.through}"
    if found.claims:
        yield ""
    for record in found.records:
        if record.direct:
            shown = ", ".join(record.at[:3]) + (f" and {len(record.at) - 3} more" if len(record.at) > 3 else "")
            yield f"{record.path}  names it at {shown}"
        else:
            yield f"{record.path}  names a record that depends on it"
    if found.records:
        yield ""
    yield (f"{found.record.id}: {plural(len(found.claims), 'claim')} and {plural(len(found.records), 'record')} "
           f"depend on it" if found.claims or found.records else f"nothing depends on {found.record.id}")


def dependents_data(found: Dependents) -> dict[str, Any]:
    """The same for programs."""
    return {"record": found.record.id, "claims": [asdict(claim) for claim in found.claims],
            "records": [asdict(record) for record in found.records]}


# What would move --------------------------------------------------------------------------------------------


def sections(outcome: Outcome) -> Iterator[tuple[str, list[Moved]]]:
    """What moved, worst first."""
    def of(kind: str, flips: bool) -> list[Moved]:
        return [one for one in outcome.moved if one.kind == kind and one.flips == flips]

    yield "figures whose verdict would change", of("figure", True)
    yield "conclusions that would flip", of("conclusion", True)
    yield "disputes that would flip", of("dispute", True)
    yield "other faults that would come or go", of("finding", True)
    yield "figures that move and keep their verdict", of("figure", False)
    yield "disputes that move and keep their verdict", of("dispute", False)


def outcome_lines(name: str, outcome: Outcome) -> Iterator[str]:
    """The supposed values, what would come of them section by section, and the counts."""
    for value in outcome.supposed:
        yield f"{name} with {value.name} {value.old or 'absent'} -> {value.new}"
    for title, moved in sections(outcome):
        if moved:
            yield ""
            yield f"{title}:"
            for one in moved:
                yield from moved_lines(one)
    yield ""
    yield summary(name, outcome)


def moved_lines(one: Moved) -> Iterator[str]:
    """One thing that moved."""
    subject = f"{one.record}#{one.claim}" if one.claim else one.record
    yield f"  {subject}  {' '.join(one.what.split())}  ({one.place})"
    states = f"{one.was} -> {one.is_now}" if one.flips else one.was
    said = shared(one.old, one.new)
    old, new = one.old.removeprefix(said), one.new.removeprefix(said)
    values = f"{said}{old or 'no value'} -> {new or 'no value'}" if one.old or one.new else ""
    if one.kind == "finding" or not one.old:
        values = one.new
    elif one.old == one.new:
        values = one.old
    moved = f" ({percent(one.change)})" if one.change is not None else ""
    yield f"    {states}" + (f": {values}{moved}" if values else "")


def shared(old: str, new: str) -> str:
    """The words, up to a colon, that two explanations begin with alike."""
    words, colon, _ = old.rpartition(": ")
    return words + colon if new.startswith(words + colon) else ""


def percent(change: Fraction) -> str:
    """A relative change with three digits and its sign."""
    try:
        return f"{float(change * 100):+.3g}%"
    except OverflowError:
        return "beyond every scale"


def summary(name: str, outcome: Outcome) -> str:
    """One line of counts."""
    if not outcome.judged:
        return f"no claim depends on {name}"
    drifting = sum(one.kind == "figure" and one.is_now.startswith("drifts") and one.flips for one in outcome.moved)
    flips = [sum(one.kind == kind and one.flips for one in outcome.moved) for kind in ("conclusion", "dispute")]
    moving = sum(one.kind == "figure" for one in outcome.moved)
    faults = sum(one.kind == "finding" for one in outcome.moved)
    others = f"; {plural(faults, 'other fault')} would come or go" if faults else ""
    return (f"{plural(outcome.judged, 'claim')} judged again: {plural(moving, 'figure')} moved, {drifting} would "
            f"drift; {plural(flips[0], 'conclusion')} and {plural(flips[1], 'dispute')} would flip{others}; "
            f"no value moves in {plural(outcome.untouched, 'claim')}")


def outcome_data(name: str, outcome: Outcome) -> dict[str, Any]:
    """The same for programs; a change is a fraction of the value before."""
    def moved(one: Moved) -> dict[str, Any]:
        data = asdict(one)
        data["change"] = None if one.change is None else percent(one.change)
        return {**data, "flips": one.flips}

    return {
        "record": name,
        "set": [{"name": one.name, "old": one.old or None, "new": one.new} for one in outcome.supposed],
        "moved": [moved(one) for one in outcome.moved],
        "verdicts": [{"record": record, "claim": claim, "old": old, "new": new}
                     for record, claim, old, new in outcome.verdicts],
        "claims": {"judged": outcome.judged, "untouched": outcome.untouched},
    }
