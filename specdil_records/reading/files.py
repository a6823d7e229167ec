"""Records on disk: which files there are, and their bytes."""
from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from specdil_records.reading.limits import MOST_BYTES

SUFFIXES = (".yaml", ".yml", ".json")
_READ = (os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
         | getattr(os, "O_BINARY", 0))
"""To read, as it is, and without waiting: a pipe or a device could keep a check waiting for ever."""
_GLOB_PART = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^/\]]+\]|.", re.DOTALL)


class UnreadableFile(Exception):
    """A file or folder that is there by name and cannot be read; `path` and `why` survive a pickle."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"{display_path(self.path)}: {self.why}"


def display_path(path: Path | str) -> str:
    """A path with `/` between its parts and bytes that are not UTF-8 written as `\\xNN`."""
    text = path.as_posix() if isinstance(path, Path) else path
    if text.isprintable():
        return text
    return "".join(_shown(character) if "\ud800" <= character <= "\udfff" else character for character in text)


def _shown(surrogate: str) -> str:
    code = ord(surrogate)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def _why(error: OSError) -> str:
    reasons = {
        errno.ENOENT: "it does not exist",
        errno.ELOOP: "its links form a loop",
        errno.EISDIR: "it is a folder",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.ENOTDIR: "a part of its path is no folder",
        errno.ENAMETOOLONG: "its name is too long",
    }
    return reasons.get(error.errno or 0, error.strerror or "it cannot be read")


def read_file(path: Path | str) -> bytes:
    """The bytes of a file, but never more than one beyond the limit of a record. Raises `UnreadableFile`."""
    try:
        handle = os.open(path, _READ)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                what = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
                raise UnreadableFile(Path(path), f"it is {what}")
            raw = os.read(handle, min(status.st_size, MOST_BYTES) + 1)
            if len(raw) == status.st_size:  # one byte more was asked for, so this is the end
                return raw
            while len(raw) <= MOST_BYTES and (piece := os.read(handle, MOST_BYTES + 1 - len(raw))):
                raw += piece
        finally:
            os.close(handle)
    except OSError as error:
        raise UnreadableFile(Path(path), _why(error)) from None
    except ValueError:
        raise UnreadableFile(Path(path), "its name is not valid") from None
    return raw


def find_records(root: Path, exclude: Sequence[str] = ()) -> list[Path]:
    """The files that `record_names` names."""
    return [root / name for name in record_names(root, exclude)]


def has_suffix(name: str) -> bool:
    """Whether a file is a record file by the ending of its name, in letters of either case."""
    return name.lower().endswith(SUFFIXES)


def record_names(root: Path, exclude: Sequence[str] = ()) -> list[str]:
    """Every record file below `root`, as sorted paths from there; names that begin with a dot are left out.

    `exclude` holds globs relative to the root: `*` and `?` within a name, `**` across folders; a pattern that fits a
    folder excludes all of it. Links to folders are followed. Raises `UnreadableFile` for a folder that cannot be listed
    and for a link that leads back to a folder above it.
    """
    excluded = exclusions(exclude)
    return sorted(_walk(root, "", excluded, ()))


def idle_exclusions(root: Path, exclude: Sequence[str]) -> list[str]:
    """The globs that exclude nothing below `root`, neither a record file nor a folder that holds some."""
    names: set[str] = set()
    for name in record_names(root) if exclude else ():
        names.add(name)
        names.update(parent.as_posix() for parent in PurePosixPath(name).parents)
    return [glob for glob in exclude
            if (pattern := exclusions([glob])) is None or not any(map(pattern.fullmatch, names))]


def _walk(
    folder: Path, prefix: str, excluded: re.Pattern[str] | None, above: tuple[tuple[int, int], ...]
) -> Iterator[str]:
    try:
        status = os.stat(folder)
        identity = (status.st_dev, status.st_ino)
        if identity in above:
            raise UnreadableFile(folder, "its links form a loop")
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        raise UnreadableFile(folder, _why(error)) from None
    for entry in entries:
        relative = prefix + entry.name
        if entry.name.startswith(".") or (excluded is not None and excluded.fullmatch(relative)):
            continue
        if _is_folder(entry):
            yield from _walk(folder / entry.name, relative + "/", excluded, (*above, identity))
        elif has_suffix(entry.name):
            yield relative


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a loop of links: whoever reads it as a file is told so


def exclusions(globs: Sequence[str]) -> re.Pattern[str] | None:
    """One pattern for all globs, matched against paths relative to the root; None when there are none."""
    patterns = [_translated(glob) for glob in globs if glob.strip("/")]
    return re.compile("|".join(patterns), re.DOTALL) if patterns else None


def _class(part: str) -> str:
    """A set of characters in brackets; one that makes no sense, such as `[z-a]`, stands for itself."""
    inside = part[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    translated = "[" + ("^/" + inside[1:] if inside.startswith("!") else inside.replace("^", "\\^")) + "]"
    try:
        re.compile(translated)
    except re.error:
        return re.escape(part)
    return translated


def _translated(glob: str) -> str:
    parts = []
    for found in _GLOB_PART.finditer(glob.removeprefix("./").strip("/")):
        part = found.group()
        if part == "**/":
            parts.append("(?:.*/)?")
        elif part in ("**", "/**"):
            parts.append(".*" if part == "**" else "/.*")
        elif part == "*":
            parts.append("[^/]*")
        elif part == "?":
            parts.append("[^/]")
        elif len(part) > 1:
            parts.append(_class(part))
        else:
            parts.append(re.escape(part))
    return "(?:" + "".join(parts) + ")"
