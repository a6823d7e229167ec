"""Exact numbers, grids, intervals and float arrays against one another, over the whole catalogue."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import Interval, RationalGrid, lower, upper
from specdil_records.roofline import (
    CATALOGUE,
    Accelerator,
    Answer,
    Entry,
    NoNumber,
    Undecided,
    answer,
    call,
)
from tests.roofline.samples import uncertain
from tests.roofline.strategies import STRATEGIES, Arguments, arguments_of, around, evaluated

QUICK = settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
EVERY_ENTRY = pytest.mark.parametrize("name", sorted(CATALOGUE))
AXES = ("batch", "context", "new_tokens", "draft_k", "acceptance", "tokens", "draft_budget", "draft_cost")


def test_every_parameter_of_every_entry_has_a_strategy() -> None:
    named = {parameter.name for entry in CATALOGUE.values() for parameter in entry.parameters}
    assert named == set(STRATEGIES)


def is_exact(value: Any) -> bool:
    if isinstance(value, Answer):
        return value.crossing is None or is_exact(value.crossing)
    if isinstance(value, Interval):
        return is_exact(value.lo) and is_exact(value.hi)
    if isinstance(value, RationalGrid):
        return value.numerators.dtype.kind in "iO"
    return isinstance(value, int | Fraction | str) and not isinstance(value, bool)


def axes_of(entry: Entry) -> list[str]:
    return [each.name for each in entry.parameters if each.name in AXES]


@EVERY_ENTRY
@QUICK
@given(data=st.data())
def test_exact_numbers_stay_exact_and_a_grid_is_its_points(name: str, data: st.DataObject) -> None:
    entry = CATALOGUE[name]
    arguments = data.draw(arguments_of(entry))
    others = data.draw(arguments_of(entry))
    first = evaluated(entry, arguments)
    assert is_exact(first)
    gridded, points = on_a_grid(entry, arguments, others)
    if not gridded:
        return
    expected = [evaluated(entry, point) for point in points]
    assert all(is_exact(value) for value in expected)
    try:
        found = evaluated(entry, gridded)
    except NoNumber:
        assert any(isinstance(value, Answer | str) for value in expected)
        return
    if isinstance(found, np.ndarray):
        assert found.ravel().tolist() == expected
        return
    assert is_exact(found)
    shape = (2,) * min(2, len(axes_of(entry)))
    assert list(spread(lower(found), shape)) == [lower(value) for value in expected]
    assert list(spread(upper(found), shape)) == [upper(value) for value in expected]


def spread(found: Any, shape: tuple[int, ...]) -> RationalGrid:
    return (found if isinstance(found, RationalGrid) else RationalGrid.of([found]).reshape()).broadcast_to(shape)


def on_a_grid(entry: Entry, arguments: Arguments, others: Arguments) -> tuple[Arguments, list[Arguments]]:
    """Up to two arguments on axes of two values each, and the four points one by one."""
    axes = [each for each in axes_of(entry) if free(entry, each, arguments)][:2]
    if not axes:
        return {}, []
    gridded, points = dict(arguments), [dict(arguments)]
    for place, axis in enumerate(axes):
        values = [arguments[axis], others[axis]]
        shape = [1] * len(axes)
        shape[place] = 2
        gridded[axis] = RationalGrid.of(values).reshape(*shape)
        points = [point | {axis: value} for point in points for value in values]
    return gridded, points


def free(entry: Entry, axis: str, arguments: Arguments) -> bool:
    """Whether an argument can change alone: others may have been drawn to fit it."""
    if axis == "new_tokens" and arguments.get("pairs") is not None:
        return False
    own_draft = arguments.get("draft") is not None or arguments.get("draft_parameters") is not None
    if axis == "draft_cost" and own_draft:
        return False
    return not (axis in ("draft_k", "new_tokens") and entry.parameter("mean_accepted_length") is not None)


@EVERY_ENTRY
@QUICK
@given(data=st.data())
def test_float_arrays_agree_with_exact_numbers(name: str, data: st.DataObject) -> None:
    entry = CATALOGUE[name]
    arguments, others = data.draw(arguments_of(entry)), data.draw(arguments_of(entry))
    gridded, points = on_a_grid(entry, arguments, others)
    if not gridded:
        gridded, points = dict(arguments), [arguments]
    floats = {key: to_floats(value) for key, value in gridded.items()}
    if not any(isinstance(value, np.ndarray) for value in floats.values()):
        floats = {key: in_floats_all(value) for key, value in floats.items()}
    found = np.asarray(evaluated(entry, floats))
    shape = (2,) * sum(isinstance(value, RationalGrid) for value in gridded.values())
    for value, point in zip(np.broadcast_to(found, shape).ravel().tolist(), points, strict=True):
        assert agrees(entry, value, point)


def to_floats(value: Any) -> Any:
    return value.to_floats() if isinstance(value, RationalGrid) else value


def in_floats_all(value: Any) -> Any:
    if isinstance(value, Accelerator):
        return value.with_values({"memory_bandwidth": float(value.memory_bandwidth)})
    if isinstance(value, list):
        return [float(each) for each in value]
    return float(value) if isinstance(value, Fraction) else value


def agrees(entry: Entry, value: Any, point: Arguments) -> bool:
    exact = evaluated(entry, point)
    if isinstance(exact, str):
        return bool(value == exact)
    if isinstance(exact, Answer):
        return same_float(value, entry.floats_for.get(exact.kind, math.nan))
    if entry.name == "best_draft_length":
        return math.isclose(reached(point, int(value)), reached(point, int(lower(exact))), rel_tol=1e-12)
    # A context of some 1e-14 tokens instead of none is rounding; so is nothing else that small.
    smallest = 1e-9 if entry.name == "critical_context" else 1e-300
    return math.isclose(value, float(lower(exact)), rel_tol=1e-11, abs_tol=smallest)


def same_float(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def reached(point: Arguments, k: int) -> float:
    rest = {name: value for name, value in point.items() if name != "k_max"}
    return float(lower(call(CATALOGUE["speedup"], draft_k=k, **rest)))


@EVERY_ENTRY
@QUICK
@given(data=st.data())
def test_an_interval_holds_the_value_at_each_of_its_members(name: str, data: st.DataObject) -> None:
    entry = CATALOGUE[name]
    arguments = data.draw(arguments_of(entry))
    widened = {key: data.draw(widening(entry, key, value)) for key, value in arguments.items()}
    exact = evaluated(entry, arguments, answer)
    try:
        found = evaluated(entry, widened, answer)
    except Undecided:
        # Only forms that decide something may be unable to.
        assert entry.result in ("answer", "word")
        return
    assert is_exact(found)
    assert contains(found, exact)


def widening(entry: Entry, name: str, value: Any) -> st.SearchStrategy[Any]:
    """Strategies for intervals about an argument, or the argument as it is."""
    share = st.fractions(0, Fraction(1, 100), max_denominator=1000)
    parameter = entry.parameter(name)
    assert parameter is not None
    if isinstance(value, Accelerator):
        return st.sampled_from([value, uncertain(value)])
    if isinstance(value, list):
        return st.just([cut(around(each, Fraction(1, 50), Fraction(1, 50)), 0, 1) for each in value])
    if name == "draft_cost" and value == 0:
        return st.just(value)
    if parameter.kind == "number" and isinstance(value, int | Fraction) and name != "mean_accepted_length":
        return st.one_of(st.just(value), st.builds(around, st.just(value), share, share))
    if name in ("batch", "context", "draft_k") and value and entry.name != "acceptance_from_length":
        near = st.sampled_from([0, Fraction(1, 2), 1])
        return st.builds(lambda a, b: Interval(max(value - a, 1), value + b), near, near)
    return st.just(value)


def cut(interval: Interval, low: int, high: int) -> Interval:
    return Interval(max(interval.lo, low), min(interval.hi, high))


def contains(found: Any, exact: Any) -> bool:
    if isinstance(found, Answer) and isinstance(exact, Answer):
        if found.crossing is None or exact.crossing is None:
            return found.kind == exact.kind
        sure = {batch for first, last in found.ranges for batch in range(first, last + 1)}
        pays = {batch for first, last in exact.ranges for batch in range(first, last + 1)}
        return sure <= pays and lower(found.crossing) <= exact.crossing <= upper(found.crossing)
    if isinstance(found, Answer | str) or isinstance(exact, Answer | str):
        return bool(found == exact)
    return bool(lower(found) <= lower(exact) and upper(exact) <= upper(found))
