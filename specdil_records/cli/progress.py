"""How far a long check has come, for somebody who watches: on a terminal only, and gone when it is done."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Self, TextIO

MANY = 200
"""A corpus of no more records is judged before anybody could read how far it is."""


@dataclass(slots=True)
class Progress:
    """One line on a terminal, written over and wiped at the end."""

    stream: TextIO
    is_there: bool = False

    def say(self, words: str, count: int) -> None:
        """Show what is done now, of so many records that somebody would wait."""
        if count > MANY and is_watched(self.stream):
            self.stream.write(f"\r\x1b[K{words} …")
            self.stream.flush()
            self.is_there = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """Leave nothing behind."""
        if self.is_there:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.is_there = False


def is_watched(stream: TextIO) -> bool:
    """Whether a person looks at the stream: a terminal that can move its cursor, and no continuous integration."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
