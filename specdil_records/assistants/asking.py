"""What a question is about: the corpus as it is now, a draft that stands in for a file, the records that are named."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from specdil_records.corpus import (
    KINDS,
    Corpus,
    Record,
    Settings,
    SettingsError,
    SourceFile,
    build_corpus,
    files_on_disk,
    find_settings,
)
from specdil_records.corpus.naming import NoRecord, named
from specdil_records.reading import UnreadableFile, read_document
from specdil_records.reading.files import SUFFIXES


class CannotAnswer(Exception):
    """A question that has no answer; the message says why, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The corpus at hand, and the record that a draft is in it."""

    corpus: Corpus
    draft: Record | None = None

    def record(self, name: str | None) -> Record:
        """The record that a name means, or the draft where there is one. Raises `CannotAnswer`."""
        if self.draft is not None:
            return self.draft
        if name is None:
            raise CannotAnswer("which record? name it in `record`, or give its text as `draft`")
        path = inside(self.corpus.settings, name)
        try:
            return named(self.corpus, name if path is None else path)
        except NoRecord as none:
            raise CannotAnswer(str(none)) from None

    def judged(self, name: str | None) -> Record:
        """The same, if its content can be judged. Raises `CannotAnswer`."""
        record = self.record(name)
        if not record.sound:
            raise CannotAnswer(f"{record.id} does not read or does not fit its schema; the tool check says why")
        return record


def ask(folder: Path, draft: str | None = None, name: str | None = None) -> Asked:
    """The corpus of a folder as it is now, with a draft in it, which is the record of that name or of its own id.

    Everything is read anew, since files and settings change between questions. Raises `CannotAnswer`.
    """
    try:
        settings = find_settings(folder)
        there = settings.folder.is_dir()
        if not there and draft is None:
            raise CannotAnswer(f"the corpus folder {settings.folder} does not exist")
        sources = files_on_disk(settings) if there else []
        if draft is None:
            return Asked(build_corpus(settings, sources))
        raw = draft.encode("utf-8", "surrogatepass")
        mine = _draft_file(settings, sources, name or _own_id(raw), raw)
        others = [source for source in sources if source.path != mine.path]
        corpus = build_corpus(settings, sorted([*others, mine], key=lambda source: source.path))
        return Asked(corpus, next(record for record in corpus.own if record.path == mine.path))
    except (SettingsError, UnreadableFile) as error:
        raise CannotAnswer(str(error)) from None


def corpus_to_be(folder: Path) -> Corpus:
    """The corpus of a folder, even if its own folder is not there yet. Raises `CannotAnswer`."""
    try:
        settings = find_settings(folder)
        return build_corpus(settings, files_on_disk(settings) if settings.folder.is_dir() else [])
    except (SettingsError, UnreadableFile) as error:
        raise CannotAnswer(str(error)) from None


def paths_named(corpus: Corpus, names: list[str]) -> set[str]:
    """The paths of own records that are named: each by id, tail of its id, file, or a folder that holds it.

    Raises `CannotAnswer` for a name that means none, or one outside the corpus.
    """
    found: set[str] = set()
    for name in names:
        path = inside(corpus.settings, name)
        below = {one.path for one in corpus.own if path is not None and one.path.startswith(path + "/")}
        whole = path is not None and path == _shown(corpus.settings, corpus.settings.folder)
        if whole or below:
            found |= {one.path for one in corpus.own} if whole else below
            continue
        record = Asked(corpus).record(name)
        if not record.own:
            raise CannotAnswer(f"{record.id} belongs to another corpus and is checked there")
        found.add(record.path)
    return found


def inside(settings: Settings, name: str) -> str | None:
    """What reports call the file or folder of that name; None for a name that is no path, such as an id.

    A path is relative to the project, or absolute. Raises `CannotAnswer` for one that leaves the corpus.
    """
    parts = PurePosixPath(name).parts
    if "\0" in name:
        raise CannotAnswer("a name holds no NUL character")
    path = Path(os.path.normpath(settings.project / name))
    if path.is_relative_to(settings.folder):
        return _shown(settings, path)
    if name.startswith(("/", "~", "\\")) or ".." in parts or name.endswith(SUFFIXES):
        raise CannotAnswer(f"{name!r} lies outside the corpus {settings.folder}; only its records are read")
    return None


def _shown(settings: Settings, path: Path) -> str:
    base = settings.project if path.is_relative_to(settings.project) else settings.folder
    return path.relative_to(base).as_posix()


def _own_id(raw: bytes) -> str:
    """The id that a draft gives itself. Raises `CannotAnswer`."""
    data = read_document(raw, "the draft").data
    identity = data.get("id") if isinstance(data, dict) else None
    if not isinstance(identity, str):
        raise CannotAnswer("the draft says no id that could be read; say which record it is to be, such as "
                           "flops/NAME, in the argument that names one")
    return identity


def _draft_file(settings: Settings, sources: list[SourceFile], name: str, raw: bytes) -> SourceFile:
    """The draft as a file: in the place of the one that has its name, or of one that is not there yet."""
    path = inside(settings, name)
    stem = name if path is None else path.removeprefix(_shown(settings, settings.folder)).lstrip("/")
    if stem.endswith(SUFFIXES):
        stem = stem.rpartition(".")[0]
    wanted = {stem, *(f"{kind}/{stem}" for kind in KINDS)}
    known = [source for source in sources if source.inside.rpartition(".")[0] in wanted]
    if len(known) > 1:
        raise CannotAnswer(f"{name!r} may be {' or '.join(source.path for source in known)}; name it in full")
    if known:
        return SourceFile(known[0].path, known[0].inside, lambda: raw)
    if stem.partition("/")[0] not in KINDS or not stem.partition("/")[2]:
        raise CannotAnswer(f"{name!r} does not say which record the draft is to be; name it as "
                           f"{', '.join(f'{kind}/NAME' for kind in KINDS)} or by its file")
    ending = PurePosixPath(path or "").suffix or ".yaml"
    return SourceFile(_shown(settings, settings.folder / (stem + ending)), stem + ending, lambda: raw)
