"""Tokens per step for rates that are summed by hand: one half, three quarters, one."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import CatalogueError
from specdil_records.roofline.acceptance import (
    acceptance_from_length,
    accepted_fraction,
    expected_tokens,
    leviathan_operations,
    leviathan_speedup,
    tokens_from_conditional_rates,
    tokens_from_rates,
)

HALF, QUARTERS = Fraction(1, 2), Fraction(3, 4)
AT_HALF = [1, Fraction(3, 2), Fraction(7, 4), Fraction(15, 8)]
"""Tokens of none to three drafts at one half."""
AT_QUARTERS = [1, Fraction(7, 4), Fraction(37, 16), Fraction(175, 64)]
"""Tokens of none to three drafts at three quarters."""
LENGTHS = [3, 0, 2, 1]


def test_one_length() -> None:
    assert [expected_tokens(k, HALF) for k in range(4)] == AT_HALF
    assert [expected_tokens(Fraction(k), QUARTERS) for k in range(4)] == AT_QUARTERS
    assert [expected_tokens(k, rate) for rate in (0, 1) for k in (0, 3)] == [1, 1, 1, 4]
    assert [expected_tokens(k, 0.5) for k in (2.0, np.float64(2), np.array(2.0))] == [1.75] * 3
    assert expected_tokens(2, Interval(HALF, QUARTERS)) == Interval(AT_HALF[2], AT_QUARTERS[2])
    assert expected_tokens(2, np.array([0.5, 0.75])).tolist() == [1.75, 2.3125]
    assert list(expected_tokens(2, RationalGrid.of([HALF, QUARTERS]))) == [AT_HALF[2], AT_QUARTERS[2]]


def test_an_array_of_lengths() -> None:
    lengths = np.array(LENGTHS)
    assert expected_tokens(lengths, HALF).tolist() == [1.875, 1, 1.75, 1.5]
    assert expected_tokens(lengths.astype(float), 0.5).tolist() == [1.875, 1, 1.75, 1.5]
    assert expected_tokens(lengths.reshape(2, 2), HALF).tolist() == [[1.875, 1], [1.75, 1.5]]
    assert expected_tokens(np.array([0, 0]), 0.5).tolist() == [1, 1]
    assert expected_tokens(np.array([], dtype=int), 0.5).tolist() == []


def test_an_array_of_lengths_beside_one_of_rates() -> None:
    lengths, rates = np.array([LENGTHS]), np.array([[0.5], [0.75]])
    assert expected_tokens(lengths, rates).tolist() == [[1.875, 1, 1.75, 1.5], [2.734375, 1, 2.3125, 1.75]]
    assert expected_tokens(np.array([3, 1, 2]), np.array([0.5, 0.75, 0.5])).tolist() == [1.875, 1.75, 1.75]
    assert expected_tokens(np.array([0, 0]), np.array([0.5, 0.75])).tolist() == [1, 1]
    assert expected_tokens(np.array([], dtype=int), np.array([], dtype=float)).tolist() == []


def test_a_grid_of_lengths() -> None:
    lengths = RationalGrid.of([Fraction(k) for k in LENGTHS])
    ordered = [AT_HALF[k] for k in LENGTHS]
    assert list(expected_tokens(lengths, HALF)) == ordered
    square = expected_tokens(lengths.reshape(2, 2), HALF)
    assert (list(square), square.shape) == (ordered, (2, 2))
    within = expected_tokens(lengths, Interval(HALF, QUARTERS))
    assert (list(within.lo), list(within.hi)) == (ordered, [AT_QUARTERS[k] for k in LENGTHS])
    rates = RationalGrid.of([HALF, QUARTERS, HALF, QUARTERS])
    assert list(expected_tokens(lengths, rates)) == [AT_HALF[3], 1, AT_HALF[2], AT_QUARTERS[1]]


@pytest.mark.parametrize("length", [HALF, Interval(1, 2), RationalGrid.of([Fraction(1), HALF])])
def test_a_length_is_whole(length: Any) -> None:
    with pytest.raises(ValueError, match="a whole number"):
        expected_tokens(length, HALF)


def test_a_power_of_a_hundred_thousand_bits_is_still_exact() -> None:
    """The denominator of one half has two bits."""
    assert expected_tokens(50_000, HALF) == 2 - Fraction(1, 2**50_000)
    with pytest.raises(CatalogueError, match="power of 50001"):
        expected_tokens(50_001, HALF)


def test_rates_by_position() -> None:
    assert tokens_from_rates() == tokens_from_conditional_rates() == 1
    assert tokens_from_rates(Fraction("0.805"), Fraction("0.632"), Fraction("0.483")) == Fraction("2.92")
    assert tokens_from_conditional_rates(QUARTERS, HALF, HALF) == 1 + QUARTERS + Fraction(3, 8) + Fraction(3, 16)


def test_what_follows_from_the_tokens() -> None:
    assert accepted_fraction(3, HALF) == Fraction(7, 24)
    assert accepted_fraction(1, QUARTERS) == QUARTERS
    assert leviathan_speedup(3, HALF) == Fraction(15, 8)
    assert leviathan_speedup(3, HALF, Fraction(1, 6)) == Fraction(5, 4)
    assert leviathan_operations(3, HALF) == Fraction(32, 15)
    assert leviathan_operations(3, HALF, Fraction(1, 6)) == Fraction(12, 5)


def test_the_rate_of_a_length() -> None:
    assert [acceptance_from_length(2, length) for length in (1, Fraction(7, 4), 3)] == [0, HALF, 1]
    assert acceptance_from_length(3, AT_QUARTERS[3]) == QUARTERS
    assert acceptance_from_length(1, Fraction(5, 3)) == Fraction(2, 3)
    for length in (Fraction(99, 100), Fraction(301, 100), 0, 4):
        with pytest.raises(CatalogueError, match="from 1 to 3 tokens"):
            acceptance_from_length(2, length)


def test_a_rate_that_is_no_fraction_is_enclosed() -> None:
    """1 + a + a**2 = 2 at the golden section, 0.618: a width of 2**-64 times that is met by halves at 2**-65."""
    found = acceptance_from_length(2, 2)
    assert found.hi - found.lo == Fraction(1, 2**65)
    assert found.lo + found.lo**2 < 1 < found.hi + found.hi**2
