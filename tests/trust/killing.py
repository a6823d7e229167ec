"""Runs one writing command again and again, each time killed (SIGKILL) one step later, and looks at what is left.

A script: `python -m tests.trust.killing NAME FOLDER`. Prints one JSON object: how often it was killed, in how many
different states that left the folder, and everything that was wrong.
"""
from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from specdil_records.cli.main import run
from specdil_records.site.output import MARKER
from tests.trust.writers import WRITERS, Writer, prepare, snapshot

CALLS = frozenset({"write", "writelines", "fsync", "replace", "rename", "link", "unlink", "mkdir", "rmdir", "chmod",
                   "close", "truncate", "execute", "executemany", "serialize", "symlink"})
"""Calls into C before and after which the process dies; `open` counts when it opens for writing."""

OWNERS = (ModuleType, io.IOBase, sqlite3.Connection, sqlite3.Cursor)
OUTPUT: list[object] = []
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Steps:
    """Counts the steps of a command from its first write on, and dies at the one that it was given."""

    def __init__(self, last: int) -> None:
        self.last, self.done, self.opening, self.begun = last, 0, False, False

    def step(self) -> None:
        self.done += 1
        if self.done == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING and arguments[0] != os.devnull:
            self.opening = True
            self.begin()
            self.step()
        elif event in ("os.mkdir", "sqlite3.connect"):
            self.begin()

    def begin(self) -> None:
        if not self.begun:
            self.begun = True
            sys.setprofile(self.profile)  # not before: it makes everything slow

    def profile(self, _frame: Any, event: str, function: Any) -> None:
        if event not in ("c_call", "c_return"):
            return
        name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
        if not isinstance(owner, OWNERS) or isinstance(owner, io.StringIO | io.BytesIO) or owner in OUTPUT:
            return  # a text has a `replace`, and what is written to memory is lost with it anyway
        if name == "open" and self.opening and event == "c_return":
            self.opening = False
            self.step()
        elif name in CALLS:
            self.step()


def ending(writer: Writer, folder: Path, last: int) -> tuple[int | None, int]:
    """The exit code of a run in a process of its own, None if it was killed, and the steps that it took."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        code = 99
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            OUTPUT.extend((nowhere, nowhere.buffer))
            steps = Steps(last)
            sys.addaudithook(steps.audit)
            code = run(list(writer.arguments))
            sys.setprofile(None)
        os.write(writing, str(steps.done).encode())
        os._exit(code)
    os.close(writing)
    with open(reading, "rb") as answer:
        done = int(answer.read() or b"0")
    _, status = os.waitpid(child, 0)
    return (None, done) if os.WIFSIGNALED(status) else (os.WEXITSTATUS(status), done)


def wrong(left: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """What is neither the old content nor the new, and what is there beside with a name that would be taken for one."""
    said = []
    for name in before.keys() | after.keys():
        allowed = [contents[name] for contents in (before, after) if name in contents]
        if name in left and Path(name).name == MARKER:
            json.loads(left[name])  # it grows while a site is made, and is whole each time
        elif name in left and left[name] not in allowed:
            said.append(f"{name} is neither old nor new: {len(left[name])} bytes")
        if name in before and name not in left:
            said.append(f"{name} is gone")
    strangers = left.keys() - before.keys() - after.keys()
    return said + [f"{name} is left beside" for name in strangers if not Path(name).name.startswith(".")]


def campaign(writer: Writer, folder: Path) -> dict[str, Any]:
    """Kill the command at every step, or at so many evenly spread ones, and run it once more after each state."""
    def fresh(name: str) -> Path:
        place = folder / name
        shutil.rmtree(place, ignore_errors=True)
        prepare(writer, place)
        return place

    place = fresh("clean")
    before = snapshot(place)
    code, steps = ending(writer, place, 0)
    after = snapshot(place)
    again, _ = ending(writer, place, 0)
    faults = [] if code == writer.code else [f"the whole run ends with {code}"]
    faults += [f"{name} was not written" for name in writer.writes if before.get(name) == after.get(name)]
    killed, states = 0, set()
    for last in range(1, steps + 1, max(1, steps // writer.points)):
        place = fresh("killed")
        if ending(writer, place, last)[0] is not None:
            continue
        killed += 1
        left = snapshot(place)
        faults += [f"after step {last}: {fault}" for fault in wrong(left, before, after)]
        state = state_of(left, before.keys() | after.keys())
        if state in states and not writer.silent:
            continue
        states.add(state)
        endings = {code, again} if all(left.get(name) == after[name] for name in writer.writes) else {code}
        faults += [f"after step {last}: {fault}" for fault in wrong_again(writer, place, before, after, endings)]
    return {"steps": steps, "killed": killed, "states": len(states), "faults": faults[:20]}


def state_of(left: dict[str, bytes], known: set[str]) -> str:
    """A folder in short: the contents of the files that belong there, and how many others there are."""
    contents = sorted((name, hashlib.sha256(content).hexdigest()) for name, content in left.items() if name in known)
    return json.dumps([contents, len(left)])


def wrong_again(writer: Writer, place: Path, before: dict[str, bytes], after: dict[str, bytes],
                endings: set[int | None]) -> list[str]:
    """What a second run does not make good: its ending and its files are those of a run that nobody killed."""
    code, _ = ending(writer, place, 0)
    left = snapshot(place)
    said = [] if code in endings else [f"the next run ends with {code}"]
    said += [f"the next run does not make {name}" for name in after if left.get(name) != after[name]]
    return said + [f"the next run: {fault}" for fault in wrong(left, before, after)]


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    writer = next(one for one in WRITERS if one.name == name)
    for one in ("specdil_records.site.building", "specdil_records.planning.plotting", "pyarrow.parquet",
                "matplotlib.font_manager", "matplotlib.backends.backend_svg"):
        importlib.import_module(one)  # once for all runs; matplotlib would list the fonts of the machine in each
    print(json.dumps(campaign(writer, folder)))


if __name__ == "__main__":
    main()
