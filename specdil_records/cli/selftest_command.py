"""`records selftest`: is this installation whole, and does it still judge as it promised?"""
from __future__ import annotations

import click

from specdil_records.cli.exits import Code, Exit, worst


@click.command("selftest", short_help="Check the installation, or mutate a corpus.")
@click.argument("paths", nargs=-1)
@click.option("--mutate", is_flag=True, help="Change the corpus in one place at a time; each change has to be found.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N",
              help="With --mutate: draw about N of the changes, always the same.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), help="With --mutate: text or JSON.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="With --mutate: worker processes.")
def command(paths: tuple[str, ...], mutate: bool, limit: int | None, form: str | None, jobs: int | None) -> int:
    """Open every shipped schema, replay every version's examples and every rule's samples.

    With --mutate: change every digit, sign, unit, comparator, operator, input, reference, basis and quoted word of the
    records at PATHS (by default of the whole corpus) in memory, one at a time, and judge the corpus again. A change
    that no finding answers to has survived. Changes smaller than what rests on them can tell are listed as narrower.

    Example: records selftest --mutate records/flops --limit 1000
    """
    if mutate:
        return mutation(paths, limit, form or "text", jobs)
    if paths or limit is not None or form is not None or jobs is not None:
        raise Exit(Code.USAGE, "paths, --limit, --format and --jobs go with --mutate")
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


def mutation(paths: tuple[str, ...], limit: int | None, form: str, jobs: int | None) -> int:
    """Mutate the records at these paths and tell what came of it."""
    from specdil_records.checking import Options
    from specdil_records.cli.common import echo_json
    from specdil_records.cli.finding_paths import load_target
    from specdil_records.mutation import Result, mutate
    from specdil_records.mutation.telling import data, lines
    from specdil_records.report.console import visible

    target = load_target(paths)
    report = mutate(target.corpus, target.named, limit=limit, options=Options(jobs=jobs))
    if form == "json":
        echo_json(data(report))
    else:
        for line in lines(report):
            click.echo(visible(line))
    codes = {Code.FINE}
    if report.those(Result.SURVIVED):
        codes.add(Code.FINDINGS)
    if report.failures:
        codes.add(Code.BROKEN)
    if not report.outcomes:
        click.echo("records: nothing was changed, so nothing was tested", err=True)
        codes.add(Code.NOTHING)
    return worst(codes)
