"""Distinct experts of a toy model: four of which two work on a token, so that n tokens leave 2**-n of them alone."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import distinct_experts, in_floats
from specdil_records.roofline.moe import power_enclosed
from tests.roofline.toy import EXPERTS

HALF, ONE = Fraction(1, 2), 2**256
BELOW_FOUR = 4 - Fraction(4, ONE)
TOUCHED = {1: 2, 2: 3, 3: Fraction(7, 2)}


def test_experts_of_one_step() -> None:
    assert {n: distinct_experts(EXPERTS, n) for n in TOUCHED} == TOUCHED
    assert distinct_experts(replace(EXPERTS, experts_per_token=1), 2) == 4 * Fraction(7, 16)
    assert distinct_experts(in_floats(EXPERTS), 2) == 3.0
    assert distinct_experts(in_floats(EXPERTS), np.array([1.0, 2.0, 3.0])).tolist() == [2, 3, 3.5]
    assert isinstance(distinct_experts(in_floats(EXPERTS), 5000), float)
    for tokens in (2.0, np.array([2.0])):
        with pytest.raises(TypeError, match="an exact fraction beside floats"):
            distinct_experts(EXPERTS, tokens)


def test_a_power_is_exact_up_to_4096_tokens_and_enclosed_beyond() -> None:
    assert distinct_experts(EXPERTS, 4096) == 4 - Fraction(4, 2**4096)
    assert distinct_experts(EXPERTS, 4097) == Interval(BELOW_FOUR, 4)


def test_an_interval_of_tokens_stands_for_the_whole_numbers_about_it() -> None:
    assert distinct_experts(EXPERTS, Interval(1, 2)) == Interval(2, 3)
    assert distinct_experts(EXPERTS, Interval(Fraction(3, 2), Fraction(5, 2))) == Interval(2, Fraction(7, 2))
    assert distinct_experts(EXPERTS, Interval(2, 4097)) == Interval(3, 4)
    assert distinct_experts(EXPERTS, Interval(4097, 5000)) == Interval(BELOW_FOUR, 4)
    with pytest.raises(ValueError, match="whole numbers"):
        distinct_experts(EXPERTS, HALF)


def test_an_uncertain_choice_of_experts() -> None:
    """One or two of four: between (3/4)**2 and (1/2)**2 of them are idle."""
    rough = replace(EXPERTS, experts_per_token=Interval(1, 2))
    assert distinct_experts(rough, 2) == Interval(Fraction(7, 4), 3)
    assert distinct_experts(rough, 4097).hi == 4


def test_a_grid_of_tokens() -> None:
    found = distinct_experts(EXPERTS, RationalGrid.of([1, 2, 3, 1]).reshape(2, 2))
    assert (list(found), found.shape) == ([2, 3, Fraction(7, 2), 2], (2, 2))
    found = distinct_experts(EXPERTS, RationalGrid.of([1, 4097, 1, 2]).reshape(2, 2))
    assert (list(found.lo), list(found.hi)) == ([2, BELOW_FOUR, 2, 3], [2, 4, 2, 3])
    assert found.lo.shape == found.hi.shape == (2, 2)
    found = distinct_experts(EXPERTS, Interval(RationalGrid.of([1, 2]), RationalGrid.of([2, 3])))
    assert (list(found.lo), list(found.hi)) == ([2, 3], [3, Fraction(7, 2)])


@pytest.mark.parametrize(("base", "exponent", "low", "high"), [
    (Fraction(1, 3), 0, 1, 1),
    # 2**256 is 1 modulo 3 and 7 modulo 9.
    (Fraction(1, 3), 1, Fraction(ONE - 1, 3 * ONE), Fraction(ONE + 2, 3 * ONE)),
    (Fraction(1, 3), 2, Fraction(ONE - 7, 9 * ONE), Fraction(ONE + 11, 9 * ONE)),
    (HALF, 3, Fraction(1, 8), Fraction(1, 8)),
    (Fraction(3, 4), 5, Fraction(243, 1024), Fraction(243, 1024)),
    (Fraction(3, 4), 6, Fraction(729, 4096), Fraction(729, 4096)),
    (HALF, 257, 0, Fraction(1, ONE)),
    (0, 5, 0, 0),
    (1, 5, 1, 1),
])
def test_a_power_between_two_multiples_of_a_256th_power_of_one_half(
    base: Any, exponent: int, low: Any, high: Any
) -> None:
    assert power_enclosed(Fraction(base), exponent) == Interval(low, high)
