"""What somebody who asks about a record's numbers is answered, as plain data."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdil_records.claims.derivations import disputes_of, numbers_of
from specdil_records.claims.evaluation import Evaluation
from specdil_records.claims.messages import lines
from specdil_records.claims.results import ClaimResult, FigureResult
from specdil_records.corpus import Record
from specdil_records.findings import coverage
from specdil_records.prose.ledger import count


class NothingJudged(LookupError):
    """A record has no claim of that name and no judged number that is written so."""

    def __init__(self, record: Record, evaluation: Evaluation, what: str | None) -> None:
        claims = ", ".join(claim.id for claim in evaluation.claims)
        super().__init__(f"{record.id} has no claim and no judged number {what!r}; records ledger {record.id} "
                         f"lists its numbers, its claims are {claims}" if claims else f"{record.id} has no claims")


def chosen(record: Record, evaluation: Evaluation, what: str | None) -> list[tuple[ClaimResult, list[FigureResult]]]:
    """The claims that `what` names, by id or by a number, each with the figures to show; all when it is None.

    Raises `NothingJudged`.
    """
    found = list(matching(evaluation, what))
    if not found:
        raise NothingJudged(record, evaluation, what)
    return found


def matching(evaluation: Evaluation, what: str | None) -> Iterator[tuple[ClaimResult, list[FigureResult]]]:
    """The claims asked for, each with the figures to show: by claim id, or by a number or term as it is written."""
    for claim in evaluation.claims:
        if what is None or claim.id == what:
            yield claim, list(claim.figures)
        else:
            figures = [figure for figure in claim.figures
                       if _bare(what) in map(_bare, (figure.quoted, figure.anchor, *digits(figure)))]
            if figures or touches(claim, what):
                yield claim, figures


def digits(figure: FigureResult) -> Iterator[str]:
    """The numbers of a figure as the prose has them, with and without unit."""
    for index in figure.numbers:
        number = figure.field.numbers[index]
        yield figure.field.text[number.start:number.end]
        yield figure.field.text[number.start:number.stop]


def touches(claim: ClaimResult, what: str) -> bool:
    """Whether the claim reads, holds, cites or merely asserts the number."""
    return any(_bare(what) in (_bare(field.digits(index)),
                               _bare(field.text[field.numbers[index].start:field.numbers[index].stop]))
               for field, index in numbers_of(claim))


def _bare(text: str) -> str:
    """A number as it is looked for: "12.5 %" is 12.5%."""
    return "".join(text.split())


def as_data(claim: ClaimResult, figures: list[FigureResult]) -> dict[str, object]:
    """The same for programs."""
    return {
        "claim": claim.id, "verdict": str(claim.verdict), "basis": claim.basis, "quote": claim.data["quote"],
        "inputs": {name: field.digits(place.numbers[0]) for name, (field, place) in claim.inputs.items()},
        "figures": [{"anchor": figure.anchor, "quoted": figure.quoted, "expression": figure.expression,
                     "state": figure.state, "lines": list(lines(figure))} for figure in figures],
        "statements": [{"text": statement.text, "state": statement.state} for statement in claim.statements],
        "disputes": [{"figure": dispute.data.get("figure"), "against": dispute.data.get("against"),
                      "state": dispute.state, "explanation": dispute.explanation,
                      "because": dispute.data.get("because"), "sources": dispute.data.get("sources", [])}
                     for dispute in disputes_of(claim, figures)],
    }


def ledger_data(record: Record, evaluation: Evaluation) -> dict[str, Any]:
    """Every number of a record's prose with its place, its status and what gave it that; counts and coverage."""
    rows = []
    for entry in evaluation.ledger:
        span = record.document.span(entry.place)
        rows.append({"line": span.line, "column": span.column, "number": entry.written,
                     "status": str(entry.status), "by": list(entry.by)})
    counts = count(evaluation.ledger)
    return {"record": record.id, "path": record.path, "numbers": rows, "counts": counts,
            "coverage": float(coverage(counts))}


def ledgers_data(ledgers: list[dict[str, Any]]) -> dict[str, Any]:
    """The ledgers of several records with the counts and the coverage of them all."""
    total: dict[str, int] = {}
    for ledger in ledgers:
        total = {status: total.get(status, 0) + amount for status, amount in ledger["counts"].items()}
    return {"records": ledgers, "counts": total, "coverage": float(coverage(total))}
