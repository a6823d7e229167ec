"""Whether a quotation stands in the prose: exactly, but for typography, or but for its numbers."""
from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from specdil_records.prose.folding import Folded, fold
from specdil_records.prose.matching import Place, numbers_free, occurrences, typographic
from specdil_records.prose.numbers import Found, find_numbers
from specdil_records.prose.typography import TABLE, differences

__all__ = ["Folded", "QuoteAmbiguous", "QuoteLost", "QuoteMatch", "anchor", "differences", "find_quote", "fold",
           "nearest_sentence", "number_free_anchor", "numbers_free", "occurrences", "token_diff", "typographic"]

Stage = Literal["exact", "typography", "numbers"]
Changed = tuple[tuple[int, str], ...]

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")
_PART = re.compile(r"\s+|[^\W_]+(?:[.,'\u2019-][^\W_]+)*|.", re.DOTALL)
_SHORT = 20_000
_LONGEST_DIFF = 199
_MOST_PARTS = 400


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """A quote found at [start, end) of the prose, and in which stage.

    `changed` names the numbers of the prose, by index, that the quote has otherwise, with the quote's characters;
    `differences` the code points in which the two differ by typography.
    """

    start: int
    end: int
    stage: Stage
    changed: Changed = ()
    differences: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class QuoteLost:
    """A quote that is not in the prose."""

    count: int = 0


@dataclass(frozen=True, slots=True)
class QuoteAmbiguous:
    """A quote that stands in the prose `count` times."""

    count: int


def find_quote(needle: str, hay: str, hay_numbers: Sequence[Found] | None = None,
               occurrence: int | None = None) -> QuoteMatch | QuoteLost | QuoteAmbiguous:
    """Find a quote in three stages; `occurrence` counts from 1. An empty quote is never found."""
    numbers = find_numbers(hay) if hay_numbers is None else hay_numbers
    if occurrence is not None:
        return _occurrence(needle, hay, numbers, occurrence)
    for search in (occurrences, typographic):
        places = search(needle, hay, numbers)
        if len(places) > 1:
            return QuoteAmbiguous(len(places))
        if places:
            return _found(needle, hay, places[0])
    loose = numbers_free(needle, hay, numbers)
    return _loosely(needle, hay, numbers, loose[0]) if len(loose) == 1 else QuoteLost()


def _occurrence(needle: str, hay: str, numbers: Sequence[Found], occurrence: int) -> QuoteMatch | QuoteLost:
    """The n-th of several passages, counting those in which only numbers were edited since."""
    if occurrence < 1:
        return QuoteLost()
    places = occurrences(needle, hay, numbers) or typographic(needle, hay, numbers)
    loose = numbers_free(needle, hay, numbers)
    if len(loose) > len(places):
        return _loosely(needle, hay, numbers, loose[occurrence - 1]) if occurrence <= len(loose) else QuoteLost()
    return _found(needle, hay, places[occurrence - 1]) if occurrence <= len(places) else QuoteLost()


def _found(needle: str, hay: str, place: Place) -> QuoteMatch:
    start, end = place
    unlike = differences(needle, hay[start:end])
    return QuoteMatch(start, end, "typography" if unlike else "exact", (), unlike)


def _loosely(needle: str, hay: str, numbers: Sequence[Found],
             match: tuple[int, int, tuple[tuple[int, int], ...]]) -> QuoteMatch:
    start, end, pairs = match
    changed = _changed(needle, hay, numbers, pairs)
    return QuoteMatch(start, end, "numbers", changed, _unlike_words(needle, hay[start:end]))


def _changed(needle: str, hay: str, numbers: Sequence[Found], pairs: Sequence[tuple[int, int]]) -> Changed:
    quoted = find_numbers(needle)
    found = []
    for here, there in pairs:
        digits = needle[quoted[here].start:quoted[here].end]
        if _plain(digits) != _plain(hay[numbers[there].start:numbers[there].end]):
            found.append((there, digits))
    return tuple(found)


def _plain(digits: str) -> str:
    return "".join(TABLE.get(character, character) for character in fold(digits).text)


def _unlike_words(needle: str, piece: str) -> tuple[str, ...]:
    """Typographic differences outside the numbers."""
    return differences(_without_numbers(needle), _without_numbers(piece))


def _without_numbers(text: str) -> str:
    parts, at = [], 0
    for number in find_numbers(text):
        parts.append(text[at:number.start])
        at = number.end
    return "".join([*parts, text[at:]])


def anchor(needle: str, text: str) -> list[Place]:
    """Where an anchor stands in a text, exactly, else but for typography; never inside a word, number or range."""
    if len(text) > _SHORT:
        return occurrences(needle, text) or typographic(needle, text)
    return list(_kept_anchor(needle, text))


@lru_cache(maxsize=512)
def _kept_anchor(needle: str, text: str) -> tuple[Place, ...]:
    return tuple(occurrences(needle, text) or typographic(needle, text))


def number_free_anchor(needle: str, text: str,
                       numbers: Sequence[Found] | None = None) -> list[tuple[int, int, Changed]]:
    """Where an anchor stands with its numbers left open: start, end, and the numbers that differ."""
    known = find_numbers(text) if numbers is None else numbers
    return [(start, end, _changed(needle, text, known, pairs))
            for start, end, pairs in numbers_free(needle, text, known)]


def nearest_sentence(needle: str, hay: str) -> str | None:
    """The sentence that a lost quote most likely was, for a suggestion only; nothing when none is near."""
    wanted = set(needle.lower().split())
    scored = []
    for found in _SENTENCE.finditer(hay):
        words = set(found[0].lower().split())
        shared = len(words & wanted)
        if shared:
            scored.append((shared / len(words | wanted), -found.start(), found[0].strip()))
    best, nearest = 0.0, None
    for _, _, sentence in sorted(scored, reverse=True)[:5]:
        ratio = difflib.SequenceMatcher(None, needle[:500], sentence[:500], autojunk=False).ratio()
        if ratio > best:
            best, nearest = ratio, sentence
    return nearest if best >= 0.4 else None


def token_diff(a: str, b: str) -> str:
    """What differs between two texts, word by word, in under 200 characters: `-33.5 +3.35`."""
    old, new = (_PART.findall(fold(text).text)[:_MOST_PARTS] for text in (a, b))
    said = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed, added = ("".join(part).strip() or ("a blank" if part else "") for part in (old[i1:i2], new[j1:j2]))
            said.append(" ".join(filter(None, (removed and f"-{removed}", added and f"+{added}"))))
    text = " ".join(filter(None, said))
    return text if len(text) <= _LONGEST_DIFF else text[:_LONGEST_DIFF - 1] + "\u2026"
