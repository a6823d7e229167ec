"""Arguments as they are written on a command line: `batch=1..256`, `step_overhead=2ms`, `mode=[operator,serial]`."""
from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from specdil_records.arithmetic import Dimension, same_measure
from specdil_records.claims.grids import RANGE, read_grid
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import measure, tidy
from specdil_records.figures import FigureError, read_figure
from specdil_records.planning.errors import PlanningError


def pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` of an option that may be given several times. Raises `PlanningError`."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise PlanningError(f"{option}: {text!r} is not NAME=VALUE")
        if name in found:
            raise PlanningError(f"{option}: {name} is given twice")
        found[name] = value
    return found


def listed(text: str) -> list[str]:
    """The members of `[a, b, c]` or `a,b,c`."""
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return [part.strip().strip("\"'") for part in inside.split(",")]


def number(argument: str, text: str, dimension: Dimension, bare: bool = False) -> int | Fraction:
    """One exact number with its unit, which may be left out where `bare` says so: it is SI then.

    Raises `PlanningError` with the argument's name.
    """
    try:
        figure = read_figure(text)
    except FigureError as error:
        raise PlanningError(f"{argument}: {error}") from None
    found = figure.unit.dimension if figure.unit is not None else Dimension()
    # Nothing is nothing in every unit; any other bare number would be taken in one that nobody wrote: 5 for 5 ms.
    if not same_measure(found, dimension) and (figure.unit is not None or (figure.value and not bare)):
        raise PlanningError(f"{argument} is {measure(dimension)}, not {measure(found)}: {text!r}")
    value: int | Fraction = tidy(Fraction(figure.value))
    return value


def numbers(argument: str, text: str, dimension: Dimension) -> tuple[int | Fraction, ...]:
    """The values of an axis: `a..b`, `a..b*2` (geometric), `[a,b,c]` or one number. Raises `PlanningError`."""
    if RANGE.fullmatch(text):
        try:
            return tuple(read_grid({argument: text}).axes[argument])
        except FormulaError as error:
            raise PlanningError(str(error)) from None
    values = tuple(number(argument, part, dimension) for part in listed(text))
    if len(set(values)) != len(values):
        raise PlanningError(f"{argument}: {text} names a value twice")
    return values


def shown(value: Any, digits: int = 6) -> str:
    """An exact number as a decimal: whole where it is whole, else so many significant digits."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    sign, exact = ("-", -exact) if exact < 0 else ("", exact)
    # The exponent of the first digit, by whole numbers: a logarithm of floats may be one off.
    exponent = len(str(exact.numerator)) - len(str(exact.denominator))
    exponent -= exact < Fraction(10) ** exponent
    places = digits - 1 - exponent
    if places <= 0 and exponent < 15:
        return sign + str(round(exact))
    if -7 < exponent < 15:
        scaled = round(exact * 10**places)
        text = str(scaled).rjust(places + 1, "0")
        return sign + f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".")
    scaled = round(exact / Fraction(10) ** (exponent - digits + 1))
    if len(str(scaled)) > digits:
        scaled, exponent = scaled // 10, exponent + 1
    head = str(scaled)
    return sign + f"{head[0]}.{head[1:]}".rstrip("0").rstrip(".") + f"e{exponent}"
