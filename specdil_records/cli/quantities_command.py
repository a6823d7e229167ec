"""`records quantities`: the catalogue of expressions."""
from __future__ import annotations

import difflib

import click

from specdil_records.cli.common import echo_json
from specdil_records.cli.exits import Code, Exit


@click.command("quantities", short_help="The catalogue of expressions.")
@click.argument("name", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
def command(name: str | None, form: str) -> int:
    """List the names that expressions may use, or explain one: signature, dimension, formula, source.

    Example: records quantities ridge
    """
    from specdil_records import roofline

    entries = dict(sorted(roofline.CATALOGUE.items()))
    if name is not None:
        if name not in entries:
            near = difflib.get_close_matches(name.lower(), entries, n=1)
            raise Exit(Code.USAGE, f"no quantity {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
        entries = {name: entries[name]}
    if form == "json":
        echo_json([{"name": entry.name, "signature": roofline.signature(entry), "dimension": str(entry.dimension),
                    "formula": entry.formula, "source": entry.source, "exactness": entry.exactness,
                    "summary": entry.summary} for entry in entries.values()])
        return Code.FINE
    for entry in entries.values():
        click.echo(f"{roofline.signature(entry)}  [{str(entry.dimension) or 'a bare number'}]")
        click.echo(f"    {entry.summary}")
        if name is not None:
            click.echo(f"    formula   {entry.formula}\n    source    {entry.source}\n    exactness {entry.exactness}")
            for argument, direction in entry.monotone.items():
                click.echo(f"    {direction:<9} in {argument}")
    return Code.FINE
