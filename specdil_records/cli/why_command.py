"""`records why`: how a number was judged."""
from __future__ import annotations

from collections.abc import Iterator

import click

from specdil_records.claims import ClaimResult, Evaluation, evaluate
from specdil_records.claims.derivations import claim_lines, numbers_of
from specdil_records.claims.messages import lines
from specdil_records.claims.results import FigureResult
from specdil_records.cli.common import corpus_here, echo_json, judged, record_named
from specdil_records.cli.exits import Code, Exit
from specdil_records.report.console import visible


@click.command("why", short_help="How a number was judged.")
@click.argument("record")
@click.argument("what", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
def command(record: str, what: str | None, form: str) -> int:
    """Show the derivation of a claim or of a number: expression, inputs with basis and source, interval, verdict.

    Example: records why flops/sd-batch-dilution-problem "12.5%"
    """
    corpus = corpus_here()
    one = judged(record_named(corpus, record))
    evaluation = evaluate(one, corpus)
    chosen = list(matching(evaluation, what))
    if not chosen:
        claims = ", ".join(claim.id for claim in evaluation.claims) or "none"
        raise Exit(Code.USAGE, f"{one.id} has no claim and no judged number {what!r}; records ledger {one.id} "
                   f"lists its numbers, its claims are {claims}")
    if form == "json":
        echo_json({"record": one.id, "claims": [as_data(claim, figures) for claim, figures in chosen]})
        return Code.FINE
    for claim, figures in chosen:
        for line in claim_lines(claim, figures):
            click.echo(visible(line))
        click.echo()
    return Code.FINE


def matching(evaluation: Evaluation, what: str | None) -> Iterator[tuple[ClaimResult, list[FigureResult]]]:
    """The claims asked for, each with the figures to show: by claim id, or by a number or term as it is written."""
    for claim in evaluation.claims:
        if what is None or claim.id == what:
            yield claim, list(claim.figures)
        else:
            figures = [figure for figure in claim.figures
                       if what.strip() in (figure.quoted, figure.anchor, *digits(figure))]
            if figures or touches(claim, what.strip()):
                yield claim, figures


def digits(figure: FigureResult) -> Iterator[str]:
    """The numbers of a figure as the prose has them, with and without unit."""
    for index in figure.numbers:
        number = figure.field.numbers[index]
        yield figure.field.text[number.start:number.end]
        yield figure.field.text[number.start:number.stop]


def touches(claim: ClaimResult, what: str) -> bool:
    """Whether the claim reads, holds, cites or merely asserts the number."""
    return any(what in (field.digits(index), field.text[field.numbers[index].start:field.numbers[index].stop])
               for field, index in numbers_of(claim))


def as_data(claim: ClaimResult, figures: list[FigureResult]) -> dict[str, object]:
    """The same for programs."""
    return {
        "claim": claim.id, "verdict": str(claim.verdict), "basis": claim.basis, "quote": claim.data["quote"],
        "inputs": {name: field.digits(place.numbers[0]) for name, (field, place) in claim.inputs.items()},
        "figures": [{"anchor": figure.anchor, "quoted": figure.quoted, "expression": figure.expression,
                     "state": figure.state, "lines": list(lines(figure))} for figure in figures],
        "statements": [{"text": statement.text, "state": statement.state} for statement in claim.statements],
        "disputes": [{"state": dispute.state, "explanation": dispute.explanation,
                      "because": dispute.data.get("because"), "sources": dispute.data.get("sources", [])}
                     for dispute in claim.disputes],
    }
