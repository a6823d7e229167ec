"""Draft lengths and the cost of drafts of a toy model on a toy chip, each worked out by hand.

Weights only, a step of b sequences with q tokens each takes as long as the larger of bq and n = 5, so k drafts gain
E max(b, 5)/max(b(k + 1), 5). At one half E is 1, 3/2, 7/4, 15/8, 31/16, 63/32.
"""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import best_draft_length, in_floats, speedup, step_time, throughput, tpot
from specdil_records.roofline.acceptance import acceptance_from_length
from specdil_records.roofline.errors import CatalogueError
from specdil_records.roofline.setting import Setting
from specdil_records.roofline.speculation import draft_seconds, seconds_per_token
from tests.roofline.toy import CHIP, EXPERTS, TOY, seconds

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
WEIGHTS: dict[str, Any] = {"level": "W"}
AT: tuple[Any, ...] = (CHIP, TOY, 3, 5)
"""T(1) = 32.8 + 14.4 = 47.2 s; four tokens each: 78.72 s of compute, and 96 * 30/100 s of it in attention."""


def best(batch: Any, acceptance: Any = HALF, draft_cost: Any = 0, **conditions: Any) -> Any:
    return best_draft_length(CHIP, None, batch, 0, acceptance, draft_cost, **WEIGHTS, **conditions)


# The best length --------------------------------------------------------------------------------------------------


def test_the_best_length_for_one_batch_after_another() -> None:
    """One sequence: 31/16 with four drafts, 63/32 * 5/6 with five. Two: 3/2 with one, 7/4 * 5/6 with two."""
    assert [best(batch) for batch in (1, 2, 3, 5)] == [4, 1, 1, 0]
    assert [best(1, k_max=most) for most in (0, 1, 3, 4, 5)] == [0, 1, 3, 4, 4]


def test_the_smallest_of_equal_lengths() -> None:
    """If all is accepted, one sequence gains k + 1 up to four drafts, and five times for more; five gain nothing."""
    assert [best(batch, 1) for batch in (1, 5)] == [4, 0]
    assert best(1, 0) == 0


def test_sixteen_drafts_are_looked_at_unless_told() -> None:
    wide = CHIP.with_values({"peaks": {"bf16": 2000}})
    assert best_draft_length(wide, None, 1, 0, HALF, level="W") == 16
    assert best_draft_length(wide, None, 1, 0, HALF, level="W", k_max=17) == 17


def test_a_draft_that_costs_a_quarter_of_a_step() -> None:
    """1, 3/2 over 5/4, 7/4 over 3/2: two drafts gain less than one. At a half of a step one gains nothing."""
    assert [best(1, HALF, cost) for cost in (QUARTER, HALF)] == [1, 0]


def test_the_best_length_with_a_model_its_cache_and_overheads() -> None:
    """T(1) = 47.2, T(2) = 56.16, T(3) = 59.04 + 20.16: 1.26 with one draft, 1.04 with two.

    With 15 s beside each step that speculates, 47.2 * 3/2 = 70.8 is less than 71.16.
    """
    assert best_draft_length(*AT, HALF) == 1
    assert best_draft_length(*AT, HALF, speculation_overhead=14) == 1
    assert best_draft_length(*AT, HALF, speculation_overhead=15) == 0
    with pytest.raises(CatalogueError, match="a model is needed"):
        best(1, step_overhead=1)


def test_the_best_length_on_grids_and_arrays() -> None:
    assert list(best(RationalGrid.of([1, 2, 3, 5]))) == [4, 1, 1, 0]
    found = best_draft_length(in_floats(CHIP), None, np.array([1.0, 2.0, 3.0, 5.0]), 0, 0.5, level="W", k_max=5)
    assert list(found) == [4, 1, 1, 0]


def test_an_uncertain_peak_leaves_those_lengths_that_may_be_the_best() -> None:
    """Four or five tokens at the ridge: 15/8 with three drafts, 31/20 to 31/16 with four, 63/38.4 at most with five."""
    rough = CHIP.with_values({"peaks": {"bf16": Interval(80, 100)}})
    assert best_draft_length(rough, None, 1, 0, HALF, level="W") == Interval(3, 4)
    assert best_draft_length(rough, None, 1, 0, HALF, level="W", k_max=3) == 3
    # Three tokens at the ridge at least: 7/4 with two drafts, up to 15/8 with three and 31/16 with four.
    rougher = CHIP.with_values({"peaks": {"bf16": Interval(60, 100)}})
    assert best_draft_length(rougher, None, 1, 0, HALF, level="W") == Interval(2, 4)


def test_an_uncertain_bandwidth_leaves_as_few_lengths() -> None:
    """Weights take as long as four to five tokens do to be computed, whatever plain decoding takes.

    A token takes 2.13 to 2.67 with three drafts, 5/(31/16) = 2.58 with four, 2.29 at least with two, 2.67 with one and
    6/(63/32) = 3.05 with five.
    """
    rough = CHIP.with_values({"memory_bandwidth": Interval(20, 25)})
    assert best_draft_length(rough, None, 1, 0, HALF, level="W") == Interval(2, 4)
    assert best_draft_length(rough, None, 1, 0, HALF, level="W", k_max=0) == 0


# What a speculative step takes ------------------------------------------------------------------------------------


def test_a_step_that_speculates_pays_its_overhead_once_however_long_the_draft() -> None:
    """T(4) = 78.72 + 28.8."""
    verify, expected = seconds("107.52"), Fraction(15, 8)
    assert step_time(*AT, 4) == verify
    assert tpot(*AT, 3, HALF, speculation_overhead=2) == (verify + 2) / expected
    assert speedup(*AT, 3, HALF, speculation_overhead=2) == expected * seconds("47.2") / (verify + 2)


def test_overheads_and_heads_are_those_of_the_whole_batch() -> None:
    """Three sequences share the 10 s that a head of 100 weights takes to be read, and 1 s beside the step."""
    taken = seconds("107.52") + 3 * 10 + 1
    conditions = {"draft_parameters": 100, "step_overhead": 1}
    assert throughput(*AT, 3, HALF, **conditions) == 3 * Fraction(15, 8) / taken
    assert tpot(*AT, 3, HALF, **conditions) == taken / Fraction(15, 8)
    draft = replace(TOY, layers=1)
    taken = seconds("107.52") + 3 * (seconds("18.4") + seconds("7.2"))
    assert throughput(*AT, 3, HALF, draft=draft) == 3 * Fraction(15, 8) / taken
    assert tpot(*AT, 3, HALF, draft=draft) == taken / Fraction(15, 8)


def test_a_draft_reads_its_cache_once_although_its_target_reads_its_own_twice() -> None:
    draft = replace(TOY, layers=1)
    verify = seconds("78.72") + Fraction(16 * 3 * 14, 20)
    expected = verify + 3 * (seconds("18.4") + seconds("7.2"))
    assert tpot(*AT, 3, HALF, draft=draft, kv_reread=2) == expected / Fraction(15, 8)


def test_seconds_of_drafting_and_of_a_token_where_nothing_else_is_told() -> None:
    """Three sequences share 30 s of three drafted tokens; without a draft drafting is free."""
    head = Setting(CHIP, draft_parameters=100)
    assert draft_seconds(head, TOY, 3, 5, 3) == 30
    assert draft_seconds(head, TOY, 3, 5, 3, each=True) == 10
    assert draft_seconds(Setting(CHIP), TOY, 3, 5, 3) == 0
    assert draft_seconds(Setting(CHIP), TOY, 3, 5, 3, HALF) == 3 * seconds("23.6")
    assert seconds_per_token(Setting(CHIP), TOY, 3, 5, 1, Fraction(3, 2)) == seconds("56.16") / Fraction(3, 2)


def test_drafting_has_one_price() -> None:
    with pytest.raises(CatalogueError, match="priced by draft_cost or by a draft"):
        speedup(*AT, 1, HALF, HALF, draft=TOY)
    with pytest.raises(CatalogueError, match="priced by draft_cost or by a draft"):
        speedup(*AT, 1, HALF, HALF, draft_parameters=100)
    # A draft that costs nothing beside its own steps.
    assert tpot(CHIP, EXPERTS, 3, 0, 1, 1, 0, level="W", draft_parameters=100) == Fraction(
        step_time(CHIP, EXPERTS, 3, 0, 2, level="W") + 10, 2
    )


# The rate of a length ---------------------------------------------------------------------------------------------


def test_an_enclosure_that_is_narrow_enough_is_not_halved_again() -> None:
    """The rate lies a quarter of the last width above one half, which was met as an end when the width was 1/2."""
    rate = HALF + Fraction(1, 2**67)
    assert acceptance_from_length(2, 1 + rate + rate**2) == Interval(HALF, HALF + Fraction(1, 2**65))
