"""What several commands share: the corpus at hand, one record of it, output as JSON."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import load_target
from specdil_records.corpus import Corpus, Record
from specdil_records.corpus.naming import NoRecord, named
from specdil_records.corpus.settings import Settings
from specdil_records.reading.files import SUFFIXES
from specdil_records.report.console import visible


def corpus_here() -> Corpus:
    """The corpus of the current folder. Raises `Exit` when there is none."""
    return load_target(()).corpus


def record_named(corpus: Corpus, name: str) -> Record:
    """A record by its id, the tail of its id, or its file. Raises `Exit` with the nearest name."""
    try:
        return named(corpus, name)
    except NoRecord as none:
        raise Exit(Code.USAGE, str(none)) from None


def judged(record: Record) -> Record:
    """A record whose content may be judged. Raises `Exit` for one that has faults of its own."""
    if not record.sound:
        raise Exit(Code.FINDINGS, f"{record.id} does not read or does not fit its schema; "
                   f"records check {record.path} says why")
    return record


def tell_left_out(records: Iterable[Record]) -> bool:
    """Say which of some records say nothing as they are, and whether there is any."""
    left = [one.path for one in records if not one.sound]
    for path in left:
        click.echo(visible(f"records: {path} is left out: it does not read or does not fit its schema; records check "
                           "says why"), err=True)
    return bool(left)


def refuse_to_replace(path: str | Path, settings: Settings) -> None:
    """Raises `Exit` for output that would take the place of a record or of the settings."""
    real = Path(os.path.realpath(path))
    inside = real.is_relative_to(os.path.realpath(settings.folder)) and real.suffix.lower() in SUFFIXES
    if inside or (settings.file is not None and real == Path(os.path.realpath(settings.file))):
        raise Exit(Code.USAGE, f"{visible(str(path))} is a place of the corpus or its settings; name another file")


def echo_json(data: Any) -> None:
    """Print data as JSON that every console can carry."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=True))
