"""The digits that a figure should have: what its expression gives, rounded as the figure is written."""
from __future__ import annotations

import re
from fractions import Fraction

from specdil_records.arithmetic import RationalGrid
from specdil_records.claims.judging import leaf_point
from specdil_records.claims.language import is_bare_value
from specdil_records.claims.quantities import ends
from specdil_records.claims.results import FigureResult

_WRITTEN = re.compile(r"(?P<sign>[-+\u2212]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<decimals>\d+))?")


class NoDigits(Exception):
    """Digits cannot be told; the message says why."""


def right_digits(result: FigureResult, written: str) -> str:
    """The digits for a figure that drifts, in the manner of those that are written. Raises `NoDigits`."""
    shape = _WRITTEN.fullmatch(written)
    if shape is None:
        raise NoDigits(f"{written} is not written in plain digits")
    if result.computed is None or result.figure is None or result.node is None:
        raise NoDigits("nothing was computed")
    if is_bare_value(result.node):
        if isinstance(ends(result.used[-1].quantity.value)[0], RationalGrid):
            raise NoDigits("the source has a value for each point of the grid")
        low = high = leaf_point(result.used[-1])
    else:
        low, high = ends(result.computed.value)
    scale = result.figure.unit.scale if result.figure.unit is not None else Fraction(1)
    places = len(shape["decimals"] or "")
    one, two = (_rounded(Fraction(end) / scale, places, shape) for end in (low, high))
    if one != two:
        raise NoDigits(f"what it rests on is too coarse: anything from {one} to {two} would do")
    if Fraction(low) and not any(digit in one for digit in "123456789"):
        raise NoDigits(f"{one} would say nothing of what it comes to")
    exact = low == high and (Fraction(low) / scale * 10**places).denominator == 1
    if not exact and sum(map(str.isdigit, one)) != sum(map(str.isdigit, written)):
        raise NoDigits(f"{one} has not as many digits as {written}")
    return one


def _rounded(value: Fraction, places: int, shape: re.Match[str]) -> str:
    """A value with so many decimals, a tie away from zero, grouped and signed as the figure is."""
    units = abs(value) * 10**places
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    head, tail = divmod(whole, 10**places)
    digits = f"{head:,}" if "," in shape["whole"] else str(head)
    text = digits + (f".{tail:0{places}d}" if places else "")
    if value < 0 and whole:
        return (shape["sign"] if shape["sign"] in ("-", "\u2212") else "-") + text
    return ("+" if shape["sign"] == "+" else "") + text
