"""A record, a corpus, and how one record finds another."""
from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from specdil_records.corpus.cards import Card, Name, card_of
from specdil_records.corpus.references import Reference, references
from specdil_records.corpus.settings import KINDS, Settings
from specdil_records.findings import Problem
from specdil_records.reading import Document


def folded(identity: str) -> str:
    """An id as a file system that ignores case and composition sees it."""
    return identity.casefold() if identity.isascii() else unicodedata.normalize("NFC", identity).casefold()


FOLDERS = {kind: folder for folder, kind in KINDS.items()}


@dataclass(eq=False, slots=True)
class Record:
    """One file of a corpus.

    `sound` is true when the record reads and fits its schema, so that its content may be judged and relied upon.
    `own` is false for a record that another corpus brings in.
    """

    path: str
    path_id: str
    id: str
    kind: str | None
    version: str | None
    document: Document
    problems: tuple[Problem, ...]
    sound: bool
    own: bool = True
    home: Corpus | None = None
    """The corpus that the record was loaded with."""
    content: str = ""
    """A hash of the bytes of its file, where it was read from one."""
    kept: Card | None = None
    """Its card from an earlier run; its document is then read when somebody asks for it."""

    _card: Card | None = field(default=None, init=False, repr=False)
    _references: tuple[Reference, ...] | None = field(default=None, init=False, repr=False)
    _notes: dict[str, Any] | None = field(default=None, init=False, repr=False)

    def forget(self) -> None:
        """Let go of what can be read and worked out again."""
        if self.kept is not None:
            self.document.forget()
            self._references = self._notes = None

    @property
    def notes(self) -> dict[str, Any]:
        """What rules worked out about this record, kept for the next rule that needs it."""
        if self._notes is None:
            self._notes = {}
        return self._notes

    @property
    def data(self) -> dict[str, Any]:
        """The record's content; empty when it has none that could be read."""
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def tail(self) -> str:
        """The id without its kind: how other records name this one."""
        return self.id.partition("/")[2]

    @property
    def references(self) -> tuple[Reference, ...]:
        """Every other record that this one names, and where."""
        if self._references is None:
            self._references = references(self.kind, self.data) if self.sound else ()
        return self._references

    @property
    def card(self) -> Card | None:
        """What the rest of the corpus has to know of it; None for a record that nobody may rely on."""
        if self.kept is not None or not self.sound:
            return self.kept
        if self._card is None:
            assert self.kind is not None
            assert self.version is not None
            self._card = card_of(self.id, self.kind, self.version, self.data)
        return self._card

    @property
    def title(self) -> str:
        """What the record calls itself; empty where it does not."""
        return self.card.title if self.card is not None else str(self.data.get("title", ""))

    @property
    def names(self) -> tuple[Name, ...]:
        """Every other record that this one names, once each."""
        return self.card.names if self.card is not None else ()


def _ids_named(record: Record) -> Iterator[str]:
    for kinds, name in record.names:
        for kind in kinds:
            folder = FOLDERS[kind]
            yield name if name.startswith(folder + "/") else f"{folder}/{name}"


@dataclass(eq=False)
class Corpus:
    """All records, own ones and those brought in, with the settings that they are checked under."""

    settings: Settings
    records: tuple[Record, ...]
    before: Corpus | None = None
    """An earlier state of it, where rules were asked to look at what changed since."""
    notes: dict[str, Any] = field(default_factory=dict, init=False)
    """What rules worked out about the corpus as a whole, kept for the next record; another corpus begins anew."""

    @cached_property
    def by_id(self) -> Mapping[str, Record]:
        """The record of each id: an own one wins over one brought in, a file whose path fits over one that strays.

        A file that strays is found under its path as well, so that one wrong id has no further consequences; an id of
        another kind than its own finds it only where nothing else does.
        """
        found: dict[str, Record] = {}
        ordered = sorted(self.records, key=lambda record: (not record.own, record.id != record.path_id))
        astray = []
        for record in ordered:
            if KINDS.get(record.id.partition("/")[0], record.kind) == record.kind:
                found.setdefault(record.id, record)
            else:
                astray.append(record)
        for record in self.records:
            found.setdefault(record.path_id, record)
        for record in astray:
            found.setdefault(record.id, record)
        return found

    @cached_property
    def own(self) -> tuple[Record, ...]:
        """The records of this corpus itself, in the order of their paths."""
        return tuple(record for record in self.records if record.own)

    @cached_property
    def unsound(self) -> tuple[Record, ...]:
        """Own records that do not read or do not fit their schema: what they say cannot be known."""
        return tuple(record for record in self.own if not record.sound)

    @cached_property
    def twins(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of own records that carry one id rightly, as a file system without case and composition sees it."""
        found: dict[str, list[str]] = {}
        for record in self.own:
            if record.id == record.path_id:
                found.setdefault(folded(record.id), []).append(record.path)
        return {identity: tuple(paths) for identity, paths in found.items() if len(paths) > 1}

    def find(self, kind: str, name: str) -> Record | None:
        """The record of a kind by the tail of its id, or by its whole id."""
        folder = FOLDERS[kind]
        record = self.by_id.get(name if name.startswith(folder + "/") else f"{folder}/{name}")
        return record if record is None or record.kind in (kind, None) else None

    @cached_property
    def by_kind(self) -> Mapping[str | None, tuple[Record, ...]]:
        """The records of each kind, each under every id that it is found by."""
        found: dict[str | None, list[Record]] = {}
        for record in self.by_id.values():
            found.setdefault(record.kind, []).append(record)
        return {kind: tuple(records) for kind, records in found.items()}

    def of_kind(self, kind: str) -> tuple[Record, ...]:
        """Every record of a kind that is in force."""
        return self.by_kind.get(kind, ())

    @cached_property
    def brought_in(self) -> Mapping[str, Record]:
        """By their ids, the records of what this corpus stands on."""
        return {record.id: record for record in self.records if not record.own}

    def tails(self, kind: str) -> list[str]:
        """The names by which records of a kind are found."""
        folder = f"{FOLDERS[kind]}/"
        return [identity.removeprefix(folder) for identity, record in self.by_id.items()
                if record.kind == kind and identity.startswith(folder)]

    def resolve(self, reference: Reference | Name) -> Record | None:
        """The record that a reference names, in the first of its namespaces that has it."""
        for kind in reference.kinds:
            if (record := self.find(kind, reference.name)) is not None:
                return record
        return None

    def named_by(self, record: Record) -> Iterator[tuple[Name, Record | None]]:
        """Every name that a record uses, or one that it names, however far, and the record that has it, if any."""
        seen, todo = {record.path}, [record]
        while todo:
            for name in todo.pop().names:
                named = self.resolve(name)
                yield name, named
                # By file, not by id: two that carry one id, one by right and one by mistake, are two things.
                if named is not None and named.path not in seen:
                    seen.add(named.path)
                    todo.append(named)

    @cached_property
    def named(self) -> frozenset[str]:
        """Every id that a name in an own record may mean."""
        return frozenset(identity for record in self.own for identity in _ids_named(record))

    def index(self) -> None:
        """Work out now what is looked up for every record, so that processes that are forked share it."""
        for name in ("by_kind", "brought_in", "twins", "named"):
            getattr(self, name)

    @cached_property
    def dependents(self) -> Mapping[str, frozenset[str]]:
        """For the id of each record, the paths of the own records that name it, directly."""
        found: dict[str, set[str]] = {}
        for record in self.own:
            for identity in _ids_named(record):
                found.setdefault(identity, set()).add(record.path)
        return {identity: frozenset(paths) for identity, paths in found.items()}

    def scope_of(self, paths: set[str], ids: set[str] = frozenset()) -> set[str]:  # type: ignore[assignment]
        """These paths and those of every record that depends on them, however far."""
        by_path = {record.path: record for record in self.own}
        named = [by_path[path] for path in paths if path in by_path]
        seen, todo = set(paths), [*ids, *(name for record in named for name in (record.id, record.path_id))]
        while todo:
            for path in self.dependents.get(todo.pop(), frozenset()) - seen:
                seen.add(path)
                todo += (by_path[path].id, by_path[path].path_id)
        return seen


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be read at all: the command is wrong, not the record."""

    path: Path
    why: str
