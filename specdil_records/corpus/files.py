"""The files of a corpus before they are records: which there are, what they hold, and a hash of that."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from specdil_records.corpus.hashing import hash_of, hashes_of
from specdil_records.corpus.settings import Settings, SettingsError
from specdil_records.reading.files import UnreadableFile, display_path, read_file, record_names
from specdil_records.shipped import shipped_folder

MOST_HELD = 2_000
"""Files of a corpus whose bytes are held from the first look at them to the last."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A record file before it is read: the path to show, its place in the corpus, and its bytes when asked for."""

    path: str
    inside: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Contents:
    """A record file that has been read: a hash of its bytes and its place, by which things are kept, and how to have
    the bytes again: a large corpus is not held in memory."""

    file: SourceFile
    content: str
    raw: bytes | None = None
    own: bool = True

    @property
    def path(self) -> str:
        """The path to show."""
        return self.file.path

    @property
    def inside(self) -> str:
        """The file's place in the corpus."""
        return self.file.inside

    def read(self) -> bytes:
        """The bytes that were read. Raises `UnreadableFile` where they are not held and others are there now."""
        if self.raw is not None:
            return self.raw
        raw = self.file.read()
        if hash_of(self.inside, raw) != self.content:
            raise UnreadableFile(Path(self.path), "it changed while it was checked")
        return raw


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """Reads a file of a folder when it is called."""

    folder: str
    inside: str

    def __call__(self) -> bytes:
        return read_file(f"{self.folder}/{self.inside}")


def contents_of(settings: Settings, files: Sequence[SourceFile], again: bool = False) -> list[Contents]:
    """What these files, and those that the settings bring in, hold. Raises `UnreadableFile`, `SettingsError`.

    `again` says that a file can be read once more: the bytes of a large corpus are then not held.
    """
    if again and len(files) > MOST_HELD:
        hashes = hashes_of([(file.inside, file.read) for file in files])
        own = list(map(Contents, files, hashes))
    else:
        own = [contents(file) for file in files]
    return [*own, *(contents(file, own=False) for file in brought_in(settings))]


def contents(file: SourceFile, own: bool = True) -> Contents:
    """What one file holds. Raises `UnreadableFile`."""
    raw = file.read()
    return Contents(file, hash_of(file.inside, raw), raw, own)


def files_on_disk(settings: Settings) -> list[SourceFile]:
    """Every record file of a corpus folder, in the order of their paths."""
    shown = _relative(settings.folder, settings.project).as_posix()
    prefix = "" if shown == "." else f"{shown}/"
    folder = str(settings.folder)
    return [SourceFile(display_path(prefix + inside), display_path(inside), _OnDisk(folder, inside))
            for inside in record_names(settings.folder, settings.exclude)]


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
