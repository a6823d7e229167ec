"""`records explain`: what a finding means."""
from __future__ import annotations

from collections.abc import Iterator

import click

from specdil_records.cli.exits import Code, Exit


@click.command("explain", short_help="What a finding means.")
@click.argument("name")
def command(name: str) -> int:
    """Explain a finding by its name or its code.

    Example: records explain figure-drift
    """
    from specdil_records.cli.check_command import names_of
    from specdil_records.rules import by_name

    rule = by_name(name)
    if rule is None:
        names_of(name)  # proposes the nearest name
        raise Exit(Code.USAGE, f"{name} needs git history and is not built yet")
    click.echo(f"{rule.name} ({rule.code}), {rule.severity} of the family {rule.family}, since {rule.since}\n")
    click.echo(f"{rule.what}\n\nWhy: {rule.why}\n\nHow to mend it: {rule.mend}\n")
    for title, sample in (("Found here", rule.bad), ("Fine", rule.good)):
        click.echo(f"{title}:")
        for line in example(sample):
            click.echo(f"    {line}")
        click.echo()
    return Code.FINE


def example(sample: object) -> Iterator[str]:
    """What a sample changes in the base example, as a reader would want to see it."""
    from specdil_records.rules import Sample
    from specdil_records.rules.samples import PATHS

    assert isinstance(sample, Sample)
    if not sample.edits and not sample.files:
        yield f"the example as it is, {PATHS['flop']} and what it refers to"
    for name, old, new in sample.edits:
        yield f"in {PATHS[name]}:"
        yield from (f"  - {line}" for line in old.strip("\n").splitlines())
        yield from (f"  + {line}" for line in new.strip("\n").splitlines())
    for path, text in sample.files.items():
        yield f"{path}:"
        yield from (f"  {line}" for line in text.splitlines())
