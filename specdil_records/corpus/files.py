"""The files of a corpus before they are records: which there are, what they hold, and a hash of that."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from specdil_records.corpus.settings import Settings, SettingsError
from specdil_records.reading.files import display_path, find_records, read_file
from specdil_records.shipped import shipped_folder


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A record file before it is read: the path to show, its place in the corpus, and its bytes when asked for."""

    path: str
    inside: str
    read: Callable[[], bytes]


class Contents(NamedTuple):
    """A record file that has been read: its bytes, and a hash of them and of its place, by which things are kept."""

    path: str
    inside: str
    raw: bytes
    content: str
    own: bool = True


def contents_of(settings: Settings, files: Iterable[SourceFile]) -> list[Contents]:
    """What these files, and those that the settings bring in, hold. Raises `UnreadableFile`, `SettingsError`."""
    return [*map(contents, files), *(contents(file, own=False) for file in brought_in(settings))]


def contents(file: SourceFile, own: bool = True) -> Contents:
    """What one file holds. Raises `UnreadableFile`."""
    raw = file.read()
    hashed = blake2b(file.inside.encode("utf-8", "surrogatepass") + b"\0", digest_size=20)
    hashed.update(raw)
    return Contents(file.path, file.inside, raw, hashed.hexdigest(), own)


def files_on_disk(settings: Settings) -> list[SourceFile]:
    """Every record file of a corpus folder, in the order of their paths."""
    return [source_file(settings, file) for file in find_records(settings.folder, settings.exclude)]


def source_file(settings: Settings, file: Path) -> SourceFile:
    """One record file on disk."""
    return SourceFile(
        path=display_path(_relative(file, settings.project)),
        inside=display_path(_relative(file, settings.folder)),
        read=lambda: read_file(file),
    )


def _relative(file: Path, folder: Path) -> Path:
    return file.relative_to(folder) if file.is_relative_to(folder) else file


def brought_in(settings: Settings) -> Iterator[SourceFile]:
    """The files of what a corpus stands on. Raises `SettingsError` for one that does not ship."""
    for name in settings.extends:
        if name != "specdil":
            raise SettingsError(f"extends names {name!r}; the one corpus that ships is 'specdil'")
        folder = shipped_folder("records")
        shared = Settings(project=folder.parent, folder=folder)
        yield from (file for file in files_on_disk(shared) if not file.inside.startswith("flops/"))
