"""Runs commands over a hostile corpus in one process, under an audit hook that notes whatever they should not do.

A script: `python -m tests.trust.guarded FOLDER < commands.json`. Prints a list of outcomes and of breaches as JSON.
"""
from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np  # noqa: F401 (it sets variables of its own library when it is imported)

from specdil_records.cli.main import run

FORBIDDEN = ("socket.", "os.system", "os.exec", "os.spawn", "os.posix_spawn", "os.startfile", "pty.", "ctypes.",
             "ftplib.", "urllib.", "http.client.", "smtplib.", "webbrowser.", "os.fork", "os.symlink",
             "os.setxattr", "os.putenv", "code.__new__", "pickle.find_class", "shutil.")
CHANGING = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "os.chown",
                      "os.truncate", "os.utime", "sqlite3.connect"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Guard:
    """Notes what happens against the rules; `allowed` is the one folder in which files may be written."""

    def __init__(self, allowed: Path, secret: Path) -> None:
        self.allowed, self.secret = str(allowed) + os.sep, str(secret)
        self.on, self.breaches, self.seen = False, list[str](), 0
        self.code = tuple({os.path.realpath(path) for path in (*sys.path, sys.prefix, sys.base_prefix) if path})

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        self.seen += 1
        if why := self.against(event, arguments):
            self.breaches.append(f"{event}: {why}"[:300])

    def against(self, event: str, arguments: tuple[Any, ...]) -> str:
        """What an event does that it should not; empty if nothing."""
        if event.startswith(FORBIDDEN):
            return repr(arguments)
        if event == "subprocess.Popen":
            fonts = arguments[0] == "fc-list" and not any("/" in one for one in arguments[1])  # matplotlib's own
            return "" if fonts or (arguments[0] == "git" and clean(arguments[1])) else repr(arguments[:2])
        if event == "exec":
            file = os.path.realpath(arguments[0].co_filename)
            return "" if importing() or (os.path.isfile(file) and file.startswith(self.code)) else file
        if event == "open":
            return self.opening(*arguments)
        if event in CHANGING:
            paths = [one for one in arguments[:2] if isinstance(one, str | bytes | os.PathLike)]
            return "" if all(map(self.inside, paths)) else repr(arguments)
        return ""

    def opening(self, path: Any, _mode: Any, flags: Any) -> str:
        if not isinstance(path, str | bytes | os.PathLike):
            return ""
        real = os.path.realpath(os.fsdecode(path))
        if real.startswith(self.secret):
            return f"{real} is read"
        writes = isinstance(flags, int) and flags & WRITING
        return "" if not writes or real == os.devnull or self.inside(path) else f"{real} is opened for writing"

    def inside(self, path: str | bytes | os.PathLike[Any]) -> bool:
        text = os.fsdecode(path)
        return text == ":memory:" or (os.path.realpath(text) + os.sep).startswith(self.allowed)


def importing() -> bool:
    """Whether Python is importing a module, which may make classes from text that it wrote itself."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def clean(command: Any) -> bool:
    """Whether a call of git holds no option that it was not meant to have."""
    unwanted = ("--output", "-o", "--upload-pack", "--exec", "-c")
    return not any(os.fsdecode(one).startswith(unwanted) for one in command[1:])


def outcome(arguments: list[str]) -> dict[str, Any]:
    """How one command ends, what it says and how long it takes."""
    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    said = out.getvalue() + err.getvalue()
    odd = sorted({character for character in said if not character.isprintable() and character != "\n"})
    return {"arguments": arguments, "code": code, "said": len(said), "odd": odd, "seconds": time.process_time() - begun,
            "traceback": "Traceback" in said, "end": err.getvalue()[-300:]}


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    commands = json.load(sys.stdin)
    guard = Guard(folder / "project" / "out", folder / "outside")
    os.chdir(folder / "project")
    sys.addaudithook(guard)
    outcomes = []
    for command in commands:
        guard.on = False
        with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
            run([command[0], "--help"])  # what a command imports is no doing of the records
        guard.on = True
        outcomes.append(outcome(command))
    guard.on = False
    print(json.dumps({"outcomes": outcomes, "breaches": guard.breaches, "seen": guard.seen}))


if __name__ == "__main__":
    main()
