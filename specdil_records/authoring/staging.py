"""Files that git has partly staged: rewriting one would mix what is to be committed with what is not."""
from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

_NO_REPOSITORY = b"not a git repository"
_RENAMED, _UNMERGED, _CHANGED = b"2", b"u", b"1"


class PartlyStaged(Exception):
    """Files whose staged content differs from the last commit and from the work tree, too."""


def refuse_partly_staged(files: Sequence[Path]) -> None:
    """Raises `PartlyStaged` if one of the files is. Only asks; the index is never touched."""
    wanted = {os.path.realpath(file): file for file in files}
    found: list[str] = []
    tops: set[str] = set()
    asked: dict[str, str | None] = {}
    for real in wanted:
        folder = os.path.dirname(real)
        if folder not in asked:
            asked[folder] = _top(folder)
        top = asked[folder]
        if top is not None and top not in tops:
            tops.add(top)
            found += [path for path in _partly_staged(top) if path in wanted]
    if found:
        shown = ", ".join(sorted(str(wanted[path]) for path in found)[:5])
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""
        raise PartlyStaged(f"{shown}{more} is staged in part: what git would commit is neither the last commit nor the "
                           "file; stage or stash the rest first. Nothing was written")


def _git(folder: str, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    if "GIT_WORK_TREE" not in environment:
        # In a hook GIT_DIR alone would make every folder the top of the work tree; git finds its own way.
        for name in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_PREFIX"):
            environment.pop(name, None)
    try:
        return subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False,  # noqa: S603, S607 (git of the PATH)
                              env=environment, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        return None  # without git nothing can be staged


def _top(folder: str) -> str | None:
    """The top of the work tree that a folder lies in; None outside of one."""
    asked = _git(folder, "rev-parse", "--show-toplevel")
    if asked is None:
        return None
    if asked.returncode:
        if _NO_REPOSITORY in asked.stderr or b"must be run in a work tree" in asked.stderr:
            return None
        raise PartlyStaged(f"git cannot tell what is staged in {folder}: {_words(asked.stderr)}. Nothing was written")
    return os.path.realpath(os.fsdecode(asked.stdout.removesuffix(b"\n")))


def _partly_staged(top: str) -> list[str]:
    """Absolute paths of the files that are staged in part, or in conflict."""
    asked = _git(top, "status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=all")
    if asked is None or asked.returncode:
        words = _words(asked.stderr) if asked is not None else "it is gone"
        raise PartlyStaged(f"git cannot tell what is staged in {top}: {words}. Nothing was written")
    found = []
    fields = iter(asked.stdout.split(b"\0"))
    for entry in fields:
        kind = entry[:1]
        # Blanks set the columns apart; the path is the last of them and may hold blanks itself.
        columns = {_CHANGED: 8, _RENAMED: 9, _UNMERGED: 10}.get(kind)
        if columns is None:
            continue
        path = entry.split(b" ", columns)[-1]
        state = entry[2:4]
        if kind == _RENAMED:
            next(fields, None)  # the path that it was renamed from
        if kind == _UNMERGED or b"." not in state:
            found.append(os.path.realpath(os.path.join(top, os.fsdecode(path))))
    return found


def _words(stderr: bytes) -> str:
    return " ".join(stderr.decode("utf-8", "replace").split())[:200]
