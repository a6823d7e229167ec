"""What git would commit: the names and blobs of its index. Only asks; writes nothing and fetches nothing."""
from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from specdil_records.reading.files import UnreadableFile, display_path, exclusions, has_suffix
from specdil_records.reading.limits import MOST_BYTES

MOST_LINKS = 40
_PIECE = 64 * 1024
_LINK, _SUBMODULE = b"120000", b"160000"


class GitError(Exception):
    """There is no git, no repository, or git could not answer."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of the index: the name of its content, and whether it is a symbolic link."""

    oid: str
    is_link: bool = False
    home: str = ""
    """The submodule that has its content; empty for the repository itself."""


@dataclass(frozen=True, slots=True)
class Submodule:
    """A commit of another repository at a path of the index; a folder as soon as somebody looks into it."""

    oid: str


Tree = dict[str, "Tree | Blob | Submodule"]


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A record file of the index: its place in the corpus, every path that leads to its content, and the content."""

    inside: str
    ways: frozenset[str]
    blob: Blob | None
    """None for a link that leads out of what git would commit."""


class Staged:
    """The index of the repository that a folder lies in. Paths are relative to its top, with `/`.

    `prefix` is the folder, `changed` what differs from the last commit (deleted paths too), `unmerged` what git would
    not commit. To be used as a context: content is read from one process that ends with it.
    """

    def __init__(self, folder: Path) -> None:
        """Raises `GitError`."""
        self._env = git_environment(folder)
        self.top = Path(os.fsdecode(line_of(self._git(folder, "rev-parse", "--show-toplevel"))))
        self.prefix = decoded(line_of(self._git(folder, "rev-parse", "--show-prefix"))).rstrip("/")
        statuses = self._statuses("--ita-invisible-in-index")
        # What is only intended to be added stands in the index and in no commit: the two answers differ about it.
        intended = {path for path, _ in statuses.items() ^ self._statuses("--ita-visible-in-index").items()}
        self.changed = frozenset(statuses)
        self.moved = frozenset(path for path, status in statuses.items() if _SUBMODULE in status[:2])
        self.tree: Tree = {}
        unmerged = set()
        for path, blob, stage in self._entries():
            if stage != b"0":
                unmerged.add(path)
            elif path not in intended:
                put_in_tree(self.tree, path, blob)
        self.unmerged = frozenset(unmerged)
        self._readers: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        for reader in self._readers.values():
            for stream in (reader.stdin, reader.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            reader.wait()

    def read(self, blob: Blob, path: str) -> bytes:
        """The content of a file, but never more than one byte beyond the limit of a record. Raises `UnreadableFile`."""
        if (reader := self._readers.get(blob.home)) is None:
            env = _of_submodule(self._env, self.top / blob.home) if blob.home else self._env
            reader = subprocess.Popen(["git", "-C", self.top, "cat-file", "--batch"],  # noqa: S603, S607 (git of the PATH)
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
            self._readers[blob.home] = reader
        asked, answer = reader.stdin, reader.stdout
        assert asked is not None and answer is not None
        try:
            asked.write(blob.oid.encode("ascii") + b"\n")
            asked.flush()
            head = answer.readline().split()
        except OSError:
            head = []
        if len(head) != 3 or head[1] != b"blob":
            raise UnreadableFile(self.top / path, "git has not got its content; a partial clone has to fetch it first")
        return _exactly(answer, int(head[2]))

    def text(self, path: str) -> str | None:
        """The text of a staged file; None if there is none. Raises `GitError` and `UnreadableFile`."""
        if path in self.unmerged:
            raise GitError(f"{path} is unmerged: git would not commit it")
        node, _, _ = self.find(path)
        if not isinstance(node, Blob):
            return None
        try:
            return self.read(node, path).decode("utf-8")
        except UnicodeDecodeError:
            raise UnreadableFile(self.top / path, "it is not UTF-8") from None

    def committed(self, path: str) -> str | None:
        """The text of a file in the last commit; None if there is none."""
        try:
            return self._git(self.top, "cat-file", "blob", f"HEAD:{path}").decode("utf-8")
        except (GitError, UnicodeDecodeError):
            return None

    def find(self, path: str) -> tuple[Tree | Blob | None, str, frozenset[str]]:
        """What stands at a path, links followed: the node, its own path, and every link on the way.

        The node is None where nothing is staged. Raises `UnreadableFile` for a loop of links.
        """
        node: Tree | Blob | None = self.tree
        here: list[str] = []
        links: list[str] = []
        todo = path.split("/")[::-1]
        while todo:
            part = todo.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not here:
                    return None, "", frozenset(links)
                here.pop()
                node = self._at(here)
                continue
            child = self._child(node, here, part)
            if isinstance(child, Blob) and child.is_link:
                links.append("/".join([*here, part]))
                if len(links) > MOST_LINKS:
                    raise UnreadableFile(self.top / path, "its links form a loop")
                target = self.read(child, links[-1]).decode("utf-8", "surrogateescape")
                if target.startswith("/"):
                    return None, target, frozenset(links)
                todo += target.split("/")[::-1]
                continue
            here.append(part)
            node = child
        return node, "/".join(here), frozenset(links)

    def records(self, folder: str, exclude: Sequence[str] = ()) -> list[StagedFile]:
        """Every record file below a folder, as `find_records` finds those on disk. Raises `UnreadableFile`."""
        node, path, links = self.find(folder)
        if not isinstance(node, dict):
            return []
        found = self._walk(node, path, "", links, exclusions(exclude), (path,))
        return sorted(found, key=lambda file: file.inside)

    def deleted(self, folder: str, exclude: Sequence[str] = ()) -> Iterator[str]:
        """The places in the corpus of the record files that the commit would take away."""
        _, path, _ = self.find(folder)
        excluded = exclusions(exclude)
        for changed in sorted(self.changed):
            inside = changed.removeprefix(path + "/") if path else changed
            if (path and inside == changed) or self._at(changed.split("/")) is not None:
                continue
            if has_suffix(inside) and not any(_left_out(way, excluded) for way in _ways(inside)):
                yield inside

    def _walk(self, tree: Tree, path: str, prefix: str, links: frozenset[str], excluded: re.Pattern[str] | None,
              above: tuple[str, ...]) -> Iterator[StagedFile]:
        for name in tree:
            inside = prefix + name
            if _left_out(inside, excluded):
                continue
            node, real, more = self.find(posixpath.join(path, name))
            if isinstance(node, dict):
                if real in above:
                    raise UnreadableFile(self.top / path / name, "its links form a loop")
                yield from self._walk(node, real, inside + "/", links | more, excluded, (*above, real))
            elif has_suffix(name):
                yield StagedFile(inside, links | more | {real}, node)

    def _at(self, parts: list[str]) -> Tree | Blob | None:
        node: Tree | Blob | None = self.tree
        for depth, part in enumerate(parts):
            node = self._child(node, parts[:depth], part)
        return node

    def _child(self, node: Tree | Blob | None, here: list[str], part: str) -> Tree | Blob | None:
        child = node.get(part) if isinstance(node, dict) else None
        if isinstance(child, Submodule) and isinstance(node, dict):
            child = node[part] = self._opened("/".join([*here, part]), child)
        assert not isinstance(child, Submodule)
        return child

    def _opened(self, path: str, submodule: Submodule) -> Tree:
        """What a submodule has at its commit; nothing where it is not checked out, as on disk. Raises `GitError`."""
        tree: Tree = {}
        if (self.top / path / ".git").exists():
            env = _of_submodule(self._env, self.top / path)
            try:
                listed = _run(self.top, env, "ls-tree", "-r", "-z", "--full-tree", submodule.oid)
            except GitError:
                raise GitError(f"the submodule {path} has not got its commit {submodule.oid[:12]}") from None
            for inside, entry in blobs_listed(listed, path):
                put_in_tree(tree, inside, entry)
        return tree

    def _git(self, folder: Path, *arguments: str) -> bytes:
        return _run(folder, self._env, *arguments)

    def _statuses(self, about_intended: str) -> dict[str, tuple[bytes, ...]]:
        """What differs from the last commit: modes, ids, letter. A renamed file is one deleted and one added."""
        answer = self._git(self.top, "diff", "--cached", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-ext-diff",
                           "--no-color", "--ignore-submodules=dirty", about_intended)
        fields = iter(answer.split(b"\0"))
        return {decoded(path): tuple(status.removeprefix(b":").split(b" "))
                for status, path in zip(fields, fields, strict=False)}

    def _entries(self) -> Iterator[tuple[str, Blob | Submodule, bytes]]:
        for entry in self._git(self.top, "ls-files", "-s", "-z").split(b"\0"):
            head, _, path = entry.partition(b"\t")
            if path:
                mode, oid, stage = head.split(b" ")
                yield decoded(path), _entry(mode, oid.decode("ascii")), stage


def _left_out(inside: str, excluded: re.Pattern[str] | None) -> bool:
    return inside.rpartition("/")[2].startswith(".") or (excluded is not None and bool(excluded.fullmatch(inside)))


def _ways(inside: str) -> Iterator[str]:
    """A path and every folder above it."""
    parts = inside.split("/")
    yield from ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _entry(mode: bytes, oid: str, home: str = "") -> Blob | Submodule:
    return Submodule(oid) if mode == _SUBMODULE else Blob(oid, mode == _LINK, home)


def blobs_listed(listed: bytes, home: str = "") -> Iterator[tuple[str, Blob | Submodule]]:
    """What `git ls-tree -r -z` lists of a commit, of a submodule or of the repository itself."""
    for entry in listed.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if path:
            mode, _, oid = head.split(b" ")
            yield decoded(path), _entry(mode, oid.decode("ascii"), home)


def _of_submodule(env: dict[str, str], folder: Path) -> dict[str, str]:
    """The environment in which git speaks of a submodule, and of nothing else where that is not checked out."""
    kept = {name: value for name, value in env.items() if not name.startswith("GIT_") or name.startswith("GIT_CONFIG")}
    return {**kept, "GIT_DIR": str(folder / ".git"), "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def put_in_tree(tree: Tree, path: str, blob: Blob | Submodule) -> None:
    """Put what lies at a path into the tree, with the folders on the way."""
    *folders, name = path.split("/")
    for folder in folders:
        inner = tree.setdefault(folder, {})
        assert isinstance(inner, dict), "a file and a folder of one name cannot stand in one index"
        tree = inner
    tree[name] = blob


def _exactly(answer: IO[bytes], size: int) -> bytes:
    """The content that follows, cut to the limit, and everything of it taken from the stream."""
    content = answer.read(min(size, MOST_BYTES + 1))
    left = size - len(content) + 1  # a line feed follows the content
    while left > 0 and (piece := answer.read(min(left, _PIECE))):
        left -= len(piece)
    return content


def git_environment(folder: Path) -> dict[str, str]:
    """The caller's environment, so that the index of a hook is the one that is read.

    In a hook GIT_DIR alone would make every folder the top of the work tree. Where git finds the same repository
    without it, git finds its own way.
    """
    env = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    if "GIT_DIR" not in env or "GIT_WORK_TREE" in env:
        return env
    env["GIT_DIR"] = os.path.abspath(env["GIT_DIR"])
    without = {name: value for name, value in env.items() if name not in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_PREFIX")}
    try:
        same = os.path.realpath(line_of(_run(folder, without, "rev-parse", "--absolute-git-dir"))) \
            == os.path.realpath(os.fsencode(env["GIT_DIR"]))
    except GitError:
        return env
    return without if same else env


def _run(folder: Path, env: dict[str, str], *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False,  # noqa: S603, S607 (git of the PATH)
                              env=env, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise GitError("git is not installed; --staged asks it what it would commit") from None
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror}") from None
    if not done.returncode:
        return done.stdout
    words = " ".join(done.stderr.decode("utf-8", "replace").split())
    if "not a git repository" in words:
        raise GitError(f"{display_path(folder)} is in no git repository; --staged reads what git would commit")
    if "must be run in a work tree" in words:
        raise GitError(f"{display_path(folder)} is in no work tree of git; --staged reads what git would commit")
    raise GitError(f"git cannot tell what is staged: {words[:200]}")


def work_trees(folder: Path) -> list[Path]:
    """The top of the work tree that a folder lies in and, of a submodule, that of the repository above; else fewer."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        answer = _run(folder, env, "rev-parse", "--show-toplevel", "--show-superproject-working-tree")
    except GitError:
        return []
    return [Path(os.fsdecode(line)) for line in answer.splitlines()]


def line_of(answer: bytes) -> bytes:
    """An answer of one line, without its end."""
    return answer.removesuffix(b"\n")


def decoded(path: bytes) -> str:
    """A path as text; bytes that are not UTF-8 stay apart from every character."""
    return path.decode("utf-8", "surrogateescape")
