"""Texts made comparable, with the way back to the raw text kept for every character."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Beyond this many combining marks on one character nothing is composed (Unicode's stream-safe limit): the time that
# normalisation takes would no longer be linear.
_MOST_MARKS = 30
_SHORT = 20_000
# White space that folding changes: a run of it, or one character that is no plain blank.
_SPACE = re.compile(r"\s{2,}|[^\S ]")
_ABOVE = re.compile("[^\x00-\u02ff]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text after folding: its character `i` comes from [starts[i], ends[i]) of the raw text."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the raw text of a non-empty stretch of the folded one."""
        return self.starts[start], self.ends[end - 1]


Replacement = Callable[[re.Match[str]], str]


class Builder:
    """Collects folded characters with their origins."""

    def __init__(self, origin: Folded) -> None:
        self.origin = origin
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def keep(self, start: int, end: int) -> None:
        """Take a stretch of the origin as it is."""
        self.parts.append(self.origin.text[start:end])
        self.starts += self.origin.starts[start:end]
        self.ends += self.origin.ends[start:end]

    def put(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of a stretch; each of its characters comes from all of the stretch."""
        if text:
            self.parts.append(text)
            self.starts += [self.origin.starts[start]] * len(text)
            self.ends += [self.origin.ends[end - 1]] * len(text)

    def folded(self) -> Folded:
        """What has been collected."""
        return Folded("".join(self.parts), self.starts, self.ends)


def unfolded(text: str) -> Folded:
    """A text as it is."""
    return Folded(text, range(len(text)), range(1, len(text) + 1))


def fold(text: str) -> Folded:
    """NFC, and every run of white space (fixed blanks and line breaks too) as one blank."""
    return _kept(text) if len(text) <= _SHORT else _last_long(text)


@lru_cache(maxsize=256)
def _kept(text: str) -> Folded:
    return _folded(text)


@lru_cache(maxsize=1)
def _last_long(text: str) -> Folded:
    return _folded(text)


def _folded(text: str) -> Folded:
    # The blank is the one white space that counts as printable, so a text like this is as it would be folded.
    if "  " not in text and text.isprintable() and unicodedata.is_normalized("NFC", text):
        return unfolded(text)
    return spaced(composed(unfolded(text)))


def spaced(origin: Folded) -> Folded:
    """Every run of white space as one blank."""
    return replaced(origin, _SPACE, lambda _: " ")


def replaced(origin: Folded, pattern: re.Pattern[str], put: Replacement) -> Folded:
    """Replace each match of a pattern."""
    built, at = Builder(origin), 0
    for found in pattern.finditer(origin.text):
        built.keep(at, found.start())
        built.put(found.start(), found.end(), put(found))
        at = found.end()
    if at == 0:
        return origin
    built.keep(at, len(origin.text))
    return built.folded()


def composed(origin: Folded) -> Folded:
    """NFC, cluster by cluster: no character below U+0300 joins the one before it."""
    text = origin.text
    if not _ABOVE.search(text):
        return origin
    built, at = Builder(origin), 0
    for start, end in _clusters(text):
        raw = text[start:end]
        normal = unicodedata.normalize("NFC", raw) if end - start <= _MOST_MARKS else raw
        if normal != raw:
            built.keep(at, start)
            built.put(start, end, normal)
            at = end
    if at == 0:
        return origin
    built.keep(at, len(text))
    return built.folded()


def _clusters(text: str) -> list[tuple[int, int]]:
    """Stretches that may change under composition: a character with what joins it, or one that decomposes."""
    found: list[tuple[int, int]] = []
    for hit in _ABOVE.finditer(text):
        at = hit.start()
        if at and found and found[-1][1] == at and _joins(text, found[-1][0], at):
            found[-1] = (found[-1][0], at + 1)
        elif at and (not found or found[-1][1] < at) and _joins(text, at - 1, at):
            found.append((at - 1, at + 1))
        else:
            found.append((at, at + 1))
    return found


def _joins(text: str, start: int, at: int) -> bool:
    """Whether a character belongs to the cluster that begins at `start`."""
    return _is_mark(text[at]) or _composes(text[max(start, at - 3):at], text[at])


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    """Whether a character is a combining mark, or made of such."""
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


@lru_cache(maxsize=4096)
def _composes(before: str, character: str) -> bool:
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", character)
    return unicodedata.normalize("NFC", before + character) != apart
