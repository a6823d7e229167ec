"""Exact grids against plain fractions, far beyond what int64 holds."""
from __future__ import annotations

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import RationalGrid, ceil, floor, maximum, minimum, power, where

EDGE = st.sampled_from([0, 1, -1, 2**31, 2**62 - 1, 2**62, 2**63 - 1, 2**63, -(2**63), 10**30])
WHOLE = st.one_of(st.integers(-50, 50), EDGE, st.integers(-(2**70), 2**70))
POSITIVE = st.one_of(st.integers(1, 50), st.integers(1, 2**66), st.sampled_from([2**62, 2**63 - 1, 2**63]))
RATIONAL = st.builds(Fraction, WHOLE, POSITIVE)
ROW = st.lists(RATIONAL, min_size=3, max_size=3)
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


def grid_of(row: list[Fraction], *shape: int) -> RationalGrid:
    return RationalGrid.of(row).reshape(*shape)


@given(ROW, ROW, st.sampled_from(OPERATORS))
@settings(max_examples=150, deadline=None)
def test_an_operation_on_grids_is_the_operation_at_each_point(a: list[Fraction], b: list[Fraction], step) -> None:
    if step is operator.truediv and 0 in b:
        with pytest.raises(ZeroDivisionError):
            step(grid_of(a, 3, 1), grid_of(b, 1, 3))
        return
    result = step(grid_of(a, 3, 1), grid_of(b, 1, 3))
    assert result.shape == (3, 3)
    assert list(result) == [step(x, y) for x in a for y in b]


@given(ROW, ROW, st.sampled_from(COMPARISONS))
@settings(max_examples=100, deadline=None)
def test_comparisons_are_exact(a: list[Fraction], b: list[Fraction], test) -> None:
    found = test(grid_of(a, 3, 1), grid_of(b, 1, 3))
    assert found.tolist() == [[test(x, y) for y in b] for x in a]


@given(st.lists(st.tuples(st.sampled_from(OPERATORS), RATIONAL), min_size=1, max_size=5), ROW)
@settings(max_examples=100, deadline=None)
def test_a_chain_of_operations_with_scalars_stays_exact(chain: list, row: list[Fraction]) -> None:
    grid, expected = grid_of(row, 3), list(row)
    for step, value in chain:
        if step is operator.truediv and value == 0:
            continue
        grid, expected = step(grid, value), [step(x, value) for x in expected]
        if value != 0 and 0 not in expected:
            grid, expected = step(value, grid), [step(value, x) for x in expected]
    assert list(grid) == expected


@given(ROW, ROW)
@settings(max_examples=60, deadline=None)
def test_minimum_maximum_where_floor_and_ceil(a: list[Fraction], b: list[Fraction]) -> None:
    left, right = grid_of(a, 3, 1), grid_of(b, 1, 3)
    assert list(minimum(left, right)) == [min(x, y) for x in a for y in b]
    assert list(maximum(left, right)) == [max(x, y) for x in a for y in b]
    assert list(where(left < right, left, right)) == [min(x, y) for x in a for y in b]
    assert list(floor(left)) == [x // 1 for x in a]
    assert list(ceil(left)) == [-(-x // 1) for x in a]
    assert list(abs(left)) == [abs(x) for x in a]
    assert (left.largest(), left.smallest()) == (max(a), min(a))


@given(ROW, st.integers(-8, 8))
@settings(max_examples=60, deadline=None)
def test_whole_powers(row: list[Fraction], exponent: int) -> None:
    if exponent < 0 and 0 in row:
        with pytest.raises(ZeroDivisionError):
            power(grid_of(row, 3), exponent)
    else:
        assert list(power(grid_of(row, 3), exponent)) == [x**exponent for x in row]


def test_a_grid_of_exponents() -> None:
    powers = power(Fraction(3, 4), RationalGrid([0, 1, 5]))
    assert list(powers) == [1, Fraction(3, 4), Fraction(243, 1024)]


def test_products_just_below_and_just_above_the_bound() -> None:
    for a, b in [(2**31 - 1, 2**31), (2**31, 2**31), (2**32, 2**32), (2**62 - 1, 2), (3, 2**61)]:
        assert list(RationalGrid([a, -a]) * b) == [a * b, -a * b]
        assert list(RationalGrid([a]) / 1 + RationalGrid(1, [b])) == [Fraction(a * b + 1, b)]


def test_long_results_come_back_to_machine_integers_when_they_shrink() -> None:
    grid = RationalGrid([2**61, 2**60]) * 2**10
    assert grid.numerators.dtype == object
    assert (grid / 2**20).numerators.dtype == np.int64


def test_a_compact_grid_is_not_written_out() -> None:
    k, batch = RationalGrid(range(1, 17)).reshape(1, 16), RationalGrid(range(1, 4097)).reshape(4096, 1)
    gain = k / batch
    assert gain.numerators.size + gain.denominators.size == 16 + 4096
    assert (gain[1:] < gain[:-1]).all()
    assert gain.at(31, 3) == Fraction(4, 32)


@pytest.mark.parametrize("bad", [0.5, [0.5, 1.0], np.array([1.0]), "1", None, [True, False]])
def test_floats_and_other_things_never_enter(bad: object) -> None:
    with pytest.raises(TypeError):
        RationalGrid(bad)
    if not isinstance(bad, list):
        with pytest.raises(TypeError):
            RationalGrid([1, 2]) + bad


def test_of_refuses_floats() -> None:
    with pytest.raises(TypeError):
        RationalGrid.of([1, 0.5])  # type: ignore[list-item]


def test_signs_of_denominators_and_zero() -> None:
    assert list(RationalGrid([1, 1], [-2, 2])) == [Fraction(-1, 2), Fraction(1, 2)]
    with pytest.raises(ZeroDivisionError):
        RationalGrid(1, [1, 0])


def test_numpy_numbers_on_the_left_leave_the_work_to_the_grid() -> None:
    assert list(np.int64(3) * RationalGrid([1, 2])) == [3, 6]


def test_a_number_of_64_bits_is_no_unsigned_array() -> None:
    assert list(RationalGrid([3, 5]) / -(2**63)) == [Fraction(-3, 2**63), Fraction(-5, 2**63)]
    assert list(RationalGrid([2**63, 1]) - 2**63) == [0, 1 - 2**63]


def test_empty_and_axisless_grids() -> None:
    empty = RationalGrid(np.zeros((0, 3), dtype=np.int64))
    assert (empty * 2 + 1).size == 0
    assert (empty < 1).shape == (0, 3)
    assert (RationalGrid(2**62) * 4 - 1).at() == 2**64 - 1


def test_floats_for_drawing() -> None:
    assert RationalGrid([1, 2], [3, 4]).to_floats().tolist() == [1 / 3, 0.5]
    assert RationalGrid([10**40]).to_floats().tolist() == [1e40]
