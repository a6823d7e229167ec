"""Wall-clock time and peak memory of commands, children included."""
from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

Commands = Sequence[Sequence[str]]
"""Commands that run side by side, each as its arguments."""
PAUSE = 0.05
"""Seconds between two looks at the memory of a process and its children."""


class Time(NamedTuple):
    """Seconds on the clock, and of all processors together; on a busy machine the latter says more."""

    clock: float
    work: float


def environment(cache: Path) -> dict[str, str]:
    # An installed tool runs from compiled files; an environment that forbids them would measure the compiler.
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "XDG_CACHE_HOME": str(cache)}


def run(commands: Commands, env: Mapping[str, str], folder: Path | None = None) -> Time:
    """Time until the last of the commands has ended; what they say and how they end is theirs."""
    before, start = _children(), time.perf_counter()
    running = [subprocess.Popen(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL) for command in commands]
    for process in running:
        process.wait()
    return Time(time.perf_counter() - start, _children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_turns(actions: Mapping[str, Callable[[], Time]], rounds: int) -> dict[str, Time]:
    """The least times of each action, taken in turns so that a busy machine meets all of them alike."""
    best = dict.fromkeys(actions, Time(float("inf"), float("inf")))
    for _ in range(rounds):
        for name, action in actions.items():
            best[name] = Time(*map(min, best[name], action()))
    return best


@contextmanager
def watching_memory() -> Iterator[list[int]]:
    """A list of one number: the bytes that the children of this process, and theirs, hold at most until the end.

    A page that several share counts once. Stays 0 where the system does not tell (it takes Linux).
    """
    peak, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(PAUSE):
            peak[0] = max(peak[0], sum(map(_held, _family(os.getpid())[1:])))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def _family(pid: int) -> list[int]:
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        try:
            for thread in Path(f"/proc/{found[-1]}/task").iterdir():
                todo += map(int, (thread / "children").read_text().split())
        except OSError:
            continue  # it has ended
    return found


def _held(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
