"""A stretch of a corpus judged by a process that shares nothing with the one that asks.

What is sent is small: which files, by path and content hash, not the files. The worker reads them for itself; a file
that it cannot read, or that is another one there, it asks for. A verdict needs the record, every record that it names,
however far, and all records that are no flops (what the cache keeps a verdict by); whatever needs the whole corpus is
judged where the whole corpus is. Only bytes and text cross, so that no exception has to survive the way.
"""
from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from specdil_records.checking.keys import PACKAGE, digest
from specdil_records.checking.pipeline import check_records
from specdil_records.corpus import Corpus, Record, Settings
from specdil_records.corpus.files import SourceFile
from specdil_records.corpus.loading import load_record
from specdil_records.reading.files import UnreadableFile, read_file
from specdil_records.rules import RULES
from specdil_records.shipped import shipped_folder
from specdil_records.version import VERSION

JUDGED, UNTOLD, MISSING, REFUSED = "judged", "untold", "missing", "refused"


class Entry(NamedTuple):
    """A record as it is named to a worker: its place in the order of the corpus, its file, a hash of its content."""

    number: int
    path: str
    path_id: str
    own: bool
    content: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some records to judge, with what they need.

    `files` holds the records themselves (those in `wanted` are judged) and the flops that they name; `common` is the
    key of the files that every stretch of a check shares, `shared` these files for a worker that asked for them, and
    `sent` the records that a worker could not read for itself, by number.
    """

    settings: Settings
    root: str
    rules: tuple[str, ...]
    files: tuple[Entry, ...]
    wanted: frozenset[str]
    common: str
    shared: tuple[Entry, ...] | None = None
    sent: Mapping[int, Record] = field(default_factory=dict)


@cache
def identity() -> str:
    """The tool by content: its version and a hash of its code, schemas and records, wherever it is installed."""
    hashed = blake2b(VERSION.encode(), digest_size=16)
    for folder in (PACKAGE, shipped_folder("schema"), shipped_folder("records")):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".json", ".yaml"):
                hashed.update(f"{file.relative_to(folder).as_posix()}\n".encode())
                hashed.update(file.read_bytes())
    return f"{VERSION} {hashed.hexdigest()}"


def fingerprint(record: Record) -> str:
    """A hash of what a record was read as; the same file gives the same on every machine."""
    return digest([record.path, record.content])


def pack(value: Any) -> bytes:
    """A value as the bytes that are sent."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


def unpack(parcel: bytes) -> Any:
    """A value from the bytes that came; they come from the same tool, or from nobody."""
    return pickle.loads(zlib.decompress(parcel))  # noqa: S301 (an executor runs code for us as it is)


def judge(tool: str, parcel: bytes) -> tuple[str, bytes]:
    """Judge a stretch, in whatever process this runs. Every ending is an answer: never raises.

    Gives `judged` with a `Part` for each path, `untold` when it does not know which files all stretches share,
    `missing` with the numbers of the records that have to be sent, or `refused` with the reason in words.
    """
    try:
        if tool != identity():
            mine, theirs = identity().partition(" ")[0], tool.partition(" ")[0]
            words = f"version {mine}" if mine != theirs else f"another state of version {mine}"
            return REFUSED, f"a worker has {words} of the tool, this is {theirs}".encode()
        return _judged(unpack(parcel))
    except Exception as error:
        return REFUSED, f"a worker failed: {type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


def _judged(stretch: Stretch) -> tuple[str, bytes]:
    shared = _shelf.get(stretch.common)
    if shared is None and stretch.shared is None:
        return UNTOLD, b""
    shared = shared or _Shelf(stretch.shared or ())
    records, missing = _read(stretch, stretch.files)
    missing += shared.fill(stretch)
    if missing:
        return MISSING, pack(tuple(missing))
    everything = sorted({**shared.records, **records}.items())
    corpus = Corpus(stretch.settings, tuple(replace(record, home=None) for _, record in everything))
    for record in corpus.records:
        record.home = corpus
    rules = [rule for rule in RULES if rule.name in stretch.rules]
    return JUDGED, pack({record.path: check_records(corpus, [record], rules, None) for record in corpus.own
                         if record.path in stretch.wanted})


class _Shelf:
    """The records that all stretches of a check share, by number, once a worker has read them."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self.records: dict[int, Record] = {}

    def fill(self, stretch: Stretch) -> list[int]:
        """Read what is not there yet, and keep the shelf; the numbers of what cannot be read."""
        missing: list[int] = []
        if len(self.records) < len(self.entries):
            todo = [entry for entry in self.entries if entry.number not in self.records]
            found, missing = _read(stretch, todo)
            self.records = {**self.records, **found}
        if stretch.common not in _shelf:
            _shelf.clear()  # one check at a time: what an earlier one shared is not asked for again
            _shelf[stretch.common] = self
        return missing


_shelf: dict[str, _Shelf] = {}


def _read(stretch: Stretch, entries: Iterable[Entry]) -> tuple[dict[int, Record], list[int]]:
    """Records by number, and the numbers of those whose files are not here or not the same."""
    found: dict[int, Record] = {}
    missing: list[int] = []
    todo = []
    for entry in entries:
        if entry.number in stretch.sent:
            found[entry.number] = stretch.sent[entry.number]
        else:
            todo.append(entry)
    raw = _bytes(stretch.root, [entry.path for entry in todo if entry.own])
    for entry in todo:
        record = _record(entry, raw)
        if record is not None and fingerprint(record) == entry.content:
            found[entry.number] = record
        else:
            missing.append(entry.number)
    return found, missing


def _record(entry: Entry, raw: Mapping[str, bytes]) -> Record | None:
    inside = entry.path_id + PurePosixPath(entry.path).suffix
    try:
        shipped = shipped_folder("records").parent
        content = raw.get(entry.path) if entry.own else read_file(shipped / entry.path)
    except UnreadableFile:
        return None
    if content is None:
        return None
    return load_record(SourceFile(entry.path, inside, lambda: content), entry.own)


def _bytes(root: str, paths: list[str]) -> dict[str, bytes]:
    """What can be read of these files below a folder or a URL."""
    if not root:
        return {}
    if "://" in root:
        from specdil_records.checking.cluster import read_all

        return read_all(root, paths)
    found: dict[str, bytes] = {}
    for path in paths:
        try:
            found[path] = read_file(Path(root, path))
        except UnreadableFile:
            continue
    return found
