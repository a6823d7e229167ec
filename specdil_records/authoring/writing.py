"""One file in the place of another: read again and compared before the name changes hands.

The new bytes go to a temporary file in the same folder, which is read back and judged; then one rename puts it in
place. Whatever happens before that, the old file is untouched.
"""
from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from specdil_records.authoring.staging import refuse_partly_staged
from specdil_records.reading import Document, read_document, read_file
from specdil_records.whole_files import sync_folder, written_beside

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
        with written_beside(target, change.after, os.stat(target)) as name:
            _judge(change, target, name)
            os.replace(name, target)
            sync_folder(target.parent)
    except OSError as error:
        raise CannotWrite(f"{change.path} cannot be written: {error.strerror or error}") from None


def create_file(path: str, file: Path, content: bytes) -> None:
    """Write a file that must not exist yet, whole or not at all. Raises `CannotWrite`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, content, None) as name:
            os.link(name, file)  # unlike a rename it never takes the place of another file
            sync_folder(file.parent)
    except FileExistsError:
        raise CannotWrite(f"{path} is there already; nothing was written") from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from None


def _judge(change: Change, target: Path, name: str) -> None:
    """The temporary file as the disk has it now. Raises `CannotWrite` unless it proves itself."""
    written = read_file(Path(name))
    fault = "the disk gives back other bytes" if written != change.after else ""
    fault = fault or change.proof(read_document(written, change.path))
    if fault:
        raise CannotWrite(f"{change.path} is left as it was: {fault}")
    if read_file(target) != change.before:
        raise CannotWrite(f"{change.path} is left as it was: something else has changed it meanwhile")


def diff(change: Change) -> list[str]:
    """A change as a unified diff, line by line, without line ends."""
    old, new = (raw.decode("utf-8", "replace").split("\n") for raw in (change.before, change.after))
    return [line.rstrip("\n") for line in
            difflib.unified_diff(old, new, f"{change.path} (now)", f"{change.path} (then)", lineterm="")]
