"""JSON as RFC 8259 has it, to the same tree and marks as YAML."""
from __future__ import annotations

import re
from itertools import islice
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any

from specdil_records.reading import characters, scalars
from specdil_records.reading.faults import Fault, TooLargeError
from specdil_records.reading.limits import MOST_FAULTS
from specdil_records.reading.marks import DOUBLE, FLOW_LIST, FLOW_MAP, PLAIN
from specdil_records.reading.tree import Tree, check_size, refusal

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"-?[A-Za-z_][A-Za-z0-9_]*")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})


class _JsonError(Exception):
    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.start = start


class _Scan:
    """One pass over a JSON text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = Tree()
        self.marks = self.tree.marks
        self.check_escapes = characters.has_suspect_escape(text)

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def document(self) -> None:
        at = self.skip(0)
        if at == len(self.text):
            return
        self.tree.data, at = self.value(at, -1, 1)
        at = self.skip(at)
        if at != len(self.text):
            raise _JsonError("something follows the end of the document", at)

    def value(self, at: int, parent: int, depth: int) -> tuple[Any, int]:
        first = self.text[at : at + 1]
        check_size(len(self.marks.nodes), depth if first in ("{", "[") else 0, at, at + 1)
        if first == '"':
            value, end, _ = self.string(at, parent)
            return value, end
        if first == "{":
            return self.mapping(at, parent, depth)
        if first == "[":
            return self.list(at, parent, depth)
        found = _NUMBER.match(self.text, at)
        return self.number(found, parent) if found else self.word(at, parent)

    def string(self, at: int, parent: int) -> tuple[str, int, int]:
        """The decoded string at a quote, its end, and its node."""
        try:
            value, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise _JsonError(_said(error.msg), error.pos) from None
        if self.check_escapes:
            found = characters.bad_escapes(self.text, at, end, pairs=True)
            self.tree.faults.extend(islice(found, max(0, MOST_FAULTS - len(self.tree.faults))))
            value = characters.without_surrogates(value)
        return value, end, self.marks.add(DOUBLE, at, end, parent, value)

    def number(self, found: re.Match[str], parent: int) -> tuple[Any, int]:
        start, end = found.span()
        resolved = scalars.number(found.group())
        node = self.marks.add(PLAIN, start, end, parent, found.group())
        if resolved.refused:
            self.tree.faults.append(refusal(resolved, start, end, node))
        return resolved.value, end

    def word(self, at: int, parent: int) -> tuple[Any, int]:
        found = _WORD.match(self.text, at)
        word = found.group() if found else ""
        if not found or (word not in _WORDS and word not in _NOT_FINITE):
            missing = "a value is expected here" if at < len(self.text) else "the text ends before its value"
            raise _JsonError(missing, at)
        node = self.marks.add(PLAIN, at, found.end(), parent, word)
        if word in _NOT_FINITE:
            self.tree.faults.append(refusal(scalars.Resolved(None, refused="not-finite"), at, found.end(), node))
        return _WORDS.get(word), found.end()

    def list(self, at: int, parent: int, depth: int) -> tuple[Any, int]:
        node = self.marks.add(FLOW_LIST, at, at + 1, parent, None)
        values: list[Any] = []
        at = self.skip(at + 1)
        if not self.text.startswith("]", at):
            while True:
                value, at = self.value(at, node, depth + 1)
                values.append(value)
                at = self.skip(at)
                if not self.text.startswith(",", at):
                    break
                at = self.skip(at + 1)
        return values, self.close(node, at, "]")

    def mapping(self, at: int, parent: int, depth: int) -> tuple[Any, int]:
        node = self.marks.add(FLOW_MAP, at, at + 1, parent, None)
        values: dict[str, Any] = {}
        at = self.skip(at + 1)
        if not self.text.startswith("}", at):
            while True:
                at = self.entry(values, at, node, depth)
                if not self.text.startswith(",", at):
                    break
                at = self.skip(at + 1)
        return values, self.close(node, at, "}")

    def entry(self, values: dict[str, Any], at: int, node: int, depth: int) -> int:
        if not self.text.startswith('"', at):
            raise _JsonError("a key in double quotes is expected here", at)
        check_size(len(self.marks.nodes), 0, at, at + 1)
        key, end, key_node = self.string(at, node)
        at = self.skip(end)
        if not self.text.startswith(":", at):
            raise _JsonError("a colon is expected after the key", at)
        value, at = self.value(self.skip(at + 1), node, depth + 1)
        if key in values:
            self.tree.repeated.append(key_node)
        else:
            values[key] = value
        return self.skip(at)

    def close(self, node: int, at: int, mark: str) -> int:
        if not self.text.startswith(mark, at):
            raise _JsonError(f"a comma or {mark} is expected here", at)
        self.marks.closed[node] = at + 1
        return at + 1


def _said(message: str) -> str:
    """The standard library's complaint about a string, in the words used here."""
    if message.startswith("Unterminated"):
        return "a string has no closing quote"
    if message.startswith("Invalid control character"):
        return "a tab or a line end inside a string must be written as an escape"
    return "an escape in a string is not one that JSON knows"


def read_json(text: str) -> Tree:
    """The tree of a JSON text. Never raises."""
    scan = _Scan(text)
    try:
        scan.document()
    except TooLargeError as excess:
        scan.tree.faults.append(excess.fault)
        scan.tree.data, scan.tree.whole = None, False
    except _JsonError as error:
        end = error.start + 1 if error.start < len(text) and text[error.start] not in "\r\n" else error.start
        scan.tree.faults.append(Fault("not-yaml", f"this cannot be read as JSON: {error}", error.start, end))
        scan.tree.data, scan.tree.whole = None, False
    return scan.tree
