"""Files to a corpus: every record read, its version settled, its shape checked."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from specdil_records.corpus.cards import Card
from specdil_records.corpus.files import Contents, SourceFile, contents, contents_of, files_on_disk
from specdil_records.corpus.records import Corpus, Record
from specdil_records.corpus.settings import KINDS, Settings, find_settings
from specdil_records.findings import Place, Problem
from specdil_records.reading import Document, read_document
from specdil_records.schemas import validate, versions

VERSION: tuple[str] = ("schema_version",)
HARMLESS = {"bad-id", "ambiguous-scalar", "byte-order-mark"}
"""Findings that leave a record's content fit to be judged."""


def load_corpus(path: str | Path) -> Corpus:
    """The corpus at a path, a project folder or a records folder.

    Raises `SettingsError` when there is none, `UnreadableFile` when a file cannot be read.
    """
    settings = find_settings(Path(path))
    return build_corpus(settings, files_on_disk(settings))


def build_corpus(settings: Settings, files: Iterable[SourceFile]) -> Corpus:
    """A corpus of these files and of what the settings bring in. Raises `UnreadableFile`."""
    return corpus_of(settings, contents_of(settings, list(files)))


def corpus_of(settings: Settings, read: Iterable[Contents], cards: Mapping[str, Card] = MappingProxyType({})) -> Corpus:
    """A corpus of files that have been read; of those that have a card, by content, only that is looked at yet."""
    corpus = Corpus(settings, tuple(record_of(one, cards.get(one.content)) for one in read))
    for record in corpus.records:
        record.home = corpus
    return corpus


def load_record(file: SourceFile, own: bool = True) -> Record:
    """Read one file and check its shape. Raises `UnreadableFile`."""
    return record_of(contents(file, own))


def record_of(one: Contents, card: Card | None = None) -> Record:
    """The record of a file's bytes, by its card if there is one."""
    if card is not None:
        document = Document.later(one.read, one.path)
        path_id = path_id_of(one.inside)
        if path_id == card.id:
            path_id = card.id  # one text, not two
        record = Record(one.path, path_id, card.id, card.kind, card.version, document, (), True, one.own, kept=card)
    else:
        record = make_record(read_document(one.read(), one.path), one.path, one.inside, one.own)
    record.content = one.content
    return record


def path_id_of(inside: str) -> str:
    """The id that a record has by its place in the corpus."""
    stem, _, ending = inside.rpartition(".")
    return stem if stem and ending and "/" not in ending and not stem.endswith("/") else inside


def make_record(document: Document, path: str, inside: str, own: bool = True) -> Record:
    """A record of a document: its kind from its folder, its version as it says, its faults as its schema says."""
    path_id = path_id_of(inside)
    data = document.data if isinstance(document.data, dict) else {}
    named = data.get("id")
    identity = named if isinstance(named, str) else path_id
    kind = KINDS.get(inside.partition("/")[0]) or KINDS.get(identity.partition("/")[0])
    problems = list(document.problems)
    version: str | None = None
    if not document.broken:
        version, faults = _version(document, kind)
        problems += faults
        if version is not None and kind is not None:
            problems += [problem for problem in validate(document, kind, version) if not _about_version(problem)]
    spoilt = any(problem.name not in HARMLESS and not _about_version(problem) for problem in problems)
    sound = version is not None and kind is not None and not document.broken and not spoilt
    if sound:
        problems += repeated_items(data)
    return Record(path, path_id, identity, kind, version, document, tuple(problems), sound, own)


def repeated_items(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Claims, and tables and quotes together, that carry the id of an earlier one of the same record."""
    for keys in (("claims",), ("tables", "quotes")):
        seen: dict[str, str] = {}
        for key in keys:
            for i, item in enumerate(data.get(key, [])):
                if item["id"] in seen:
                    yield Problem("duplicate-id", f"{item['id']} is also the id of {seen[item['id']]}",
                                  Place((key, i, "id")))
                seen.setdefault(item["id"], f"/{key}/{i}")


def _about_version(problem: Problem) -> bool:
    return isinstance(problem.where, Place) and problem.where.pointer == VERSION and problem.name != "unknown-version"


def _version(document: Document, kind: str | None) -> tuple[str | None, list[Problem]]:
    """The version that a record is judged by, and what is wrong with how it says so."""
    data = document.data
    if kind is None:
        return None, []
    shipped = versions(kind)
    listed = ", ".join(f'"{version}"' for version in shipped)
    if "schema_version" not in data:
        return None, [Problem("unknown-version", f"the record does not say its schema_version; there are {listed}",
                              Place(()), help=f'add the line schema_version: "{shipped[-1]}"')]
    said, faults = data["schema_version"], []
    if not isinstance(said, str):
        written = document.written(VERSION).strip()
        faults.append(Problem("wrong-type", f"schema_version is text; write it in quotes: \"{written[:40]}\"",
                              Place(VERSION), data={"written": written[:80]}))
        if isinstance(said, bool | list | dict) or said is None:
            return None, faults
        said = written
    if said in shipped:
        return said, faults
    faults.append(Problem("unknown-version", f"version \"{said[:40]}\" of a {kind} record is not shipped; "
                          f"there are {listed}", Place(VERSION), data={"version": said[:80], "shipped": list(shipped)}))
    return None, faults
