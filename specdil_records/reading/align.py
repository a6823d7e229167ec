"""Where each character of a scalar's value stands in the source.

libyaml tells only where a scalar begins and ends. Here its source is decoded once more, with the place of every
character kept; the result is compared with the known value, so that a difference can never give a wrong place.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from specdil_records.reading.marks import FOLDED, LITERAL, PLAIN, SINGLE

_PLAIN_BITS = re.compile(r"(?P<text>[^ \t\r\n]+)|(?P<space>[ \t\r\n]+)")
_SINGLE_BITS = re.compile(r"(?P<text>[^ \t\r\n']+)|(?P<space>[ \t\r\n]+)|(?P<quote>'')")
_DOUBLE_BITS = re.compile(
    r"(?P<text>[^ \t\r\n\\]+)|(?P<space>[ \t\r\n]+)|(?P<join>\\(?:\r\n|\r|\n)[ \t\r\n]*)"
    r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^xuU]))"
)
_JSON_BITS = re.compile(
    r"(?P<text>[^\\]+)|(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<escape>\\(?:u[0-9a-fA-F]{4}|[^u]))"
)
_BREAK = re.compile(r"\r\n|\r|\n")
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?")
_ESCAPED = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


@dataclass(slots=True)
class Alignment:
    """Pieces of a value in order. A piece of one character may be longer in the source (an escape, a fold);
    all other pieces are as long there as in the value."""

    text: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    length: int = 0

    def add(self, piece: str, start: int, end: int) -> None:
        """Append a piece of the value and its place in the source."""
        if piece:
            self.text.append(piece)
            self.offsets.append(self.length)
            self.starts.append(start)
            self.ends.append(end)
            self.length += len(piece)

    def character(self, offset: int) -> tuple[int, int]:
        """The source range of the character at an offset of the value."""
        at = bisect_right(self.offsets, offset) - 1
        if len(self.text[at]) == 1:
            return self.starts[at], self.ends[at]
        start = self.starts[at] + offset - self.offsets[at]
        return start, start + 1

    def range(self, start: int, end: int) -> tuple[int, int]:
        """The source range of value[start:end]; an empty one stands before its character, or at the end."""
        if not self.length:
            return 0, 0
        start, end = min(max(start, 0), self.length), min(max(end, 0), self.length)
        if start >= self.length:
            last = self.character(self.length - 1)[1]
            return last, last
        first = self.character(start)[0]
        return (first, first) if end <= start else (first, self.character(end - 1)[1])


def align(source: str, style: str, value: str, json: bool = False) -> Alignment | None:
    """The alignment of a decoded value with its source (quotes and header included); None if the two do not fit."""
    if style in (LITERAL, FOLDED):
        return _block(source, style == FOLDED, value)
    if style == PLAIN:
        aligned = _flow(source, 0, len(source), _PLAIN_BITS)
    else:
        bits = _JSON_BITS if json else _SINGLE_BITS if style == SINGLE else _DOUBLE_BITS
        aligned = _flow(source, 1, len(source) - 1, bits)
    return aligned if "".join(aligned.text) == value else None


def _flow(source: str, start: int, end: int, bits: re.Pattern[str]) -> Alignment:
    aligned = Alignment()
    for found in bits.finditer(source, start, end):
        kind, bit = found.lastgroup, found.group()
        if kind == "text":
            aligned.add(bit, found.start(), found.end())
        elif kind == "space":
            _fold(aligned, bit, found.start(), found.end(), False)
        elif kind == "join":
            first = _BREAK.search(bit)
            skipped = first.end() if first else len(bit)
            _fold(aligned, bit[skipped:], found.start() + skipped, found.end(), True)
        elif kind == "quote":
            aligned.add("'", found.start(), found.end())
        elif kind == "pair":
            high, low = int(bit[2:6], 16), int(bit[8:12], 16)
            aligned.add(chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00), found.start(), found.end())
        else:
            aligned.add(_unescaped(bit), found.start(), found.end())
    return aligned


def _fold(aligned: Alignment, blank: str, start: int, end: int, joined: bool) -> None:
    """White space inside a flow scalar: kept within a line; the first line break is a blank, each further one a break.

    After an escaped line break (`joined`) that first one has been taken away already.
    """
    breaks = [(start + found.start(), start + found.end()) for found in _BREAK.finditer(blank)]
    if not breaks and not joined:
        aligned.add(blank, start, end)
    elif len(breaks) == 1 and not joined:
        aligned.add(" ", breaks[0][0], end)
    else:
        opening = breaks[0][0] if breaks else start
        for _, after in breaks if joined else breaks[1:]:
            aligned.add("\n", opening, after)
            opening = after


def _unescaped(bit: str) -> str:
    if bit[1] in "xuU":
        code = int(bit[2:], 16)
        return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)
    return _ESCAPED.get(bit[1], bit[1])


def _block(source: str, folded: bool, value: str) -> Alignment | None:
    header = _HEADER.match(source)
    first = _BREAK.search(source, header.end() if header else 0)
    if first is None:
        return Alignment() if not value else None
    lines = list(_lines(source, first.end()))
    for indent in _indents(source, lines, value):
        aligned = _chomped(_block_text(source, lines, indent, folded), value)
        if aligned is not None:
            return aligned
    return None


def _lines(source: str, start: int) -> Iterator[tuple[int, int, int]]:
    """Start, end of text, end of line break, for each line."""
    while start < len(source):
        found = _BREAK.search(source, start)
        end, after = found.span() if found else (len(source), len(source))
        yield start, end, after
        start = after


def _indents(source: str, lines: list[tuple[int, int, int]], value: str) -> Iterator[int]:
    """The likely indentation first: that of the first line with text, less the blanks that its value begins with."""
    texts = value.lstrip("\n")
    kept = len(texts) - len(texts.lstrip(" "))
    likely = None
    for start, end, _ in lines:
        line = source[start:end]
        if line.strip(" "):
            likely = len(line) - len(line.lstrip(" ")) - kept
            yield max(likely, 0)
            break
    longest = max((end - start for start, end, _ in lines), default=0)
    yield from (indent for indent in range(min(longest, 12) + 1) if indent != likely)


def _block_text(source: str, lines: list[tuple[int, int, int]], indent: int, folded: bool) -> Alignment:
    """The value before chomping, with all the line breaks at its end."""
    aligned = Alignment()
    pending: list[tuple[int, int]] = []  # line breaks since the last line with text; the first of them may fold
    has_text = last_blank = False
    for start, end, after in lines:
        inner = start + indent
        if end <= inner and not source[start:end].strip(" "):
            pending.append((end, after))
            continue
        blank = source[inner : inner + 1] in (" ", "\t")
        if folded and has_text and not last_blank and not blank:
            _fold(aligned, source[pending[0][0] : inner], pending[0][0], inner, False)
        else:
            _breaks(aligned, pending)
        aligned.add(source[inner:end], inner, end)
        pending = [(end, after)]
        has_text, last_blank = True, blank
    _breaks(aligned, pending)
    return aligned


def _breaks(aligned: Alignment, breaks: list[tuple[int, int]]) -> None:
    for start, end in breaks:
        if end > start:
            aligned.add("\n", start, end)


def _chomped(aligned: Alignment, value: str) -> Alignment | None:
    """Without the line breaks at the end that chomping took away; None if the rest is not the value."""
    while aligned.text and aligned.text[-1] == "\n" and aligned.length > len(value):
        for pieces in (aligned.text, aligned.offsets, aligned.starts, aligned.ends):
            pieces.pop()
        aligned.length -= 1
    return aligned if "".join(aligned.text) == value else None
