"""Files that are written whole or not at all: whoever reads one sees the old content or the new, never half of it.

The new bytes go to a temporary file beside the old one and one rename puts them in its place. A crash, a full disk or
a kill before the rename leaves the old file; what it may leave beside it has a name that begins with a dot, and no
command takes that for anything.
"""
from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".tmp"
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")


def put_whole(file: Path, content: bytes) -> None:
    """Put bytes in the place of a file, through links and with its mode kept, or make it. Raises `OSError`.

    A pipe, a terminal or a device has no place that a rename could take: it is written to as it stands.
    """
    if _is_stream(file):
        with open(file, "wb") as stream:
            stream.write(content)
        return
    target = Path(os.path.realpath(file))
    try:
        like = os.stat(target)
    except FileNotFoundError:
        like = None
    if like is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", str(file))
    with written_beside(target, content, like) as name:
        os.replace(name, target)
        sync_folder(target.parent)


def _is_stream(file: Path) -> bool:
    if os.path.abspath(file).startswith(_STREAMS):
        return True
    try:
        kind = os.stat(file).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(21, "it is a folder", str(file))
    return not stat.S_ISREG(kind)


@contextlib.contextmanager
def written_beside(target: Path, content: bytes, like: os.stat_result | None) -> Iterator[str]:
    """A file beside the target that is gone afterwards, unless it was renamed; it takes after `like`, if given."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=SUFFIX, dir=target.parent)
    try:
        write_to(descriptor, content)
        _take_after(name, like)
        yield name
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def write_to(descriptor: int, content: bytes) -> None:
    """All bytes to a new file, down to the disk; the descriptor is closed whatever happens."""
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest):]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_after(name: str, like: os.stat_result | None) -> None:
    """Give a file the owner and mode of the one that it replaces, or what every new file has."""
    if like is None:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        return
    own = os.stat(name)
    if (like.st_uid, like.st_gid) != (own.st_uid, own.st_gid):
        with contextlib.suppress(PermissionError):  # only a superuser may give a file away
            os.chown(name, like.st_uid, like.st_gid)
    os.chmod(name, stat.S_IMODE(like.st_mode))


def sync_folder(folder: Path) -> None:
    """Make a new name last through a crash, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
