"""`records why`: how a number was judged."""
from __future__ import annotations

import click

from specdil_records.claims import evaluate
from specdil_records.claims.answers import NothingJudged, as_data, chosen
from specdil_records.claims.derivations import claim_lines
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
    try:
        found = chosen(one, evaluate(one, corpus), what)
    except NothingJudged as nothing:
        raise Exit(Code.USAGE, str(nothing)) from None
    if form == "json":
        echo_json({"record": one.id, "claims": [as_data(claim, figures) for claim, figures in found]})
        return Code.FINE
    for claim, figures in found:
        for line in claim_lines(claim, figures):
            click.echo(visible(line))
        click.echo()
    return Code.FINE
