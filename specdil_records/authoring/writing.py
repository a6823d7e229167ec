"""One file in the place of another: read again and compared before the name changes hands.

The new bytes go to a temporary file in the same folder, which is read back and judged; then one rename puts it in
place. Whatever happens before that, the old file is untouched.
"""
from __future__ import annotations

import contextlib
import difflib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from specdil_records.authoring.staging import refuse_partly_staged
from specdil_records.reading import Document, read_document, read_file

Proof = Callable[[Document], str]
"""What is wrong with a new text, once it has been read again; empty if nothing."""


class CannotWrite(Exception):
    """A file that could not be replaced; the old one is still there, unless there was none."""


@dataclass(frozen=True, slots=True)
class Change:
    """The rewriting of one file, planned and not yet made. `path` is what to show, `before` what was read."""

    path: str
    file: Path
    before: bytes
    after: bytes
    proof: Proof


def write_all(changes: Sequence[Change]) -> None:
    """Make all changes, after asking git about every one. Raises `PartlyStaged` with nothing written, `CannotWrite`."""
    refuse_partly_staged([change.file for change in changes])
    for change in changes:
        replace_file(change)


def replace_file(change: Change) -> None:
    """Put the new bytes in the place of the old ones, through links, with the mode kept. Raises `CannotWrite`."""
    target = Path(os.path.realpath(change.file))
    try:
        if not os.access(target, os.W_OK):
            raise CannotWrite(f"{change.path} cannot be written: permission denied")
        with _written_beside(target, change.after, os.stat(target)) as name:
            _judge(change, target, name)
            os.replace(name, target)
            _sync_folder(target.parent)
    except OSError as error:
        raise CannotWrite(f"{change.path} cannot be written: {error.strerror or error}") from None


def create_file(path: str, file: Path, content: bytes) -> None:
    """Write a file that must not exist yet, whole or not at all. Raises `CannotWrite`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _written_beside(file, content, None) as name:
            os.link(name, file)  # unlike a rename it never takes the place of another file
            _sync_folder(file.parent)
    except FileExistsError:
        raise CannotWrite(f"{path} is there already; nothing was written") from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def _written_beside(target: Path, content: bytes, like: os.stat_result | None) -> Iterator[str]:
    """A file beside the target that is gone afterwards, unless it was renamed; its name begins with a dot, so that
    no command takes it for a record."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent)
    try:
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest):]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _take_after(name, like)
        yield name
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


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


def _judge(change: Change, target: Path, name: str) -> None:
    """The temporary file as the disk has it now. Raises `CannotWrite` unless it proves itself."""
    written = read_file(Path(name))
    fault = "the disk gives back other bytes" if written != change.after else ""
    fault = fault or change.proof(read_document(written, change.path))
    if fault:
        raise CannotWrite(f"{change.path} is left as it was: {fault}")
    if read_file(target) != change.before:
        raise CannotWrite(f"{change.path} is left as it was: something else has changed it meanwhile")


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a crash, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def diff(change: Change) -> list[str]:
    """A change as a unified diff, line by line, without line ends."""
    old, new = (raw.decode("utf-8", "replace").split("\n") for raw in (change.before, change.after))
    return [line.rstrip("\n") for line in
            difflib.unified_diff(old, new, f"{change.path} (now)", f"{change.path} (then)", lineterm="")]
