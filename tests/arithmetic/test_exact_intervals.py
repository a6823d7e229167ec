"""Intervals hold every value that their operands allow."""
from __future__ import annotations

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import (
    Interval,
    RationalGrid,
    absolute,
    ceil,
    divide,
    floor,
    lower,
    maximum,
    minimum,
    power,
    upper,
    where,
)

VALUE = st.fractions(min_value=-50, max_value=50, max_denominator=40)


@st.composite
def interval_and_member(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    ends = sorted(draw(st.tuples(VALUE, VALUE)))
    share = draw(st.fractions(0, 1, max_denominator=10))
    return Interval(*ends), ends[0] + share * (ends[1] - ends[0])


BINARY = [operator.add, operator.sub, operator.mul, divide, minimum, maximum]
UNARY = [operator.neg, absolute, floor, ceil, lambda x: power(x, 2), lambda x: power(x, 3), lambda x: power(x, 0)]


@st.composite
def expression(draw: st.DrawFn, depth: int = 4) -> tuple[object, Fraction]:
    """A random expression, once over intervals (or an exact number) and once over a member of each."""
    if depth == 0 or draw(st.booleans()):
        interval, member = draw(interval_and_member())
        return draw(st.sampled_from([(interval, member), (member, member)]))
    if draw(st.booleans()):
        value, member = draw(expression(depth=depth - 1))
        step = draw(st.sampled_from(UNARY))
        return step(value), Fraction(step(member))
    left, a = draw(expression(depth=depth - 1))
    right, b = draw(expression(depth=depth - 1))
    step = draw(st.sampled_from(BINARY))
    try:
        return step(left, right), Fraction(step(a, b))
    except ZeroDivisionError:
        assert lower(right) <= 0 <= upper(right)
        return left, a


@given(expression())
@settings(max_examples=300, deadline=None)
def test_inclusion_over_random_expressions(pair: tuple[object, Fraction]) -> None:
    enclosure, value = pair
    assert not isinstance(enclosure, float)
    assert lower(enclosure) <= value <= upper(enclosure)


@given(interval_and_member(), interval_and_member(), st.sampled_from(BINARY))
@settings(max_examples=100, deadline=None)
def test_one_operation_gives_the_exact_hull(a: tuple, b: tuple, step) -> None:
    if step is divide and lower(b[0]) <= 0 <= upper(b[0]):
        with pytest.raises(ZeroDivisionError):
            step(a[0], b[0])
        return
    corners = [step(x, y) for x in (a[0].lo, a[0].hi) for y in (b[0].lo, b[0].hi)]
    result = step(a[0], b[0])
    assert (result.lo, result.hi) == (min(corners), max(corners))


@given(st.lists(interval_and_member(), min_size=2, max_size=2), interval_and_member(), st.sampled_from(BINARY))
@settings(max_examples=60, deadline=None)
def test_intervals_of_grids_are_intervals_at_each_point(pairs: list, other: tuple, step) -> None:
    ends = [pair[0] for pair in pairs]
    grid = Interval(RationalGrid.of([i.lo for i in ends]), RationalGrid.of([i.hi for i in ends]))
    try:
        expected = [step(i, other[0]) for i in ends]
    except ZeroDivisionError:
        return
    result = step(grid, other[0])
    assert list(result.lo) == [i.lo for i in expected]
    assert list(result.hi) == [i.hi for i in expected]
    assert result.overlaps(expected[0]).tolist()[0]


def test_an_even_power_is_never_below_zero() -> None:
    assert Interval(-2, 1) ** 2 == Interval(0, 4)
    assert Interval(2, 4) ** -1 == Interval(Fraction(1, 4), Fraction(1, 2))
    with pytest.raises(ZeroDivisionError):
        Interval(-1, 1) ** -1


def test_membership_and_overlap_include_the_ends() -> None:
    assert Interval(1, 2).holds(2)
    assert not Interval(1, 2).holds(Fraction(201, 100))
    assert Interval(1, 2).overlaps(Interval(2, 3))
    assert not Interval(1, 2).overlaps(Interval(3, 4))
    assert Interval(1, 2).holds(Interval(1, 2))
    assert Interval(3, 3).is_point
    assert Interval(1, 4).width == 3


def test_what_an_interval_refuses() -> None:
    with pytest.raises(ValueError):
        Interval(2, 1)
    for ends in [(0.5, 1), (1, 1.5), ("1", 2), (None, 2)]:
        with pytest.raises(TypeError):
            Interval(*ends)
    for other in [0.5, np.array([1.0]), "x"]:
        with pytest.raises(TypeError):
            Interval(1, 2) + other
        with pytest.raises(TypeError):
            other * Interval(1, 2)
        with pytest.raises(TypeError):
            Interval(1, 2).holds(other)


def test_one_end_may_be_a_single_number_beside_a_grid() -> None:
    mixed = Interval(0, RationalGrid([1, 2]))
    assert list(mixed.hi) == [1, 2]
    assert list(mixed.lo) == [0]


def test_a_choice_between_intervals() -> None:
    chosen = where(np.array([True, False]), Interval(1, 2), 5)
    assert list(chosen.lo) == [1, 5]
    assert list(chosen.hi) == [2, 5]
