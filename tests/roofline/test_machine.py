"""Chips, models and conditions as values: what they say they lack, and what becomes of them in floats."""
from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import Accelerator, CatalogueError, MissingValue, Model, in_floats
from specdil_records.roofline.machine import as_exact, as_float
from specdil_records.roofline.setting import Setting, in_float_setting, is_one, is_zero
from tests.roofline.toy import CHIP, EXPERTS, LATENT, TOY

HALF = Fraction(1, 2)


# Chips and models -------------------------------------------------------------------------------------------------


def test_peaks_by_format() -> None:
    assert [CHIP.peak(dtype) for dtype in ("bf16", "fp8", "fp16")] == [100, 200, 100]
    assert CHIP.with_values({"peaks": {"bf16": 100, "fp16": 90}}).peak("fp16") == 90
    assert (CHIP.need("memory_bandwidth"), TOY.need("layers"), TOY.need("dense_layers")) == (20, 2, 0)


@pytest.mark.parametrize(("ask", "what"), [
    (lambda: CHIP.peak("int8"), "chip.peak_int8_dense"),
    (lambda: CHIP.with_values({"peaks": {"fp8": 200}}).peak("fp16"), "chip.peak_fp16_dense"),
    (lambda: Accelerator().peak("bf16"), "accelerator.peak_bf16_dense"),
    (lambda: Accelerator().need("tdp"), "accelerator.tdp"),
    (lambda: CHIP.with_values({"tdp": None}).need("tdp"), "chip.tdp"),
    (lambda: Model().need("heads"), "model.heads"),
    (lambda: TOY.need("rope_size"), "toy.rope_size"),
])
def test_a_value_that_is_not_given_is_named(ask: Any, what: str) -> None:
    with pytest.raises(MissingValue, match=f"^no value for {re.escape(what)}$") as told:
        ask()
    assert told.value.what == what


# Floats -----------------------------------------------------------------------------------------------------------


def test_numbers_in_floats() -> None:
    for value, number in ((3, 3.0), (HALF, 0.5), (0.25, 0.25), (np.float64(2), 2.0)):
        assert as_float(value) == number
        assert isinstance(as_float(value), float)
    assert as_float(RationalGrid.of([1, HALF])).tolist() == [1, 0.5]
    assert as_float(True) is True
    assert (as_float("bf16"), as_float(None), as_float(np.int64(3))) == ("bf16", None, 3)
    array = np.array([1.0])
    assert as_float(array) is array
    with pytest.raises(TypeError, match=r"^an interval has no float; evaluate its ends$"):
        as_float(Interval(1, 2))


def test_floats_as_the_fractions_that_they_are() -> None:
    assert [as_exact(value) for value in (0.5, 3.0, HALF, 7)] == [HALF, 3, HALF, 7]
    assert [type(as_exact(value)) for value in (0.5, 3.0, np.float64(3))] == [Fraction, int, int]
    assert as_exact(0.1) == Fraction(3602879701896397, 2**55)
    assert (as_exact("bf16"), as_exact(None)) == ("bf16", None)


def test_chips_and_models_in_floats_and_back() -> None:
    chip = CHIP.with_values({"memory_bandwidth": Fraction(41, 2)})
    floats = in_floats(chip)
    assert floats == as_float(chip) == chip
    assert isinstance(floats.memory_bandwidth, float)
    assert all(isinstance(peak, float) for peak in floats.peaks.values())
    assert (floats.name, list(floats.peaks)) == ("chip", ["bf16", "fp8"])
    assert isinstance(as_exact(floats).memory_bandwidth, Fraction)
    assert [type(peak) for peak in as_exact(floats).peaks.values()] == [int, int]
    model = in_floats(replace(EXPERTS, tied_embeddings=True))
    assert model == as_float(replace(EXPERTS, tied_embeddings=True))
    assert model.tied_embeddings is True
    assert isinstance(model.layers, float)
    assert model.window is None
    assert type(as_exact(model).layers) is int


# Conditions -------------------------------------------------------------------------------------------------------


def test_what_compute_memory_and_link_reach() -> None:
    setting = Setting(CHIP, compute_efficiency=HALF, memory_efficiency=Fraction(1, 4), dtype="fp8")
    assert (setting.peak(), setting.bandwidth(), setting.link()) == (100, 5, 96)
    assert (Setting(CHIP).peak(), Setting(CHIP).bandwidth()) == (100, 20)
    assert Setting(CHIP, compute_efficiency=0).peak() == 0
    assert (Setting(CHIP).weight_bits, Setting(CHIP, dtype="fp8").weight_bits) == (16, 8)
    assert Setting(CHIP, weight_dtype="int4").weight_bits == 4
    assert (Setting().with_kv, Setting(level="W").with_kv) == (True, False)
    with pytest.raises(MissingValue, match=r"chip\.interconnect_bandwidth"):
        Setting(CHIP.with_values({"interconnect_bandwidth": None})).link()


def test_over_how_many_chips_a_cache_is_spread() -> None:
    """No more than it has heads; a latent cache has none to be shared out."""
    wide = replace(TOY, heads=4, kv_heads=4)
    assert [Setting(CHIP, chips=chips).share_of_kv(wide) for chips in (1, 2, 8)] == [1, 2, 4]
    assert Setting(CHIP, chips=2).share_of_kv(TOY) == 1
    assert Setting(CHIP, chips=2).share_of_kv(replace(LATENT, kv_heads=4)) == 1


@pytest.mark.parametrize(("given", "words"), [
    ({"level": "KV"}, "'KV' is no level; one of WK, W"),
    ({"mode": "sum"}, "'sum' is no mode; one of operator, overlap, serial"),
    ({"draft": TOY, "draft_parameters": 0}, "a draft is a model or a head of draft_parameters, not both"),
])
def test_conditions_that_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(CatalogueError, match=f"^{re.escape(words)}$"):
        Setting(CHIP, **given)


def test_a_factor_of_one_and_a_term_of_zero_are_known_by_plain_numbers_only() -> None:
    assert [is_one(value) for value in (1, 1.0, 0, 2, HALF, np.ones(1), Interval(1, 1))] == [True] * 2 + [False] * 5
    assert [is_zero(value) for value in (0, 0.0, 1, HALF, np.zeros(1), Interval(0, 0))] == [True] * 2 + [False] * 4


def test_conditions_in_floats() -> None:
    setting = in_float_setting(Setting(CHIP, compute_efficiency=HALF, draft=TOY, step_overhead=2, level="W"))
    assert setting == Setting(CHIP, compute_efficiency=HALF, draft=TOY, step_overhead=2, level="W")
    assert [type(value) for value in (setting.compute_efficiency, setting.step_overhead, setting.chips)] == [float] * 3
    assert setting.accelerator is not None
    assert setting.draft is not None
    assert isinstance(setting.accelerator.tdp, float)
    assert isinstance(setting.draft.layers, float)
    assert in_float_setting(Setting()).accelerator is None
