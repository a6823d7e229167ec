"""`records migrate`: records of an older version as records of a newer one."""
from __future__ import annotations

from collections import Counter
from datetime import date, datetime

import click

from specdil_records.authoring.migrating import KIND, CannotMigrate, Migrated, migrated, steps
from specdil_records.authoring.proof import same
from specdil_records.authoring.selection import Chosen, chosen
from specdil_records.authoring.staging import PartlyStaged
from specdil_records.authoring.trial import errors, with_bytes
from specdil_records.authoring.writing import CannotWrite, Change, diff, write_all
from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import load_target
from specdil_records.corpus import Corpus
from specdil_records.reading import Document, UnreadableFile
from specdil_records.report.console import visible
from specdil_records.schemas.catalogue import versions


@click.command("migrate", short_help="Take records to a newer version of the format.")
@click.argument("paths", nargs=-1)
@click.option("--to", required=True, metavar="VERSION", help="The version to arrive at.")
@click.option("--diff", "show", is_flag=True, help="Change nothing; show what would change.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The date of the history entry.")
def command(paths: tuple[str, ...], to: str, show: bool, today: datetime | None) -> int:
    """Take records to a newer version, one step at a time, with the proof that no figure, claim or effect changed.

    Example: records migrate records/flops/example-stall.yaml --to 3.0

    A record that cannot be taken there stays as it was, and the command fails.
    """
    shipped = versions(KIND)
    if to not in shipped:
        raise Exit(Code.USAGE, f"no version {to!r}; there are {', '.join(shipped)}")
    target = load_target(paths)
    day = today.date() if today else date.today()
    try:
        files = [one for one in chosen(target.corpus, target.named) if one.record.kind == KIND]
        left: dict[str, str] = {}
        outcomes = dict(planned(files, to, day, left))
        refuse_new_errors(target.corpus, files, outcomes, left)
        changes = [change_of(one, *outcomes[one.record.path]) for one in files if one.record.path in outcomes]
        if not show:
            write_all(changes)
    except (UnreadableFile, PartlyStaged, CannotWrite) as error:
        raise Exit(Code.USAGE, str(error)) from None
    for change in changes:
        version, outcome = outcomes[change.path][0], outcomes[change.path][1]
        if show:
            click.echo("\n".join(map(visible, diff(change))))
        else:
            way = " -> ".join([version, *(step.new for step in steps(version, to))])
            click.echo(f"migrated {visible(change.path)}: {way}; {outcome.numbers} numbers and "
                       f"{outcome.effects} effects as before")
    for path, why in sorted(left.items()):
        click.echo(visible(f"{path} is left as it was: {why}"), err=True)
    there = len(files) - len(changes) - len(left)
    click.echo(f"{len(files)} flop record{'s' if len(files) != 1 else ''}: {len(changes)} "
               f"{'to migrate' if show else 'migrated'}, {there} at {to} or later already, {len(left)} left as "
               "they were")
    return Code.FINDINGS if left else Code.FINE if files else Code.NOTHING


def planned(files: list[Chosen], to: str, day: date, left: dict[str, str]) -> list[tuple[str, tuple[str, Migrated]]]:
    """The outcome for each record that can be migrated, by path with its old version; notes in `left` why not."""
    shipped = versions(KIND)
    outcomes = []
    for one in files:
        record = one.record
        if not record.sound or record.version is None:
            left[record.path] = "it does not read or does not fit its schema; records check says why"
        elif shipped.index(record.version) < shipped.index(to):
            try:
                outcomes.append((record.path, (record.version, migrated(record.document, record.version, to, day))))
            except CannotMigrate as error:
                left[record.path] = str(error)
    return outcomes


def refuse_new_errors(corpus: Corpus, files: list[Chosen], outcomes: dict[str, tuple[str, Migrated]],
                      left: dict[str, str]) -> None:
    """Take out every record whose migrated form has errors that the old one had not."""
    if not outcomes:
        return
    texts = {one.record.path: one.encoded(outcomes[one.record.path][1].text)
             for one in files if one.record.path in outcomes}
    old = errors(corpus, frozenset(texts))
    new = errors(with_bytes(corpus, texts), frozenset(texts))
    for path in texts:
        if more := new.get(path, Counter()) - old.get(path, Counter()):
            left[path] = "migrated, it would have errors that it has not now: " + ", ".join(sorted(more))
            del outcomes[path]


def change_of(one: Chosen, version: str, outcome: Migrated) -> Change:
    """The change of one file. The steps have been proved one by one; here the file must hold what they came to."""
    def proof(after: Document) -> str:
        return "" if same(after.data, outcome.data) else "it would not hold what the steps came to"

    assert version == one.record.version
    return Change(one.record.path, one.file, one.raw, one.encoded(outcome.text), proof)
