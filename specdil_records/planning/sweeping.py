"""A catalogue quantity over a grid: which arguments vary, which stand, and the value at every point.

Whole grids go through the core at once, as exact numbers. Forms that decide instead of compute are asked point by
point, because `always` and `never` have no place in a grid of numbers.
"""
from __future__ import annotations

import difflib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Dimension, Interval, RationalGrid
from specdil_records.claims.subjects import QUANTITIES
from specdil_records.planning.errors import PlanningError
from specdil_records.planning.literals import listed, number, numbers, shown
from specdil_records.planning.things import Library, exact_float, with_literals
from specdil_records.roofline import (
    CATALOGUE,
    Answer,
    CatalogueError,
    Entry,
    MissingValue,
    Model,
    NoNumber,
    Parameter,
    Undecided,
    answer,
    signature,
)

MOST_POINTS = 100_000
MOST_EXACT_WITH_EXPERTS = 2_000
"""Exact powers of a share of idle experts have thousands of digits; larger grids of them are worked out in floats."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An argument that varies: its values as the core takes them, and as they are shown."""

    name: str
    values: tuple[Any, ...]
    labels: tuple[str, ...]
    dimension: Dimension
    is_number: bool


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is asked for: an entry of the catalogue, the arguments that stand and those that vary."""

    entry: Entry
    axes: tuple[Axis, ...]
    fixed: Mapping[str, Any]
    said: Mapping[str, str]
    """The standing arguments as they were given."""

    def __len__(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def in_floats(self) -> bool:
        """Whether the grid is worked out in float64 because exact numbers would take too long."""
        models = [self.fixed.get("model"), self.fixed.get("draft")]
        models += [value for axis in self.axes for value in axis.values if isinstance(value, Model)]
        has_experts = any(isinstance(one, Model) and one.is_moe for one in models)
        return has_experts and len(self) > MOST_EXACT_WITH_EXPERTS


@dataclass(frozen=True, slots=True)
class Row:
    """One point: the labels of the axes, and its value, an answer, a word, or what is missing."""

    labels: tuple[str, ...]
    value: Any

    @property
    def is_number(self) -> bool:
        """Whether the value is a number (an enclosure counts)."""
        return isinstance(self.value, int | Fraction | float | Interval)


def read_sweep(
    quantity: str, over: Mapping[str, str], given: Mapping[str, str], records: Mapping[str, str], library: Library
) -> Sweep:
    """The sweep that a command line asks for. Raises `PlanningError`, `UnsoundRecord`; each names its argument."""
    entry = _entry(quantity)
    for option, names in (("--over", over), ("--set", given), ("--of", records)):
        for name in names:
            _parameter(entry, name, option)
    twice = next((name for name in over if name in given or name in records), None)
    if twice is not None:
        raise PlanningError(f"--over: {twice} is given by --set or --of too")
    fixed = {name: library_thing(library, entry, name, tail) for name, tail in records.items()}
    for name, text in given.items():
        if "." not in name:
            fixed[name] = _standing(entry, name, text, library)
    for name in ("accelerator", "model", "draft"):
        fields = {key.partition(".")[2]: text for key, text in given.items() if key.startswith(name + ".")}
        if fields:
            kind = "accelerator" if name == "accelerator" else "model"
            values = {key: number(f"{name}.{key}", text, _field_dimension(key)) for key, text in fields.items()}
            fixed[name] = with_literals(fixed.get(name), values, name, kind)
    axes = tuple(_axis(entry, name, text, library) for name, text in over.items())
    sweep = Sweep(entry, axes, fixed, {**records, **given})
    if len(sweep) > MOST_POINTS:
        raise PlanningError(f"--over: the grid has {len(sweep)} points; at most {MOST_POINTS} are worked out")
    return sweep


def _entry(quantity: str) -> Entry:
    if quantity not in CATALOGUE:
        near = difflib.get_close_matches(quantity, CATALOGUE, n=1)
        raise PlanningError(f"QUANTITY: there is no {quantity!r}"
                            + (f"; did you mean {near[0]}?" if near else "; records quantities lists them"))
    return CATALOGUE[quantity]


def _parameter(entry: Entry, name: str, option: str) -> Parameter:
    head = name.partition(".")[0]
    found = entry.parameter(head)
    if found is None or ("." in name and found.kind not in ("accelerator", "model")):
        near = difflib.get_close_matches(head, [each.name for each in entry.parameters], n=1)
        raise PlanningError(f"{option}: {entry.name} has no argument {name!r}"
                            + (f"; did you mean {near[0]}?" if near else f"; it takes {signature(entry)}"))
    if option == "--of" and found.kind not in ("accelerator", "model"):
        raise PlanningError(f"--of: {name} is no record; give it with --set or --over")
    return found


def _field_dimension(field: str) -> Dimension:
    return QUANTITIES.get(field, Dimension())


def library_thing(library: Library, entry: Entry, name: str, tail: str) -> Any:
    """The accelerator or model that an argument names."""
    kind = entry.parameter(name)
    assert kind is not None
    return library.accelerator(tail, name) if kind.kind == "accelerator" else library.model(tail, name)


def _standing(entry: Entry, name: str, text: str, library: Library) -> Any:
    parameter = _parameter(entry, name, "--set")
    if parameter.kind in ("accelerator", "model"):
        return library_thing(library, entry, name, text)
    if parameter.kind == "vocabulary":
        return _word(parameter, text)
    if parameter.many:
        return numbers(name, text, parameter.dimension)
    return number(name, text, parameter.dimension)


def _word(parameter: Parameter, text: str) -> str:
    if text not in parameter.choices:
        raise PlanningError(f"{parameter.name} is one of {', '.join(parameter.choices)}, not {text!r}")
    return text


def _axis(entry: Entry, name: str, text: str, library: Library) -> Axis:
    parameter = _parameter(entry, name, "--over")
    if "." in name:
        dimension = _field_dimension(name.partition(".")[2])
        values = numbers(name, text, dimension)
        for value in values:
            with_literals(None, {name.partition(".")[2]: value}, name.partition(".")[0], parameter.kind)
        return Axis(name, values, tuple(map(shown, values)), dimension, False)
    if parameter.many:
        raise PlanningError(f"--over: {name} takes all its values at once; give them with --set {name}=[...]")
    if parameter.kind in ("accelerator", "model"):
        names = listed(text)
        things = tuple(library_thing(library, entry, name, one) for one in names)
        return Axis(name, things, tuple(names), parameter.dimension, False)
    if parameter.kind == "vocabulary":
        words = tuple(_word(parameter, one) for one in listed(text))
        return Axis(name, words, words, parameter.dimension, False)
    values = numbers(name, text, parameter.dimension)
    return Axis(name, values, tuple(map(shown, values)), parameter.dimension, True)


# The values -------------------------------------------------------------------------------------------------


def rows(sweep: Sweep) -> Iterator[Row]:
    """Every point of the grid, the last axis fastest. Raises `PlanningError` for arguments that the core refuses."""
    try:
        values = _values(sweep)
    except CatalogueError as error:
        raise PlanningError(str(error)) from None
    for point in itertools.product(*(range(len(axis.values)) for axis in sweep.axes)):
        labels = tuple(axis.labels[place] for axis, place in zip(sweep.axes, point, strict=True))
        yield Row(labels, values[point])


def _values(sweep: Sweep) -> Any:
    """The value of every point, in an array of objects with one dimension for each axis."""
    found = np.empty(tuple(len(axis.values) for axis in sweep.axes), dtype=object)
    outer = [place for place, axis in enumerate(sweep.axes) if not axis.is_number]
    inner = [place for place, axis in enumerate(sweep.axes) if axis.is_number]
    for chosen in itertools.product(*(range(len(sweep.axes[place].values)) for place in outer)):
        standing = dict(sweep.fixed)
        where: list[Any] = [slice(None)] * len(sweep.axes)
        for place, index in zip(outer, chosen, strict=True):
            axis = sweep.axes[place]
            where[place] = index
            head, _, field = axis.name.partition(".")
            parameter = sweep.entry.parameter(head)
            assert parameter is not None
            value = axis.values[index]
            standing[head] = with_literals(standing.get(head), {field: value}, head, parameter.kind) if field else value
        block = _block(sweep, standing, [sweep.axes[place] for place in inner])
        found[tuple(where)] = block if inner else block.item()
    return found


def _block(sweep: Sweep, standing: dict[str, Any], axes: list[Axis]) -> Any:
    """The values over the numeric axes, at standing records and words."""
    shape = tuple(len(axis.values) for axis in axes)
    if axes and not sweep.entry.per_point:
        grids = {
            axis.name: _along(axis, place, len(axes), sweep.in_floats) for place, axis in enumerate(axes)
        }
        try:
            whole = _asked(sweep.entry, standing | grids)
        except (NoNumber, Undecided, ZeroDivisionError):  # told point by point
            whole = None
        if whole is not None:
            return _spread(whole, shape)
    block = np.empty(shape, dtype=object)
    for place in np.ndindex(shape):
        point = {axis.name: axis.values[index] for axis, index in zip(axes, place, strict=True)}
        block[place] = _at_point(sweep.entry, standing | point)
    return block


def _at_point(entry: Entry, arguments: dict[str, Any]) -> Any:
    """The answer at one point, or in words why there is none."""
    try:
        return _asked(entry, arguments)
    except (Undecided, NoNumber) as error:
        return f"undecided: {error}"
    except ZeroDivisionError:
        return "undecided: it divides by zero"


def _asked(entry: Entry, arguments: dict[str, Any]) -> Any:
    """The answer of the core; a value that a record lacks is told, not raised."""
    many = next((each.name for each in entry.parameters if each.many), None)
    positional = arguments.pop(many, ()) if many else ()
    try:
        return answer(entry, *positional, **arguments)
    except MissingValue as error:
        return f"undecided: {error}"


def _along(axis: Axis, place: int, count: int, in_floats: bool) -> Any:
    shape = [-1 if at == place else 1 for at in range(count)]
    if in_floats:
        return np.asarray([float(value) for value in axis.values]).reshape(shape)
    shape[place] = len(axis.values)
    return RationalGrid.of(axis.values).reshape(*shape)


def _spread(value: Any, shape: tuple[int, ...]) -> Any:
    block = np.empty(shape, dtype=object)
    if isinstance(value, RationalGrid):
        block[...] = np.asarray([*value.broadcast_to(shape), None], dtype=object)[:-1].reshape(shape)
    elif isinstance(value, Interval) and isinstance(value.lo, RationalGrid):
        ends = zip(value.lo.broadcast_to(shape), value.hi.broadcast_to(shape), strict=True)
        cells = [low if low == high else Interval(low, high) for low, high in ends]
        block[...] = np.asarray([*cells, None], dtype=object)[:-1].reshape(shape)
    elif isinstance(value, np.ndarray):
        block[...] = np.broadcast_to(value, shape)
    else:
        for place in np.ndindex(shape):
            block[place] = value
    return block


# How a value is shown ---------------------------------------------------------------------------------------


def cell(value: Any, digits: int = 6) -> str:
    """A value as text: a decimal, `always`, `never`, ranges of batches, a word, or what is missing."""
    if isinstance(value, Interval):
        low, high = shown(value.lo, digits), shown(value.hi, digits)
        return low if low == high else f"{low}..{high}"
    if isinstance(value, Answer):
        if value.kind != "batches" or value.crossing is None:
            return str(value)
        crossing = cell(value.crossing, digits)
        if crossing.isdigit() and value.crossing != int(crossing):
            crossing = f"just {'below' if value.crossing < int(crossing) else 'above'} {crossing}"
        return f"{value} (crossing {crossing})"
    if isinstance(value, float):
        return shown(exact_float(value), digits) if math.isfinite(value) else str(value)
    return shown(value, digits) if isinstance(value, int | Fraction) else str(value)


def as_number(value: Any) -> float | None:
    """A value as a float for drawing; None for what is no number. An answer with one crossing is that crossing."""
    if isinstance(value, Answer):
        value = value.value
    if isinstance(value, Interval):
        return float((value.lo + value.hi) / 2)
    return float(value) if isinstance(value, int | Fraction | float) else None


def heading(name: str, dimension: Dimension) -> str:
    """The head of a column: the name, and the unit where there is one."""
    unit = str(dimension)
    return f"{name} [{unit}]" if unit else name

