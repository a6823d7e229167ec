"""The files of a corpus before they are records: which there are, what they hold, and a hash of that."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

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


class Contents(NamedTuple):
    """A record file that has been read: a hash of its bytes and its place, by which things are kept, and the bytes."""

    path: str
    inside: str
    content: str
    read: Callable[[], bytes]
    own: bool = True


def contents_of(settings: Settings, files: Sequence[SourceFile], again: bool = False) -> list[Contents]:
    """What these files, and those that the settings bring in, hold. Raises `UnreadableFile`, `SettingsError`.

    `again` says that a file can be read once more: the bytes of a large corpus are then not held.
    """
    hold = not again or len(files) <= MOST_HELD
    return [*(contents(file, hold=hold) for file in files),
            *(contents(file, own=False) for file in brought_in(settings))]


def contents(file: SourceFile, own: bool = True, hold: bool = True) -> Contents:
    """What one file holds. Raises `UnreadableFile`."""
    raw = file.read()
    content = hash_of(file.inside, raw)
    return Contents(file.path, file.inside, content, (lambda: raw) if hold else partial(read_again, file, content), own)


def hash_of(inside: str, raw: bytes) -> str:
    """A hash of a file's place and bytes."""
    hashed = blake2b(inside.encode("utf-8", "surrogatepass") + b"\0", digest_size=20)
    hashed.update(raw)
    return hashed.hexdigest()


def read_again(file: SourceFile, content: str) -> bytes:
    """The bytes of a file that has been read before. Raises `UnreadableFile` for others than those."""
    raw = file.read()
    if hash_of(file.inside, raw) != content:
        raise UnreadableFile(Path(file.path), "it changed while it was checked")
    return raw


def files_on_disk(settings: Settings) -> list[SourceFile]:
    """Every record file of a corpus folder, in the order of their paths."""
    shown = _relative(settings.folder, settings.project).as_posix()
    prefix = "" if shown == "." else f"{shown}/"
    folder = str(settings.folder)
    return [SourceFile(display_path(prefix + inside), display_path(inside), partial(read_file, f"{folder}/{inside}"))
            for inside in record_names(settings.folder, settings.exclude)]


def source_file(settings: Settings, file: Path) -> SourceFile:
    """One record file on disk."""
    return SourceFile(
        path=display_path(_relative(file, settings.project)),
        inside=display_path(_relative(file, settings.folder)),
        read=partial(read_file, file),
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
