"""`records new`: the beginning of a record."""
from __future__ import annotations

import sys
from pathlib import Path

import click

from specdil_records.authoring.beginning import begin
from specdil_records.authoring.skeleton import CannotBegin
from specdil_records.authoring.writing import CannotWrite, create_file
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus import Corpus, SettingsError, build_corpus, files_on_disk, find_settings
from specdil_records.reading import UnreadableFile, read_file
from specdil_records.report.console import visible


@click.command("new", short_help="Begin a record.")
@click.argument("kind")
@click.argument("identity", metavar="ID")
@click.option("--from-text", "source", metavar="FILE", help="Prose to begin with; - reads standard input.")
def command(kind: str, identity: str, source: str | None) -> int:
    """Begin a record that fits its schema: flop, accelerator, model or source. Never writes over a file.

    Example: records new flop example-stall --from-text stall.txt

    From a text: its first paragraph becomes the intensity, its items workarounds, the rest notes; rows are proposed
    from its sentences, and every number is unverified until somebody binds it.
    """
    corpus = corpus_to_be()
    try:
        made = begin(corpus, kind, identity, None if source is None else prose(source))
        create_file(made.path, made.file, made.content.encode("utf-8", "surrogatepass"))
    except (CannotBegin, CannotWrite) as error:
        raise Exit(Code.USAGE, str(error)) from None
    said = f": {made.rows} rows and {made.claims} unverified claims to look at" if source is not None else ""
    click.echo(visible(f"wrote {made.path}{said}"))
    return Code.FINE


def corpus_to_be() -> Corpus:
    """The corpus of the current folder, even if its own folder is not there yet. Raises `Exit`."""
    try:
        settings = find_settings(Path.cwd())
        return build_corpus(settings, files_on_disk(settings) if settings.folder.is_dir() else [])
    except (SettingsError, UnreadableFile) as error:
        raise Exit(Code.USAGE, str(error)) from None


def prose(source: str) -> str:
    """The text of a file, or of standard input. Raises `Exit`."""
    try:
        raw = sys.stdin.buffer.read() if source == "-" else read_file(Path(source))
        return raw.decode("utf-8-sig")
    except UnreadableFile as error:
        raise Exit(Code.USAGE, str(error)) from None
    except UnicodeDecodeError:
        raise Exit(Code.USAGE, f"{source} is not UTF-8") from None
