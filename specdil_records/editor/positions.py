"""Offsets in code points to the lines and characters that a client counts in, and back.

A client counts the characters of a line in UTF-16 code units unless it has agreed to another encoding, so a letter
outside the basic plane is two of them. Lines end at LF, CRLF and a lone CR only, as the protocol has it.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from specdil_records.findings import Span
from specdil_records.reading.lines import Lines

Encoding = Literal["utf-8", "utf-16", "utf-32"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two characters: line and character from 0, characters in units of the client's encoding."""

    line: int
    character: int


class Positions:
    """The positions of one text under one encoding."""

    __slots__ = ("_encoding", "_lines")

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self._lines = Lines(text)
        self._encoding = encoding

    def offset(self, position: Position) -> int:
        """The offset of a position; one beyond the end of its line or text is taken to that end.

        A position inside a character, between its units, is taken to the character's beginning.
        """
        start, end = self._lines.bounds(max(position.line, 0) + 1)
        units = 0
        for offset in range(start, end):
            units += width(self._lines.whole[offset], self._encoding)
            if units > position.character:
                return offset
        return end

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line, column = self._lines.position(offset)
        start, _ = self._lines.bounds(line)
        before = self._lines.whole[start:start + column - 1]
        return Position(line - 1, sum(width(character, self._encoding) for character in before))

    def offsets(self, span: Span) -> tuple[int, int]:
        """A span of lines and columns as offsets."""
        return self._at(span.line, span.column), self._at(span.end_line, span.end_column)

    def _at(self, line: int, column: int) -> int:
        start, _ = self._lines.bounds(line)
        return min(start + column - 1, len(self._lines.whole))


def width(character: str, encoding: Encoding) -> int:
    """The units that a character takes."""
    point = ord(character)
    if encoding == "utf-16":
        return 2 if point > 0xFFFF else 1
    if encoding == "utf-8":
        return 1 if point < 0x80 else 2 if point < 0x800 else 3 if point <= 0xFFFF else 4
    return 1
