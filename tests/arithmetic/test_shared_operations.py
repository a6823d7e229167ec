"""The shared functions on each kind of number, and dimensions."""
from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import (
    PURE,
    Dimension,
    Interval,
    RationalGrid,
    ceil,
    divide,
    floor,
    is_inexact,
    is_interval,
    largest,
    lower,
    maximum,
    minimum,
    plus,
    power,
    same_measure,
    smallest,
    under,
    upper,
    where,
)


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30))
@settings(max_examples=50, deadline=None)
def test_division_of_whole_numbers_is_exact(a: int, b: int) -> None:
    result = divide(a, b)
    assert type(result) in (int, Fraction)
    assert result * b == a


def test_division_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)


def test_functions_on_single_numbers() -> None:
    assert (minimum(1, Fraction(1, 2)), maximum(1, Fraction(1, 2))) == (Fraction(1, 2), 1)
    assert (floor(Fraction(-1, 2)), ceil(Fraction(-1, 2))) == (-1, 0)
    assert (power(2, -1), power(Fraction(1, 2), 3)) == (Fraction(1, 2), Fraction(1, 8))
    assert where(True, 1, 2) == 1
    assert where(np.bool_(False), 1, 2) == 2
    assert (lower(3), upper(3), lower(Interval(1, 2)), upper(Interval(1, 2))) == (3, 3, 1, 2)
    assert is_interval(Interval(1, 2))
    assert not is_interval(1)
    assert is_inexact(0.5)
    assert is_inexact(np.array([1.0]))
    assert not is_inexact(RationalGrid(1))


def test_functions_on_arrays_are_numpys() -> None:
    a, b = np.array([1.5, 2.5]), np.array([2.0, 1.0])
    assert maximum(a, b).tolist() == [2.0, 2.5]
    assert minimum(a, 2).tolist() == [1.5, 2.0]
    assert floor(a).tolist() == [1.0, 2.0]
    assert ceil(a).tolist() == [2.0, 3.0]
    assert divide(a, b).tolist() == [0.75, 2.5]
    assert where(a > b, a, 0).tolist() == [0.0, 2.5]
    assert power(0.5, b).tolist() == [0.25, 0.5]


def test_fractions_and_intervals_do_not_mix_with_floats() -> None:
    array = np.array([1.0, 2.0])
    for step in (divide, maximum, minimum):
        for exact in (Fraction(1, 3), Interval(1, 2), RationalGrid([1, 2])):
            with pytest.raises(TypeError):
                step(array, exact)
            with pytest.raises(TypeError):
                step(exact, array)
    with pytest.raises(TypeError):
        divide(0.5, Fraction(1, 3))


EXPONENT = st.integers(-3, 3)
DIMENSION = st.builds(Dimension, EXPONENT, EXPONENT, EXPONENT, EXPONENT, EXPONENT)


@given(DIMENSION, DIMENSION, st.integers(-3, 3))
@settings(max_examples=50, deadline=None)
def test_dimensions_form_a_group(a: Dimension, b: Dimension, n: int) -> None:
    assert a * b == b * a
    assert a * b / b == a
    assert a * PURE == a
    assert a**n == (PURE / a) ** -n
    assert same_measure(a, a * Dimension(token=n))
    assert same_measure(a, b) == (a / b in {Dimension(token=t) for t in range(-6, 7)})


def test_dimensions_read_as_units() -> None:
    flop, byte, second, token = Dimension(flop=1), Dimension(byte=1), Dimension(second=1), Dimension(token=1)
    assert [str(d) for d in (flop / byte, byte / token, flop / second, PURE / second, PURE, second**2)] == [
        "FLOP/byte", "byte/token", "FLOP/s", "1/s", "", "s^2",
    ]
    assert PURE.is_pure
    assert not byte.is_pure


def test_given_up_operands_are_reused_only_where_the_result_fits() -> None:
    fresh, row = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 20.0])
    assert plus(fresh, row) is fresh
    assert fresh.tolist() == [[11.0, 22.0], [13.0, 24.0]]
    wider = plus(row, fresh)
    assert wider is not row
    assert row.tolist() == [10.0, 20.0]
    assert under(row, fresh) is fresh
    assert fresh.tolist() == [[10 / 11, 20 / 22], [10 / 13, 20 / 24]]
    assert under(fresh, row).tolist() == (fresh / row).tolist()
    whole = np.array([1, 2])
    assert plus(whole, 0.5).tolist() == [1.5, 2.5]
    assert (plus(1, Fraction(1, 2)), under(1, 3)) == (Fraction(3, 2), Fraction(1, 3))
    with pytest.raises(TypeError):
        under(Fraction(1, 3), np.array([1.0]))


@pytest.mark.parametrize(("value", "least", "most"), [
    (3, 3, 3), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), (Interval(2, 5), 2, 5),
    (RationalGrid.of([4, Fraction(1, 2), 8, 1]), Fraction(1, 2), 8),
    (Interval(RationalGrid.of([3, 1]), RationalGrid.of([4, 9])), 1, 9), ("bf16", "bf16", "bf16"), (None, None, None),
])
def test_the_ends_of_a_value_are_plain_numbers(value: object, least: object, most: object) -> None:
    assert (smallest(value), largest(value)) == (least, most)
