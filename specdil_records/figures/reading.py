"""From digits and a unit to a figure, and a whole text as one figure."""
from __future__ import annotations

import re

from specdil_records.figures.digits import Digits, Unread, match_number, shown, stated_uncertainty
from specdil_records.figures.units import match_unit, unit_named
from specdil_records.figures.values import Figure, FigureError, Unit

_START = re.compile(r"(?P<sign>[+\-\u2212])?(?=[.]?[\d\u00bc-\u00be\u2150-\u215e\u2189])")
_COUNTED = re.compile(r"[\s-]*(?:[^\W\d_]+[\s/-]*)*")


def compose(text: str, digits: Digits, unit: Unit | None) -> Figure:
    """The figure of digits in a unit; `text` is how it is written."""
    if unit is None:
        return Figure(text, digits.value, digits.half, None, digits.whole)
    return Figure(text, digits.value * unit.scale, digits.half * unit.scale, unit, False)


def read_figure(text: str, default_unit: str | None = None) -> Figure:
    """Read a text that is one number, with a unit or without; `default_unit` serves a number without.

    Raises `FigureError`: `unreadable-number`, `unknown-unit` or `too-large`.
    """
    written = text.strip()
    start = _START.match(written)
    if start is None:
        raise FigureError("unreadable-number", f"{shown(written)} is no number")
    signed = 0 if start["sign"] else None
    digits = _digits(match_number(written, start.end(), signed))
    found = match_unit(written, digits.end, start.end())
    if found.problem is not None:
        raise found.problem
    unit, stop = found.unit, found.stop
    stated = stated_uncertainty(written, stop) if unit is not None and not digits.stated else None
    if stated is not None:
        digits, stop = _with_uncertainty(written, digits, unit, _digits(stated))
    rest = written[stop:]
    scaled = unit is None or unit.kind == "count-scale"
    if rest and not (scaled and _COUNTED.fullmatch(rest)):
        raise FigureError("unreadable-number", f"{shown(written)} is not one number with its unit: "
                          f"what is {shown(rest.strip())}?")
    if scaled and not rest and default_unit:
        named = unit_named(default_unit)
        if named.problem is not None:
            raise named.problem
        if unit is not None and named.unit is not None:  # 1.2K in a column of tok/s
            return in_unit(compose(written, digits, unit), named.unit)
        unit = unit or named.unit
    return compose(written, digits, unit)


def in_unit(figure: Figure, unit: Unit) -> Figure:
    """A figure that is written without a unit, or with a multiplier only, as one in a unit that is stated elsewhere."""
    return Figure(figure.text, figure.value * unit.scale, figure.half_unit * unit.scale, unit, exact=False)


def _digits(read: Digits | Unread) -> Digits:
    if isinstance(read, Unread):
        raise read.error
    return read


def _with_uncertainty(text: str, digits: Digits, unit: Unit | None, stated: Digits) -> tuple[Digits, int]:
    """`1.38x \u00b1 0.05x`: the uncertainty has the same unit, or none."""
    other = match_unit(text, stated.end)
    if other.problem is not None:
        raise other.problem
    if other.unit is not None and other.unit != unit:
        raise FigureError("unreadable-number", f"{shown(text)}: the number and its uncertainty have different units")
    return with_half(digits, stated), other.stop


def with_half(digits: Digits, stated: Digits) -> Digits:
    """Digits with a stated uncertainty in place of half a unit."""
    return Digits(digits.start, stated.end, digits.value, stated.value, False, True)
