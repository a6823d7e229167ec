"""`records diff`: what changed in meaning between two states of a corpus."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from specdil_records.cli.common import corpus_here, echo_json
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus import Corpus, SettingsError
from specdil_records.history.comparing import Change, Comparison, RecordDiff, compare
from specdil_records.history.revisions import NoRevision, corpus_at
from specdil_records.reading import UnreadableFile
from specdil_records.report.console import visible

COUNTED = {"basis": ("basis", "bases"), "history": ("history entry", "history entries"),
           "status": ("change of status", "changes of status"), "wording": ("rewording", "rewordings")}


@click.command("diff", short_help="What changed in meaning.")
@click.argument("old", metavar="REV")
@click.argument("new", metavar="[REV]", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text",
              help="Text, JSON, or Markdown for a pull request.")
def command(old: str, new: str | None, form: str) -> int:
    """Show what changed in meaning between a revision of git and the work tree, or between two revisions.

    Example: records diff HEAD~1 --format markdown

    Figures, bases, conclusions, references, disputes, values and cells are told one by one; passages that say the same
    in other words are counted.
    """
    here = corpus_here()
    now = here if new is None else at(here, new)
    found = compare(at(here, old, now), now)
    if form == "json":
        echo_json(as_data(found, old, new))
    else:
        for line in markdown(found, old, new) if form == "markdown" else text(found):
            click.echo(line.rstrip())
    return Code.FINE


def at(here: Corpus, revision: str, now: Corpus | None = None) -> Corpus:
    """The corpus at a revision. Raises `Exit`."""
    try:
        return corpus_at(here.settings, revision, now)
    except (NoRevision, SettingsError, UnreadableFile) as error:
        raise Exit(Code.USAGE, visible(str(error))) from None


def counted(found: Comparison) -> str:
    """Changes by category in words."""
    def words(category: str, count: int) -> str:
        return f"{count} {COUNTED.get(category, (category, category + 's'))[count != 1]}"

    return ", ".join(words(category, count) for category, count in found.counts.items())


def summary(found: Comparison) -> str:
    """The one line that says how much changed."""
    if not found.records:
        return f"nothing changed: {found.compared} record{'s' if found.compared != 1 else ''} compared"
    return f"{len(found.records)} of {found.compared} records changed: {counted(found)}"


def text(found: Comparison) -> Iterator[str]:
    """For a terminal."""
    for record in found.records:
        yield visible(record.record) + ("" if record.path.startswith("records/" + record.record + ".")
                                        else f"  ({visible(record.path)})")
        for change in record.changes:
            note = f"  ({change.note})" if change.note else ""
            yield visible(f"  {change.category:<11} {change.what}{told(change)}{note}")
            yield visible(f"  {'':<11}   {change.place}")
        if record.wording:
            yield f"  {'wording':<11} {record.wording} passage{'s' if record.wording != 1 else ''}"
        yield ""
    yield summary(found)


def told(change: Change) -> str:
    """Old and new as far as there is something to show."""
    if change.old and change.new:
        return f": {change.old} -> {change.new}"
    if change.category == "record" or not (change.old or change.new):
        return ""
    return f": + {change.new}" if change.new else f": - {change.old}"


# Markdown ---------------------------------------------------------------------------------------------------


def markdown(found: Comparison, old: str, new: str | None) -> Iterator[str]:
    """For a pull request: a heading, one table a record. All text of records stands in code spans."""
    yield f"### Changes of meaning, {code(old)} to {code(new) if new else 'the work tree'}"
    yield ""
    yield summary(found) + "."
    for record in found.records:
        yield ""
        yield f"#### {code(record.record)}"
        if record.changes:
            yield ""
            yield "| | what | before | after | where |"
            yield "|---|---|---|---|---|"
            for change in record.changes:
                kind = f"{change.category}, {change.note}" if change.note else change.category
                yield (f"| {kind} | {code(change.what)} | {code(change.old)} | {code(change.new)} | "
                       f"{code(change.place)} |")
        yield from wording(record)


def wording(record: RecordDiff) -> Iterator[str]:
    """How many passages were only reworded."""
    if record.wording:
        yield ""
        yield f"Wording only: {record.wording} passage{'s' if record.wording != 1 else ''}."


def code(words: str) -> str:
    """Text as a code span of a table cell: nothing in it is markup, a mention or a link."""
    words = visible(" ".join(words.split()))
    if not words:
        return ""
    longest = max((len(run) for run in re.findall("`+", words)), default=0)
    fence = "`" * (longest + 1)
    glue = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{glue}{words}{glue}{fence}".replace("|", "\\|")


def as_data(found: Comparison, old: str, new: str | None) -> dict[str, Any]:
    """The same for programs; `to` is null for the work tree."""
    return {"from": old, "to": new, "compared": found.compared, "counts": found.counts,
            "records": [asdict(record) for record in found.records]}
