"""Where in a record a cursor stands, read from the text alone: half a line seldom parses, and completion is for that.

Block collections are followed by indentation, flow collections by their brackets. Levels are counted in half columns,
so that a dash belongs below a key of its own column: `claims:` may be followed by `- id:` without further indentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from specdil_records.findings import Pointer

KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'\[\]{},&*!|>%@`-](?:[^#]|(?<!\s)\#)*?)\s*:(?=\s|$)""")
HEADER = re.compile(r"[>|][-+0-9]*\s*(#.*)?")
_FAR = 1 << 30


@dataclass(frozen=True, slots=True)
class Context:
    """The pointer of what is being written, what is typed of it and from where.

    With `may_be_key` the pointer may also be that of a mapping in which a key is being written.
    """

    pointer: Pointer
    typed: str
    start: int
    may_be_key: bool = False
    may_be_value: bool = True


@dataclass(frozen=True, slots=True)
class _Thing:
    """A dash (without a key) or a key at the beginning of a line; `value` is the offset behind it."""

    level: int
    key: str | None
    value: int


def context_at(text: str, offset: int) -> Context:
    """The context of a cursor in a YAML text."""
    start = text.rfind("\n", 0, offset) + 1
    head = text[start:offset]
    things, rest = _things(head, start)
    level = things[0].level if things else 2 * (len(head) - len(head.lstrip(" ")))
    above = _Walk(level)
    for at, line in _lines_before(text, start):
        above.line(line, at)
    parent = above.first
    if parent is not None and parent.key is not None:
        written = text[parent.value:text.find("\n", parent.value)].strip()
        if HEADER.fullmatch(written):
            return Context(above.pointer, head.lstrip(" "), start + len(head) - len(head.lstrip(" ")))
        inside_flow = text[parent.value:start].lstrip()[:1] in ("{", "[") and not written
        if inside_flow or (written and not written.startswith("#")):
            return _in_value(above.pointer, text, parent.value, offset)
    pointer = above.pointer
    if things:
        walk = _Walk(_FAR)
        walk.things(things)
        for at, line in _lines_before(text, start):
            walk.line(line, at)
        pointer = walk.pointer
    if things and things[-1].key is not None:
        return _in_value(pointer, text, rest, offset)
    typed = text[rest:offset]
    if typed.lstrip()[:1] in ("{", "["):
        return _in_value(pointer, text, rest, offset)
    return Context(pointer, _bare(typed), offset - len(_bare(typed)), may_be_key=True,
                   may_be_value=bool(things) or (parent is not None and not _is_top(head)))


def _is_top(head: str) -> bool:
    return not head.startswith(" ")


class _Walk:
    """Goes up from a line, taking each entry that lies further left than all before."""

    def __init__(self, level: int) -> None:
        self._level = level
        self._parts: list[str | int] = []
        self.first: _Thing | None = None
        """The nearest entry above."""

    def line(self, line: str, at: int) -> None:
        if line.strip() and not line.lstrip().startswith("#"):
            self.things(_things(line, at)[0])

    def things(self, things: list[_Thing]) -> None:
        for thing in reversed(things):
            if thing.key is None and self._parts and isinstance(self._parts[-1], int) and thing.level == self._level:
                self._parts[-1] += 1
            elif thing.level < self._level:
                self._parts.append(0 if thing.key is None else thing.key)
                self._level = thing.level
                self.first = self.first or thing

    @property
    def pointer(self) -> Pointer:
        return tuple(reversed(self._parts))


def _lines_before(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The lines above an offset that begins a line, from the last to the first, each with its offset."""
    while start > 0:
        begin = text.rfind("\n", 0, start - 1) + 1
        yield begin, text[begin:start].rstrip("\r\n")
        start = begin


def _things(line: str, at: int) -> tuple[list[_Thing], int]:
    """The dashes and the key that a line begins with, and the offset of what follows them."""
    column = len(line) - len(line.lstrip(" "))
    found: list[_Thing] = []
    while line[column:column + 1] == "-" and line[column + 1:column + 2] in ("", " "):
        after = column + 1
        while line[after:after + 1] == " ":
            after += 1
        found.append(_Thing(2 * column + 1, None, at + after))
        column = after
    key = KEY.match(line, column)
    if key is not None:
        found.append(_Thing(2 * column, _name(key[1]), at + key.end()))
        return found, at + key.end()
    return found, at + column


def _name(written: str) -> str:
    if written[:1] == "'":
        return written[1:-1].replace("''", "'")
    return re.sub(r'\\(["\\])', r"\1", written[1:-1]) if written[:1] == '"' else written


def _bare(typed: str) -> str:
    typed = typed.lstrip()
    return typed[1:] if typed[:1] in ("'", '"') else typed


def _in_value(pointer: Pointer, text: str, start: int, offset: int) -> Context:
    """The context inside a value that begins behind `start`: a scalar, or a flow collection somewhere inside."""
    value = text[start:offset]
    if value.lstrip()[:1] not in ("{", "["):
        typed = _bare(value)
        return Context(pointer, typed, offset - len(typed))
    frames: list[dict[str, Any]] = []
    quote, at = "", start
    for at in range(start, offset):
        sign = text[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "{[":
            frames.append({"map": sign == "{", "key": None, "index": 0, "from": at + 1})
        elif not frames:
            continue
        elif sign in "}]":
            frames.pop()
        elif sign == ",":
            frames[-1].update(index=frames[-1]["index"] + 1, key=None)
            frames[-1]["from"] = at + 1
        elif sign == ":" and frames[-1]["map"] and frames[-1]["key"] is None \
                and text[at + 1:at + 2] in ("", " ", "\n"):
            frames[-1].update(key=_name(text[frames[-1]["from"]:at].strip()))
            frames[-1]["from"] = at + 1
        elif sign in "'\"" and not text[frames[-1]["from"]:at].strip():
            quote = sign
    if not frames:
        return Context(pointer, "", offset, may_be_value=False)
    path = [frame["key"] if frame["map"] else frame["index"] for frame in frames]
    writing_key = frames[-1]["map"] and path[-1] is None
    typed = _bare(text[frames[-1]["from"]:offset])
    full = (*pointer, *(path[:-1] if writing_key else path))
    return Context(full, typed, offset - len(typed), may_be_key=writing_key, may_be_value=not writing_key)
