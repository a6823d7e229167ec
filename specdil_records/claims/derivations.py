"""How a claim or a number was judged, line by line: the words of `records why`, of a hover and of a page."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from specdil_records.claims.evaluation import Evaluation
from specdil_records.claims.locating import Field
from specdil_records.claims.messages import dispute_lines, lines, statement_lines
from specdil_records.claims.results import ClaimResult, DisputeResult, FigureResult
from specdil_records.findings import Pointer
from specdil_records.prose.ledger import LedgerEntry

Key = tuple[Pointer, int]
"""A number: the field of prose that it stands in, and which number of that field it is."""


def claim_lines(claim: ClaimResult, figures: Iterable[FigureResult]) -> Iterator[str]:
    """A claim and some of its figures, with the disputes of these; without figures, with every dispute."""
    shown = list(figures)
    yield head_line(claim)
    yield f"  quote     {' '.join(str(claim.data['quote']).split())}"
    for name, (field, place) in claim.inputs.items():
        words = field.text[place.start:place.end]
        yield f"  read      {name} = {field.digits(place.numbers[0])}, from the prose: {words}"
    for target, _ in claim.cited:
        yield f"  cites     {target}"
    yield from figure_lines(shown)
    for statement in claim.statements:
        yield from (f"  {line}" for line in statement_lines(statement))
    for dispute in disputes_of(claim, shown):
        yield from (f"  {line}" for line in dispute_lines(dispute))
    if claim.data.get("because"):
        yield f"  because   {claim.data['because']}"


def disputes_of(claim: ClaimResult, figures: Sequence[FigureResult]) -> list[DisputeResult]:
    """The disputes of a claim that are about some of its figures, or about no number; without figures, all."""
    return [dispute for dispute in claim.disputes if not dispute.numbers or not figures
            or any(set(dispute.numbers) & set(figure.numbers) for figure in figures)]


def brief_lines(claim: ClaimResult, figures: Iterable[FigureResult]) -> Iterator[str]:
    """The same without the claim's quote, what it reads, its statements and its disputes."""
    yield head_line(claim)
    yield from figure_lines(figures)


def head_line(claim: ClaimResult) -> str:
    """A claim with its verdict and its basis."""
    return f"claim {claim.id}: {claim.verdict} (basis {claim.basis})"


def figure_lines(figures: Iterable[FigureResult]) -> Iterator[str]:
    """Figures of a claim, each under its anchor."""
    for figure in figures:
        yield f"  figure    {figure.anchor}"
        yield from (f"    {line}" for line in lines(figure))


def numbers_of(claim: ClaimResult) -> Iterator[tuple[Field, int]]:
    """The numbers that a claim has to do with but does not judge: read, held, cited, or asserted with nothing
    behind them. A number may come more than once."""
    for field, place in claim.inputs.values():
        yield from ((field, index) for index in place.numbers)
    if claim.passage is None:
        return
    here = claim.passage.field
    for _, place in claim.held.values():
        yield from ((here, index) for index in place.numbers)
    for _, numbers in claim.cited:
        yield from ((here, index) for index in numbers)
    if claim.basis == "unverified":
        yield from ((here, index) for index in here.inside(claim.passage.start, claim.passage.end))


def claims_by_number(evaluation: Evaluation) -> Mapping[Key, list[tuple[ClaimResult, list[FigureResult]]]]:
    """For each number the claims that have to do with it, and of each the figures that are this number."""
    found: dict[Key, dict[int, tuple[ClaimResult, list[FigureResult]]]] = {}

    def note(claim: ClaimResult, pointer: Pointer, index: int) -> list[FigureResult]:
        return found.setdefault((pointer, index), {}).setdefault(id(claim), (claim, []))[1]

    for claim in evaluation.claims:
        for figure in claim.figures:
            for index in figure.numbers:
                note(claim, figure.field.pointer, index).append(figure)
        for field, index in numbers_of(claim):
            note(claim, field.pointer, index)
    return {key: list(claims.values()) for key, claims in found.items()}


def reason(entry: LedgerEntry) -> str:
    """What gave a number its status, in a few words."""
    return ", ".join(entry.by) or "nothing accounts for it"
