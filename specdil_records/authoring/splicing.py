"""Characters inside scalars replaced where they stand in the file: every other byte stays as it is."""
from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Sequence
from typing import Any

from specdil_records.findings import Place, Pointer, Splice
from specdil_records.reading import Document
from specdil_records.reading.lines import Lines


class CannotSplice(Exception):
    """A replacement that has no single place in the file."""


def spliced(document: Document, splices: Iterable[Splice]) -> str:
    """The file's text with all replacements made. Raises `CannotSplice`."""
    starts = Lines(document.text).starts
    edits: dict[tuple[int, int], str] = {}
    for one in splices:
        span = document.span(one.place)
        start = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        style = _style(document, one, start)
        pieces = {(start, end): _encoded(one.text, style)}
        if not style and "," in one.text and _in_braces(document, one):
            pieces |= _quotes(document, one, starts)
        for place, new in pieces.items():
            if edits.setdefault(place, new) != new:
                raise CannotSplice("two repairs want the same place")
    text, floor = document.text, len(document.text) + 1
    for (start, end), new in sorted(edits.items(), reverse=True):
        if end > floor:
            raise CannotSplice("two repairs overlap")
        text, floor = text[:start] + new + text[end:], start
    return text


def _style(document: Document, one: Splice, start: int) -> str:
    """The quotes around the scalar, if any: of a key they are seen before its first character."""
    if document.name.lower().endswith(".json"):
        return "json"
    if not one.key:
        return document.style(one.pointer) or ""
    whole = document.span(Place(one.pointer, key=True))
    begin = Lines(document.text).starts[whole.line - 1] + whole.column - 1
    quote = document.text[begin]
    return quote if quote in "'\"" and begin < start + 1 else ""


def _in_braces(document: Document, one: Splice) -> bool:
    """Whether a plain scalar stands between braces or brackets, where a comma would end it."""
    return any(document.style(one.pointer[:depth]) not in ("m", "s") for depth in range(len(one.pointer)))


def _quotes(document: Document, one: Splice, starts: Sequence[int]) -> dict[tuple[int, int], str]:
    """Quotes around a whole plain scalar, as insertions."""
    span = document.span(Place(one.pointer, key=one.key))
    start = starts[span.line - 1] + span.column - 1
    end = starts[span.end_line - 1] + span.end_column - 1
    if "'" in document.text[start:end]:
        raise CannotSplice("a number with a comma needs quotes around it there")
    return {(start, start): "'", (end, end): "'"}


def _encoded(text: str, style: str) -> str:
    if style == "'":
        return text.replace("'", "''")
    if style in ('"', "json"):
        return json.dumps(text, ensure_ascii=False)[1:-1]
    if "\n" in text or "\r" in text:
        raise CannotSplice("a line break would have to be written")
    return text


def planned(data: Any, splices: Iterable[Splice]) -> Any:
    """The tree that the file has to hold once the replacements are made. Raises `CannotSplice`."""
    new = copy.deepcopy(data)
    in_order = sorted(set(splices), key=lambda one: (not one.key, len(one.pointer), one.start), reverse=True)
    for one in in_order:  # values before keys, deep ones first, from the end to the start
        holder = new
        for part in one.pointer[:-1]:
            holder = holder[part]
        last = one.pointer[-1]
        if one.key:
            assert isinstance(last, str)
            if last not in holder:
                continue  # the key holds both ends of a range, and was renamed with the other
            old = _renaming(in_order, one.pointer)
            name = _replaced(last, old)
            if name in holder and name != last:
                raise CannotSplice("two keys would be the same")
            holder[name] = holder.pop(last)
        else:
            holder[last] = _replaced(holder[last], [one])
    return new


def _renaming(splices: list[Splice], pointer: Pointer) -> list[Splice]:
    return [one for one in splices if one.key and one.pointer == pointer]


def _replaced(text: str, splices: list[Splice]) -> str:
    for one in splices:
        text = text[:one.start] + one.text + text[one.end:]
    return text
