"""What several commands share: the corpus at hand, one record of it, output as JSON."""
from __future__ import annotations

import json
from typing import Any

import click

from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import load_target
from specdil_records.corpus import Corpus, Record
from specdil_records.corpus.naming import NoRecord, named


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


def echo_json(data: Any) -> None:
    """Print data as JSON that every console can carry."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=True))
