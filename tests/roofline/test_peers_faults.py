"""Faults that other calculators really have, each shown not to be here."""
from __future__ import annotations

from fractions import Fraction

import pytest

from specdil_records.arithmetic import divide
from specdil_records.roofline import (
    bytes_per,
    distinct_experts,
    expected_tokens,
    kv_bytes_per_token,
    matmul_parameters,
    ridge,
    speedup,
    step_bytes,
    step_flops,
    step_time,
)
from tests.roofline.samples import H100, LLAMA_2_7B, LLAMA_3_8B, LLAMA_3_70B, MIXTRAL


def test_the_cache_has_the_kv_heads_not_the_query_heads() -> None:
    assert kv_bytes_per_token(LLAMA_3_70B) * 8 == 2 * 80 * 64 * 128 * 2
    assert kv_bytes_per_token(LLAMA_3_8B) * 4 == kv_bytes_per_token(LLAMA_2_7B)


def test_a_gigabyte_is_not_a_gibibyte() -> None:
    weights_only = step_time(H100, LLAMA_2_7B, 1, 0, 1, level="W")
    assert weights_only == Fraction(2 * 6607077376, 3350 * 10**9)
    in_gibibytes = Fraction(2 * 6607077376, 3350 * 2**30)
    assert weights_only / in_gibibytes == Fraction(2**30, 10**9) > Fraction(107, 100)


def test_tera_is_a_power_of_ten() -> None:
    assert H100.peak("bf16") == Fraction("989.4") * 10**12 != Fraction("989.4") * 2**40


def test_expected_tokens_are_not_capped_at_the_drafts() -> None:
    assert expected_tokens(4, 1) == 5
    assert expected_tokens(1, Fraction(9, 10)) == Fraction(19, 10) > 1


def test_the_cache_is_read_once_not_twice() -> None:
    without, with_kv = (step_bytes(LLAMA_2_7B, 3, 1000, 1, level=level) for level in ("W", "WK"))
    assert with_kv - without == 3 * 524288 * 1001


def test_a_verify_step_does_not_read_the_cache_for_every_query() -> None:
    plain, verify = (step_bytes(LLAMA_2_7B, 3, 1000, q) for q in (1, 5))
    assert verify - plain == 3 * 524288 * 4
    again = step_bytes(LLAMA_2_7B, 3, 1000, 5, kv_reread=5)
    assert again - verify == 3 * 524288 * 4000


def test_re_reads_are_no_more_than_queries() -> None:
    assert step_bytes(LLAMA_2_7B, 3, 1000, 1, kv_reread=5) == step_bytes(LLAMA_2_7B, 3, 1000, 1)
    assert step_bytes(LLAMA_2_7B, 3, 1000, 5, kv_reread=9) == step_bytes(LLAMA_2_7B, 3, 1000, 5, kv_reread=5)


def test_the_ridge_is_that_of_the_dense_peak() -> None:
    sparse = divide(1979 * 10**12, H100.memory_bandwidth)
    assert Fraction(199, 100) < sparse / ridge(H100) < Fraction(201, 100)


@pytest.mark.parametrize("tokens", [2, 5, 32, 160])
def test_experts_read_are_neither_k_nor_all(tokens: int) -> None:
    assert 2 < distinct_experts(MIXTRAL, tokens) < 8
    read = step_bytes(MIXTRAL, tokens, 0, 1, level="W")
    assert read < 2 * matmul_parameters(MIXTRAL)


def test_one_multiply_accumulate_is_two_flops() -> None:
    assert step_flops(LLAMA_2_7B, 1, 0, 1, level="W") == 2 * matmul_parameters(LLAMA_2_7B)
    # Scores and values: two products of H*h with each of the S + 1 keys, in each layer.
    attention = step_flops(LLAMA_2_7B, 1, 100, 1) - step_flops(LLAMA_2_7B, 1, 100, 1, level="W")
    assert attention == 2 * 2 * 32 * 32 * 128 * 101


def test_the_peak_is_that_of_the_format_that_computes() -> None:
    slow, fast = (step_time(H100, LLAMA_2_7B, 4096, 0, 1, level="W", dtype=dtype) for dtype in ("bf16", "int8"))
    assert slow / fast == Fraction(1979000, 989400)
    # Small weights computed in bf16 are read faster and computed no faster.
    assert step_time(H100, LLAMA_2_7B, 4096, 0, 1, level="W", weight_dtype="int4") == slow
    assert step_time(H100, LLAMA_2_7B, 1, 0, 1, level="W", weight_dtype="int4") * 4 == step_time(
        H100, LLAMA_2_7B, 1, 0, 1, level="W"
    )


def test_bytes_of_formats_are_exact() -> None:
    assert [bytes_per(each) for each in ("fp32", "tf32", "bf16", "fp16", "fp8", "int8")] == [4, 4, 2, 2, 1, 1]
    assert bytes_per("fp4") == bytes_per("int4") == Fraction(1, 2)


def test_no_verdict_hangs_on_a_rounding() -> None:
    """Exactly at the break-even speculation neither gains nor loses; floats would say either."""
    crossing = Fraction(2952, 10000) * divide(H100.peak("bf16"), H100.memory_bandwidth) * 10 / 4
    assert speedup(H100, None, crossing, 0, 3, Fraction(4, 5), level="W") == 1
