"""Passages of prose that a claim can quote: the sentence around a number, so that it is found there and only there."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from specdil_records.claims.locating import Field
from specdil_records.prose.verbatim import QuoteAmbiguous, QuoteMatch, find_quote

_END = re.compile(r"[.!?]+[\"'\u2019\u201d)\]]*(?=\s+[^a-z\s])|\n\s*")
_ABBREVIATED = re.compile(r"(?:\b(?:vs|cf|al|approx|resp|ca|no|fig|eq|sec|tab|incl|max|min|e\.g|i\.e|etc)|\b[A-Z])\.$",
                          re.IGNORECASE)
_BREAK = re.compile(r"[ \t]*[\r\n]+[ \t]*")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A stretch [start, end) of a field as a claim quotes it; `occurrence` is set when its words stand there again."""

    start: int
    end: int
    quote: str
    occurrence: int | None = None


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text as [start, end), a line break ending one too, without the blanks around."""
    found = []
    at = 0
    for end in _END.finditer(text):
        if not end[0].startswith("\n") and _ABBREVIATED.search(text[at:end.start() + 1]):
            continue
        found.append((at, end.start() if end[0].startswith("\n") else end.end()))
        at = end.end()
    found.append((at, len(text)))
    return tuple((start, stop) for start, stop in (_trimmed(text, *one) for one in found) if stop > start)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence that holds [start, end), or the sentences that do together."""
    touching = [(one, two) for one, two in sentences(text) if two > start and one < end]
    return (touching[0][0], touching[-1][1]) if touching else (start, end)


def quotable(field: Field, start: int, end: int) -> Quotable | None:
    """A passage that holds [start, end) and can be found: its sentence, else with its neighbours, else counted."""
    counted = None
    for one, two in _widening(field.text, start, end):
        quote = _BREAK.sub(" ", field.text[one:two])
        found = find_quote(quote, field.text, field.numbers)
        if isinstance(found, QuoteMatch) and found.stage == "exact" and (found.start, found.end) == (one, two):
            return Quotable(one, two, quote)
        if isinstance(found, QuoteAmbiguous) and counted is None:
            counted = _counted(field, one, two, quote, found.count)
    return counted


def _widening(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    listed = sentences(text)
    inside = [i for i, (one, two) in enumerate(listed) if two > start and one < end]
    if not inside:
        return
    first, last = inside[0], inside[-1]
    one, two = listed[first][0], listed[last][1]
    bare = two - 1 if two - 1 >= end and text[two - 1] == "." else two
    yield one, bare
    yield one, two
    for _ in range(3):
        last = min(last + 1, len(listed) - 1)
        yield listed[first][0], listed[last][1]
        first = max(first - 1, 0)
        yield listed[first][0], listed[last][1]


def _counted(field: Field, start: int, end: int, quote: str, count: int) -> Quotable | None:
    for occurrence in range(1, count + 1):
        found = find_quote(quote, field.text, field.numbers, occurrence)
        if isinstance(found, QuoteMatch) and (found.start, found.end) == (start, end):
            return Quotable(start, end, quote, occurrence)
    return None


def field_name(field: Field) -> str:
    """How a claim names a field in `in`: its name, or a JSON pointer."""
    return str(field.pointer[0]) if len(field.pointer) == 1 else "/" + "/".join(map(str, field.pointer))
