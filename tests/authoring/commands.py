"""The command line called in this process, as a user would call it in a folder."""
from __future__ import annotations

import contextlib
import io
import os
from dataclasses import dataclass
from pathlib import Path

from specdil_records.cli.main import run


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def records(folder: Path, *arguments: str) -> Done:
    """Run a command in a folder."""
    out, err = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        os.chdir(before)
    return Done(code, out.getvalue(), err.getvalue())
