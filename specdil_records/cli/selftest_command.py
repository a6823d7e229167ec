"""`records selftest`: is this installation whole, and does it still judge as it promised?"""
from __future__ import annotations

import click

from specdil_records.cli.exits import Code


@click.command("selftest", short_help="Check the installation.")
def command() -> int:
    """Open every shipped schema, replay every version's examples and every rule's samples.

    Example: records selftest
    """
    from specdil_records.checking import selftest

    outcome = selftest.run()
    for fault in outcome.faults:
        click.echo(f"fault: {fault}")
    click.echo(f"{outcome.schemas} schemas, {outcome.examples} examples and {outcome.samples} samples replayed, "
               f"{len(outcome.faults)} faults")
    if not (outcome.schemas and outcome.examples and outcome.samples):
        click.echo("something that an installation has is missing: nothing of one sort was replayed")
        return Code.BROKEN
    return Code.BROKEN if outcome.faults else Code.FINE
