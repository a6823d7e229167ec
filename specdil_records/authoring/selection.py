"""The files that a rewriting command works on: the named records of a corpus, as they are on disk now."""
from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from specdil_records.corpus import Corpus, Record
from specdil_records.corpus.files import source_file
from specdil_records.corpus.loading import make_record
from specdil_records.reading import find_records, read_document, read_file

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Chosen:
    """One record to rewrite: its file, its bytes, and the record that they make."""

    file: Path
    raw: bytes
    record: Record

    @property
    def is_json(self) -> bool:
        """Whether the file is JSON."""
        return self.file.name.lower().endswith(".json")

    def encoded(self, text: str) -> bytes:
        """A new text as bytes, with the byte-order mark that the file has."""
        return (BOM if self.raw.startswith(BOM) else b"") + text.encode("utf-8")


def chosen(corpus: Corpus, named: Collection[str] | None) -> Iterator[Chosen]:
    """The named own records of a corpus, in the order of their paths; None names all. A file with two names comes once.

    Raises `UnreadableFile`.
    """
    settings = corpus.settings
    seen: set[str] = set()
    for file in find_records(settings.folder, settings.exclude):
        source = source_file(settings, file)
        real = os.path.realpath(file)
        if (named is not None and source.path not in named) or real in seen:
            continue
        seen.add(real)
        raw = read_file(file)
        record = make_record(read_document(raw, source.path), source.path, source.inside)
        yield Chosen(file, raw, record)


def chosen_one(corpus: Corpus, record: Record) -> Chosen | None:
    """The file of one own record; None when another corpus brings it in."""
    return next(chosen(corpus, {record.path}), None) if record.own else None
