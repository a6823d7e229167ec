"""Offsets to lines and columns. Only LF, CRLF and a lone CR end a line; everything is counted in code points."""
from __future__ import annotations

import re
from array import array
from bisect import bisect_right

_BREAK = re.compile(r"\r\n|\r|\n")
_LINE_FEED = re.compile("\n")


class Lines:
    """The line starts of a text, worked out once, on first use."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: array[int] | None = None

    @property
    def whole(self) -> str:
        """The text itself."""
        return self._text

    @property
    def starts(self) -> array[int]:
        """The offset at which each line begins; a text that ends with a line end has a last, empty line."""
        if self._starts is None:
            # Four bytes a line: a file may be nothing but line ends.
            self._starts = array("I", [0])
            breaks = _BREAK if "\r" in self._text else _LINE_FEED
            self._starts.extend(found.end() for found in breaks.finditer(self._text))
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset; offsets outside the text are taken to its nearer end."""
        offset = min(max(offset, 0), len(self._text))
        line = self.number(offset)
        return line, offset - self.starts[line - 1] + 1

    def number(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect_right(self.starts, offset)

    def bounds(self, number: int) -> tuple[int, int]:
        """Where line `number` begins and where its text ends, without the line end; an empty range if there is none."""
        starts = self.starts
        if not 1 <= number <= len(starts):
            return len(self._text), len(self._text)
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self._text)
        while end > start and self._text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def text(self, number: int) -> str:
        """The text of line `number` without its line end; empty if there is no such line."""
        start, end = self.bounds(number)
        return self._text[start:end]
