"""`--staged`: the corpus as git would commit it, and which of its records the commit touches."""
from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import CorpusFiles
from specdil_records.corpus import KINDS, Settings, SettingsError, SourceFile
from specdil_records.corpus.files import contents_of, source_file
from specdil_records.corpus.settings import find_settings, read_settings_text
from specdil_records.reading.files import UnreadableFile
from specdil_records.reading.git import GitError, Staged, StagedFile
from specdil_records.report.console import visible


def staged_files(folder: Path) -> CorpusFiles:
    """What git would commit of the corpus that a folder belongs to; named are the records that the commit touches.

    Settings are those of the index, too; a commit that changes them touches every record. Raises `Exit`.
    """
    try:
        with Staged(folder) as index:
            settings = staged_settings(index, folder)
            inside = corpus_in(index, settings)
            check_merged(index, inside)
            check_there(index, settings, inside)
            files = index.records(inside, settings.exclude)
            sources = [as_source(index, settings, file) for file in files]
            touched = [source for source, file in zip(sources, files, strict=True) if file.ways & index.changed]
            everything = settings_changed(index) or submodule_moved(index, inside)
            named = None if everything else frozenset(source.path for source in touched)
            # The id of a file's path, too: whoever names a record by it depends on a file that strays.
            left = frozenset(str(PurePosixPath(path).with_suffix("")) for path in
                             [*index.deleted(inside, settings.exclude), *(source.inside for source in touched)])
            if named is not None and not left:
                return CorpusFiles(replace(settings, extends=()), [], frozenset())
            return CorpusFiles(settings, contents_of(settings, sources), named, left)
    except (GitError, SettingsError, UnreadableFile) as error:
        raise Exit(Code.USAGE, visible(str(error))) from None


def staged_settings(index: Staged, folder: Path) -> Settings:
    """The settings of the index for a folder, found as `find_settings` finds those on disk."""
    above = folders(index)
    own = settings_in(index, above[0])
    if own is not None:
        return own
    if is_folder(index, below(above[0], "records")) and PurePosixPath(above[0]).name != "records":
        return plain(index, below(above[0], "records"))
    start = index.top / above[0]
    outer = [settings for here in above if (settings := settings_in(index, here)) is not None]
    for settings in outer:
        if start == settings.folder or settings.folder in start.parents:
            return settings
    for here in above:
        name = PurePosixPath(here).name
        if name == "records" or any(is_folder(index, below(here, kind)) for kind in KINDS):
            return plain(index, here)
        if name in KINDS:
            return plain(index, str(PurePosixPath(here).parent))
    if outer:
        return outer[0]
    # Nothing is staged here; a commit that takes the last record away still has the folder on disk to tell.
    return replace(find_settings(folder), extends=(), exclude=(), severities={}, suppressions=(), file=None)


def settings_in(index: Staged, folder: str) -> Settings | None:
    """What the staged pyproject.toml of a folder says about records."""
    text = index.text(below(folder, "pyproject.toml"))
    return None if text is None else read_settings_text(index.top / folder / "pyproject.toml", text)


def plain(index: Staged, folder: str) -> Settings:
    """The settings of a folder of records without a word about it."""
    at = index.top / folder
    return Settings(project=at.parent, folder=at)


def is_folder(index: Staged, path: str) -> bool:
    """Whether git would commit anything below a path."""
    return isinstance(index.find(path)[0], dict)


def folders(index: Staged) -> list[str]:
    """The folder that the index was asked from, and those above it up to the top of the repository."""
    parts = index.prefix.split("/") if index.prefix else []
    return ["/".join(parts[:depth]) for depth in range(len(parts), -1, -1)]


def below(folder: str, name: str) -> str:
    """A path in a folder, which may be the top."""
    return f"{folder}/{name}" if folder else name


def corpus_in(index: Staged, settings: Settings) -> str:
    """The corpus folder as a path of the index. Raises `GitError` for one outside the repository."""
    try:
        inside = Path(os.path.normpath(settings.folder)).relative_to(index.top).as_posix()
    except ValueError:
        raise GitError(f"the corpus {settings.folder} is not in the repository {index.top}") from None
    return "" if inside == "." else inside


def check_merged(index: Staged, inside: str) -> None:
    """Raises `GitError` when a file of the corpus is unmerged."""
    if found := sorted(path for path in index.unmerged if not inside or path.startswith(inside + "/")):
        raise GitError(f"{', '.join(found[:5])} is unmerged: git would not commit it")


def check_there(index: Staged, settings: Settings, inside: str) -> None:
    """Raises `GitError` for a corpus that settings name and nobody has: nothing would ever be checked."""
    if not is_folder(index, inside) and not settings.folder.is_dir() and not any(index.deleted(inside)):
        raise GitError(f"the corpus folder {settings.folder} does not exist")


def settings_changed(index: Staged) -> bool:
    """Whether the commit changes what a pyproject.toml above says about records."""
    for here in folders(index):
        path = below(here, "pyproject.toml")
        if path in index.changed:
            before = index.committed(path)
            try:
                old = None if before is None else read_settings_text(index.top / path, before)
            except SettingsError:
                return True
            if old != settings_in(index, here):
                return True
    return False


def submodule_moved(index: Staged, inside: str) -> bool:
    """Whether the commit adds, moves or removes a submodule that has records of the corpus, or had some."""
    return any(not inside or f"{path}/".startswith(f"{inside}/") or f"{inside}/".startswith(f"{path}/")
               for path in index.moved)


def as_source(index: Staged, settings: Settings, file: StagedFile) -> SourceFile:
    """A staged file as a record to read."""
    shown = source_file(settings, settings.folder / file.inside)
    return replace(shown, read=partial(content, index, settings.folder / file.inside, file))


def content(index: Staged, path: Path, file: StagedFile) -> bytes:
    """The staged content of a record. Raises `UnreadableFile`."""
    if file.blob is None:
        raise UnreadableFile(path, "it is a link to what git would not commit")
    return index.read(file.blob, str(path))
