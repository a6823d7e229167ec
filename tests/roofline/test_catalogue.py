"""The catalogue as such: names, signatures, binding of arguments, refusals."""
from __future__ import annotations

import inspect
import math
import pickle
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records import roofline
from specdil_records.arithmetic import Dimension, Interval, RationalGrid
from specdil_records.roofline import (
    CATALOGUE,
    PARAMETERS,
    REQUIRED,
    Accelerator,
    Answer,
    CatalogueError,
    MissingValue,
    Model,
    NoNumber,
    Undecided,
    answer,
    call,
    in_floats,
    signature,
    speedup,
)
from specdil_records.roofline.catalogue import _catalogue
from specdil_records.roofline.entry import falling, rising, takes
from tests.roofline.samples import H100, LLAMA_2_7B, MIXTRAL, uncertain

HALF = Fraction(1, 2)


def of(name: str, *args: Any, **kwargs: Any) -> Any:
    return call(CATALOGUE[name], *args, **kwargs)


# Entries --------------------------------------------------------------------------------------------------------


def test_names_have_one_dot_at_most_and_are_lower_case() -> None:
    assert all(re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", name) for name in CATALOGUE)
    assert all(entry.name == name for name, entry in CATALOGUE.items())


def test_the_names_that_records_rely_on_are_there() -> None:
    assert set(CATALOGUE) >= {
        "decode.intensity", "additive.intensity", "additive.gain", "verify.intensity", "verify.gain",
        "matmul_parameters", "kv_bytes_per_token", "ridge", "ridge_tokens", "step.flops", "step.bytes",
        "step.intensity", "step.time", "step.bound", "expected_tokens", "mean_accepted_length", "leviathan.speedup",
        "leviathan.operations", "speedup", "compute_bound_batch", "break_even_batch", "critical_context",
        "best_draft_length", "moe.distinct_experts", "resident_batch", "medusa.linear_intensity",
        "medusa.attention_intensity", "throughput", "tpot", "energy_per_token", "cost_per_million_tokens",
        "total_parameters", "intensity_ceiling", "overlap_compute_bound_batch", "medusa.draft_cost",
        "all_reduce_time",
    }


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_an_entry_takes_what_its_function_takes_in_the_common_order(name: str) -> None:
    entry = CATALOGUE[name]
    taken = [each.name for each in entry.parameters]
    assert taken == [each for each in PARAMETERS if each in taken]
    own = inspect.signature(entry.function).parameters
    named = [each.name for each in own.values() if each.kind is not each.VAR_KEYWORD]
    assert set(named) <= set(taken)
    conditions = any(each.kind is each.VAR_KEYWORD for each in own.values())
    assert conditions or set(named) == set(taken)
    for parameter in entry.parameters:
        default = own[parameter.name].default if parameter.name in own else inspect.Parameter.empty
        if default is not inspect.Parameter.empty and name != "all_reduce_time":
            assert parameter.default == default, parameter.name
    required = [each.is_required for each in entry.parameters if not each.many]
    assert required == sorted(required, reverse=True), "a required argument after an optional one"


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_docstrings_say_formula_source_and_what_is_left_out(name: str) -> None:
    entry = CATALOGUE[name]
    text = " ".join(inspect.getdoc(entry.function).split())  # type: ignore[union-attr]
    assert "norms" in text.lower()
    assert "softmax" in text
    assert "sampling" in text
    assert "Source: " in text
    assert entry.formula
    assert entry.source
    assert entry.summary
    assert "\n" not in entry.formula + entry.summary + entry.source


def test_every_public_name_exists() -> None:
    assert all(hasattr(roofline, name) for name in roofline.__all__)


def test_dimensions() -> None:
    expected = {
        "ridge": "FLOP/byte", "decode.intensity": "FLOP/byte", "step.time": "s", "step.flops": "FLOP",
        "step.bytes": "byte", "kv_bytes_per_token": "byte/token", "throughput": "token/s", "tpot": "s/token",
        "energy_per_token": "J/token", "ridge_tokens": "", "compute_bound_batch": "", "break_even_batch": "",
        "critical_context": "", "matmul_parameters": "", "speedup": "",
    }
    assert {name: str(CATALOGUE[name].dimension) for name in expected} == expected
    assert PARAMETERS["step_overhead"].dimension == Dimension(second=1)


def test_signatures_for_people() -> None:
    assert signature(CATALOGUE["ridge"]) == 'ridge(accelerator, dtype="bf16")'
    assert signature(CATALOGUE["additive.gain"]) == "additive.gain(batch, draft_k)"
    assert signature(CATALOGUE["expected_tokens.from_rates"]) == "expected_tokens.from_rates(*rates)"
    assert signature(CATALOGUE["decode.intensity"]) == 'decode.intensity(batch, weight_dtype="bf16")'
    assert signature(CATALOGUE["compute_bound_batch"]) == (
        'compute_bound_batch(accelerator, draft_k, dtype="bf16", weight_dtype=dtype)'
    )
    assert signature(CATALOGUE["resident_batch"]) == (
        'resident_batch(accelerator, model, context, draft_k, weight_dtype="bf16", kv_dtype="bf16", draft=none, '
        "draft_parameters=none, chips=1)"
    )
    assert signature(CATALOGUE["leviathan.speedup"]) == "leviathan.speedup(draft_k, acceptance, draft_cost=0)"
    assert repr(REQUIRED) == "required"


def test_parameters_out_of_order_are_refused() -> None:
    for names in ("draft_k batch", "batch batch", "batch batches"):
        with pytest.raises(ValueError, match=f"^not in the common order: {names}$"):
            takes(names)


def test_parameters_with_other_fields() -> None:
    batch, length = takes("batch draft_k", draft_k={"least": 1, "default": 4})
    assert (batch.name, batch.least, batch.is_required) == ("batch", 1, True)
    assert (length.least, length.most, length.default, length.is_required) == (1, 1024, 4, False)
    assert PARAMETERS["draft_k"].least == 0
    entry = CATALOGUE["additive.gain"]
    assert entry.parameter("draft_k") is entry.parameters[1]
    assert entry.parameter("tokens") is None


def test_declarations_of_monotony() -> None:
    assert rising("batch context") == {"batch": "rising", "context": "rising"}
    assert falling("batch accelerator.tdp") == {"batch": "falling", "accelerator.tdp": "falling"}


def test_a_closed_form_has_a_name_of_its_own() -> None:
    ridge, gain = CATALOGUE["ridge"], CATALOGUE["additive.gain"]
    assert dict(_catalogue(iter([ridge, gain, ridge]))) == {"ridge": ridge, "additive.gain": gain}
    with pytest.raises(ValueError, match=r"^two closed forms are called 'ridge'$"):
        _catalogue(iter([ridge, replace(gain, name="ridge")]))


# Binding --------------------------------------------------------------------------------------------------------


def test_positional_then_by_name() -> None:
    assert of("additive.intensity", 32, 4) == of("additive.intensity", draft_k=4, batch=32) == 36
    assert of("additive.intensity", 32, draft_k=4, weight_dtype="fp8") == 72
    assert of("additive.gain", 32, 4) == Fraction(1, 8)
    assert of("verify.gain", 32, 4) == 4
    assert of("ridge", H100, "bf16") == of("ridge", H100)


WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("additive.gain", (32,), {}, "needs draft_k"),
    ("additive.gain", (32, 4, 5), {}, "at most 2"),
    ("additive.gain", (32, 4), {"batch": 5}, "twice"),
    ("additive.gain", (32, 4), {"dtype": "bf16"}, "no argument 'dtype'"),
    ("additive.gain", (32, "4"), {}, "number"),
    ("additive.gain", (True, 4), {}, "number"),
    ("additive.gain", (0, 4), {}, "at least 1"),
    ("additive.gain", (32, -1), {}, "at least 0"),
    ("additive.gain", (Fraction(1, 2), 4), {}, "whole number"),
    ("additive.gain", (Interval(Fraction(1, 3), Fraction(2, 3)), 4), {}, "holds none"),
    ("additive.gain", (RationalGrid.of([1, HALF]), 4), {}, "fractions"),
    ("additive.gain", (RationalGrid([1, 0]), 4), {}, "at least 1"),
    ("ridge", (LLAMA_2_7B,), {}, "accelerator"),
    ("ridge", (H100, "bf17"), {}, "one of"),
    ("ridge", (H100, 16), {}, "one of"),
    ("matmul_parameters", (H100,), {}, "model"),
    ("expected_tokens", (4, Fraction(3, 2)), {}, "from 0 to 1"),
    ("expected_tokens", (4, Interval(2, 3)), {}, "from 0 to 1"),
    ("expected_tokens", (4, None), {}, "needs acceptance"),
    ("expected_tokens.from_rates", (), {}, "at least one"),
    ("expected_tokens.from_rates", (), {"rates": HALF}, "no argument"),
    ("speedup", (H100, LLAMA_2_7B, 8, 0, 4, HALF), {"mode": "sum"}, "one of"),
    ("speedup", (H100, LLAMA_2_7B, 8), {"draft_k": 4, "acceptance": HALF}, "needs context"),
    ("speedup", (H100,), {"batch": 8, "context": 0, "draft_k": 4, "acceptance": HALF}, "needs model"),
    ("step.time", (H100,), {"batch": 8, "new_tokens": 4, "level": "W"}, "needs model"),
    ("speedup", (H100, LLAMA_2_7B, 8, 0, 4, HALF, HALF), {"draft": MIXTRAL}, "not by both"),
    ("speedup", (H100, LLAMA_2_7B, 8, 0, 4, HALF), {"draft": MIXTRAL, "draft_parameters": 5}, "not both"),
    ("speedup", (H100,), {"batch": 8, "draft_k": 4, "acceptance": HALF, "level": "W", "step_overhead": 1}, "model"),
    ("break_even_batch", (H100, LLAMA_2_7B, 0, 0, HALF), {}, "at least 1"),
    ("acceptance_from_length", (4, 6), {}, "from 1 to 5"),
    ("expected_tokens", (10**9, HALF), {}, "at most 1024"),
    ("additive.gain", (10**19, 4), {}, "at most 10"),
    ("additive.gain", (np.array([1.0, 1e30]), 4), {}, "at most 10"),
    ("additive.gain", (32, RationalGrid([1, 5000])), {}, "at most 1024"),
    ("break_even_batch", (H100, LLAMA_2_7B, 0, 4, HALF), {"batch_max": 10**9}, "at most 1000000"),
    ("decode.intensity", (np.array([0.5]),), {}, "at least 1"),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "words"), WRONG)
def test_wrong_calls_are_refused_with_a_reason(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], words: str
) -> None:
    with pytest.raises(CatalogueError, match=words):
        of(name, *args, **kwargs)


def test_at_level_w_context_and_model_may_be_left_out() -> None:
    rate = Fraction(4, 5)
    whole = of("speedup", H100, LLAMA_2_7B, 300, 1000, 4, rate, level="W")
    assert of("speedup", H100, batch=300, draft_k=4, acceptance=rate, level="W") == whole
    assert of("break_even_batch", H100, draft_k=4, acceptance=rate, level="W") == of(
        "break_even_batch", H100, LLAMA_2_7B, 777, 4, rate, level="W"
    )
    assert of("step.time", H100, LLAMA_2_7B, batch=3, new_tokens=1, level="W") == of(
        "step.time", H100, LLAMA_2_7B, 3, 50, 1, level="W"
    )


def test_an_interval_beyond_a_range_is_cut_to_it() -> None:
    """A rate written as 1.0 stands for 0.95 to 1.05, of which only 0.95 to 1 can be."""
    assert of("expected_tokens", 1, Interval(Fraction(19, 20), Fraction(21, 20))) == Interval(Fraction(39, 20), 2)


def test_an_interval_of_lengths_is_tried_length_by_length() -> None:
    found = of("leviathan.speedup", Interval(2, Fraction(9, 2)), Fraction(4, 5), Fraction(1, 2))
    tried = [of("leviathan.speedup", k, Fraction(4, 5), Fraction(1, 2)) for k in (2, 3, 4)]
    assert found == Interval(min(tried), max(tried))
    with pytest.raises(Undecided, match="lengths"):
        of("leviathan.speedup", Interval(1, 500), Fraction(4, 5))


def test_whole_results_on_intervals_are_the_whole_numbers_in_question() -> None:
    found = of("resident_batch", uncertain(H100, Fraction(1, 100)), LLAMA_2_7B, 1024, 4)
    assert (found.lo, found.hi) == (121, 124)
    best = of("best_draft_length", uncertain(H100, Fraction(1, 10)), None, 64, 0, Fraction(4, 5), level="W")
    assert (best.lo, best.hi) == (3, 5)


def test_long_drafts_with_long_rates_take_no_time() -> None:
    with pytest.raises(CatalogueError, match="digits"):
        of("expected_tokens", 1024, Fraction(10**399 + 1, 10**400))
    rate = Fraction(10**19 + 1, 10**20)
    assert 1 < of("expected_tokens", 1024, rate) < Fraction(12, 10)
    lengths = RationalGrid([0, 1, 1024])
    assert list(of("expected_tokens", lengths, rate)) == [of("expected_tokens", k, rate) for k in (0, 1, 1024)]


# What is missing ------------------------------------------------------------------------------------------------


def test_a_missing_value_is_named() -> None:
    bare = Accelerator(name="bare")
    with pytest.raises(MissingValue, match=r"bare\.peak_bf16_dense"):
        of("ridge", bare)
    with pytest.raises(MissingValue, match=r"h100\.peak_fp4_dense"):
        of("ridge", H100, "fp4")
    with pytest.raises(MissingValue, match=r"bare\.memory_bandwidth"):
        of("ridge", bare.with_values({"peaks": {"bf16": 1}}))
    with pytest.raises(MissingValue, match=r"model\.layers"):
        of("matmul_parameters", Model())
    with pytest.raises(LookupError):
        of("moe.distinct_experts", LLAMA_2_7B, 5)


def test_fp16_runs_at_the_peak_of_bf16() -> None:
    assert of("ridge", H100, "fp16") == of("ridge", H100, "bf16")


@pytest.mark.parametrize("error", [MissingValue("a.b"), CatalogueError("x"), Undecided("y"), NoNumber("z")])
def test_errors_travel_between_processes(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)


# Answers ----------------------------------------------------------------------------------------------------------


def test_a_single_crossing_is_a_number_and_stands_beside_its_ranges() -> None:
    args = (H100, LLAMA_2_7B, 16, 4, Fraction(4, 5))
    number, whole = of("break_even_batch", *args), answer(CATALOGUE["break_even_batch"], *args)
    assert whole.crossing == number
    assert isinstance(number, Fraction)
    assert str(whole) == "1-216"


def test_answers_in_words() -> None:
    assert str(of("break_even_batch", H100, LLAMA_2_7B, 5000, 4, Fraction(4, 5))) == "always"
    assert str(of("break_even_batch", H100, LLAMA_2_7B, 0, 4, 0)) == "never"
    assert str(Answer("batches", ((2, 3), (5, 9)))) == "2-3, 5-9"
    assert str(Answer("batches", (), Fraction(1, 2), 10)) == "at no batch up to 10"
    assert of("step.bound", H100, LLAMA_2_7B, 64, 4) == "memory"
    with pytest.raises(Undecided, match="either"):
        of("step.bound", uncertain(H100, Fraction(1, 5)), LLAMA_2_7B, 64, 4)


def test_a_grid_of_answers() -> None:
    contexts = RationalGrid([0, 16, 32])
    found = of("break_even_batch", H100, LLAMA_2_7B, contexts, 4, Fraction(4, 5))
    assert list(found) == [of("break_even_batch", H100, LLAMA_2_7B, s, 4, Fraction(4, 5)) for s in (0, 16, 32)]
    with pytest.raises(NoNumber, match="always"):
        of("break_even_batch", H100, LLAMA_2_7B, RationalGrid([16, 5000]), 4, Fraction(4, 5))
    floats = of("break_even_batch", H100, LLAMA_2_7B, np.array([16.0, 5000.0]), 4, 0.8)
    assert floats.tolist() == [pytest.approx(216.94366), math.inf]
    assert of("break_even_batch", H100, LLAMA_2_7B, np.array([16.0]), 4, 0.0).tolist() == [0.0]


def test_a_grid_of_intervals() -> None:
    contexts = RationalGrid([0, 16])
    found = of("break_even_batch", uncertain(H100), LLAMA_2_7B, contexts, 4, Fraction(4, 5))
    assert isinstance(found.lo, RationalGrid)
    sharp = of("break_even_batch", H100, LLAMA_2_7B, contexts, 4, Fraction(4, 5))
    assert found.holds(sharp).all()


# Floats -----------------------------------------------------------------------------------------------------------


def test_floats_make_everything_float_and_intervals_beside_them_are_refused() -> None:
    assert isinstance(of("ridge", in_floats(H100)), float)
    assert of("decode.intensity", np.array([1.0, 32.0])).tolist() == [1.0, 32.0]
    with pytest.raises(CatalogueError, match="interval"):
        of("speedup", uncertain(H100), LLAMA_2_7B, np.array([1.0]), 0, 4, 0.5)
    with pytest.raises(CatalogueError):
        of("break_even_batch", H100, LLAMA_2_7B, np.array([math.nan]), 4, 0.5)


def test_functions_refuse_fractions_beside_arrays_and_take_float_machines() -> None:
    batches = np.array([1.0, 64.0])
    with pytest.raises(TypeError, match="fraction"):
        speedup(H100, LLAMA_2_7B, batches, 0, 4, 0.8)
    gains = speedup(in_floats(H100), in_floats(LLAMA_2_7B), batches, 0, 4, 0.8)
    exact = [speedup(H100, LLAMA_2_7B, batch, 0, 4, Fraction(4, 5)) for batch in (1, 64)]
    assert gains == pytest.approx([float(each) for each in exact], rel=1e-13)
