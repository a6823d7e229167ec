"""`records fmt`: the canonical form of record files."""
from __future__ import annotations

from collections.abc import Iterator

import click

from specdil_records.authoring.formatting import Formatted, formatted
from specdil_records.authoring.proof import rewriting_fault
from specdil_records.authoring.selection import Chosen, chosen
from specdil_records.authoring.staging import PartlyStaged
from specdil_records.authoring.writing import CannotWrite, Change, diff, write_all
from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import load_target
from specdil_records.reading import Document, UnreadableFile
from specdil_records.report.console import visible


@click.command("fmt", short_help="Put record files into canonical form.")
@click.argument("paths", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; fail when something would change.")
@click.option("--diff", "show", is_flag=True, help="Change nothing; show what would change.")
def command(paths: tuple[str, ...], check: bool, show: bool) -> int:
    """Order keys as the schema does and put ambiguous scalars in quotes; nothing else changes, no value, no comment.

    Example: records fmt --check

    Files that cannot be read are reported and left alone, and so are JSON files.
    """
    if "-" in paths:
        raise Exit(Code.USAGE, "fmt rewrites files; it does not read standard input")
    target = load_target(paths)
    try:
        files = list(chosen(target.corpus, target.named))
        changes, faulty, json_files = planned(files)
        if not check and not show:
            write_all(changes)
    except (UnreadableFile, PartlyStaged, CannotWrite) as error:
        raise Exit(Code.USAGE, str(error)) from None
    for change in changes:
        if show:
            click.echo("\n".join(map(visible, diff(change))))
        else:
            click.echo(f"{'would format' if check else 'formatted'} {visible(change.path)}")
    still = len(files) - len(changes) - faulty - json_files
    parts = [f"{len(changes)} {'to format' if check or show else 'formatted'}", f"{still} left as they are"]
    parts += [f"{json_files} JSON, left alone"] if json_files else []
    parts += [f"{faulty} that cannot be read, left alone"] if faulty else []
    click.echo(f"{len(files)} file{'s' if len(files) != 1 else ''}: {', '.join(parts)}")
    if faulty or (check and changes):
        return Code.FINDINGS
    return Code.FINE if files else Code.NOTHING


def planned(files: list[Chosen]) -> tuple[list[Change], int, int]:
    """The changes to make, how many files cannot be read, and how many are JSON. Says why something is left alone."""
    changes: list[Change] = []
    faulty = json_files = 0
    for one in files:
        document = one.record.document
        if document.broken or not isinstance(document.data, dict):
            faulty += 1
            for line in faults(one):
                click.echo(visible(line), err=True)
        elif one.is_json:
            json_files += 1
        else:
            outcome = formatted(document, one.record.kind, one.record.version)
            for why in outcome.left:
                click.echo(visible(f"{one.record.path}: {why}"), err=True)
            if outcome.text != document.text:
                changes.append(change_of(one, document, outcome))
    return changes, faulty, json_files


def change_of(one: Chosen, document: Document, outcome: Formatted) -> Change:
    """The change of one file, with the proof that it changes no value."""
    return Change(one.record.path, one.file, one.raw, one.encoded(outcome.text),
                  lambda after: rewriting_fault(document, after, outcome.quoted))


def faults(one: Chosen) -> Iterator[str]:
    """What keeps a file from being read, one line each."""
    document = one.record.document
    for problem in [problem for problem in one.record.problems if problem.name != "byte-order-mark"][:5]:
        span = document.span(problem.where)
        yield f"{one.record.path}:{span.line}:{span.column}: {problem.name}: {problem.message}"
