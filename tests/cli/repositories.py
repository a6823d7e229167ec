"""Real repositories for tests: git as a user has it, untouched by the settings of whoever runs the tests."""
from __future__ import annotations

import contextlib
import io
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from specdil_records.cli.main import run

PERSON = {f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER")
          for field, value in (("NAME", "Somebody"), ("EMAIL", "somebody@example.org"))}


def environment(**more: str) -> dict[str, str]:
    """The environment without a repository, a console or an integration of its own."""
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith(("GIT_", "GITHUB_")) and key not in ("NO_COLOR", "FORCE_COLOR")}
    return {**kept, **PERSON, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **more}


def git(folder: Path, *arguments: str | bytes, env: Mapping[str, str] | None = None,
        stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A git command that must succeed."""
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment(**(env or {})), input=stdin,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done


def repository(folder: Path) -> Path:
    """A repository of everything in a folder, committed."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "as it was")
    return folder


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    returncode: int
    stdout: str
    stderr: str


def records(folder: Path, *arguments: str, encoding: str = "utf-8", **env: str) -> Done:
    """The command as a user runs it in a folder, here without the cost of a process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2))
    with (mock.patch.dict(os.environ, environment(**env), clear=True), contextlib.chdir(folder),
          contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)):
        code = run(list(arguments))
    for stream in (out, err):
        stream.flush()
    return Done(code, out.buffer.getvalue().decode(encoding), err.buffer.getvalue().decode(encoding))  # type: ignore[attr-defined]
