"""A corpus as a revision of git has it, links followed as on disk. Only asks git; writes nothing, fetches nothing."""
from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

from specdil_records.corpus import Corpus, Record, Settings, SettingsError, SourceFile, build_corpus
from specdil_records.corpus.files import source_file
from specdil_records.corpus.loading import load_record
from specdil_records.corpus.settings import read_settings_text
from specdil_records.reading.files import UnreadableFile, display_path
from specdil_records.reading.git import (
    GitError,
    Staged,
    StagedFile,
    blobs_listed,
    decoded,
    git_environment,
    line_of,
    put_in_tree,
    work_trees,
)


class NoRevision(Exception):
    """There is no git, no repository, no such revision, or the corpus lies outside; the message says which."""


class Committed(Staged):
    """The files of a commit, asked for like those of an index."""

    def __init__(self, folder: Path, revision: str) -> None:  # no call of the index's own: it would read the index
        """Raises `NoRevision`."""
        self._env = git_environment(folder)
        self.revision = revision
        while not folder.is_dir() and folder != folder.parent:
            folder = folder.parent
        self.top = Path(os.fsdecode(line_of(self._git(folder, "rev-parse", "--show-toplevel"))))
        self.prefix = decoded(line_of(self._git(folder, "rev-parse", "--show-prefix"))).rstrip("/")
        self.changed = frozenset()
        self.moved = frozenset()
        self.unmerged = frozenset()
        self.commit = self._commit(revision)
        self.tree = {}
        for path, blob in blobs_listed(self._git(self.top, "ls-tree", "-r", "-z", "--full-tree", self.commit)):
            put_in_tree(self.tree, path, blob)
        self._readers = {}

    def _commit(self, revision: str) -> str:
        try:
            if not revision or revision.startswith("-"):
                raise NoRevision
            return self._git(self.top, "rev-parse", "--verify", "--quiet", revision + "^{commit}").decode().strip()
        except NoRevision:
            raise NoRevision(f"git knows no revision {revision!r}") from None

    def _git(self, folder: Path, *arguments: str) -> bytes:
        try:
            done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False,  # noqa: S603, S607 (git of the PATH)
                                  env=self._env, stdin=subprocess.DEVNULL)
        except FileNotFoundError:
            raise NoRevision("git is not installed; it is asked what a revision holds") from None
        except (OSError, ValueError) as error:
            raise NoRevision(f"git cannot be asked about {self.revision!r}: {error}") from None
        if not done.returncode:
            return done.stdout
        words = " ".join(done.stderr.decode("utf-8", "replace").split())
        if "not a git repository" in words or "must be run in a work tree" in words:
            raise NoRevision(f"{display_path(folder)} is in no work tree of git, so there is no revision "
                             f"{self.revision!r} of it")
        raise NoRevision(f"git cannot tell what {self.revision!r} holds: {words[:200]}")


def corpus_at(settings: Settings, revision: str, now: Corpus | None = None) -> Corpus:
    """The corpus of these settings as it was at a revision.

    Records that are byte for byte as in `now` are taken from there. The settings are those of the revision, where it
    has a pyproject.toml for them. Raises `NoRevision`, `UnreadableFile`, `SettingsError`.
    """
    try:
        with Committed(_asked(settings), revision) as commit:
            then = _settings(commit, settings)
            files = commit.records(_inside(commit, then.folder), then.exclude)
            sources = [_source(commit, then, file) for file in files]
            if now is None:
                return build_corpus(then, sources)
            by_path = {record.path: record for record in now.own}
            records = [_record(source, by_path.get(source.path)) for source in sources]
    except GitError as error:
        raise NoRevision(str(error)) from None
    shared = build_corpus(then, ()) if then.extends != now.settings.extends else now
    return Corpus(then, tuple(records) + tuple(record for record in shared.records if not record.own))


def _asked(settings: Settings) -> Path:
    """The folder whose repository is asked: the corpus, or the project where that has it as a submodule.

    Who stands inside the submodule speaks of its own history, as git does.
    """
    tops = work_trees(settings.folder)
    here, project = (Path(os.path.realpath(path)) for path in (".", settings.project))
    outside = len(tops) == 2 and not here.is_relative_to(tops[0]) and project.is_relative_to(tops[1])
    return settings.project if outside else settings.folder


def _settings(commit: Committed, settings: Settings) -> Settings:
    if settings.file is None:
        return settings
    try:
        text = commit.text(_inside(commit, settings.file))
        found = read_settings_text(settings.file, text) if text is not None else None
    except (NoRevision, UnreadableFile, SettingsError):
        return settings
    return found or replace(settings, suppressions=())


def _inside(commit: Committed, path: Path) -> str:
    """A path as git names it. Raises `NoRevision` for one outside the repository."""
    top = os.path.realpath(commit.top)
    real = os.path.join(os.path.realpath(path.parent), path.name)
    inside = os.path.relpath(real, top).replace(os.sep, "/")
    if inside == ".." or inside.startswith("../"):
        raise NoRevision(f"{display_path(path)} does not lie in the repository {display_path(commit.top)}")
    return "" if inside == "." else inside


def _source(commit: Committed, settings: Settings, file: StagedFile) -> SourceFile:
    shown = source_file(settings, settings.folder / file.inside)
    return replace(shown, read=partial(_content, commit, settings.folder / file.inside, file))


def _content(commit: Committed, path: Path, file: StagedFile) -> bytes:
    if file.blob is None:
        raise UnreadableFile(path, f"at {commit.revision} it is a link to what that revision does not hold")
    return commit.read(file.blob, str(path))


def _record(source: SourceFile, now: Record | None) -> Record:
    raw = source.read()
    if now is not None and raw == now.document.text.encode("utf-8", "surrogatepass"):
        return now
    return load_record(replace(source, read=lambda: raw))


__all__ = ["Committed", "NoRevision", "corpus_at"]
