"""Evaluating a catalogue entry on any kind of number.

Exact numbers and grids go straight to the closed form. Intervals are taken to the corners that the entry's declared
monotony names, which gives the exact hull; what is left of them goes through the closed form as intervals. Forms
that decide instead of compute run at one point of a grid at a time. With a float anywhere, everything is made
float first.
"""
from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid, lower, upper
from specdil_records.roofline.answers import Answer, hull, joined
from specdil_records.roofline.binding import bind
from specdil_records.roofline.entry import Direction, Entry
from specdil_records.roofline.errors import CatalogueError, NoNumber, Undecided
from specdil_records.roofline.machine import Accelerator, Model, as_exact, as_float

Value = Any
Bound = dict[str, Value]

_REMEMBERED = frozenset({int, Fraction, str, type(None)})
"""Types of arguments whose value is kept: records ask for the same few points again and again."""

MOST_LENGTHS = 64
"""An interval of draft lengths is tried length by length, up to this many."""


def call(entry: Entry, *args: Any, **kwargs: Any) -> Any:
    """The value of a closed form: a number of the kind of its arguments, or an `Answer` that is no number.

    Arguments are positional, then by name, in the entry's order. An answer with exactly one crossing is that number;
    `answer` gives it whole. Raises `CatalogueError` for wrong arguments, `MissingValue` for a value that an
    accelerator or model lacks, `Undecided` where intervals allow answers of different kinds, `NoNumber` where a point
    of a grid has no number, `ZeroDivisionError`.
    """
    if all(type(value) in _REMEMBERED for value in (*args, *kwargs.values())):
        return _remembered(entry, args, tuple(kwargs.items()))
    return _plain(answer(entry, *args, **kwargs))


@functools.lru_cache(maxsize=2_000)
def _remembered(entry: Entry, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
    return _plain(answer(entry, *args, **dict(kwargs)))


def answer(entry: Entry, *args: Any, **kwargs: Any) -> Any:
    """As `call`, with an `Answer` left whole: its ranges of batches beside the crossing."""
    return evaluate(entry, bind(entry, args, kwargs))


def evaluate(entry: Entry, bound: Bound) -> Any:
    """As `answer`, for arguments that are bound and checked already."""
    kinds = _kinds(bound.values())
    if not kinds.isdisjoint(_INEXACT):
        try:
            bound = {name: _in_floats(value) for name, value in bound.items()}
        except (TypeError, OverflowError) as error:
            raise CatalogueError(f"{entry.name}: {error}") from None
        return _on_arrays(entry, bound) if entry.per_point else _applied(entry, bound)
    if Interval not in kinds:
        gridded = entry.per_point and any(_grid_shape(value) is not None for value in bound.values())
        return _at_points(entry, bound) if gridded else _applied(entry, bound)
    if (entry.per_point or isinstance(bound.get("draft_k"), Interval)) and any(
        _grid_shape(value) is not None for value in bound.values()
    ):
        return _at_points(entry, bound)
    return _on_intervals(entry, bound)


def _applied(entry: Entry, bound: Bound) -> Any:
    many = [each.name for each in entry.parameters if each.many]
    if not many:
        return entry.function(**bound)
    rest = {name: value for name, value in bound.items() if name not in many}
    return entry.function(*bound[many[0]], **rest)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Answer) else value


# Intervals --------------------------------------------------------------------------------------------------


def _on_intervals(entry: Entry, bound: Bound) -> Any:
    declared = declared_monotony(entry, bound)
    low, high = dict(bound), dict(bound)
    for name, direction in declared.items():
        of_low, of_high = (lower, upper) if direction == "rising" else (upper, lower)
        _move(low, name, of_low)
        _move(high, name, of_high)
    if isinstance(low.get("draft_k"), Interval):
        return _over_lengths(entry, low, high)
    return hull(_applied(entry, low), _applied(entry, high))


def declared_monotony(entry: Entry, bound: Mapping[str, Any]) -> dict[str, Direction]:
    """In which arguments the entry is monotone at these arguments: always, and where nothing spoils the ideal."""
    declared = dict(entry.monotone)
    neutral = {each.name: each.default for each in entry.parameters}
    if all(_is_neutral(bound.get(name), neutral.get(name)) for name in entry.ideal_without):
        declared |= entry.monotone_when_ideal
    return declared


def _is_neutral(value: Any, neutral: Any) -> bool:
    if value is None or isinstance(value, Model):
        return value is None
    return isinstance(value, int) and value == neutral


def _move(corner: Bound, name: str, end: Any) -> None:
    head, _, field = name.partition(".")
    if corner.get(head) is None:
        return
    value = corner[head]
    if not field:
        # Rates in a tuple stay intervals: sums of products of them are as tight.
        corner[head] = end(value)
        return
    inside = getattr(value, field)
    if isinstance(inside, Mapping):
        corner[head] = replace(value, **{field: {key: end(each) for key, each in inside.items()}})
    elif isinstance(inside, Interval):
        corner[head] = replace(value, **{field: end(inside)})


def _over_lengths(entry: Entry, low: Bound, high: Bound) -> Any:
    """What every whole draft length of an interval gives, together."""
    first, last = low["draft_k"].lo, low["draft_k"].hi
    if last - first >= MOST_LENGTHS:
        raise Undecided(f"draft_k of {entry.name} is an interval of more than {MOST_LENGTHS} lengths")
    found = [
        hull(_applied(entry, low | {"draft_k": k}), _applied(entry, high | {"draft_k": k}))
        for k in range(first, last + 1)
    ]
    return functools.reduce(joined, found)


# Grids and arrays -------------------------------------------------------------------------------------------


def _at_points(entry: Entry, bound: Bound) -> Any:
    """One point of the grid after another; the results become a grid again."""
    shape = np.broadcast_shapes(*(found for value in bound.values() if (found := _grid_shape(value)) is not None))
    spread = {name: _spread(value, shape) for name, value in bound.items()}
    gridded = [name for name, value in spread.items() if isinstance(value, list)]
    known: dict[tuple[Any, ...], Any] = {}
    results = []
    for point in _points(spread, math.prod(shape)):
        key = tuple(point[name] for name in gridded)
        if key not in known:
            known[key] = _plain(evaluate(entry, point))
        results.append(known[key])
    if strange := next((each for each in results if isinstance(each, Answer | str)), None):
        raise NoNumber(f"{entry.name} is {strange} at a point of the grid, and that is no number")
    if any(isinstance(each, Interval) for each in results):
        return Interval(*(RationalGrid.of(map(end, results)).reshape(*shape) for end in (lower, upper)))
    return RationalGrid.of(results).reshape(*shape)


def _points(spread: Mapping[str, Any], count: int) -> Iterator[Bound]:
    for place in range(count):
        yield {name: value[place] if isinstance(value, list) else value for name, value in spread.items()}


def _spread(value: Value, shape: tuple[int, ...]) -> Any:
    if isinstance(value, RationalGrid):
        return list(value.broadcast_to(shape))
    if isinstance(value, Interval) and isinstance(value.lo, RationalGrid):
        return list(map(_between, value.lo.broadcast_to(shape), value.hi.broadcast_to(shape)))
    return value


def _between(low: Value, high: Value) -> Value:
    return low if low == high else Interval(low, high)


def _on_arrays(entry: Entry, bound: Bound) -> Any:
    """One point of float arrays after another, each float taken as the fraction that it is.

    So a decision is exact here as well; `always` and `never` become the entry's floats for them.
    """
    arrays = {name: value for name, value in bound.items() if isinstance(value, np.ndarray)}
    shape = np.broadcast_shapes(*(value.shape for value in arrays.values()))
    spread = {name: np.broadcast_to(value, shape).ravel().tolist() for name, value in arrays.items()}
    try:
        exact = {name: _as_exact(value) for name, value in (bound | spread).items()}
    except (ValueError, OverflowError) as error:
        raise CatalogueError(f"{entry.name}: {error}") from None
    results = [_applied(entry, point) for point in _points(exact, math.prod(shape))]
    return np.asarray([_as_float_result(entry, each) for each in results]).reshape(shape)


def _as_exact(value: Any) -> Any:
    return [as_exact(each) for each in value] if isinstance(value, list) else as_exact(value)


def _as_float_result(entry: Entry, value: Any) -> float:
    value = _plain(value)
    if isinstance(value, Answer):
        return entry.floats_for.get(value.kind, math.nan)
    return float((lower(value) + upper(value)) / 2)


def _in_floats(value: Any) -> Any:
    return tuple(as_float(each) for each in value) if isinstance(value, tuple) else as_float(value)


# What a value holds -----------------------------------------------------------------------------------------


def _kinds(values: Iterable[Any]) -> set[type]:
    """The types of all numbers in some values: in tuples, accelerators and models too."""
    kinds: set[type] = set()
    for value in values:
        if isinstance(value, tuple):
            kinds.update(map(type, value))
        elif isinstance(value, Accelerator):
            kinds.update(map(type, (*value.peaks.values(), *_NUMBERS_OF_ACCELERATOR(value))))
        elif isinstance(value, Model):
            kinds.update(map(type, _FIELDS_OF_MODEL(value)))
        else:
            kinds.add(type(value))
    return kinds


_NUMBERS_OF_ACCELERATOR = operator.attrgetter(
    "memory_bandwidth", "memory_capacity", "interconnect_bandwidth", "tdp")
_FIELDS_OF_MODEL = operator.attrgetter(*Model.__slots__)
_INEXACT = frozenset({float, np.float64, np.ndarray})


def _grid_shape(value: Any) -> tuple[int, ...] | None:
    value = lower(value)
    return value.shape if isinstance(value, RationalGrid) else None
