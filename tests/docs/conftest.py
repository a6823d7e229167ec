from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.tutorial import DOCS, Typed, Written, steps, write

Shell = Callable[[str, Path], str]


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Runs a line as a reader's shell would, with `records` on its path; gives what it says."""
    programs = tmp_path_factory.mktemp("bin")
    command = programs / "records"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m specdil_records "$@"\n')
    command.chmod(0o755)
    nobody = {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER")
              for what, text in (("NAME", "Reader"), ("EMAIL", "reader@example.org"))}
    environment = {**os.environ, **nobody, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                   "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "NO_COLOR": "1",
                   "PYTHONPATH": str(DOCS.parent)}

    def run(line: str, folder: Path) -> str:
        done = subprocess.run(line, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                              encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    return run


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, shell: Shell) -> tuple[Path, list[tuple[Typed, str]]]:
    """The folder of somebody who has followed the tutorial, and what each command said."""
    folder = tmp_path_factory.mktemp("tutorial")
    said: list[tuple[Typed, str]] = []
    for step in steps((DOCS / "tutorial.md").read_text(encoding="utf-8")):
        if isinstance(step, Written):
            write(folder, step)
        else:
            said.append((step, shell(step.command, folder)))
    return folder, said


@pytest.fixture
def corpus(finished: tuple[Path, list[tuple[Typed, str]]], tmp_path: Path) -> Path:
    """A copy of the tutorial's folder."""
    return Path(shutil.copytree(finished[0], tmp_path / "project"))


