"""How a number of the prose was judged, in the words of `records why`."""
from __future__ import annotations

from collections.abc import Iterator

from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.messages import dispute_lines, lines, statement_lines
from specdil_records.claims.results import FigureResult
from specdil_records.findings import Pointer
from specdil_records.prose.ledger import LedgerEntry, Status

NOTHING_BEHIND = {
    Status.UNBOUND: "nothing accounts for it",
    Status.UNVERIFIED: "asserted, with nothing behind it",
}


def entry_lines(evaluation: Evaluation, entry: LedgerEntry) -> Iterator[str]:
    """A number's status, and the derivation of every claim that has to do with it."""
    by = ", ".join(entry.by) or NOTHING_BEHIND.get(entry.status, "")
    text, number = evaluation.fields[entry.pointer].text, entry.number
    yield f"{text[number.start:number.stop]}: {entry.status}" + (f" ({by})" if by else "")
    for claim in evaluation.claims:
        figures = [figure for figure in claim.figures
                   if figure.field.pointer == entry.pointer and entry.index in figure.numbers]
        if figures or touches(claim, entry.pointer, entry.index):
            yield ""
            yield from claim_lines(claim, figures)


def touches(claim: ClaimResult, pointer: Pointer, index: int) -> bool:
    """Whether a claim reads, holds or cites a number."""
    places = [(field.pointer, number) for field, place in claim.inputs.values() for number in place.numbers]
    if claim.passage is not None:
        here = claim.passage.field.pointer
        places += [(here, number) for _, place in claim.held.values() for number in place.numbers]
        places += [(here, number) for _, numbers in claim.cited for number in numbers]
    return (pointer, index) in places


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
