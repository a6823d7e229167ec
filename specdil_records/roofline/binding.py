"""From the arguments of a call to checked values by name."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid, ceil, floor, lower, maximum, minimum, some, upper
from specdil_records.roofline.entry import LARGEST_COUNT, Entry, Parameter
from specdil_records.roofline.errors import CatalogueError
from specdil_records.roofline.machine import Accelerator, Model

Value = Any

_NUMBERS = (int, Fraction, Interval, RationalGrid, float, np.ndarray, np.integer)
_WITHOUT_MODEL = frozenset({"speedup", "tree.speedup", "break_even_batch", "best_draft_length"})


def bind(entry: Entry, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Value]:
    """The value of each parameter, checked. Raises `CatalogueError`.

    Positional arguments come first, in the entry's order. At level W `context` may be left out, and `model` too
    where the result does not depend on it.
    """
    given = _named(entry, args, kwargs)
    bound: dict[str, Value] = {}
    for parameter in entry.parameters:
        value = given.get(parameter.name, parameter.default)
        if parameter.many:
            bound[parameter.name] = tuple(_checked(entry, parameter, each) for each in given.get(parameter.name, ()))
            if not bound[parameter.name]:
                raise CatalogueError(f"{entry.name} needs at least one of {parameter.name}")
            continue
        if parameter.is_required and given.get(parameter.name) is None:
            bound[parameter.name] = _left_out(entry, parameter, given)
            continue
        bound[parameter.name] = _checked(entry, parameter, value)
    return bound


def _named(entry: Entry, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    parameters = entry.parameters
    given: dict[str, Any] = {}
    for place, parameter in enumerate(parameters):
        if parameter.many:
            given[parameter.name] = args[place:]
            args = args[:place]
        elif place < len(args):
            given[parameter.name] = args[place]
    if len(args) > len(parameters):
        raise CatalogueError(f"{entry.name} takes at most {len(parameters)} arguments, {len(args)} are given")
    for name, value in kwargs.items():
        parameter_or_none = entry.parameter(name)
        if parameter_or_none is None or parameter_or_none.many:
            takes = ", ".join(each.name for each in parameters)
            raise CatalogueError(f"{entry.name} has no argument {name!r}; it takes {takes}")
        if name in given:
            raise CatalogueError(f"{entry.name} is given {name!r} twice")
        given[name] = value
    return given


def _left_out(entry: Entry, parameter: Parameter, given: Mapping[str, Any]) -> Value:
    if given.get("level") == "W":
        if parameter.name == "context":
            return 0
        if parameter.name == "model" and entry.name in _WITHOUT_MODEL:
            return None
    raise CatalogueError(f"{entry.name} needs {parameter.name}: {parameter.summary}")


def _checked(entry: Entry, parameter: Parameter, value: Any) -> Value:
    if value is None and parameter.default is None:
        return None
    if type(value) is int and parameter.kind == "count" and (parameter.least or 0) <= value <= (
            LARGEST_COUNT if parameter.most is None else parameter.most):
        return value
    where = f"{parameter.name} of {entry.name}"
    match parameter.kind:
        case "accelerator":
            return _instance(where, value, Accelerator, "an accelerator")
        case "model":
            return _instance(where, value, Model, "a model")
        case "vocabulary":
            if not isinstance(value, str) or value not in parameter.choices:
                raise CatalogueError(f"{where} is one of {', '.join(parameter.choices)}, not {value!r}")
            return value
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        raise CatalogueError(f"{where} is a number, not {_described(value)}")
    if isinstance(value, np.integer):
        value = int(value)
    value = _whole(where, parameter, value) if parameter.kind == "count" else _in_range(where, parameter, value)
    return _without_width(value)


def _without_width(value: Value) -> Value:
    """An interval of one number is that number, so that a zero or a one is known as such."""
    if isinstance(value, Interval) and not isinstance(value.lo, RationalGrid) and value.is_point:
        return value.lo
    return value


def _instance(where: str, value: Any, kind: type, words: str) -> Any:
    if not isinstance(value, kind):
        raise CatalogueError(f"{where} is {words}, not {_described(value)}")
    return value


def _described(value: Any) -> str:
    if value is None:
        return "nothing"
    name = "text" if isinstance(value, str) else type(value).__name__.lower()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _whole(where: str, parameter: Parameter, value: Value) -> Value:
    """A count: whole and large enough. An interval stands for the whole numbers in it."""
    if isinstance(value, Interval):
        low, high = ceil(value.lo), floor(value.hi)
        if some(low > high):
            raise CatalogueError(f"{where} is a whole number; the interval holds none")
        value = Interval(low, high)
    elif isinstance(value, Fraction):
        if value.denominator != 1:
            raise CatalogueError(f"{where} is a whole number, not {value}")
        value = value.numerator
    elif isinstance(value, RationalGrid) and not value.is_whole():
        raise CatalogueError(f"{where} is a whole number; the grid holds fractions")
    if parameter.least is not None and some(lower(value) < parameter.least):
        raise CatalogueError(f"{where} is at least {parameter.least}")
    most = LARGEST_COUNT if parameter.most is None else parameter.most
    if some(upper(value) > most):
        raise CatalogueError(f"{where} is at most {most}")
    return value


def _in_range(where: str, parameter: Parameter, value: Value) -> Value:
    """A number in its range. An interval that sticks out, as that of a rounded 1.0 does, is cut to the range."""
    least, most = parameter.least, parameter.most
    if isinstance(value, Interval):
        if (least is not None and some(upper(value) < least)) or (most is not None and some(lower(value) > most)):
            raise CatalogueError(f"{where} is {_range_in_words(parameter)}")
        low = value.lo if least is None else maximum(value.lo, least)
        high = value.hi if most is None else minimum(value.hi, most)
        return Interval(low, high)
    if (least is not None and some(value < least)) or (most is not None and some(value > most)):
        raise CatalogueError(f"{where} is {_range_in_words(parameter)}")
    return value


def _range_in_words(parameter: Parameter) -> str:
    if parameter.most is None:
        return f"at least {parameter.least}"
    return f"from {parameter.least} to {parameter.most}"
