"""`records ledger`: every number of the prose with its status."""
from __future__ import annotations

import click

from specdil_records.cli.common import corpus_here, echo_json, judged, record_named, tell_left_out
from specdil_records.cli.exits import Code


@click.command("ledger", short_help="Every number with its status.")
@click.argument("record", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
def command(record: str | None, form: str) -> int:
    """List every number of the prose with its status, and the coverage of each record and of all.

    Example: records ledger flops/sd-batch-dilution-problem
    """
    from specdil_records.claims import evaluate
    from specdil_records.claims.answers import ledger_data, ledgers_data
    from specdil_records.findings import coverage_words
    from specdil_records.report.console import visible
    from specdil_records.report.text import counted, listed

    corpus = corpus_here()
    records = [judged(record_named(corpus, record))] if record else [
        one for one in corpus.own if one.kind == "flop" and one.sound]
    left = not record and tell_left_out(one for one in corpus.own if one.kind == "flop" or one.kind is None)
    shown = [ledger_data(one, evaluate(one, corpus)) for one in records]
    whole = ledgers_data(shown)
    if form == "json":
        echo_json(whole)
        return Code.FINDINGS if left else Code.FINE if shown else Code.NOTHING
    for item in shown:
        click.echo(visible(f"{item['record']}  {coverage_words(item['counts'])}"))
        for row in item["numbers"]:
            place = f"{row['line']}:{row['column']}"
            line = f"  {place:>9}  {row['number']:<16} {row['status']:<11} {', '.join(row['by'])}"
            click.echo(visible(line).rstrip())
    click.echo(f"{counted(len(shown), 'record')}: {listed(whole['counts']) or 'no numbers'}; "
               f"{coverage_words(whole['counts'])}")
    return Code.FINDINGS if left else Code.FINE if shown else Code.NOTHING
