"""The strict reader: what it says of a file holds when the file is read by others."""
from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import yaml

from fuzz import pace
from fuzz import seeds as shipped
from specdil_records.findings import Place, Span
from specdil_records.reading import Document, read_document
from specdil_records.reading.faults import BREAKING

MOST_CHARACTERS = 40
PLAIN_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
ENDS = ("\r\n", "\r", "\n")
LONGEST_INPUT = 2048


def seeds() -> Iterator[bytes]:
    """Whole files, the first byte telling YAML from JSON."""
    for path in shipped.files():
        yield (b"j" if path.suffix == ".json" else b"y") + path.read_bytes()
    yield from (b'y"\\x41\\\n  b": >-\n  a\n\n   b\n', b"y- 'it''s'\n- [a, {b: c}]\n",
                b'j{"\\ud83d\\ude80": [1e5, "\\n"]}')


def judge(data: bytes) -> None:
    """Read a file twice; every place is that of its value, and another reader gets the same values."""
    raw, name = data[1:], "a.json" if data[:1] == b"j" else "a.yaml"
    document = read_document(raw, name)
    again = read_document(raw, name)
    assert same(document.data, again.data) and document.problems == again.problems, "two readings differ"
    lines = split(document.text)
    for problem in document.problems:
        assert problem.message
        check_span(document.span(problem.where), lines)
    assert document.broken == any(problem.name in BREAKING for problem in document.problems)
    if not document.broken:
        assert isinstance(document.data, dict), "a record that is not broken is a mapping"
        check_places(document, lines, name)
        check_other_reader(document, name)
    if name == "a.json":
        check_refusal(document, raw)
    if pace.is_due(data):
        pace.check_linear(shipped.decoded(raw),
                          lambda text: read_document(text.encode("utf-8", "surrogateescape"), name))


def split(text: str) -> list[str]:
    """The lines of a text with their ends; the only ends are LF, CR LF and CR."""
    lines, start, at = [], 0, 0
    while at < len(text):
        end = next((end for end in ENDS if text.startswith(end, at)), "")
        at += len(end) or 1
        if end:
            lines.append(text[start:at])
            start = at
    return [*lines, text[start:]]


def check_span(span: Span, lines: list[str]) -> None:
    """A span lies in the text and does not run backwards."""
    assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
    assert span.end_line <= len(lines)
    assert span.column <= len(lines[span.line - 1]) + 1 and span.end_column <= len(lines[span.end_line - 1]) + 1


def cut(span: Span, lines: list[str]) -> str:
    """The source that a span covers."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1:span.end_column - 1]
    between = lines[span.line:span.end_line - 1]
    return lines[span.line - 1][span.column - 1:] + "".join(between) + lines[span.end_line - 1][:span.end_column - 1]


def below(node: Any, pointer: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value of a tree with its pointer."""
    yield pointer, node
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inner:
        yield from below(value, (*pointer, key))


def check_places(document: Document, lines: list[str], name: str) -> None:
    """Each value's place holds the source of that value, and each character's place that character."""
    for pointer, value in below(document.data):
        assert document.exists(pointer)
        span = document.span(Place(pointer))
        check_span(span, lines)
        written = document.written(pointer)
        assert cut(span, lines) == written, (pointer, written)
        style = document.style(pointer)
        if isinstance(value, str):
            check_characters(document, pointer, value, lines)
        if style in ("'", '"') and "\ufeff" not in written:
            other = json.loads(written) if name == "a.json" else yaml.load(written, yaml.CBaseLoader)
            assert other == value, (pointer, written, value)


def check_characters(document: Document, pointer: tuple[str | int, ...], value: str, lines: list[str]) -> None:
    """Each of the first characters stands where its place says: itself, an escape, a fold, a doubled quote."""
    for at, character in enumerate(value[:MOST_CHARACTERS]):
        source = cut(document.span(Place(pointer, at, at + 1)), lines)
        is_blank = character in " \n" and source.strip(" \t\r\n") == ""
        assert source == character or is_blank or source.startswith("\\") or (character, source) == ("'", "''"), (
            pointer, at, character, source)


def check_other_reader(document: Document, name: str) -> None:
    """PyYAML's own loader or the standard library gives the same tree, typing aside."""
    if name == "a.json":
        other = json.loads(document.text, parse_constant=lambda _: None)
        assert same(document.data, other, finite_only=True)
    elif "\ufeff" not in document.text:
        loader = yaml.CBaseLoader(document.text)
        other = loader.get_single_data()
        assert alike(document.data, other, document, ()), (document.data, other)


def alike(ours: Any, theirs: Any, document: Document, pointer: tuple[str | int, ...]) -> bool:
    """Whether a typed tree is the untyped one: texts equal, plain words and numbers by their own meaning."""
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(
            alike(value, theirs[key], document, (*pointer, key)) for key, value in ours.items())
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(
            alike(value, theirs[index], document, (*pointer, index)) for index, value in enumerate(ours))
    if isinstance(ours, str):
        return bool(ours == theirs)
    if ours is None and pointer in document.refused:
        return not math.isfinite(float(theirs.replace(".inf", "inf").replace(".nan", "nan").lower().strip(".")))
    if isinstance(ours, bool) or ours is None:
        return PLAIN_WORDS.get(theirs, theirs) is ours
    return bool(type(ours)(theirs) == ours)


def same(ours: Any, other: Any, finite_only: bool = False) -> bool:
    """Equal in value and in type, at every depth; `finite_only` leaves out what is too large for a float."""
    if isinstance(ours, dict):
        return isinstance(other, dict) and list(ours) == list(other) and all(
            same(value, other[key], finite_only) for key, value in ours.items())
    if isinstance(ours, list):
        return isinstance(other, list) and len(ours) == len(other) and all(
            same(value, one, finite_only) for value, one in zip(ours, other, strict=True))
    if finite_only and ours is None and isinstance(other, float):
        return not math.isfinite(other)
    return type(ours) is type(other) and bool(ours == other)


def check_refusal(document: Document, raw: bytes) -> None:
    """What the standard library cannot read as JSON has a fault here, too."""
    try:
        json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        assert document.problems, "this is no JSON, and nothing was found"
