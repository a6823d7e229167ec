"""An id renamed wherever it stands: in its own record, in references, and inside expressions that cite it."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from specdil_records.corpus import Corpus, Record, make_record
from specdil_records.editor.answers import Change, Spot
from specdil_records.editor.names import Name, item_pointer, name_at, named, spots, uses
from specdil_records.editor.workspace import Workspace
from specdil_records.reading import read_document

LONGEST = 240
"""A name of a file is as long as this at most on nearly every system, the ending left out."""
SEGMENT = r"[a-z0-9]+([-.][a-z0-9]+)*"


class CannotRename(Exception):
    """A renaming that would not leave the corpus as it is but for the name; the message says why."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """The changes of a renaming and, for a record, its file under the old and the new name."""

    changes: tuple[Change, ...]
    moved: tuple[Path, Path] | None = None


def renamable(workspace: Workspace, record: Record, offset: int) -> Spot | None:
    """Where the name stands that a renaming at this offset would change; None if there is none."""
    found = name_at(workspace, record, offset)
    if found is None or _target(workspace, found[0]) is None:
        return None
    return Spot(workspace.file(record), found[1], found[2])


def renamed(workspace: Workspace, record: Record, offset: int, new: str) -> Renaming:
    """A renaming of the name at an offset. Raises `CannotRename`."""
    found = name_at(workspace, record, offset)
    target = _target(workspace, found[0]) if found is not None else None
    if found is None or target is None:
        raise CannotRename("no id of a record, claim, table or quote stands here")
    name = found[0]
    if not target.own:
        raise CannotRename(f"{target.id} ships with the tool")
    after = _after(workspace, target, name, new)
    if unread := [one.path for one in workspace.corpus.unsound]:
        raise CannotRename(f"{unread[0]} does not read or does not fit its schema, so what it names is not known")
    changes = tuple(Change(spot.file, spot.start, spot.end, new) for spot in spots(workspace, name))
    moved = None
    if name.item is None:
        old = workspace.file(target)
        moved = (old, workspace.settings.folder / f"{after.record}{old.suffix}")
        if moved[1].exists():
            raise CannotRename(f"{moved[1].name} exists already")
    _prove(workspace, name, after, changes, moved)
    return Renaming(changes, moved)


def _target(workspace: Workspace, name: Name) -> Record | None:
    record = named(workspace, name)
    if record is None or (name.item is not None and item_pointer(record, name.item) is None):
        return None
    return record


def _after(workspace: Workspace, target: Record, name: Name, new: str) -> Name:
    if not re.fullmatch(SEGMENT if name.item is not None else rf"{SEGMENT}(/{SEGMENT})*", new):
        raise CannotRename("an id is made of lower-case letters and digits, with single hyphens or dots between them")
    if name.item is not None:
        if item_pointer(target, new) is not None:
            raise CannotRename(f"{target.id} has a {new} already")
        return Name(name.record, new)
    identity = f"{name.record.partition('/')[0]}/{new}"
    if max(map(len, new.split("/"))) > LONGEST:
        raise CannotRename("no file can have so long a name")
    if identity in workspace.corpus.by_id:
        raise CannotRename(f"there is a record {identity} already")
    return Name(identity)


def _prove(workspace: Workspace, name: Name, after: Name, changes: tuple[Change, ...],
           moved: tuple[Path, Path] | None) -> None:
    """Read the changed texts again: every use of the old name has to be one of the new name, and nothing else."""
    corpus = workspace.corpus
    texts = applied(workspace, changes)
    records = tuple(_changed(workspace, record, texts, moved) for record in corpus.records)
    new_corpus = Corpus(corpus.settings, records)
    for old, new in zip(corpus.records, records, strict=True):
        if not old.own:
            continue
        before = sum(use.name == name for use in uses(old, corpus))
        if new.sound != old.sound or sum(use.name == after for use in uses(new, new_corpus)) != before:
            raise CannotRename(f"{old.path} would not read the same under the new name")
        if {one.name for one in new.problems} - {one.name for one in old.problems}:
            raise CannotRename(f"{after.record} is no name that a file may have everywhere")


def _changed(workspace: Workspace, record: Record, texts: dict[Path, str],
             moved: tuple[Path, Path] | None) -> Record:
    if not record.own or workspace.file(record) not in texts:
        return record
    file = workspace.file(record)
    inside = file.relative_to(workspace.settings.folder)
    if moved is not None and moved[0] == file:
        inside = moved[1].relative_to(workspace.settings.folder)
    raw = texts[file].encode("utf-8", "surrogatepass")
    return make_record(read_document(raw, record.path), record.path, inside.as_posix())


def applied(workspace: Workspace, changes: tuple[Change, ...]) -> dict[Path, str]:
    """The texts of the files that changes touch, as they would be."""
    texts: dict[Path, str] = {}
    for change in sorted(changes, key=lambda one: (str(one.file), -one.start)):
        if change.file not in texts:
            record = workspace.record(change.file)
            texts[change.file] = record.document.text if record is not None else ""
        text = texts[change.file]
        texts[change.file] = text[:change.start] + change.text + text[change.end:]
    return texts
