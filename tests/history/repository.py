"""A repository of git that holds the base example, for tests of what changed since."""
from __future__ import annotations

import contextlib
import io
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from specdil_records.cli.main import run
from specdil_records.rules.samples import BASE, PATHS

CALM = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
WITHOUT = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Repository:
    """A folder under git."""

    folder: Path

    def git(self, *arguments: str) -> str:
        env = {key: value for key, value in os.environ.items() if key not in WITHOUT} | CALM
        return subprocess.run(["git", "-C", self.folder, *arguments], check=True, capture_output=True, text=True,
                              env=env).stdout

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a state")

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / PATHS.get(name, name)
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def add(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def records(self, *arguments: str) -> Done:
        return records(self.folder, *arguments)


def records(folder: Path, *arguments: str) -> Done:
    """Run a command in a folder, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        os.chdir(before)
    return Done(code, out.getvalue(), err.getvalue())


def example(folder: Path) -> Repository:
    """The base example, committed."""
    made = Repository(folder)
    for name, text in BASE.items():
        made.add(PATHS[name], text)
    made.git("init", "--quiet")
    made.commit()
    return made
