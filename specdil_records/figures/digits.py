"""The digits of a number: sign, groups, decimals, power, uncertainty; and digits that cannot be read."""
from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from specdil_records.figures.values import FigureError

LONGEST = 400
"""The most digits that a number may have, written out or by its power of ten."""

INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
VULGAR = "\u00bc-\u00be\u2150-\u215e\u2189"
RAISED = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079"
LOWERED = "\u2080-\u2089"
SIGNS = "+\\-\u2212"
BLANK = "[ \u00a0\u2007\u2009\u202f]"

_MANTISSA = re.compile(
    r"(?:[1-9][0-9]{0,2}(?P<comma>(?:,[0-9]{3})+)(?![0-9])"
    r"|[1-9][0-9]{0,2}(?P<gap>[\u00a0\u2009\u202f])[0-9]{3}(?:(?P=gap)[0-9]{3})*(?![0-9])"
    r"|[0-9]+)"
    r"(?:\.(?P<decimals>[0-9]+))?")
_E_POWER = re.compile(r"[eE](?P<power>[+\-\u2212]?[0-9]+)")
_TEN = re.compile(rf"10(?:\^(?P<power>[+\-\u2212]?[0-9]+)|(?P<raised>[\u207a\u207b]?[{RAISED}]+))")
_TIMES_TEN = re.compile(rf"{BLANK}?[x\u00d7\u00b7]{BLANK}?{_TEN.pattern}")
# The common case: a few digits, and nothing behind them that could belong to the number.
_SIMPLE = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?"
                     r"(?=$|[\n%/=;:)\]!?-]|[.,](?:\s|$)|[A-DF-WYZa-df-wyz]| [A-WYZa-wyz0-9(])")
_PLUS_MINUS = re.compile(rf"{BLANK}?(?:\u00b1|\+/-){BLANK}?(?=[0-9])")
# What may not follow digits directly: a comma that groups nothing, a digit of another script, a fraction, a raised
# or lowered digit, an underscore or an apostrophe between digits, something invisible before more digits.
_ODD = re.compile(rf"[,._]\d|['\u2019][0-9]{{3}}(?![0-9])|[{VULGAR}{RAISED}{LOWERED}]|[{INVISIBLE}]+[.,]?\d")
_ODD_RUN = re.compile(rf"(?:[\d{VULGAR}{RAISED}{LOWERED}{INVISIBLE}]|[.,_'\u2019eE](?=\d))+")
_Value = tuple[int, Fraction, Fraction, bool]  # end, value, half a unit in the last place, whole
_DIGITS_OF_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b",
                                  "0123456789+-")


@dataclass(frozen=True, slots=True)
class Digits:
    """Digits as they stand at [start, end) of a text, before any unit.

    `half` is half a unit in the last place, or the stated uncertainty (`stated`). `whole` is true without
    decimals, power or uncertainty.
    """

    start: int
    end: int
    value: Fraction
    half: Fraction
    whole: bool
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A run of digits up to `end` that is no number, and why."""

    end: int
    error: FigureError


def match_number(text: str, at: int, signed: int | None = None) -> Digits | Unread:
    """Read the number whose first digit (or whose leading point) stands at `at`.

    `signed` is the place of its sign, when it has one. Gives the digits, or the run that cannot be read.
    The time is linear in the length of the run.
    """
    start = at if signed is None else signed
    simple = _SIMPLE.match(text, at)
    if simple:
        value, half, whole = _plain(simple[0])
        return Digits(start, simple.end(), value if start == at or text[start] == "+" else -value, half, whole)
    if not "0" <= text[at] <= "9":
        return _unreadable(text, start, at)
    matched = _read(text, at)
    if isinstance(matched, Unread):
        return matched
    end, value, half, whole = matched
    if _is_odd(text, end):
        return _unreadable(text, start, at)
    negative = signed is not None and text[signed] != "+"
    value = -value if negative else value
    between = _PLUS_MINUS.match(text, end)
    if between:
        other = _read(text, between.end())
        if isinstance(other, Unread):
            return other
        if _is_odd(text, other[0]):
            return _unreadable(text, start, between.end())
        return Digits(start, other[0], value, other[1], False, True)
    return Digits(start, end, value, half, whole)


@lru_cache(maxsize=4096)
def _plain(written: str) -> tuple[Fraction, Fraction, bool]:
    """Value, half a unit in the last place and wholeness of digits with at most a decimal point."""
    whole, _, decimals = written.partition(".")
    unit = Fraction(1, 10 ** len(decimals))
    return int(whole + decimals) * unit, unit / 2, not decimals


def stated_uncertainty(text: str, at: int) -> Digits | Unread | None:
    """The uncertainty behind a plus-minus sign at `at` (after a unit), or nothing."""
    between = _PLUS_MINUS.match(text, at)
    return match_number(text, between.end()) if between else None


def _read(text: str, at: int) -> _Value | Unread:
    ten = _TEN.match(text, at)
    if ten:
        power = _power(ten)
        return _powered(ten.end(), "1", 0, power)
    mantissa = _MANTISSA.match(text, at)
    assert mantissa is not None
    decimals = mantissa["decimals"] or ""
    digits = re.sub(r"[^0-9]", "", mantissa[0])
    end = mantissa.end()
    times = _TIMES_TEN.match(text, end) or _E_POWER.match(text, end)
    if times:
        return _powered(times.end(), digits, len(decimals), _power(times))
    if len(digits) > LONGEST:
        return Unread(end, too_large())
    unit = Fraction(1, 10 ** len(decimals))
    return end, int(digits) * unit, unit / 2, not decimals


def _power(matched: re.Match[str]) -> str:
    groups = matched.groupdict()
    written = groups["power"] or groups["raised"].translate(_DIGITS_OF_RAISED)
    return written.replace("\u2212", "-")


def _powered(end: int, digits: str, decimals: int, power: str) -> _Value | Unread:
    if len(digits) > LONGEST or len(power) > 5 or abs(int(power)) + len(digits) > LONGEST:
        return Unread(end, too_large())
    unit = Fraction(10) ** (int(power) - decimals)
    return end, int(digits) * unit, unit / 2, False


def _is_odd(text: str, end: int) -> bool:
    if end >= len(text):
        return False
    following = text[end]
    if following.isdecimal():
        return True
    return bool(_ODD.match(text, end))


def _unreadable(text: str, start: int, at: int) -> Unread:
    run = _ODD_RUN.match(text, at)
    end = at + len(run[0].rstrip(INVISIBLE)) if run else at + 1
    return Unread(end, FigureError(
        "unreadable-number", f"{shown(text[start:end])} cannot be read as a number: the decimal mark is a point with "
        "digits on both sides, groups of three are set apart by a comma or a fixed blank, digits are 0 to 9"))


def too_large() -> FigureError:
    """The error of a number beyond the limit."""
    return FigureError("too-large", f"a number may have at most {LONGEST} digits, written out or by its power of ten")


def shown(text: str) -> str:
    """A piece of text for a message, shortened."""
    return repr(text if len(text) <= 40 else text[:39] + "\u2026")
