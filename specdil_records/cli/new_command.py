"""`records new`: the beginning of a record."""
from __future__ import annotations

import sys
from pathlib import Path

import click

from specdil_records.authoring.skeleton import FOLDERS, CannotBegin, from_text, skeleton, text_of
from specdil_records.authoring.trial import with_record
from specdil_records.authoring.writing import CannotWrite, create_file
from specdil_records.checking import Options, check
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus import KINDS, Corpus, SettingsError, build_corpus, files_on_disk, find_settings
from specdil_records.reading import UnreadableFile, display_path, read_file
from specdil_records.report.console import visible

REFUSED = {"bad-id", "duplicate-id", "schema", "wrong-type", "unknown-version", "not-yaml", "bad-character",
           "lost-text", "yaml-feature", "too-large"}
"""Findings that a record must not be born with; that it names what is still missing is no fault of its beginning."""


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
    kind = KINDS.get(kind, kind)
    if kind not in FOLDERS:
        raise Exit(Code.USAGE, f"no kind of record is called {kind!r}; there are {', '.join(FOLDERS)}")
    if source is not None and kind != "flop":
        raise Exit(Code.USAGE, f"only a flop record is made of prose; {kind} is none")
    identity = identity if identity.startswith(FOLDERS[kind] + "/") else f"{FOLDERS[kind]}/{identity}"
    corpus = corpus_to_be()
    settings = corpus.settings
    if (there := corpus.by_id.get(identity)) is not None and there.own:
        raise Exit(Code.USAGE, f"{there.path} is there already; nothing was written")
    try:
        data = skeleton(kind, identity) if source is None else from_text(identity, prose(source), corpus)
    except CannotBegin as error:
        raise Exit(Code.USAGE, str(error)) from None
    file = settings.folder / f"{identity}.yaml"
    content = text_of(data, kind, file, settings.project).encode("utf-8", "surrogatepass")
    path = display_path(file.relative_to(settings.project) if file.is_relative_to(settings.project) else file)
    refuse(corpus, path, f"{identity}.yaml", content)
    try:
        create_file(path, file, content)
    except CannotWrite as error:
        raise Exit(Code.USAGE, str(error)) from None
    rows = len(data.get("scales_with", [])) + len(data.get("hardware_parameters", []))
    made = f": {rows} rows and {len(data.get('claims', []))} unverified claims to look at" if source is not None else ""
    click.echo(visible(f"wrote {path}{made}"))
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


def refuse(corpus: Corpus, path: str, inside: str, content: bytes) -> None:
    """Raises `Exit` for a record that would not read, fit its schema or bear its id."""
    trial = with_record(corpus, path, inside, content)
    for finding in check(trial, Options(scope=frozenset({path}))).findings:
        if finding.name in REFUSED:
            raise Exit(Code.USAGE, f"nothing was written; the record would have {finding.name}: {finding.message}")
