"""Where one text stands in another: exactly, after the typography table, or with its numbers left open.

All offsets are those of the raw text. A match that cuts a word, a number or a range of the text is none.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from specdil_records.prose import typography
from specdil_records.prose.folding import Builder, Folded, composed, fold, spaced, unfolded
from specdil_records.prose.numbers import Found, find_numbers

Place = tuple[int, int]

_NUMBER = "\ue001"
_NAME = 40
_NAME_LEFT = re.compile(r"[^\W_][\w\u2010\u2011-]*\Z")
_NAME_RIGHT = re.compile(r"[\u2010\u2011-]*\w[\w\u2010\u2011-]*")
_APART = frozenset(" \n,;:()")
"""Characters that are part of no word and of no name."""
_LOOSE = f"- {typography.BREAK}"
"""What a hyphen at a line end may come to."""
_RESERVED = re.compile("[\ue000\ue001]")
# Overlapping matches are all found, up to this much work for one needle.
_WORK = 2_000_000


def occurrences(needle: str, hay: str, numbers: Sequence[Found] | None = None) -> list[Place]:
    """Where a text stands in another after folding white space and composing characters."""
    return _whole(hay, _plain_places(fold(needle).text.strip(), fold(hay)), numbers)


def typographic(needle: str, hay: str, numbers: Sequence[Found] | None = None) -> list[Place]:
    """Where a text stands in another after the typography table."""
    if _RESERVED.search(needle) or _RESERVED.search(hay):
        return []
    return _whole(hay, _places(typography.folded(needle), typography.folded(hay)), numbers)


def numbers_free(needle: str, hay: str, hay_numbers: Sequence[Found] | None = None,
                 ) -> list[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Where a text stands with every number, exempt ones too, standing for any number.

    Gives start, end, and the pairs of numbers: index in the needle, index in the text.
    """
    if _RESERVED.search(needle) or _RESERVED.search(hay):
        return []
    there = find_numbers(hay) if hay_numbers is None else hay_numbers
    here = find_numbers(needle)
    if not here:
        return []
    found = []
    for start, end in _whole(hay, _places(_opened(needle, here), _opened(hay, there)), there):
        first = bisect_right(there, start - 1, key=lambda number: number.start)
        found.append((start, end, tuple((i, first + i) for i in range(len(here)))))
    return found


def _opened(text: str, numbers: Sequence[Found]) -> Folded:
    """A text folded throughout, each number as one placeholder."""
    built, at = Builder(unfolded(text)), 0
    for number in numbers:
        built.keep(at, number.start)
        built.put(number.start, number.end, _NUMBER)
        at = number.end
    built.keep(at, len(text))
    return typography.refold(spaced(composed(built.folded())), text)


def _places(needle: Folded, hay: Folded) -> Iterator[Place]:
    """Raw offsets of every match of one folded text in another, in order."""
    wanted = needle.text.strip()
    if not wanted:
        return
    if typography.BREAK in wanted or typography.BREAK in hay.text:
        yield from _broken_places(wanted, hay)
    else:
        yield from _plain_places(wanted, hay)


def _plain_places(wanted: str, hay: Folded) -> Iterator[Place]:
    """Matches character for character; what stands for a break elsewhere is a character like any other here."""
    if not wanted:
        return
    at, work = hay.text.find(wanted), _WORK
    while at >= 0:
        yield hay.raw(at, at + len(wanted))
        work -= len(wanted)
        at = hay.text.find(wanted, at + (1 if work > 0 else len(wanted)))


def _broken_places(wanted: str, hay: Folded) -> Iterator[Place]:
    """Matches where a hyphen at a line end may be kept or dropped: found without hyphens and blanks, then compared."""
    letters = [i for i, character in enumerate(hay.text) if character not in _LOOSE]
    bare = "".join(hay.text[i] for i in letters)
    core = "".join(character for character in wanted if character not in _LOOSE)
    lead = len(wanted) - len(wanted.lstrip(_LOOSE))
    if not core:
        return
    at, work = bare.find(core), _WORK
    while at >= 0:
        start = max(letters[at] - lead, 0)
        end = _compared(wanted, hay.text, start)
        if end is not None:
            yield hay.raw(start, end)
        work -= len(wanted)
        at = bare.find(core, at + (1 if work > 0 else len(core)))


def _compared(wanted: str, text: str, at: int) -> int | None:
    """Where `wanted` ends when it stands at `at`, a break standing for a hyphen, a hyphen and a blank, or nothing."""
    i = 0
    while i < len(wanted):
        if wanted[i] == text[at:at + 1]:
            i, at = i + 1, at + 1
        elif text[at:at + 1] == typography.BREAK and _stands(wanted, i, text, at):
            i, at = i + _hyphen(wanted, i), at + 1
        elif wanted[i] == typography.BREAK and _stands(text, at, wanted, i):
            i, at = i + 1, at + _hyphen(text, at)
        else:
            return None
    return at


def _hyphen(text: str, at: int) -> int:
    """How many characters at `at` a break may stand for."""
    return 2 if text.startswith("- ", at) else int(text.startswith("-", at))


def _stands(text: str, at: int, broken: str, place: int) -> bool:
    """Whether the break at `place` stands for what is at `at`: for nothing only where that joins no digits."""
    return _hyphen(text, at) > 0 or not (broken[place - 1].isdigit() and broken[place + 1].isdigit())


def _whole(text: str, places: Iterator[Place], numbers: Sequence[Found] | None) -> list[Place]:
    """The places that cut neither a word nor a number nor a range."""
    found = list(places)
    if not found:
        return []
    known = find_numbers(text) if numbers is None else numbers
    starts = [number.start for number in known]
    return [(start, end) for start, end in found
            if not _cuts(text, start, known, starts) and not _cuts(text, end, known, starts)]


def _cuts(text: str, at: int, numbers: Sequence[Found], starts: list[int]) -> bool:
    """Whether a border at `at` lies inside a word, a number or a range."""
    if 0 < at < len(text) and text[at - 1] not in _APART and text[at] not in _APART:
        if _in_word(text[at - 1]) and _in_word(text[at]):
            return True
        if _in_name(text, at):
            return True
    index = bisect_right(starts, at - 1) - 1
    if index < 0:
        return False
    number = numbers[index]
    end = number.end
    if number.partner is not None and number.partner > index:
        end = numbers[number.partner].end
    if at < end:
        return True
    # Between the letters of a unit: TB of TB/s is another unit.
    return number.end < at < number.stop and not text[number.end:at].isspace()


def cuts_unit(numbers: Sequence[Found], at: int) -> bool:
    """Whether words that end at `at` leave the unit of their last number behind: 5 of 5 GB is another number.

    An anchor may end there, as it only points at a number; words that are repeated elsewhere may not.
    """
    index = bisect_right(numbers, at, key=lambda number: number.end) - 1
    return index >= 0 and at < numbers[index].stop


def _in_name(text: str, at: int) -> bool:
    """Whether a border lies inside a name with digits, such as EAGLE-3 or A100-80GB."""
    left, right = _NAME_LEFT.search(text[max(0, at - _NAME):at]), _NAME_RIGHT.match(text[at:at + _NAME])
    if not left or not right:
        return False
    name = left[0] + right[0]
    return name[0].isalpha() and any(character.isdigit() for character in name)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or "\u0300" <= character <= "\u036f"
