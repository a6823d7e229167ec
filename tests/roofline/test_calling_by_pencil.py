"""Calls on intervals, grids and arrays whose values are worked out by hand on a toy model and chip."""
from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import (
    CATALOGUE,
    NEVER,
    Answer,
    CatalogueError,
    NoNumber,
    Undecided,
    answer,
    call,
    declared_monotony,
    in_floats,
)
from specdil_records.roofline.entry import takes
from tests.roofline.toy import CHIP, EXPERTS, TOY, seconds

HALF, QUARTERS = Fraction(1, 2), Fraction(3, 4)
AT: tuple[Any, ...] = (CHIP, TOY, 3, 5)
"""T(1) = 32.8 + 14.4 = 47.2 s, all of it reads; T(2) = 39.36 s of compute and 16.8 s of reads."""


def of(name: str, *args: Any, **kwargs: Any) -> Any:
    return call(CATALOGUE[name], *args, **kwargs)


def whole(name: str, *args: Any, **kwargs: Any) -> Any:
    return answer(CATALOGUE[name], *args, **kwargs)


def pays(*args: Any, **conditions: Any) -> Any:
    """One draft of the toy on the toy chip: context, rate and whatever else."""
    return of("break_even_batch", CHIP, TOY, args[0], 1, *args[1:], **conditions)


# Arguments --------------------------------------------------------------------------------------------------------


def test_many_arguments_stand_between_others() -> None:
    def dressed(*rates: Any, batch: Any, dtype: str) -> str:
        return f"{batch} {rates} {dtype}"

    own = replace(CATALOGUE["tpot"], name="own", parameters=takes("batch rates dtype"), function=dressed)
    assert call(own, 3, 0, 1, dtype="fp8") == "3 (0, 1) fp8"
    assert call(own, 3, 1) == "3 (1,) bf16"


# Intervals --------------------------------------------------------------------------------------------------------


def test_corners_of_a_chip_and_of_plain_arguments() -> None:
    rough = CHIP.with_values({"memory_bandwidth": Interval(10, 20), "peaks": {"bf16": Interval(50, 100)}})
    assert of("step.time", rough, TOY, 3, 5, 1) == Interval(seconds("47.2"), seconds("94.4"))
    assert of("step.time", rough, TOY, 3, 5, 2) == Interval(seconds("56.16"), seconds("78.72") + seconds("33.6"))
    assert of("step.time", CHIP, TOY, Interval(1, 3), Interval(0, 5), 1) == Interval(
        seconds("32.8") + seconds("0.8"), seconds("47.2")
    )
    assert of("step.time", *AT, 1, memory_efficiency=Interval(HALF, 1)) == Interval(seconds("47.2"), seconds("94.4"))
    linked = CHIP.with_values({"interconnect_bandwidth": Interval(96, 192)})
    assert of("all_reduce_time", linked, TOY, 3, 2) == Interval(2, 4)
    assert of("step.time", linked, TOY, 3, 5, 1) == seconds("47.2")
    watts = CHIP.with_values({"tdp": Interval(6, 7), "interconnect_bandwidth": None})
    assert of("energy_per_token", watts, TOY, 3, 5, 0, HALF) == Interval(
        6 * seconds("47.2") / 3, 7 * seconds("47.2") / 3
    )


def test_the_corners_of_a_ridge_are_crosswise() -> None:
    rough = CHIP.with_values({"memory_bandwidth": Interval(10, 20), "peaks": {"bf16": Interval(50, 100), "fp8": 7}})
    assert of("ridge", rough) == Interval(Fraction(5, 2), 10)
    assert of("ridge", rough, "fp8") == Interval(Fraction(7, 20), Fraction(7, 10))


def test_corners_of_rates_one_by_one() -> None:
    assert of("expected_tokens.from_rates", Interval(HALF, QUARTERS), HALF) == Interval(2, Fraction(9, 4))
    assert of("expected_tokens.from_conditional_rates", HALF, Interval(HALF, QUARTERS)) == Interval(
        Fraction(7, 4), Fraction(15, 8)
    )
    assert of("expected_tokens.from_rates", HALF, RationalGrid.of([0, HALF])).at(1) == 2


def test_what_is_left_of_an_interval_goes_through_the_form() -> None:
    """A tree's intensity is not declared for its context: 2 * 328 + 32 S FLOPs over 656 + 16 S byte, end by end."""
    found = of("step.intensity", TOY, 1, Interval(1, 3), 1)
    assert found == Interval(Fraction(656 + 64, 656 + 64), Fraction(656 + 128, 656 + 32))
    # The weights of a model are no argument of their own.
    rough = replace(TOY, vocabulary=Interval(10, 20))
    assert of("matmul_parameters", rough) == Interval(328, 368)
    assert of("total_parameters", rough) == Interval(328 + 40 + 20, 368 + 80 + 20)


def test_a_speedup_moves_to_the_corners_only_while_nothing_spoils_the_ideal() -> None:
    """Weights only, one draft of three sequences: 3/2 * 5/6 at five tokens of the ridge, 3/2 * 4/6 at four."""
    rough = CHIP.with_values({"peaks": {"bf16": Interval(80, 100)}})
    assert of("speedup", rough, TOY, 3, 5, 1, HALF, level="W") == Interval(1, Fraction(5, 4))
    # While both steps wait for the same reads, how long these take does not matter.
    slow = CHIP.with_values({"memory_bandwidth": Interval(10, 20)})
    assert of("speedup", slow, TOY, 1, 5, 1, HALF, level="W") == Fraction(3, 2)
    wide = of("speedup", rough, TOY, 3, 5, 1, HALF, level="W", step_overhead=1)
    # Plain steps take 32.8 s at either end, verification 39.36 s or 49.2 s.
    assert wide == Interval(Fraction(3, 2) * seconds("33.8") / seconds("50.2"),
                            Fraction(3, 2) * seconds("33.8") / seconds("40.36"))


IDEAL = {"accelerator.peaks", "compute_efficiency", "accelerator.memory_bandwidth", "memory_efficiency"}


@pytest.mark.parametrize(("given", "ideal"), [
    ({}, True),
    ({"step_overhead": 0, "speculation_overhead": 0, "chips": 1, "draft": None, "draft_parameters": None}, True),
    ({"step_overhead": 1}, False),
    ({"speculation_overhead": Fraction(1, 9)}, False),
    ({"step_overhead": Interval(0, 1)}, False),
    ({"chips": 2}, False),
    ({"draft": TOY}, False),
    ({"draft_parameters": 0}, False),
])
def test_what_spoils_the_ideal(given: dict[str, Any], ideal: bool) -> None:
    entry = CATALOGUE["speedup"]
    declared = declared_monotony(entry, given)
    assert set(declared) - set(entry.monotone) == (IDEAL if ideal else set())
    assert declared["acceptance"] == "rising"


def test_an_interval_of_up_to_64_lengths_is_tried() -> None:
    """At one half E grows from 1 to 2 - 2**-k; a draft at half the price of a step brings it down again."""
    name = "leviathan.speedup"
    assert of(name, Interval(0, 63), HALF) == Interval(1, 2 - Fraction(1, 2**63))
    assert of(name, Interval(40, 41), HALF) == Interval(2 - Fraction(1, 2**40), 2 - Fraction(1, 2**41))
    with pytest.raises(Undecided, match=r"draft_k of leviathan\.speedup is an interval of more than 64 lengths"):
        of(name, Interval(0, 64), HALF)
    assert of(name, Interval(1, 3), HALF, HALF) == Interval(Fraction(3, 4), 1)
    # Rates move to their corners beside it.
    assert of(name, Interval(1, 2), Interval(HALF, QUARTERS)) == Interval(Fraction(3, 2), Fraction(37, 16))


# Grids ------------------------------------------------------------------------------------------------------------


def test_a_grid_of_thresholds_has_each_value_in_its_place() -> None:
    """E 32.8/(q (6.56 + 0.8) - 0.8 (1 + ...)): at 0, 2 and 4 cached tokens, for one half and three quarters."""
    contexts, rates = [0, 2, 4, 2], [HALF, Fraction(3, 5)]
    found = pays(RationalGrid.of(contexts).reshape(4, 1), RationalGrid.of(rates).reshape(1, 2))
    assert found.shape == (4, 2)
    assert list(found) == [pays(context, rate) for context in contexts for rate in rates]
    assert found.at(0, 0) == seconds("49.2") / seconds("13.52")
    assert found.at(1, 0) == found.at(3, 0) == seconds("49.2") / (seconds("13.12") + seconds("3.2") - seconds("3.6"))


def test_a_grid_of_intervals_has_grids_at_its_ends() -> None:
    rates = Interval(RationalGrid.of([HALF, HALF]), RationalGrid.of([HALF, Fraction(3, 5)]))
    found = pays(0, rates)
    low, high = pays(0, HALF), pays(0, Fraction(3, 5))
    assert (list(found.lo), list(found.hi)) == ([low, low], [low, high])
    # An interval beside a grid.
    chip = CHIP.with_values({"peaks": {"bf16": Interval(100, 110)}})
    found = of("break_even_batch", chip, TOY, RationalGrid.of([0, 2]).reshape(2, 1), 1, HALF)
    each = [of("break_even_batch", chip, TOY, context, 1, HALF) for context in (0, 2)]
    assert (list(found.lo), list(found.hi)) == ([value.lo for value in each], [value.hi for value in each])
    assert found.lo.shape == found.hi.shape == (2, 1)


def test_a_point_at_which_an_interval_has_no_width_is_a_number() -> None:
    """All is accepted: one sequence gains k + 1 up to four drafts, two 2, 5/2, 5/2, ... and the first of equals counts.

    Of two lengths that are only known as intervals neither is the first.
    """
    batches = Interval(RationalGrid.of([1, 2]), RationalGrid.of([1, 2]))
    found = of("best_draft_length", CHIP, None, batches, 0, 1, level="W", k_max=9)
    assert list(found) == [4, 2]


def test_an_interval_of_lengths_beside_a_grid_is_tried_point_by_point() -> None:
    found = of("leviathan.speedup", Interval(1, 3), RationalGrid.of([HALF, 1]), HALF)
    assert (list(found.lo), list(found.hi)) == ([Fraction(3, 4), Fraction(4, 3)], [1, Fraction(8, 5)])
    found = of("leviathan.speedup", Interval(RationalGrid.of([1, 2]), RationalGrid.of([1, 3])), HALF, HALF)
    assert (list(found.lo), list(found.hi)) == ([1, Fraction(3, 4)], [1, Fraction(7, 8)])


def test_a_grid_of_intervals_of_a_plain_form() -> None:
    found = of("expected_tokens", 1, Interval(RationalGrid.of([0, HALF]), RationalGrid.of([HALF, 1])))
    assert (list(found.lo), list(found.hi)) == ([1, Fraction(3, 2)], [Fraction(3, 2), 2])


def test_a_grid_with_an_answer_in_words_has_no_value() -> None:
    with pytest.raises(NoNumber, match="break_even_batch is always at a point of the grid"):
        pays(RationalGrid.of([0, 10]), HALF)
    with pytest.raises(NoNumber, match="critical_context is never at a point"):
        of("critical_context", CHIP, TOY, 1, RationalGrid.of([HALF, 0]))
    # A scan has no single crossing.
    with pytest.raises(NoNumber, match="break_even_batch is 1-5 at a point"):
        of("break_even_batch", CHIP, EXPERTS, RationalGrid.of([0, 1]), 1, HALF, batch_max=9)


# Floats -----------------------------------------------------------------------------------------------------------


def test_thresholds_of_arrays_are_exact_until_the_end() -> None:
    """Beyond 9.2 cached tokens it always pays; a rate of zero never."""
    found = pays(np.array([[0.0], [10.0]]), np.array([0.5, 0.0]))
    assert found.tolist() == [[float(seconds("49.2") / seconds("13.52")), 0], [math.inf, 0]]
    assert of("critical_context", in_floats(CHIP), TOY, 1, np.array([0.5, 0.0])).tolist() == [9.2, math.inf]
    assert float(pays(0, 0.5)) == float(seconds("49.2") / seconds("13.52"))
    assert whole("break_even_batch", CHIP, TOY, np.array([0.0]), 1, 0.5).tolist() == [float(pays(0, HALF))]


def test_a_scan_of_arrays_has_no_float() -> None:
    found = of("break_even_batch", CHIP, EXPERTS, np.array([0.0, 0.0]), 1, 0.5, batch_max=9)
    assert np.isnan(found).tolist() == [True, True]


def test_an_enclosure_becomes_the_float_in_its_middle() -> None:
    assert of("acceptance_from_length", 2, np.array([1.75, 3.0])).tolist() == [0.5, 1]
    assert of("acceptance_from_length", 2, 2.0) == pytest.approx((math.sqrt(5) - 1) / 2, rel=1e-15)


def test_with_one_float_all_are_floats() -> None:
    assert of("best_draft_length", in_floats(CHIP), None, 1, 0, 0.5, level="W", k_max=3) == 3
    assert of("leviathan.speedup", 2, 0.5, np.array([0.0, 0.5])).tolist() == [1.75, 0.875]
    assert isinstance(of("verify.gain", 3.0, 4), float)
    found = of("expected_tokens.from_rates", HALF, np.array([0.25]))
    assert (found.tolist(), found.dtype) == ([1.75], np.float64)
    with pytest.raises(CatalogueError, match=r"^expected_tokens\.from_rates: an interval has no float"):
        of("expected_tokens.from_rates", Interval(0, HALF), 0.25)
    assert of("step.time", in_floats(CHIP), TOY, 3, 5, 1) == pytest.approx(47.2)
    assert of("step.time", CHIP, in_floats(TOY), 3, 5, 1) == pytest.approx(47.2)
    assert of("ridge", CHIP.with_values({"peaks": {"bf16": 100.0}})) == 5.0
    assert type(of("ridge", CHIP.with_values({"memory_bandwidth": 20.0}))) is float


@pytest.mark.parametrize(("rate", "words"), [
    (np.array([math.nan]), "break_even_batch: "),
    (Interval(0, HALF), "break_even_batch: an interval has no float"),
])
def test_what_is_no_fraction_or_no_float_is_refused(rate: Any, words: str) -> None:
    with pytest.raises(CatalogueError, match=words):
        pays(0 if isinstance(rate, np.ndarray) else np.array([0.0]), rate)


# Answers ----------------------------------------------------------------------------------------------------------


def test_a_crossing_is_a_number_and_anything_else_itself() -> None:
    assert pays(0, HALF) == seconds("49.2") / seconds("13.52")
    assert whole("break_even_batch", CHIP, TOY, 0, 1, HALF) == Answer("batches", ((1, 3),), pays(0, HALF), 4096)
    assert pays(10, HALF) == Answer("always", ((1, 4096),), None, 4096)
    assert pays(0, 0) == NEVER
