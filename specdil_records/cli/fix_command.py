"""`records fix`: the repairs that a program may make by itself."""
from __future__ import annotations

from collections.abc import Iterator

import click

from specdil_records.authoring.fixing import Fixed, fixed, proof_of
from specdil_records.authoring.selection import Chosen, chosen
from specdil_records.authoring.staging import PartlyStaged
from specdil_records.authoring.trial import with_bytes
from specdil_records.authoring.writing import CannotWrite, Change, diff, write_all
from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import Target, load_target
from specdil_records.reading import UnreadableFile
from specdil_records.report.console import visible


@click.command("fix", short_help="Make the repairs that a program may make.")
@click.argument("paths", nargs=-1)
@click.option("--diff", "show", is_flag=True, help="Change nothing; show what would change.")
def command(paths: tuple[str, ...], show: bool) -> int:
    """Make safe repairs: quotes around ambiguous scalars, typography, numbers that quotes or formulas settle.

    Example: records fix --diff

    A repair is kept only if it leaves fewer findings and brings none. A drifted number stays when its sentence holds
    another number, or argues with it ("only", "twice", "exceeds").
    """
    if "-" in paths:
        raise Exit(Code.USAGE, "fix rewrites files; it does not read standard input")
    target = load_target(paths)
    try:
        outcomes = list(repaired(target))
        changes = [change_of(one, outcome) for one, outcome in outcomes if outcome.content != one.raw]
        if not show:
            write_all(changes)
    except (UnreadableFile, PartlyStaged, CannotWrite) as error:
        raise Exit(Code.USAGE, str(error)) from None
    for change in changes if show else ():
        click.echo("\n".join(map(visible, diff(change))))
    made = refused = 0
    for one, outcome in outcomes:
        for what in outcome.made:
            click.echo(visible(f"{one.record.path}: {'would repair' if show else 'repaired'} {what}"))
        for what in outcome.refused:
            click.echo(visible(f"{one.record.path}: not repaired {what}"), err=True)
        made, refused = made + len(outcome.made), refused + len(outcome.refused)
    click.echo(f"{len(outcomes)} record{'s' if len(outcomes) != 1 else ''}: {made} repair{'s' if made != 1 else ''} "
               f"{'to make' if show else 'made'}, {refused} left to you")
    unread = [one.record.path for one, _ in outcomes if one.record.document.broken]
    for path in unread:
        click.echo(visible(f"{path} is left as it was: it does not read; records check says why"), err=True)
    return Code.FINDINGS if refused or unread else Code.FINE if outcomes else Code.NOTHING


def repaired(target: Target) -> Iterator[tuple[Chosen, Fixed]]:
    """Every named record with its repairs, each judged beside the repairs before it."""
    corpus = target.corpus
    for one in chosen(target.corpus, target.named):
        outcome = fixed(one, corpus)
        if outcome.content != one.raw:
            corpus = with_bytes(corpus, {one.record.path: outcome.content})
        yield one, outcome


def change_of(one: Chosen, outcome: Fixed) -> Change:
    """The change of one file."""
    return Change(one.record.path, one.file, one.raw, outcome.content, proof_of(outcome.content))
