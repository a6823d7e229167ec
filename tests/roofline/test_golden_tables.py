"""Published tables, to their printed digits."""
from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, divide
from specdil_records.roofline import (
    CATALOGUE,
    Model,
    call,
    kv_bytes_per_token,
    leviathan_operations,
    leviathan_speedup,
    matmul_parameters,
    medusa_attention_intensity,
    medusa_linear_intensity,
    ridge,
    total_parameters,
)
from tests.roofline.samples import (
    A100,
    B200,
    DEEPSEEK_V3,
    H100,
    H200,
    LLAMA_2_7B,
    LLAMA_3_8B,
    LLAMA_3_70B,
    LLAMA_33B,
    MI300X,
    MIXTRAL,
)


def printed(value: int | Fraction, like: str) -> str:
    """A value to as many decimals as a printed figure has, rounded half up."""
    value = Fraction(value)
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return str(exact.quantize(Decimal(like), ROUND_HALF_UP))


def rounded(text: str) -> Interval:
    """What a printed figure may stand for: half a unit of its last place either way."""
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return Interval(Fraction(text) - half, Fraction(text) + half)


# Leviathan et al. 2023, table 1: acceptance, k, operations, speed (no draft cost).
LEVIATHAN_1 = [
    ("0.6", 2, "1.53", "1.96"), ("0.7", 3, "1.58", "2.53"), ("0.8", 2, "1.23", "2.44"),
    ("0.8", 5, "1.63", "3.69"), ("0.9", 2, "1.11", "2.71"), ("0.9", 10, "1.60", "6.86"),
]
# Table 4: k, acceptance, cost, expected improvement; the first nine by value, all twelve as rounded inputs.
LEVIATHAN_4 = [
    (7, "0.75", "0.02", "3.2"), (7, "0.80", "0.04", "3.3"), (7, "0.82", "0.11", "2.5"),
    (7, "0.62", "0.02", "2.3"), (5, "0.65", "0.02", "2.4"), (5, "0.73", "0.04", "2.6"),
    (3, "0.74", "0.11", "2.0"), (5, "0.53", "0.02", "1.9"), (3, "0.55", "0.04", "1.8"),
    (5, "0.68", "0.04", "2.4"), (3, "0.71", "0.11", "2.0"), (3, "0.56", "0.11", "1.6"),
]
OFF_BY_VALUE = {("0.68", "2.4"): "2.347", ("0.71", "2.0"): "1.934", ("0.56", "1.6"): "1.541"}


@pytest.mark.parametrize(("rate", "k", "operations", "speed"), LEVIATHAN_1)
def test_leviathan_table_1(rate: str, k: int, operations: str, speed: str) -> None:
    assert printed(leviathan_operations(k, Fraction(rate)), operations) == operations
    assert printed(leviathan_speedup(k, Fraction(rate)), speed) == speed


@pytest.mark.parametrize(("k", "rate", "cost", "expected"), LEVIATHAN_4)
def test_leviathan_table_4(k: int, rate: str, cost: str, expected: str) -> None:
    by_value = leviathan_speedup(k, Fraction(rate), Fraction(cost))
    if (rate, expected) in OFF_BY_VALUE:
        assert printed(by_value, "0.001") == OFF_BY_VALUE[rate, expected]
        assert printed(by_value, expected) != expected
    else:
        assert printed(by_value, expected) == expected
    entry = CATALOGUE["leviathan.speedup"]
    assert call(entry, k, rounded(rate), rounded(cost)).overlaps(rounded(expected))


def test_nine_of_twelve_cells_agree_by_value() -> None:
    computed = [leviathan_speedup(k, Fraction(rate), Fraction(cost)) for k, rate, cost, _ in LEVIATHAN_4]
    agreeing = [printed(value, row[3]) == row[3] for value, row in zip(computed, LEVIATHAN_4, strict=True)]
    assert agreeing.count(True) == 9


# Medusa, appendix G, Llama-33B: printed intensities.
def test_medusa_appendix_g() -> None:
    assert printed(medusa_attention_intensity(LLAMA_33B, 1024, 1), "0.01") == "0.99"
    assert printed(medusa_attention_intensity(LLAMA_33B, 1024, 64), "0.01") == "40.96"
    assert printed(medusa_linear_intensity(LLAMA_33B, 64, 112), "0.01") == "2893.91"
    ratio = medusa_attention_intensity(LLAMA_33B, 1024, 64) / medusa_attention_intensity(LLAMA_33B, 1024, 1)
    assert printed(ratio, "1") == "41"


@pytest.mark.parametrize(("measured", "intensity"), [
    ("1.24", medusa_attention_intensity(LLAMA_33B, 1024, 1)),
    ("54.8", medusa_attention_intensity(LLAMA_33B, 1024, 64)),
    ("19.79", medusa_attention_intensity(LLAMA_33B, 1024, 64)),
    ("246.14", medusa_linear_intensity(LLAMA_33B, 64, 112)),
])
def test_what_medusa_measured_stays_under_the_roof(measured: str, intensity: Fraction) -> None:
    roof = min(A100.peak("bf16"), intensity * A100.memory_bandwidth)
    assert Fraction(measured) * 10**12 < roof


# MagicDec, tables 1 and 2: draft time of a cycle, verify time, tokens per cycle, T_AR, T_SD, printed ratio.
MAGICDEC = [
    ("44.11", "45.12", "3.00", "36.62", "30.32", "1.21"), ("29.06", "42.02", "2.53", "35.13", "28.70", "1.22"),
    ("58.33", "74.85", "3.14", "62.92", "42.96", "1.46"), ("15.09", "18.30", "2.82", "17.32", "12.16", "1.42"),
    ("14.20", "15.64", "2.98", "14.85", "10.29", "1.44"), ("23.63", "27.90", "3.37", "26.17", "15.58", "1.68"),
    ("34.34", "28.50", "5.61", "25.96", "11.35", "2.29"), ("53.90", "29.89", "7.93", "25.90", "10.64", "2.43"),
    ("53.98", "29.93", "8.21", "25.83", "10.29", "2.51"), ("32.89", "28.80", "5.41", "25.52", "11.54", "2.21"),
]


@pytest.mark.parametrize(("drafting", "verifying", "tokens", "plain", "speculative", "ratio"), MAGICDEC)
def test_magicdec_ratios(
    drafting: str, verifying: str, tokens: str, plain: str, speculative: str, ratio: str
) -> None:
    assert (rounded(plain) / rounded(speculative)).overlaps(rounded(ratio))
    # Its measured step is never faster than drafting and verifying alone, and at most 7 % slower.
    alone = (Fraction(drafting) + Fraction(verifying)) / Fraction(tokens)
    assert Fraction(99, 100) < Fraction(speculative) / alone < Fraction(107, 100)


def test_expected_tokens_from_the_rates_that_vllm_reports() -> None:
    rates = [Fraction("0.805"), Fraction("0.632"), Fraction("0.483")]
    assert call(CATALOGUE["expected_tokens.from_rates"], *rates) == Fraction("2.92")


# Integers and ridges -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "parameters", "total", "kv_bytes"), [
    (LLAMA_2_7B, 6_607_077_376, 6_738_415_616, 524_288),
    (LLAMA_3_8B, 7_504_658_432, 8_030_261_248, 131_072),
    (LLAMA_3_70B, 69_501_714_432, 70_553_706_496, 327_680),
    (LLAMA_33B, 32_315_146_240, 32_528_943_616, 1_597_440),
    (MIXTRAL, 46_571_454_464, 46_702_792_704, 131_072),
])
def test_parameters_and_cache_of_published_shapes(model: Model, parameters: int, total: int, kv_bytes: int) -> None:
    assert matmul_parameters(model) == parameters
    assert total_parameters(model) == total
    assert kv_bytes_per_token(model) == kv_bytes


def test_latent_attention_with_shared_experts_and_leading_dense_layers() -> None:
    assert matmul_parameters(DEEPSEEK_V3) == 670_098_718_720
    assert kv_bytes_per_token(DEEPSEEK_V3) == 70_272 == 61 * 576 * 2
    # The published total counts 139,776 values more: norms inside the attention and a bias of the router.
    assert 671_026_419_200 - total_parameters(DEEPSEEK_V3) == 61 * (1536 + 512) + 58 * 256


@pytest.mark.parametrize(("chip", "digits"), [
    (H100, "295.34328"), (H200, "206.125"), (B200, "281.25"), (MI300X, "246.67924"), (A100, "161.24031"),
])
def test_ridges_of_data_sheets(chip: Any, digits: str) -> None:
    value = ridge(chip)
    assert Fraction(digits) <= value < Fraction(digits) + Fraction(1, 10**5)


def test_the_other_sheet_of_the_b200() -> None:
    assert printed(divide(B200.peak("bf16"), 77 * 10**11), "0.1") == "292.2"
