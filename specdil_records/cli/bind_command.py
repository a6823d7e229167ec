"""`records bind`: what the numbers that nothing accounts for might be made of."""
from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from specdil_records.authoring.adding import proof_of, with_claim
from specdil_records.authoring.binding import CannotBind, Proposal, Unbound, bindable, unbound_numbers
from specdil_records.authoring.lossless import NotEditable
from specdil_records.authoring.selection import chosen_one
from specdil_records.authoring.staging import PartlyStaged
from specdil_records.authoring.trial import errors, with_bytes
from specdil_records.authoring.writing import CannotWrite, Change, write_all
from specdil_records.claims import evaluate
from specdil_records.cli.common import corpus_here, judged, record_named
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus import Corpus, Record
from specdil_records.reading import UnreadableFile
from specdil_records.report.console import visible


@click.command("bind", short_help="Propose expressions for unbound numbers.")
@click.argument("record")
@click.option("--apply", "wanted", type=click.IntRange(min=1), metavar="N",
              help="Write the Nth proposal of the first number that has any.")
def command(record: str, wanted: int | None) -> int:
    """For each number that nothing recomputes: expressions over what its sentence states that give its digits.

    Example: records bind flops/example-stall --apply 1

    Unbound numbers come first, then those that are only called unverified; at most five proposals each. That the
    digits come out does not say that the sentence means it: read before you apply.
    """
    corpus = corpus_here()
    try:
        one = bindable(judged(record_named(corpus, record)))
    except CannotBind as error:
        raise Exit(Code.USAGE, str(error)) from None
    found = list(unbound_numbers(one, corpus, evaluate(one, corpus)))
    first = next((number for number in found if number.proposals), None)
    if wanted is not None:
        if first is None:
            raise Exit(Code.FINDINGS, f"no number of {one.id} has a proposal")
        if wanted > len(first.proposals):
            raise Exit(Code.USAGE, f"{first.entry.written} has {len(first.proposals)} proposals, not {wanted}")
        apply(corpus, one, first.proposals[wanted - 1])
        return Code.FINE
    for number in found:
        for line in shown(one, number):
            click.echo(visible(line))
    click.echo(f"{len(found)} number{'s' if len(found) != 1 else ''} without a proof, "
               f"{sum(bool(number.proposals) for number in found)} with proposals")
    if first is not None and sys.stdin.isatty() and sys.stdout.isatty():
        picked = click.prompt(f"which one for {first.entry.written}? (0 for none)", default=0,
                              type=click.IntRange(0, len(first.proposals)))
        if picked:
            apply(corpus, one, first.proposals[picked - 1])
    return Code.FINE


def shown(record: Record, number: Unbound) -> Iterator[str]:
    """A number with its proposals, in lines."""
    span = record.document.span(number.entry.place)
    yield f"{record.path}:{span.line}:{span.column}: {number.entry.written} ({number.entry.status})"
    for place, proposal in enumerate(number.proposals, 1):
        yield f"  {place}  {proposal.expression} = {proposal.computed}{names(proposal.claim)}"
    if not number.proposals:
        yield "     nothing that its sentence states gives these digits"


def names(claim: Mapping[str, Any]) -> str:
    """What the names of a proposal stand for."""
    said = [f'{name} from "{words}"' for name, words in claim.get("read", {}).items()]
    said += [f"{alias} is {name}" for alias, name in claim.get("of", {}).items()]
    return f"   ({', '.join(said)})" if said else ""


def apply(corpus: Corpus, record: Record, proposal: Proposal) -> None:
    """Write one proposal as a claim. Raises `Exit`."""
    try:
        one = chosen_one(corpus, record)
        if one is None:
            raise Exit(Code.USAGE, f"{record.id} belongs to another corpus and is not written here")
        document = one.record.document
        if document.text != record.document.text:
            raise Exit(Code.USAGE, f"{record.path} has changed meanwhile; nothing was written")
        content = one.encoded(with_claim(document, proposal.claim))
        scope = frozenset({record.path})
        new = errors(with_bytes(corpus, {record.path: content}), scope).get(record.path)
        old = errors(corpus, scope).get(record.path)
        if new and new - (old or new.__class__()):
            raise Exit(Code.FINDINGS, f"the claim would bring {', '.join(sorted(new))}; nothing was written")
        write_all([Change(record.path, one.file, one.raw, content, proof_of(document, proposal.claim))])
    except NotEditable as error:
        raise Exit(Code.USAGE, f"{record.path} is left as it was: {error}") from None
    except (UnreadableFile, PartlyStaged, CannotWrite) as error:
        raise Exit(Code.USAGE, str(error)) from None
    anchor, expression = next(iter(proposal.claim["figures"].items()))
    click.echo(visible(f"{record.path}: claim {proposal.claim['id']} binds {anchor!r} to {expression}"))
