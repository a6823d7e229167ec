"""The folder that a site is written to: nothing outside it, nothing of anybody else's, nothing twice."""
from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

MARKER = ".records-site"
"""Lists the files of a site, so that the next build knows which are its own."""

HALF = MARKER + "-half-"
"""How the names of files begin that are not whole yet; all of them lie at the top of the site."""


class SiteError(Exception):
    """What is wrong with the folder, in words for the user."""


class Folder:
    """A folder that is new, empty, or a site of an earlier build. Raises `SiteError` for any other."""

    def __init__(self, path: Path, corpus: Path) -> None:
        try:
            if path.exists() and not path.is_dir():
                raise SiteError(f"{path} is no folder")
            target = path.resolve()
            if target == corpus.resolve() or target.is_relative_to(corpus.resolve()):
                raise SiteError(f"{path} lies inside the corpus; the pages need a folder of their own")
            self.before = _listed(path)
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SiteError(f"{path} cannot be used: {error.strerror or error}") from None
        self.root = target
        self._real: set[Path] = set()
        self._expected: set[str] = set(self.before)
        self._mark()
        self._clear()

    def expect(self, names: Iterable[str]) -> None:
        """Call files the site's own before they are written, so that a build that is broken off leaves no stranger."""
        self._expected.update(names)
        self._mark()

    def put(self, name: str, content: str | bytes) -> bool:
        """Write one file unless it is there with this content; whether it was written. Raises `SiteError`."""
        data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
        target = self._inside(name)
        try:
            if _holds(target, data):
                return False
            self._parents(target)
            self._replace(target, data)
        except OSError as error:
            raise SiteError(f"{target} cannot be written: {error.strerror or error}") from None
        return True

    def _replace(self, target: Path, data: bytes) -> None:
        half = self.root / f"{HALF}{os.getpid()}"
        try:
            half.unlink(missing_ok=True)
            with half.open("xb") as file:
                file.write(data)
            os.replace(half, target)
        finally:
            half.unlink(missing_ok=True)

    def finish(self, names: Iterable[str]) -> int:
        """Take away what earlier builds wrote and this one did not; how many files that were."""
        kept = set(names)
        gone = 0
        for name in sorted(self._expected - kept):
            target = self._inside(name)
            try:
                self._parents(target)
                gone += os.path.lexists(target)
                target.unlink(missing_ok=True)
                if not any(target.parent.iterdir()) and target.parent != self.root:
                    target.parent.rmdir()
            except (OSError, SiteError):
                continue  # it is not ours any longer
        self._expected = kept
        self._mark()
        return gone

    def _mark(self) -> None:
        self.put(MARKER, json.dumps({"about": "pages made by records site; it may write and delete the files listed",
                                     "files": sorted(self._expected)}, indent=0))

    def _clear(self) -> None:
        """Take away what builds that were broken off have left."""
        for half in self.root.glob(f"{HALF}*"):
            with contextlib.suppress(OSError):
                half.unlink()

    def _inside(self, name: str) -> Path:
        if not _is_plain(name):
            raise SiteError(f"{name!r} is no name of a page")
        return self.root / name

    def _parents(self, target: Path) -> None:
        """Make the folders above a file, none of which may be a link that leads out of the site."""
        for folder in reversed([one for one in target.parents if one.is_relative_to(self.root) and one != self.root]):
            if folder in self._real:
                continue
            try:
                if not stat.S_ISDIR(folder.lstat().st_mode):
                    raise SiteError(f"{folder} is no folder of the site's own")
            except FileNotFoundError:
                folder.mkdir(exist_ok=True)
            self._real.add(folder)


def _is_plain(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and "\\" not in name and ":" not in name and not any(
        part in ("..", ".", "") for part in parts) and name.isprintable()


def _listed(path: Path) -> frozenset[str]:
    """The files of the site that lies there; none for a new or empty folder. Raises `SiteError` for another folder."""
    if not path.exists() or all(one.name.startswith(HALF) for one in path.iterdir()):
        return frozenset()  # a build may have been broken off before it could mark the folder
    marker = path / MARKER
    try:
        if marker.is_symlink():
            raise ValueError
        files = json.loads(marker.read_text(encoding="utf-8"))["files"]
        return frozenset(name for name in files if isinstance(name, str) and _is_plain(name) and name != MARKER)
    except (OSError, ValueError, KeyError, TypeError):
        raise SiteError(f"{path} is neither empty nor a site that this command made; name another folder") from None


def _holds(target: Path, data: bytes) -> bool:
    try:
        found = target.lstat()
        return stat.S_ISREG(found.st_mode) and found.st_size == len(data) and target.read_bytes() == data
    except FileNotFoundError:
        return False
