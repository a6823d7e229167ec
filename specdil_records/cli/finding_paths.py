"""What the paths of a command line mean: which corpus, and which of its records."""
from __future__ import annotations

import glob
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus.files import Contents, SourceFile, contents_of, files_on_disk, source_file
from specdil_records.corpus.settings import NoCorpus, Settings, SettingsError, find_settings
from specdil_records.reading.files import UnreadableFile, record_names
from specdil_records.report.console import visible

if TYPE_CHECKING:
    from specdil_records.corpus import Corpus
    from specdil_records.corpus.cards import Card


@dataclass(frozen=True, slots=True)
class Target:
    """A corpus, and the paths in it that were named; None when all of it is meant.

    `left` holds ids that name no record any longer: whoever depends on them is meant, too.
    """

    corpus: Corpus
    named: frozenset[str] | None
    left: frozenset[str] = frozenset()

    @property
    def scope(self) -> frozenset[str] | None:
        """The paths to report on: the named ones and every record that depends on one of them; None for all."""
        if self.named is None:
            return None
        return frozenset(self.corpus.scope_of(set(self.named), set(self.left)))


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """What a command line means before a record is looked into: files, read, and which of them were named."""

    settings: Settings
    files: list[Contents]
    named: frozenset[str] | None
    left: frozenset[str] = frozenset()

    def target(self, cards: Mapping[str, Card] = MappingProxyType({})) -> Target:
        """The corpus of these files; those that have a card are read when they are asked for."""
        from specdil_records.corpus.loading import corpus_of

        return Target(corpus_of(self.settings, self.files, cards), self.named, self.left)


def load_target(paths: tuple[str, ...]) -> Target:
    """Load the corpus that the paths belong to. Raises `Exit` for every path that is wrong."""
    return files_named(paths).target()


def files_named(paths: tuple[str, ...], stdin_name: str | None = None) -> CorpusFiles:
    """Read the files of the corpus that the paths belong to. Raises `Exit` for every path that is wrong."""
    try:
        if paths == ("-",):
            return _from_stdin(stdin_name)
        files = expand(paths)
        settings = _settings(files)
        sources = files_on_disk(settings)
        named = _named(files, settings, sources)
        return CorpusFiles(settings, contents_of(settings, sources, again=True), named)
    except (SettingsError, UnreadableFile) as error:
        raise Exit(Code.USAGE, visible(str(error))) from None


def expand(paths: tuple[str, ...]) -> list[Path]:
    """Files and folders that exist, patterns resolved. Raises `Exit` naming all that do not."""
    found: list[Path] = []
    wrong: list[str] = []
    for text in paths:
        path = Path(text)
        try:
            if path.exists() or path.is_symlink():
                path.stat()  # a loop of links has no end
                found.append(path)
                continue
        except (OSError, ValueError) as error:
            wrong.append(f"{text} ({getattr(error, 'strerror', None) or error})")
            continue
        hits = sorted(glob.glob(text, recursive=True)) if any(ch in text for ch in "*?[") else []
        found += map(Path, hits)
        if not hits:
            wrong.append(text)
    if wrong:
        raise Exit(Code.USAGE, "no such file, folder or match: " + visible(", ".join(wrong)))
    return found


def _settings(files: list[Path]) -> Settings:
    if not files:
        return find_settings(Path.cwd())
    settings = [one for one in map(_settings_of, files) if one is not None]
    if not settings:  # folders without any record, of no corpus: nothing is checked
        return Settings(project=files[0].absolute(), folder=files[0].absolute())
    others = [one for one in settings if one.folder != settings[0].folder]
    if others:
        raise Exit(Code.USAGE, f"the paths belong to two corpora, {settings[0].folder} and {others[0].folder}; "
                   "check one at a time")
    return settings[0]


def _settings_of(file: Path) -> Settings | None:
    """The settings that a path belongs to; None for a folder of no corpus without a record. Raises `SettingsError`."""
    try:
        return find_settings(file)
    except NoCorpus:
        if not file.is_dir() or record_names(file, ()):
            raise
        return None


def _named(files: list[Path], settings: Settings, sources: list[SourceFile]) -> frozenset[str] | None:
    """The report paths of the records that were named; None when the whole corpus is."""
    if not files:
        if not settings.folder.is_dir():
            raise Exit(Code.USAGE, f"the corpus folder {settings.folder} does not exist")
        return None
    known = {source.path for source in sources}
    named: set[str] = set()
    for file in files:
        path = file.absolute()
        if path in (settings.folder, settings.project):
            return None
        shown = source_file(settings, path).path
        inside = {one for one in known if one == shown or one.startswith(shown + "/")}
        if not inside and path.is_file():
            raise Exit(Code.USAGE, visible(f"{file} is no record file of the corpus {settings.folder}"))
        named |= inside
    return frozenset(named)


def _from_stdin(name: str | None) -> CorpusFiles:
    if name is None:
        raise Exit(Code.USAGE, "- reads a record from standard input; --stdin-filename says which one it is")
    path = Path(name)
    settings = find_settings(path if path.exists() else path.parent if path.parent.exists() else Path.cwd())
    here = source_file(settings, path.absolute())
    raw = sys.stdin.buffer.read(4 * 1024 * 1024 + 1)
    others = [file for file in files_on_disk(settings) if file.path != here.path]
    mine = SourceFile(here.path, here.inside, lambda: raw)
    files = contents_of(settings, sorted([*others, mine], key=lambda file: file.path))
    return CorpusFiles(settings, files, frozenset({here.path}))
