"""Typographic variants: what may differ between a quotation and its source with no more than a warning."""
from __future__ import annotations

import re
from collections import Counter

from specdil_records.prose.folding import Folded, fold, replaced, spaced

TABLE: dict[str, str] = {
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036", '"'),
    "\u2034": "'''",
    "\u2037": "'''",
    "\u2057": "''''",
    "\u00d7": "x",
    "\u2026": "...",
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st",
    "\u00b5": "\u03bc",
}
"""What each character is folded to in the second stage of matching."""

BREAK = "\ue000"
"""Stands for a hyphen at the end of a line, which may be kept or dropped (a private character)."""

_VARIANT = re.compile(f"[{''.join(map(re.escape, TABLE))}]")
_LINE_END = re.compile(r"(?<=[\w\u0300-\u036f])[-\u00ad\u2010\u2011][^\S\r\n]*(?:\r\n|\r|\n)\s*(?=\w)")


def folded(text: str) -> Folded:
    """White space, composition and typography folded; a hyphen at a line end is `BREAK`."""
    return refold(fold(text), text)


def refold(origin: Folded, raw: str) -> Folded:
    """Fold the typography of a text that is folded already; `raw` is where its offsets point to."""
    broken = {found.start(): found.end() for found in _LINE_END.finditer(raw)}
    if broken:
        origin = _marked(origin, broken)
    return spaced(replaced(origin, _VARIANT, lambda found: TABLE[found[0]]))


def _marked(origin: Folded, broken: dict[int, int]) -> Folded:
    """A hyphen at a line end and the blank behind it become one mark."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    skip = 0
    for character, start, end in zip(origin.text, origin.starts, origin.ends, strict=True):
        if start < skip:
            continue
        if start in broken:
            skip = broken[start]
            parts.append(BREAK)
            starts.append(start)
            ends.append(skip)
        else:
            parts.append(character)
            starts.append(start)
            ends.append(end)
    return Folded("".join(parts), starts, ends)


def differences(needle: str, piece: str) -> tuple[str, ...]:
    """The code points in which two texts that match after the typography table differ, as `U+2011`."""
    here, there = fold(needle).text, fold(piece).text
    if here == there:
        return ()
    wanted, given = _variants(here), _variants(there)
    unlike = {character for _, character in (wanted - given) + (given - wanted)}
    # Where no variant tells them apart it is a hyphen: at a line end, or one of another kind beside it.
    return tuple(f"U+{ord(character):04X}" for character in dict.fromkeys(there + here) if character in unlike) \
        or ("U+002D",)


def _variants(text: str) -> Counter[tuple[int, str]]:
    """The typographic variants of a text, each with how many characters stand before it, but for hyphens and blanks."""
    found: Counter[tuple[int, str]] = Counter()
    before = 0
    for character in text:
        plain = TABLE.get(character, character)
        if plain != character:
            found[before, character] += 1
        before += sum(part not in "- " for part in plain)
    return found
