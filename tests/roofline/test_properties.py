"""What must hold of the physics whatever the numbers."""
from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import Interval, divide, lower, upper
from specdil_records.roofline import (
    CATALOGUE,
    MODES,
    Accelerator,
    Model,
    acceptance_from_length,
    accepted_fraction,
    all_reduce_time,
    best_draft_length,
    call,
    compute_bound_batch,
    cost_per_million_tokens,
    distinct_experts,
    energy_per_token,
    expected_tokens,
    intensity_ceiling,
    kv_bytes_per_token,
    leviathan_operations,
    leviathan_speedup,
    matmul_parameters,
    medusa_draft_cost,
    medusa_heads_parameters,
    overlap_compute_bound_batch,
    prefill_flops,
    prefill_time,
    resident_batch,
    ridge_tokens,
    speedup,
    step_bytes,
    step_flops,
    step_intensity,
    step_time,
    throughput,
    tokens_from_conditional_rates,
    tokens_from_rates,
    tpot,
    tree_speedup,
)
from specdil_records.roofline.moe import power_enclosed
from specdil_records.roofline.steps import chain_pairs
from tests.roofline.samples import (
    A100,
    CHIPS,
    DEEPSEEK_V3,
    DENSE_MODELS,
    EXPERT_MODELS,
    H100,
    H200,
    LLAMA_2_7B,
    LLAMA_3_8B,
    MIXTRAL,
    MODELS,
    TINY_LLAMA,
    WINDOWED,
)

SOME = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
CHIP = st.sampled_from(list(CHIPS.values()))
MODEL = st.sampled_from(MODELS)
DENSE = st.sampled_from(DENSE_MODELS)
RATE = st.fractions(0, 1, max_denominator=20)
LENGTH = st.integers(0, 8)
BATCH = st.integers(1, 400)
CONTEXT = st.integers(0, 20000)
MODE = st.sampled_from(MODES)


@SOME
@given(CHIP, MODEL, BATCH, CONTEXT, LENGTH, RATE, MODE)
def test_a_speedup_lies_between_nothing_and_the_expected_tokens(
    chip: Accelerator, model: Model, batch: int, context: int, k: int, rate: Fraction, mode: Any
) -> None:
    gain = speedup(chip, model, batch, context, k, rate, mode=mode)
    assert lower(gain) > 0
    assert upper(gain) <= expected_tokens(k, rate) <= k + 1


@SOME
@given(CHIP, DENSE, BATCH, LENGTH, RATE, st.sampled_from(["operator", "overlap"]))
def test_weights_only_the_speedup_is_whole_up_to_the_ridge(
    chip: Accelerator, model: Model, batch: int, k: int, rate: Fraction, mode: Any
) -> None:
    gain = speedup(chip, model, batch, 0, k, rate, level="W", mode=mode)
    whole = batch * (k + 1) <= ridge_tokens(chip)
    assert k == 0 or (gain == expected_tokens(k, rate)) == whole
    assert whole == (batch <= compute_bound_batch(chip, k))
    n = ridge_tokens(chip)
    assert gain == divide(expected_tokens(k, rate) * max(batch, n), max(batch * (k + 1), n))


@SOME
@given(CHIP, DENSE, BATCH, CONTEXT, LENGTH, RATE, MODE, st.fractions(1, 3, max_denominator=10))
def test_more_bandwidth_beyond_the_ridge_never_raises_the_speedup(
    chip: Accelerator, model: Model, batch: int, context: int, k: int, rate: Fraction, mode: Any, more: Fraction
) -> None:
    wider = chip.with_values({"memory_bandwidth": chip.memory_bandwidth * more})
    assert speedup(wider, model, batch, context, k, rate, mode=mode) <= speedup(
        chip, model, batch, context, k, rate, mode=mode
    )


@SOME
@given(CHIP, MODEL, BATCH, CONTEXT, st.integers(1, 9))
def test_the_order_of_the_modes(chip: Accelerator, model: Model, batch: int, context: int, new_tokens: int) -> None:
    operator, overlap, serial = (step_time(chip, model, batch, context, new_tokens, mode=mode) for mode in MODES)
    assert lower(overlap) <= upper(operator)
    assert lower(operator) <= upper(serial)
    assert lower(serial) <= 2 * upper(overlap)


def test_the_order_of_the_modes_does_not_carry_over_to_speedups() -> None:
    def gain(batch: int, mode: Any) -> Any:
        return speedup(H100, LLAMA_2_7B, batch, 0, 4, Fraction(4, 5), level="W", mode=mode)

    assert gain(32, "operator") > gain(32, "serial")
    assert gain(256, "operator") < gain(256, "serial")


@pytest.mark.parametrize("model", EXPERT_MODELS)
def test_distinct_experts_from_k_to_all(model: Model) -> None:
    assert distinct_experts(model, 1) == model.experts_per_token
    counts = [distinct_experts(model, n) for n in range(1, 300)]
    assert all(a < b for a, b in pairwise(counts))
    assert all(b - a <= model.experts_per_token for a, b in pairwise(counts))
    far = distinct_experts(model, 10**6)
    assert isinstance(far, Interval)
    assert model.experts - Fraction(1, 10**60) < far.lo <= far.hi <= model.experts


@SOME
@given(st.fractions(0, 1, max_denominator=300), st.integers(1, 600))
def test_the_enclosure_of_a_long_power_holds_it(base: Fraction, exponent: int) -> None:
    found, exact = power_enclosed(base, exponent), base**exponent
    assert found.lo <= exact <= found.hi
    assert found.width <= Fraction(1, 2**240)
    # Outward at every step: one that is no multiple of the grid lies strictly inside.
    if 2**256 % exact.denominator:
        assert found.lo < exact < found.hi


@SOME
@given(st.integers(1, 12), st.integers(0, 40))
def test_causal_pairs_by_counting_them(new_tokens: int, context: int) -> None:
    seen = sum(1 for query in range(new_tokens) for key in range(context + new_tokens) if key <= context + query)
    assert seen == new_tokens * context + chain_pairs(new_tokens)
    attention = step_flops(LLAMA_3_8B, 3, context, new_tokens) - step_flops(LLAMA_3_8B, 3, context, new_tokens, "W")
    assert attention == 3 * 4 * 32 * 32 * 128 * seen


@pytest.mark.parametrize("k", range(9))
def test_acceptance_at_its_ends(k: int) -> None:
    assert expected_tokens(k, 0) == 1
    assert expected_tokens(k, 1) == k + 1
    assert expected_tokens(k, 1.0) == k + 1.0
    near = Fraction(999999999, 10**9)
    assert expected_tokens(k, near) == sum(near**i for i in range(k + 1))
    assert abs(expected_tokens(k, 1 - 1e-9) / float(expected_tokens(k, near)) - 1) < 1e-15 * (k + 2)
    assert leviathan_speedup(k, 1, Fraction(1, 10)) == Fraction(k + 1) / (1 + Fraction(k, 10))
    assert leviathan_operations(k, 1) == 1
    assert leviathan_operations(k, 0) == k + 1


@SOME
@given(st.lists(RATE, min_size=1, max_size=6))
def test_rates_by_position(rates: list[Fraction]) -> None:
    products = [Fraction(1)]
    for rate in rates:
        products.append(products[-1] * rate)
    assert tokens_from_conditional_rates(*rates) == sum(products) == tokens_from_rates(*products[1:])
    assert tokens_from_conditional_rates(*[rates[0]] * len(rates)) == expected_tokens(len(rates), rates[0])


@SOME
@given(st.integers(1, 8), RATE)
def test_accepted_over_drafted_is_not_the_acceptance_rate(k: int, rate: Fraction) -> None:
    share = accepted_fraction(k, rate)
    assert 0 <= share <= rate
    assert (share == rate) == (k == 1 or rate in (0, 1))


@SOME
@given(st.integers(1, 16), st.fractions(0, 1, max_denominator=50))
def test_the_rate_behind_a_length_is_enclosed(k: int, share: Fraction) -> None:
    length = 1 + share * k
    found = acceptance_from_length(k, length)
    assert expected_tokens(k, lower(found)) <= length <= expected_tokens(k, upper(found))
    if isinstance(found, Interval):
        assert expected_tokens(k, found.lo) < length < expected_tokens(k, found.hi)
        assert found.width <= found.lo / 2**64
    else:
        assert expected_tokens(k, found) == length


@SOME
@given(CHIP, MODEL, BATCH, CONTEXT, RATE, MODE)
def test_no_draft_is_no_speculation(
    chip: Accelerator, model: Model, batch: int, context: int, rate: Fraction, mode: Any
) -> None:
    overheads = {"step_overhead": Fraction(1, 500), "speculation_overhead": Fraction(1, 300)}
    assert speedup(chip, model, batch, context, 0, rate, Fraction(1, 3), mode=mode, **overheads) == 1


@SOME
@given(CHIP, DENSE, BATCH, CONTEXT, st.integers(1, 8), RATE, st.fractions(0, 1, max_denominator=20))
def test_a_draft_that_costs_more_than_its_acceptance_never_pays(
    chip: Accelerator, model: Model, batch: int, context: int, k: int, rate: Fraction, cost: Fraction
) -> None:
    gain = speedup(chip, model, batch, context, k, rate, cost)
    if cost > rate:
        assert gain < 1
    if cost < rate and batch * 2 <= ridge_tokens(chip):
        assert speedup(chip, model, batch, 0, 1, rate, cost, level="W") > 1


@SOME
@given(CHIP, st.integers(1, 600), RATE)
def test_the_best_length_by_trying_all(chip: Accelerator, batch: int, rate: Fraction) -> None:
    gains = [speedup(chip, None, batch, 0, k, rate, level="W") for k in range(17)]
    assert best_draft_length(chip, None, batch, 0, rate, level="W") == gains.index(max(gains))


@SOME
@given(CHIP, RATE)
def test_weights_only_the_best_length_never_rises_with_the_batch_and_ends_at_none(
    chip: Accelerator, rate: Fraction
) -> None:
    batches = (1, 2, 4, 8, 16, 32, 64, 128, 200, 256, 500)
    best = [best_draft_length(chip, None, batch, 0, rate, level="W") for batch in batches]
    assert best == sorted(best, reverse=True)
    assert best[-1] == 0


# Energy, cost, memory ------------------------------------------------------------------------------------------


@SOME
@given(CHIP, DENSE, BATCH, CONTEXT, LENGTH, RATE)
def test_rates_times_and_costs_belong_together(
    chip: Accelerator, model: Model, batch: int, context: int, k: int, rate: Fraction
) -> None:
    where = (chip, model, batch, context, k, rate)
    per_second = throughput(*where)
    assert per_second * tpot(*where) == batch
    assert energy_per_token(*where) * per_second == chip.tdp
    assert cost_per_million_tokens(*where, Fraction(3)) * per_second * 3600 == 3 * 10**6
    assert speedup(*where) == per_second / throughput(chip, model, batch, context, 0, rate)


@SOME
@given(CHIP, MODEL, CONTEXT, LENGTH)
def test_a_resident_batch_fits_and_one_more_does_not(chip: Accelerator, model: Model, context: int, k: int) -> None:
    count = resident_batch(chip, model, context, k)
    free = chip.memory_capacity - 2 * call(CATALOGUE["total_parameters"], model)
    each = kv_bytes_per_token(model) * (context + k + 1)
    assert (count + 1) * each > free
    assert count == 0 or count * each <= free


def test_a_draft_model_takes_its_share_of_memory() -> None:
    alone, together = (resident_batch(H100, LLAMA_2_7B, 1024, 4, draft=draft) for draft in (None, TINY_LLAMA))
    assert together < alone == 123


# Special layers -------------------------------------------------------------------------------------------------


def test_a_sliding_window_sees_no_more_than_its_width() -> None:
    assert step_bytes(WINDOWED, 2, 5000, 1) - step_bytes(WINDOWED, 2, 4999, 1) == 2 * 4 * 2 * 4 * 128 * 2
    assert step_bytes(WINDOWED, 2, 1000, 1) - step_bytes(WINDOWED, 2, 999, 1) == 2 * kv_bytes_per_token(WINDOWED)


def test_absorbed_latent_attention() -> None:
    seen = 5 * 1000 + 15
    attention = step_flops(DEEPSEEK_V3, 3, 1000, 5) - step_flops(DEEPSEEK_V3, 3, 1000, 5, "W")
    assert attention == 2 * 61 * 128 * 3 * (2 * 512 + 64) * seen
    assert step_bytes(DEEPSEEK_V3, 3, 1000, 5) - step_bytes(DEEPSEEK_V3, 3, 1000, 5, level="W") == 3 * 70272 * 1005


def test_experts_have_a_maximum_of_their_own() -> None:
    """At 64 tokens Mixtral's attention weights are bound by memory, and its experts are read almost all."""
    chip = H100
    dense, one = matmul_parameters(MIXTRAL) - 8 * 32 * 3 * 4096 * 14336, 32 * 3 * 4096 * 14336
    read = distinct_experts(MIXTRAL, 300) * one
    peak, bandwidth = chip.peak("bf16"), chip.memory_bandwidth
    expected = max(Fraction(2 * dense * 300, peak), Fraction(2 * dense, bandwidth)) + max(
        Fraction(2 * 2 * one * 300, peak), 2 * read / bandwidth
    )
    assert step_time(chip, MIXTRAL, 300, 0, 1, level="W") == expected


def test_trees_count_ancestors() -> None:
    """A root with two children, one of which has a child: 1 + 2 + 2 + 3 pairs."""
    chain = step_flops(LLAMA_2_7B, 1, 10, 4)
    tree = step_flops(LLAMA_2_7B, 1, 10, 4, pairs=8)
    assert chain - tree == 4 * 32 * 32 * 128 * 2
    expected = tokens_from_rates(Fraction(7, 10), Fraction(2, 10), Fraction(5, 10))
    gain = tree_speedup(H100, LLAMA_2_7B, 1, 10, 4, expected, pairs=8)
    assert 1 < gain <= expected == Fraction(12, 5)
    assert tree_speedup(H100, LLAMA_2_7B, 9, 10, 5, expected_tokens(4, Fraction(1, 2))) == speedup(
        H100, LLAMA_2_7B, 9, 10, 4, Fraction(1, 2)
    )


def test_prefill_multiplies_the_lm_head_once_a_prompt() -> None:
    head = 2 * 32000 * 4096
    assert prefill_flops(LLAMA_2_7B, 3, 100) == step_flops(LLAMA_2_7B, 3, 0, 100) - head * 3 * 99
    assert prefill_flops(LLAMA_2_7B, 3, 1) == step_flops(LLAMA_2_7B, 3, 0, 1)
    assert prefill_time(H100, LLAMA_2_7B, 1, 4096, mode="serial") > Fraction(
        prefill_flops(LLAMA_2_7B, 1, 4096), H100.peak("bf16")
    )


def test_all_reduces_cost_nothing_on_one_chip_but_latency() -> None:
    assert all_reduce_time(H100, LLAMA_2_7B, 8, 5, 1) == 0
    assert all_reduce_time(H100, LLAMA_2_7B, 8, 5, 1, Fraction(1, 10**6)) == Fraction(64, 10**6)
    sent = Fraction(2 * 3, 4) * 8 * 5 * 4096 * 2
    assert all_reduce_time(H100, LLAMA_2_7B, 8, 5, 4) == 64 * sent / (450 * 10**9)


def test_chips_share_the_weights_but_no_more_than_the_heads_of_the_cache() -> None:
    weights = step_time(H100, LLAMA_3_8B, 1, 0, 1, level="W")
    shared = step_time(H100, LLAMA_3_8B, 1, 0, 1, level="W", chips=16)
    assert shared - all_reduce_time(H100, LLAMA_3_8B, 1, 1, 16) == weights / 16
    cache = [
        step_time(H100, LLAMA_3_8B, 1, 10**6, 1, chips=p) - step_time(H100, LLAMA_3_8B, 1, 10**6, 1, level="W", chips=p)
        for p in (8, 16)
    ]
    assert cache[0] == cache[1] > 0


def test_medusa_heads_as_a_cost_and_as_weights() -> None:
    assert medusa_draft_cost(LLAMA_2_7B, 4) == Fraction(medusa_heads_parameters(LLAMA_2_7B, 4), 6607077376)
    by_cost = speedup(H100, LLAMA_2_7B, 1, 0, 4, Fraction(3, 5), medusa_draft_cost(LLAMA_2_7B, 4) / 4, level="W")
    by_weights = speedup(
        H100, LLAMA_2_7B, 1, 0, 4, Fraction(3, 5), level="W",
        draft_parameters=Fraction(medusa_heads_parameters(LLAMA_2_7B, 4), 4),
    )
    assert by_cost == by_weights


# Limits -----------------------------------------------------------------------------------------------------------


@SOME
@given(DENSE, CONTEXT, st.integers(1, 9))
def test_the_intensity_tends_to_its_ceiling_from_below(model: Model, context: int, new_tokens: int) -> None:
    ceiling = intensity_ceiling(model, context, new_tokens)
    distances = [ceiling - step_intensity(model, batch, context, new_tokens) for batch in (10**6, 10**9, 10**12)]
    assert all(distance >= 0 for distance in distances)
    assert distances[2] <= distances[1] / 100 <= distances[0] / 10**4 or distances[0] < ceiling / 10**9


@pytest.mark.parametrize(("chip", "context", "k"), list(product((H100, A100, H200), (0, 128, 256), (0, 4))))
def test_from_the_overlapped_threshold_on_compute_decides(chip: Accelerator, context: int, k: int) -> None:
    found = overlap_compute_bound_batch(chip, LLAMA_2_7B, context, k + 1)
    if not isinstance(found, int | Fraction):
        found = 10**9
        expected = "memory"
    else:
        expected = "compute"
    batch = int(found) + 1
    flops = step_flops(LLAMA_2_7B, batch, context, k + 1) / Fraction(chip.peak("bf16"))
    read = step_bytes(LLAMA_2_7B, batch, context, k + 1) / Fraction(chip.memory_bandwidth)
    assert ("compute" if flops > read else "memory") == expected
