"""How far a long check has come, for somebody who watches: on a terminal only, and gone when it is done."""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self, TextIO, TypeVar

T = TypeVar("T")
MANY = 200
"""A corpus of no more records is judged before anybody could read how far it is."""
PAUSE = 0.1
"""Seconds between two signs of life."""


@dataclass(slots=True)
class Progress:
    """One line on a terminal, written over and wiped at the end."""

    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    shown: float = 0.0
    is_there: bool = False

    def reading(self, files: Sequence[T]) -> Iterable[T]:
        """The files, each with a word when it is its turn."""
        if len(files) <= MANY or not is_watched(self.stream):
            return files
        return self._counted(files)

    def _counted(self, files: Sequence[T]) -> Iterator[T]:
        for number, file in enumerate(files, 1):
            self._say(f"reading {number} of {len(files)} records", number == 1)
            yield file
        self._say(f"judging {len(files)} records", True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """Leave nothing behind."""
        if self.is_there:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.is_there = False

    def _say(self, words: str, at_once: bool) -> None:
        now = self.clock()
        if at_once or now - self.shown >= PAUSE:
            self.stream.write(f"\r\x1b[K{words} …")
            self.stream.flush()
            self.shown, self.is_there = now, True


def is_watched(stream: TextIO) -> bool:
    """Whether a person looks at the stream: a terminal that can move its cursor, and no continuous integration."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
