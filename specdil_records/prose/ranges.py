"""Ranges: `a-b`, `a \u2013 b`, `a to b`, `between a and b`. Their ends become partners and share the last unit."""
from __future__ import annotations

import re
from dataclasses import replace

from specdil_records.arithmetic import same_measure
from specdil_records.figures import FigureError, Unit
from specdil_records.figures.digits import shown
from specdil_records.prose.pieces import Piece

_DASHES = frozenset("-\u2010\u2011\u2012\u2013")
_WORDS = frozenset(("-", "\u2212", "\u2014", "to", "and"))
_DASH = re.compile(r"[-\u2010\u2011\u2012\u2013]|\s{1,4}[\u2012\u2013]\s{1,4}")
# A blank hyphen or a minus sign between two numbers may as well subtract: a range only when it ascends.
_MAYBE = re.compile(r"\s{1,4}-\s{1,4}|\s{0,4}\u2212\s{0,4}|\u2014")
_TO = re.compile(r"\s{1,20}to\s{1,20}")
_AND = re.compile(r"\s{1,20}and\s{1,20}")
_ABOUT = r"(?:(?:about|around|roughly|approximately|some|circa)\s+|[~\u2248])?"
_FROM = re.compile(r"(?<!\w)[Ff]rom(?:\s+[^\s\d.;:!?,()]+){0,4}[\s(~\u2248$\u20ac]*$")
_DETERMINED = re.compile(r"(?<!\w)(?:the|a|an|its|their|this|that|our|these|those)\s+$")
_BETWEEN = re.compile(rf"(?<!\w)[Bb]etween\s+{_ABOUT}$")
_BEFORE = 60


def joined(text: str, pieces: list[Piece]) -> list[Piece]:
    """Pair the ends of ranges. A range that does not ascend becomes one number that cannot be read."""
    kept: list[Piece] = []
    index = 0
    while index < len(pieces):
        last = index
        if _is_end(pieces[index]):
            while last + 1 < len(pieces) and _dashed(text, pieces[last], pieces[last + 1]):
                last += 1
        if last == index and index + 1 < len(pieces) and _is_end(pieces[index]) and _is_end(pieces[index + 1]):
            last += _in_words(text, pieces[index], pieces[index + 1])
        _keep(text, pieces[index:last + 1], kept)
        index = last + 1
    return kept


def _is_end(piece: Piece) -> bool:
    return piece.digits is not None


def _joint(text: str, low: Piece, high: Piece) -> str:
    return text[low.stop:high.start]


def _dashed(text: str, low: Piece, high: Piece) -> bool:
    joint = _joint(text, low, high)
    return joint.strip() in _DASHES and _is_end(high) and bool(_DASH.fullmatch(joint)) \
        and _comparable(low.unit, high.unit)


def _in_words(text: str, low: Piece, high: Piece) -> bool:
    """Whether words, or a dash that might subtract, make a range of two numbers."""
    joint = _joint(text, low, high)
    if joint.strip() not in _WORDS or not _comparable(low.unit, high.unit):
        return False
    if _MAYBE.fullmatch(joint):
        return _ascends(low, high)
    before = text[max(0, low.start - _BEFORE):low.start]
    if _TO.fullmatch(joint):
        return not _FROM.search(before) or bool(_DETERMINED.search(before))
    return bool(_AND.fullmatch(joint)) and bool(_BETWEEN.search(before))


def _comparable(low: Unit | None, high: Unit | None) -> bool:
    if low is None:
        return True
    if high is None:
        return False  # 3 GB to 5 cards: the last unit serves both, the first does not
    kinds = {low.kind, high.kind}
    if low.text == high.text:
        return True  # perhaps a B that only the upper end shows to be billions
    return same_measure(low.dimension, high.dimension) and len(kinds) == 1


def _shared(low: Piece, high: Piece) -> Piece:
    """The lower end in the unit of the upper one, when it has none of its own."""
    if high.unit is not None and (low.unit is None or low.unit.text == high.unit.text):
        return replace(low, unit=high.unit)
    return low


def _ascends(low: Piece, high: Piece) -> bool:
    low = _shared(low, high)
    assert low.digits is not None
    assert high.digits is not None
    below, above = (piece.unit.scale if piece.unit is not None else 1 for piece in (low, high))
    return low.digits.value * below < high.digits.value * above


def _keep(text: str, run: list[Piece], kept: list[Piece]) -> None:
    if len(run) == 1:
        kept.append(run[0])
        return
    low, high = run[0], run[-1]
    if len(run) > 2 or not _ascends(low, high):
        why = "a range has two ends" if len(run) > 2 else "a range ascends"
        error = FigureError("unreadable-number", f"{shown(text[low.start:high.end])} cannot be read as a range: {why}")
        kept.append(Piece(low.start, high.end, high.stop, problem=error))
        return
    here = len(kept)
    kept.append(replace(_shared(low, high), partner=here + 1))
    kept.append(replace(high, partner=here))
