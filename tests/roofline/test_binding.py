"""What a call makes of its arguments before a closed form sees them, and how it refuses them."""
from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import PURE, Interval, RationalGrid
from specdil_records.roofline import CATALOGUE, CatalogueError, Entry, Parameter
from specdil_records.roofline.binding import bind
from tests.roofline.toy import CHIP, TOY

HALF = Fraction(1, 2)
FREE = Entry(
    "free",
    (Parameter("shift", "number"), Parameter("steps", "count"), Parameter("share", "number", default=1, most=1)),
    PURE, "x", "nobody", "rational", "a form of numbers without a least one", lambda **given: given,
)
"""No argument of the catalogue lacks a least value; one that does takes anything below."""


def bound(name: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    return bind(CATALOGUE[name], args, kwargs)


def batch_of(value: Any) -> Any:
    """What a count from 1 on becomes."""
    return bound("additive.gain", value, 0)["batch"]


def rate_of(value: Any) -> Any:
    """What a number from 0 to 1 becomes."""
    return bound("expected_tokens", 1, value)["acceptance"]


def test_every_argument_has_a_value_in_the_common_order() -> None:
    assert bound("ridge", CHIP) == {"accelerator": CHIP, "dtype": "bf16"}
    found = bound("compute_bound_batch", CHIP, weight_dtype="int4", draft_k=2)
    assert list(found.items()) == [("accelerator", CHIP), ("draft_k", 2), ("dtype", "bf16"), ("weight_dtype", "int4")]
    assert bound("compute_bound_batch", CHIP, 2)["weight_dtype"] is None
    assert bound("expected_tokens.from_rates", HALF, 1) == {"rates": (HALF, 1)}
    assert bound("resident_batch", CHIP, TOY, 5, 1, draft=None)["draft"] is None


def test_a_count_is_whole_and_within_its_range() -> None:
    for value in (3, Fraction(3), np.int64(3), np.int8(3), Interval(3, 3), Interval(Fraction(5, 2), Fraction(7, 2))):
        assert (batch_of(value), type(batch_of(value))) == (3, int)
    assert [batch_of(value) for value in (1, 10**18)] == [1, 10**18]
    assert batch_of(Interval(HALF, Fraction(5, 2))) == Interval(1, 2)
    assert batch_of(Interval(1, 10**18)) == Interval(1, 10**18)
    assert list(batch_of(RationalGrid.of([1, 7]))) == [1, 7]
    found = batch_of(Interval(RationalGrid.of([HALF, 2]), RationalGrid.of([1, 3])))
    assert (list(found.lo), list(found.hi)) == ([1, 2], [1, 3])
    assert bound("expected_tokens", 1024, HALF)["draft_k"] == bound("expected_tokens", Fraction(1024), 1)["draft_k"]
    # Floats are for drawing, where half a sequence is a point like any other.
    assert batch_of(1.5) == 1.5


@pytest.mark.parametrize(("value", "words"), [
    (0, "batch of additive.gain is at least 1"),
    (10**18 + 1, f"batch of additive.gain is at most {10**18}"),
    (Fraction(10**18 + 1), f"batch of additive.gain is at most {10**18}"),
    (Interval(0, 3), "batch of additive.gain is at least 1"),
    (Interval(1, 10**18 + 1), f"batch of additive.gain is at most {10**18}"),
    (Interval(Fraction(1, 3), HALF), "batch of additive.gain is a whole number; the interval holds none"),
    (Fraction(5, 2), "batch of additive.gain is a whole number, not 5/2"),
    (RationalGrid.of([1, HALF]), "batch of additive.gain is a whole number; the grid holds fractions"),
    (0.5, "batch of additive.gain is at least 1"),
    ("4", "batch of additive.gain is a number, not a text"),
    (True, "batch of additive.gain is a number, not a bool"),
    ([4], "batch of additive.gain is a number, not a list"),
])
def test_what_no_count_can_be(value: Any, words: str) -> None:
    with pytest.raises(CatalogueError, match=f"^{re.escape(words)}$"):
        batch_of(value)


def test_a_number_is_cut_to_its_range() -> None:
    assert [rate_of(value) for value in (0, HALF, 1, 0.25)] == [0, HALF, 1, 0.25]
    assert rate_of(Interval(-1, 2)) == Interval(0, 1)
    assert rate_of(Interval(HALF, 2)) == Interval(HALF, 1)
    assert rate_of(Interval(-1, HALF)) == Interval(0, HALF)
    for touching, edge in ((Interval(1, 2), 1), (Interval(-1, 0), 0), (Interval(HALF, HALF), HALF)):
        assert rate_of(touching) == edge
    found = rate_of(Interval(RationalGrid.of([-1, HALF]), RationalGrid.of([HALF, 2])))
    assert (list(found.lo), list(found.hi)) == ([0, HALF], [HALF, 1])
    assert isinstance(rate_of(Interval(RationalGrid.of([0, HALF]), RationalGrid.of([0, HALF]))), Interval)
    assert bound("leviathan.speedup", 1, HALF, Interval(-1, 5))["draft_cost"] == Interval(0, 5)


@pytest.mark.parametrize(("args", "words"), [
    ((1, Fraction(-1, 9)), "acceptance of leviathan.speedup is from 0 to 1"),
    ((1, Fraction(10, 9)), "acceptance of leviathan.speedup is from 0 to 1"),
    ((1, Interval(-2, -1)), "acceptance of leviathan.speedup is from 0 to 1"),
    ((1, Interval(2, 3)), "acceptance of leviathan.speedup is from 0 to 1"),
    ((1, RationalGrid.of([HALF, 2])), "acceptance of leviathan.speedup is from 0 to 1"),
    ((1, HALF, -1), "draft_cost of leviathan.speedup is at least 0"),
    ((1, HALF, Interval(-2, -1)), "draft_cost of leviathan.speedup is at least 0"),
    ((1, HALF, None), "draft_cost of leviathan.speedup is a number, not nothing"),
    ((1, HALF, 0, 7), "leviathan.speedup takes at most 3 arguments, 4 are given"),
    ((1,), "leviathan.speedup needs acceptance: acceptance rate of a drafted token"),
])
def test_what_no_number_can_be(args: tuple[Any, ...], words: str) -> None:
    with pytest.raises(CatalogueError, match=f"^{re.escape(words)}$"):
        bound("leviathan.speedup", *args)


def test_numbers_without_a_least_one_may_be_negative() -> None:
    assert bind(FREE, (-3, -4, -5), {}) == {"shift": -3, "steps": -4, "share": -5}
    wide = Interval(-9, 9)
    assert bind(FREE, (wide, wide, wide), {}) == {"shift": wide, "steps": wide, "share": Interval(-9, 1)}
    assert bind(FREE, (-3, 0), {})["share"] == 1


@pytest.mark.parametrize(("name", "args", "kwargs", "words"), [
    ("ridge", (TOY,), {}, "accelerator of ridge is an accelerator, not a model"),
    ("matmul_parameters", ("llama",), {}, "model of matmul_parameters is a model, not a text"),
    ("ridge", (CHIP, "bf8"), {}, "dtype of ridge is one of fp32, tf32, bf16, fp16, fp8, int8, fp4, int4, not 'bf8'"),
    ("ridge", (CHIP, None), {}, "dtype of ridge is one of fp32, tf32, bf16, fp16, fp8, int8, fp4, int4, not None"),
    ("additive.gain", (1, 2), {"k": 3}, "additive.gain has no argument 'k'; it takes batch, draft_k"),
    ("additive.gain", (1, 2), {"draft_k": 3}, "additive.gain is given 'draft_k' twice"),
    ("expected_tokens.from_rates", (), {}, "expected_tokens.from_rates needs at least one of rates"),
    ("expected_tokens.from_rates", (1, 2), {}, "rates of expected_tokens.from_rates is from 0 to 1"),
    ("step.time", (CHIP, TOY, 3), {"new_tokens": 1}, "step.time needs context: tokens cached per sequence"),
    ("step.time", (CHIP, TOY), {"new_tokens": 1, "level": "W"}, "step.time needs batch: sequences"),
    ("throughput", (CHIP,), {"batch": 3, "draft_k": 1, "acceptance": 1, "level": "W"},
     "throughput needs model: a transformer's shape"),
    ("speedup", (CHIP,), {"batch": 3, "context": 5, "draft_k": 1, "acceptance": 1},
     "speedup needs model: a transformer's shape"),
])
def test_calls_that_are_refused(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], words: str) -> None:
    with pytest.raises(CatalogueError, match=f"^{re.escape(words)}$"):
        bound(name, *args, **kwargs)


@pytest.mark.parametrize("name", ["speedup", "tree.speedup", "break_even_batch", "best_draft_length"])
def test_at_level_w_a_ratio_needs_neither_model_nor_context(name: str) -> None:
    given = {"batch": 3, "draft_k": 1, "acceptance": HALF, "new_tokens": 2, "mean_accepted_length": 1}
    taken = {each: value for each, value in given.items() if CATALOGUE[name].parameter(each) is not None}
    found = bound(name, CHIP, level="W", **taken)
    assert (found["model"], found["context"]) == (None, 0)
    assert bound("step.flops", TOY, batch=3, new_tokens=1, level="W")["context"] == 0
