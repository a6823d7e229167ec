"""The closed list of units, and how a unit behind a number is found.

Prefixes are powers of 1000 (n u \u00b5 m, k M G T P) or of 1024 (Ki Mi Gi Ti); the case of every letter counts.
A spelling that differs from a unit of bytes, bits or FLOP in case only is refused; any other word is no unit.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.figures.digits import BLANK
from specdil_records.figures.scales import is_billion, is_count_of
from specdil_records.figures.values import FigureError, Unit

_SMALL = {"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "\u00b5": Fraction(1, 10**6),
          "\u03bc": Fraction(1, 10**6), "m": Fraction(1, 1000)}
_LARGE = {letter: Fraction(1000**power) for power, letter in enumerate("kMGTP", start=1)}
_BINARY = {letter + "i": Fraction(1024**power) for power, letter in enumerate("KMGT", start=1)}
_LETTERS = {"K": Fraction(1000), "k": Fraction(1000), "M": Fraction(10**6), "T": Fraction(10**12)}

_FLOP, _BYTE, _SECOND, _TOKEN, _JOULE = (
    Dimension(flop=1), Dimension(byte=1), Dimension(second=1), Dimension(token=1), Dimension(joule=1))
_NONE = {"": Fraction(1)}

Atom = tuple[Dimension, Fraction]


def _atoms() -> tuple[dict[str, Atom], dict[str, Atom]]:
    """Two tables: units of bytes, bits and FLOP, and all others."""
    near: dict[str, Atom] = {}
    for prefix, scale in (_NONE | _LARGE | _BINARY).items():
        for names, factor in ((("B", "byte", "bytes"), Fraction(1)), (("b", "bit", "bits"), Fraction(1, 8))):
            near.update({prefix + name: (_BYTE, scale * factor) for name in names})
    for prefix, scale in (_NONE | _LARGE).items():
        near[prefix + "FLOP"] = (_FLOP, scale)
        near[prefix + "FLOPS"] = (_FLOP / _SECOND, scale)
    other: dict[str, Atom] = {name: (_TOKEN, Fraction(1)) for name in ("token", "tokens", "tok", "toks")}
    for prefix, scale in (_NONE | _SMALL).items():
        other[prefix + "s"] = (_SECOND, scale)
    for prefix, scale in (_NONE | _SMALL | _LARGE).items():
        other[prefix + "W"] = (_JOULE / _SECOND, scale)
        other[prefix + "J"] = (_JOULE, scale)
    other.update({name: (_SECOND, Fraction(1)) for name in ("second", "seconds")})
    return near, other


_GUARDED, _OTHER = _atoms()
_KNOWN = _GUARDED | _OTHER
_FOLDED = {name.casefold() for name in _GUARDED}
_FOLDED_ANY = {name.casefold() for name in _KNOWN}
_TOKENS = frozenset({"token", "tokens", "tok", "toks"})
_WORDS = frozenset({"byte", "bytes", "bit", "bits", "second", "seconds"}) | _TOKENS

# White space between a number and its unit: a blank or a few, or one line break.
GAP = r"(?:[ \t\u00a0\u2007\u2009\u202f]{1,4}|[ \t]{0,4}\r?\n[ \t]{0,40})"
_PERCENT = re.compile(rf"{GAP}?%(?P<points>[ -]points?(?!\w))?"
                      rf"|{GAP}per ?cent(?!\w)(?![ -]point)|-percent(?!\w)(?!-point)")
_POINTS = re.compile(rf"{GAP}?(?:pp(?!\w)|percent(?:age)?[ -]points?(?!\w))|{GAP}points(?!\w)"
                     r"|-percent(?:age)?-points?(?!\w)")
_RATIO = re.compile(rf"[xX](?!\w)|\u00d7(?!\w|[(\[])|{GAP}\u00d7(?!{BLANK}?[\w(\[])|{GAP}\u00d7(?={BLANK}[a-z]{{2}})"
                    rf"|{GAP}times(?!\w)|[-\u2010\u2011]?fold(?!\w)")
_LETTER = re.compile(rf"[KkMT](?![\w])|{GAP}[KMT](?={GAP}(?:param(?:eter)?s?|tok(?:en)?s?|context)(?!\w))")
_SPACED_BILLIONS = re.compile(rf"{GAP}B(?={GAP}(?:param(?:eter)?s?|models?)(?!\w))")
_BEFORE_WORD = re.compile(rf"{GAP}|[-\u2010\u2011](?=[A-Za-z\u00b5\u03bc])")
_WORD = re.compile(r"[A-Za-z\u00b5\u03bc]{1,24}(?![\w\u0300-\u036f])")
_OVER = re.compile(rf"/(?=[A-Za-z\u00b5\u03bc])|{GAP}per{GAP}")
_LEADS = frozenset("%\u00d7-\u2010\u2011 \t\n\r\u00a0\u2007\u2009\u202f")
_PERCENT_LEADS = frozenset("%p-\u2010\u2011 \t\n\r\u00a0\u2007\u2009\u202f")
_RATIO_LEADS = frozenset("xX\u00d7tf-\u2010\u2011 \t\n\r\u00a0\u2007\u2009\u202f")
_DECADE = re.compile(r"(?:19|20)[0-9]0$")


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """What stands behind a number: its unit, none, or a spelling that is refused; and where that ends."""

    unit: Unit | None
    stop: int
    problem: FigureError | None = None


def match_unit(text: str, at: int, start: int | None = None) -> UnitMatch:
    """The unit behind the number that ends at `at`; `start` is where the number begins, when that is known.

    Looks at a bounded stretch of the text, so that reading many numbers stays linear.
    """
    start = at if start is None else start
    lead = text[at:at + 1]
    if lead.isspace():
        lead = text[at + 1:at + 2]
    if not (lead.isalpha() or lead in _LEADS):
        return UnitMatch(None, at)
    if lead in _PERCENT_LEADS and (share := _share(text, at)) is not None:
        return share
    if lead in _RATIO_LEADS:
        if is_count_of(text, start, at):
            return UnitMatch(None, at)
        if ratio := _RATIO.match(text, at):
            return _found(text, at, ratio.end(), Fraction(1), "ratio")
    if lead == "B" and (stop := _billions_end(text, start, at)):
        return _found(text, at, stop, Fraction(10**9), "count-scale")
    letter = _LETTER.match(text, at)
    if letter:
        return _scaled(text, at, letter.end())
    return _physical(text, at, start)


def _share(text: str, at: int) -> UnitMatch | None:
    """Percent, or points."""
    if points := _POINTS.match(text, at):
        return _found(text, at, points.end(), Fraction(1, 100), "points")
    percent = _PERCENT.match(text, at)
    if percent is None:
        return None
    return _found(text, at, percent.end(), Fraction(1, 100), "points" if percent["points"] else "percent")


def _billions_end(text: str, start: int, at: int) -> int:
    """The end of a `B` that means 10^9; 0 when it means bytes."""
    if text[at] == "B":
        return at + 1 if is_billion(text, start, at) else 0
    spaced = _SPACED_BILLIONS.match(text, at)
    return spaced.end() if spaced else 0


def unit_named(name: str) -> UnitMatch:
    """The unit that a text spells, as a column of a table states it (`x`, `%`, `TB/s`).

    A word that is no unit gives none; a near miss, or something behind the unit, is a problem.
    """
    spelled = name.strip()
    if spelled == "fold":  # a number is 2-fold
        spelled = "-fold"
    for text in (spelled, " " + spelled):
        found = match_unit(text, 0)
        if found.problem is not None or (found.unit is not None and found.stop == len(text)):
            return found
    return UnitMatch(None, 0)


def _found(text: str, at: int, stop: int, scale: Fraction, kind: str) -> UnitMatch:
    unit = Unit(" ".join(text[at:stop].split()), PURE, scale, kind)  # type: ignore[arg-type]
    return UnitMatch(unit, stop)


def _scaled(text: str, at: int, stop: int) -> UnitMatch:
    """A scale letter on the digits, and a unit behind it when there is one (1.1K tok/s)."""
    letter = text[at:stop].strip()
    scale = _LETTERS[letter]
    behind = _physical(text, stop, stop)
    if behind.problem is not None:
        return behind
    if behind.unit is None:
        return _found(text, at, stop, scale, "count-scale")
    unit = behind.unit
    return UnitMatch(Unit(f"{letter} {unit.text}", unit.dimension, unit.scale * scale), behind.stop)


def _physical(text: str, at: int, start: int) -> UnitMatch:
    none = UnitMatch(None, at)
    before = _BEFORE_WORD.match(text, at)
    first = before.end() if before else at
    word = _WORD.match(text, first)
    if not word:
        return none
    name, stop = word[0], word.end()
    if name not in _KNOWN:
        return UnitMatch(None, at, _refused(text[first:_quotient_end(text, stop)])) if _is_near(name) else none
    if _is_no_unit_here(text, at, first, stop, name, start):
        return none
    dimension, scale = _KNOWN[name]
    real = name not in _TOKENS
    while over := _OVER.match(text, stop):
        below = _WORD.match(text, over.end())
        if below is None or below[0] not in _KNOWN:
            if below is not None and below[0].casefold() in _FOLDED_ANY and _is_guarded(text[first:stop], below[0]):
                return UnitMatch(None, at, _refused(text[first:_quotient_end(text, below.end())]))
            break
        lower, factor = _KNOWN[below[0]]
        dimension, scale, stop = dimension / lower, scale / factor, below.end()
        real |= below[0] not in _TOKENS
    if not real:
        return none
    return UnitMatch(Unit(" ".join(text[first:stop].split()), dimension, scale), stop)


def _is_near(name: str) -> bool:
    return name.casefold() in _FOLDED


def _is_guarded(spelled: str, below: str) -> bool:
    """Whether a quotient has a part of bytes, bits or FLOP, in which a wrong case is refused."""
    return any(_is_near(part) for part in [*re.findall(r"[A-Za-z]+", spelled), below])


def _is_no_unit_here(text: str, at: int, first: int, stop: int, name: str, start: int) -> bool:
    """A letter or word that only looks like a unit: a symbol (`k=4 B=32`, `B(k+1)`), a decade, `64 bit-serial`."""
    following, further = text[stop:stop + 1], text[stop + 1:stop + 2]
    if len(name) == 1 and following in tuple("=(*^["):
        return True
    if first > at and text[at] not in "-\u2010\u2011" and following == "-" and further.isalpha():
        return len(name) == 1 or name in _WORDS
    return name == "s" and first == at and bool(_DECADE.match(text[start:at])) and at - start == 4


def _quotient_end(text: str, stop: int) -> int:
    while text[stop:stop + 1] == "/" and (below := _WORD.match(text, stop + 1)):
        stop = below.end()
    return stop


def _refused(spelled: str) -> FigureError:
    word = spelled if len(spelled) <= 40 else spelled[:39] + "\u2026"
    meant = sorted({name for name in _GUARDED if name.casefold() == word.split("/")[0].casefold()})
    hint = f"; case tells units apart ({', '.join(meant)})" if meant else ""
    return FigureError("unknown-unit", f"{word!r} is no unit{hint}")
