"""How a number of the prose was judged, in the words of `records why`."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.messages import dispute_lines, lines, statement_lines
from specdil_records.claims.results import FigureResult
from specdil_records.findings import Pointer
from specdil_records.prose.ledger import LedgerEntry, Status

Key = tuple[Pointer, int]

NOTHING_BEHIND = {
    Status.UNBOUND: "nothing accounts for it",
    Status.UNVERIFIED: "asserted, with nothing behind it",
    Status.EXEMPT: "no figure",
}


def claims_by_number(evaluation: Evaluation) -> Mapping[Key, list[tuple[ClaimResult, list[FigureResult]]]]:
    """For each number the claims that have to do with it, and of each the figures that are this number."""
    found: dict[Key, dict[int, tuple[ClaimResult, list[FigureResult]]]] = {}

    def note(claim: ClaimResult, pointer: Pointer, index: int) -> list[FigureResult]:
        return found.setdefault((pointer, index), {}).setdefault(id(claim), (claim, []))[1]

    for claim in evaluation.claims:
        for figure in claim.figures:
            for index in figure.numbers:
                note(claim, figure.field.pointer, index).append(figure)
        for field, place in claim.inputs.values():
            for index in place.numbers:
                note(claim, field.pointer, index)
        if claim.passage is None:
            continue
        here = claim.passage.field.pointer
        held = [index for _, place in claim.held.values() for index in place.numbers]
        for index in (*held, *(index for _, numbers in claim.cited for index in numbers)):
            note(claim, here, index)
        if claim.basis == "unverified":
            for index in claim.passage.field.inside(claim.passage.start, claim.passage.end):
                note(claim, here, index)
    return {key: list(claims.values()) for key, claims in found.items()}


def reason(entry: LedgerEntry) -> str:
    """What gave a number its status, in a few words."""
    if entry.status == Status.EXEMPT:
        return ", ".join(entry.by) or NOTHING_BEHIND[entry.status]
    return NOTHING_BEHIND.get(entry.status, "")


def claim_lines(claim: ClaimResult, figures: list[FigureResult]) -> Iterator[str]:
    """A claim and some of its figures, line by line."""
    yield f"claim {claim.id}: {claim.verdict} (basis {claim.basis})"
    yield f"  quote     {' '.join(str(claim.data['quote']).split())}"
    for name, (field, place) in claim.inputs.items():
        words = field.text[place.start:place.end]
        yield f"  read      {name} = {field.digits(place.numbers[0])}, from the prose: {words}"
    for target, _ in claim.cited:
        yield f"  cites     {target}"
    for figure in figures:
        yield f"  figure    {figure.anchor}"
        yield from (f"    {line}" for line in lines(figure))
    for statement in claim.statements:
        yield from (f"  {line}" for line in statement_lines(statement))
    for dispute in claim.disputes:
        if not dispute.numbers or any(set(dispute.numbers) & set(figure.numbers) for figure in figures) or not figures:
            yield from (f"  {line}" for line in dispute_lines(dispute))
    if claim.data.get("because"):
        yield f"  because   {claim.data['because']}"


def brief(claim: ClaimResult, figures: list[FigureResult]) -> Iterator[str]:
    """The same without what the claim's own entry tells: its quote, what it reads, its statements and disputes."""
    yield f"claim {claim.id}: {claim.verdict} (basis {claim.basis})"
    for figure in figures:
        yield f"  figure    {figure.anchor}"
        yield from (f"    {line}" for line in lines(figure))
