"""Steps of a toy model on a toy chip, each value worked out by hand from the closed forms of the specification."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from specdil_records.arithmetic import Interval
from specdil_records.roofline import (
    NEVER,
    CatalogueError,
    Undecided,
    additive_intensity,
    all_reduce_time,
    bytes_per,
    chunked_prefill_speedup,
    compute_bound_batch,
    cost_per_million_tokens,
    decode_intensity,
    energy_per_token,
    intensity_ceiling,
    overlap_compute_bound_batch,
    prefill_flops,
    prefill_time,
    resident_batch,
    speedup,
    step_bound,
    step_bytes,
    step_flops,
    step_intensity,
    step_time,
    throughput,
    tpot,
    tree_speedup,
    verify_intensity,
)
from specdil_records.roofline.intensity import budget_intensity
from specdil_records.roofline.shapes import (
    active_parameters,
    attention_parameters,
    flops_per_pair,
    kv_bytes_per_token,
    matmul_parameters,
    total_parameters,
)
from tests.roofline.toy import CHIP, EXPERTS, LATENT, LOCAL, TOY, seconds

HALF = Fraction(1, 2)
AT: tuple[Any, ...] = (CHIP, TOY, 3, 5)
"""Three sequences with five cached tokens each. Linear layers: 19.68 s and 32.8 s for one new token each, attention
5.76 s and 14.4 s, so T(1) = 32.8 + 14.4 = 47.2. For two new tokens: 39.36 s and 32.8 s, 12.48 s and 16.8 s."""


# Shapes -----------------------------------------------------------------------------------------------------------


def test_weights_of_the_toys() -> None:
    assert (matmul_parameters(TOY), active_parameters(TOY)) == (328, 328)
    assert total_parameters(TOY) == 328 + 40 + 5 * 4
    assert total_parameters(replace(TOY, tied_embeddings=True)) == 328 + 5 * 4
    assert matmul_parameters(EXPERTS) == 456 + 4 * 144
    assert active_parameters(EXPERTS) == 456 + 2 * 144
    assert total_parameters(EXPERTS) == 456 + 4 * 144 + 40 + 7 * 4
    # Without a width of their own experts are as wide as the FFN, and without dense layers all layers have them.
    plain = replace(TOY, experts=4, experts_per_token=1)
    assert matmul_parameters(plain) == 2 * (48 + 4 * 96 + 16) + 40


def test_weights_and_cache_of_latent_attention() -> None:
    # Query 4 * 6, latent with its rotary key 4 * 4, expansions 3 * 2 * 4, output 16.
    assert attention_parameters(LATENT) == 24 + 16 + 24 + 16
    assert attention_parameters(replace(LATENT, query_latent_size=5)) == 5 * (4 + 6) + 16 + 24 + 16
    assert kv_bytes_per_token(LATENT) == 2 * 4 * 2
    assert kv_bytes_per_token(LATENT, "fp8") == 2 * 4
    assert flops_per_pair(LATENT) == 2 * 2 * (2 * 3 + 1)
    assert (kv_bytes_per_token(TOY), flops_per_pair(TOY)) == (16, 16)


# Weights only -----------------------------------------------------------------------------------------------------


def test_intensities_with_weights_of_two_bytes_of_one_and_of_a_half() -> None:
    """A token makes two FLOPs of each weight."""
    assert (decode_intensity(32), decode_intensity(32, "int4")) == (32, 128)
    assert (additive_intensity(32, 4), additive_intensity(32, 4, "fp8")) == (36, 72)
    assert (verify_intensity(32, 4), verify_intensity(32, 4, "fp8")) == (160, 320)
    assert (budget_intensity(32, 8), budget_intensity(32, 8, "fp8")) == (40, 80)
    assert [bytes_per(dtype) for dtype in ("fp32", "bf16", "int8", "fp4")] == [4, 2, 1, HALF]
    assert type(bytes_per("bf16")) is int


def test_the_batch_that_is_bound_by_compute() -> None:
    """Five tokens at the ridge, two of each sequence: with weights of a quarter of the size 5/4 tokens are enough."""
    assert compute_bound_batch(CHIP, 1) == Fraction(5, 2)
    assert compute_bound_batch(CHIP, 1, "bf16", "int4") == Fraction(5, 8)
    assert compute_bound_batch(CHIP, 1, "fp8") == Fraction(5, 2)
    assert compute_bound_batch(CHIP, 1, "fp8", "bf16") == 5


# FLOPs and bytes --------------------------------------------------------------------------------------------------


def test_flops_and_bytes_of_a_step() -> None:
    assert step_flops(TOY, 3, 5, 2) == 2 * 328 * 6 + 32 * 3 * (10 + 3)
    assert step_flops(TOY, 3, 5, 2, "W") == 2 * 328 * 6
    assert step_flops(TOY, 3, 5, 4, pairs=8) == 2 * 328 * 12 + 32 * 3 * (20 + 8)
    assert step_bytes(TOY, 3, 5, 2) == 656 + 16 * 3 * 7
    assert step_bytes(TOY, 3, 5, 2, level="W") == 656
    assert step_bytes(TOY, 3, 5, 2, "int4", "fp8") == 164 + 8 * 3 * 7
    assert step_bytes(TOY, 3, 5, 2, kv_reread=Fraction(3, 2)) == 656 + 16 * 3 * (Fraction(15, 2) + 2)
    # No cache is read more often than there are queries.
    assert step_bytes(TOY, 3, 5, 2, kv_reread=9) == 656 + 16 * 3 * 12
    assert step_intensity(TOY, 3, 5, 4, "fp8", "fp8", kv_reread=2, pairs=8) == Fraction(
        2 * 328 * 12 + 32 * 3 * 28, 328 + 8 * 3 * 14
    )
    assert step_intensity(TOY, 3, 5, 2, "int4", level="W") == 24
    assert intensity_ceiling(TOY, 5, 2) == Fraction(2 * 328 * 2 + 32 * 13, 16 * 7)
    assert intensity_ceiling(TOY, 5, 2, "fp8") == Fraction(2 * 328 * 2 + 32 * 13, 8 * 7)
    assert intensity_ceiling(EXPERTS, 0, 1) == Fraction(2 * 744 + 48, 24)


def test_a_window_in_some_layers_and_in_all() -> None:
    """Five cached tokens, a window of four: a local layer sees 8 + 3 pairs and reads 4 + 2 tokens."""
    assert step_flops(LOCAL, 1, 5, 2) == 2 * 328 * 2 + 16 * (11 + 13)
    assert step_bytes(LOCAL, 1, 5, 2) == 656 + 8 * (6 + 7)
    assert step_bytes(LOCAL, 1, 5, 2, kv_reread=2) == 656 + 8 * (10 + 12)
    everywhere = replace(LOCAL, local_layers=None)
    assert step_flops(everywhere, 1, 5, 2) == 2 * 328 * 2 + 16 * 22
    assert step_bytes(everywhere, 1, 5, 2, kv_reread=2) == 656 + 8 * 20
    assert step_bytes(LOCAL, 1, 3, 2) == step_bytes(TOY, 1, 3, 2)


def test_experts_are_multiplied_by_choice_and_read_once_each() -> None:
    """Three tokens touch 4 (1 - 1/8) = 7/2 experts of 144 weights in two layers."""
    assert step_flops(EXPERTS, 3, 0, 1, "W") == 2 * 456 * 3 + 2 * 2 * 144 * 3
    assert step_bytes(EXPERTS, 3, 0, 1, level="W") == 912 + 288 * Fraction(7, 2)
    assert step_time(CHIP, EXPERTS, 3, 0, 1, level="W") == seconds("45.6") + seconds("50.4")
    assert step_time(CHIP, EXPERTS, 3, 0, 1, level="W", mode="serial") == seconds("27.36") + seconds("17.28") + 96
    assert step_time(CHIP, EXPERTS, 20, 0, 1, level="W") == seconds("182.4") + seconds("115.2")
    halved = step_time(CHIP, EXPERTS, 3, 0, 1, level="W", chips=2)
    assert halved == 48 + all_reduce_time(CHIP, EXPERTS, 3, 1, 2)


# Time -------------------------------------------------------------------------------------------------------------


def test_time_of_a_step_in_three_modes() -> None:
    assert step_time(*AT, 1) == seconds("32.8") + seconds("14.4")
    assert step_time(*AT, 2) == seconds("39.36") + seconds("16.8")
    assert step_time(*AT, 2, mode="overlap") == seconds("39.36") + seconds("12.48")
    assert step_time(*AT, 1, mode="overlap") == seconds("32.8") + seconds("14.4")
    assert step_time(*AT, 2, mode="serial") == sum(map(seconds, ("39.36", "12.48", "32.8", "16.8")))
    assert step_time(*AT, 4, pairs=8) == seconds("78.72") + seconds("26.88")
    assert step_time(*AT, 2, dtype="fp8") == seconds("19.68") + seconds("16.8")
    assert step_time(*AT, 2, compute_efficiency=HALF) == seconds("78.72") + seconds("24.96")
    assert step_time(*AT, 2, memory_efficiency=HALF) == seconds("65.6") + seconds("33.6")


def test_time_of_a_step_on_several_chips() -> None:
    """Two chips halve the linear layers; the one KV head lies on both. A reduction sends 2 * 1/2 * 48 byte."""
    quarter = Fraction(1, 4)
    assert all_reduce_time(CHIP, TOY, 3, 2, 2) == 4 * HALF
    assert all_reduce_time(CHIP, TOY, 3, 2, 2, quarter) == 4 * (quarter + HALF)
    assert all_reduce_time(CHIP, TOY, 3, 2, 4, quarter, "fp8") == 4 * (quarter + Fraction(3, 2) * Fraction(24, 96))
    assert step_time(*AT, 2, chips=2, latency=quarter) == seconds("19.68") + seconds("16.8") + 3
    # Four KV heads on two chips, two on each.
    wide = replace(TOY, heads=4, kv_heads=4)
    weights, cache = matmul_parameters(wide), 2 * 3 * 7 * 2 * 4 * 2 * 2
    found = step_time(CHIP, wide, 3, 5, 2, chips=2, mode="serial")
    flops = 2 * weights * 6 + 2 * 4 * 4 * 2 * 3 * 13
    assert found == Fraction(flops, 200) + Fraction(2 * weights + cache, 40) + 2
    # A latent cache has no heads to be shared out: every chip reads 16 * 3 * 7 byte.
    weights = matmul_parameters(LATENT)
    found = step_time(CHIP, LATENT, 3, 5, 2, chips=2, mode="serial")
    assert found == Fraction(2 * weights * 6 + 2 * 28 * 39, 200) + Fraction(weights, 20) + Fraction(336, 20) + 2


def test_which_term_decides() -> None:
    """At the ridge of five tokens both take as long, and that counts as memory."""
    assert [step_bound(CHIP, TOY, batch, 1) for batch in (1, 5, 6)] == ["memory", "memory", "compute"]
    assert [step_bound(CHIP, TOY, 3, q) for q in (1, 2)] == ["memory", "compute"]
    assert step_bound(CHIP, TOY, 3, 1, weight_dtype="fp8") == "compute"
    assert step_bound(CHIP, TOY, 6, 1, compute_efficiency=HALF, memory_efficiency=HALF) == "compute"
    assert step_bound(CHIP, TOY, 5, 1, memory_efficiency=HALF) == "memory"
    # With experts six tokens take 89.28 s to compute, 102.3 s to read; eight 119.04 s and less than 103.2 s.
    assert [step_bound(CHIP, EXPERTS, batch, 1) for batch in (6, 8)] == ["memory", "compute"]
    # Eight tokens at the ridge, and powers of two, so that floats meet there exactly.
    even = CHIP.with_values({"memory_bandwidth": 16, "peaks": {"bf16": 128}})
    assert step_bound(even, TOY, np.array([1.0, 8.0, 9.0]), 1).tolist() == ["memory", "memory", "compute"]
    for field, value in (("memory_bandwidth", Interval(20, 25)), ("peaks", {"bf16": Interval(100, 125)})):
        rough = CHIP.with_values({field: value})
        # The ridge lies between 4 and 5 tokens, or between 5 and 25/4.
        low, high = (4, 6) if field == "memory_bandwidth" else (5, 7)
        assert step_bound(rough, TOY, low, 1) == "memory"
        assert step_bound(rough, TOY, high, 1) == "compute"
        with pytest.raises(Undecided, match="either"):
            step_bound(rough, TOY, high - 1 if field == "memory_bandwidth" else 6, 1)


def test_reading_prompts() -> None:
    """Two prompts of three tokens; the LM head of 40 weights multiplies the last token of each."""
    assert prefill_flops(TOY, 2, 3) == 2 * 288 * 6 + 2 * 40 * 2 + 32 * 2 * 6
    assert prefill_time(CHIP, TOY, 2, 3) == seconds("36.16") + seconds("4.8")
    assert prefill_time(CHIP, TOY, 2, 3, mode="serial") == sum(map(seconds, ("36.16", "32.8", "3.84", "4.8")))


# Speculation ------------------------------------------------------------------------------------------------------


def test_speedup_with_every_kind_of_draft() -> None:
    """One draft at one half: E = 3/2, T(1) = 47.2, T(2) = 56.16."""
    plain, verify = seconds("47.2"), seconds("56.16")
    gain = Fraction(3, 2) * plain
    assert speedup(*AT, 1, HALF) == gain / verify
    assert speedup(*AT, 1, HALF, Fraction(1, 4)) == gain / (verify + plain / 4)
    overheads = {"step_overhead": 1, "speculation_overhead": 2}
    assert speedup(*AT, 1, HALF, **overheads) == Fraction(3, 2) * (plain + 1) / (verify + 3)
    # A head of 100 weights: 6 s of compute and 10 s of reads for each of three drafted tokens.
    assert speedup(*AT, 3, HALF, draft_parameters=100) == Fraction(15, 8) * plain / (3 * 10 + step_time(*AT, 4))
    serial = {"mode": "serial"}
    assert speedup(*AT, 3, HALF, draft_parameters=100, **serial) == Fraction(15, 8) * step_time(*AT, 1, **serial) / (
        3 * 16 + step_time(*AT, 4, **serial)
    )
    draft = replace(TOY, layers=1, name="draft")
    drafted = step_time(CHIP, draft, 3, 5, 1)
    assert drafted == Fraction(2 * (144 + 40) + 8 * 3 * 6, 20)
    assert speedup(*AT, 3, HALF, draft=draft) == Fraction(15, 8) * plain / (3 * drafted + step_time(*AT, 4))
    # The target reads its cache twice, the draft has one query and reads its own once.
    again = step_time(*AT, 4, kv_reread=2)
    assert speedup(*AT, 3, HALF, draft=draft, kv_reread=2) == Fraction(15, 8) * plain / (3 * drafted + again)


def test_speedup_of_a_tree_and_beside_a_prompt() -> None:
    """A root, three nodes, eight pairs, two tokens on average; a node costs a tenth of a step."""
    verify = seconds("78.72") + seconds("26.88")
    assert tree_speedup(*AT, 4, 2, pairs=8) == 2 * seconds("47.2") / verify
    assert tree_speedup(*AT, 4, 2, Fraction(1, 10), pairs=8) == 2 * seconds("47.2") / (verify + seconds("14.16"))
    # One after the other: 19.68 + 5.76 + 47.2 s, and 78.72 + 26.88 + 32.8 + 21.6 s.
    assert tree_speedup(*AT, 4, 2, pairs=8, mode="serial") == 2 * seconds("72.64") / 160
    assert chunked_prefill_speedup(CHIP, 1, 1, HALF, 2) == Fraction(3, 2)
    assert chunked_prefill_speedup(CHIP, 3, 1, HALF, 4) == Fraction(3, 2) * Fraction(7, 10)
    assert chunked_prefill_speedup(CHIP, 1, 2, HALF, 1) == Fraction(7, 4)
    assert chunked_prefill_speedup(CHIP, 1, 2, HALF, 1, "bf16", "fp8") == Fraction(7, 4) * Fraction(5, 2) / 4
    assert chunked_prefill_speedup(CHIP, 2, 1, HALF, 2, "fp8") == Fraction(3, 2) * 5 / 6


def test_rates_energy_and_cost() -> None:
    """A step of 56.16 s and 11.8 s of drafting yields 3/2 tokens for each of three sequences."""
    taken, arguments = seconds("56.16") + seconds("11.8"), (*AT, 1, HALF)
    quarter = Fraction(1, 4)
    assert throughput(*arguments, quarter) == 3 * Fraction(3, 2) / taken
    assert tpot(*arguments, quarter) == taken / Fraction(3, 2)
    assert energy_per_token(*arguments, quarter) == 7 * taken / (3 * Fraction(3, 2))
    assert cost_per_million_tokens(*arguments, 18, quarter) == 18 * taken / (3600 * 3 * Fraction(3, 2)) * 10**6
    overheads = {"step_overhead": 1, "speculation_overhead": 2}
    free = seconds("56.16") * 18 * 10**6 / (3600 * 3 * Fraction(3, 2))
    assert cost_per_million_tokens(*arguments, 18) == free
    assert cost_per_million_tokens(*arguments, 18, **overheads) == free * seconds("59.16") / seconds("56.16")
    assert tpot(*arguments, quarter, **overheads) == (taken + 3) / Fraction(3, 2)
    assert tpot(*AT, 0, HALF, **overheads) == seconds("48.2")
    shared = {"chips": 2, "latency": quarter}
    verify = step_time(*AT, 2, **shared)
    assert energy_per_token(*arguments, **shared) == 2 * 7 * verify / (3 * Fraction(3, 2))
    assert throughput(*arguments, **shared) == 3 * Fraction(3, 2) / verify
    assert energy_per_token(*arguments) == 7 * seconds("56.16") / (3 * Fraction(3, 2))


def test_without_a_model_overheads_and_drafts_mean_nothing() -> None:
    for condition in ({"step_overhead": 1}, {"speculation_overhead": 1}, {"draft": TOY}, {"draft_parameters": 9}):
        with pytest.raises(CatalogueError, match="a model is needed"):
            speedup(CHIP, None, 3, 0, 1, HALF, level="W", **condition)  # type: ignore[arg-type]
    with pytest.raises(CatalogueError, match="a model is needed"):
        speedup(CHIP, None, 3, 0, 1, HALF)
    with pytest.raises(CatalogueError, match="a model is needed"):
        speedup(CHIP, None, 3, 0, 1, HALF, level="W", chips=2)
    # Three sequences with two tokens each: one more than the five of the ridge.
    assert speedup(CHIP, None, 3, 0, 1, HALF, level="W") == Fraction(3, 2) * 5 / 6


# Memory and limits ------------------------------------------------------------------------------------------------


def test_what_fits_in_memory() -> None:
    """388 weights, and 16 byte for each of 5 + 1 + 1 tokens."""
    assert resident_batch(CHIP, TOY, 5, 1) == (10_000 - 776) // 112 == 82
    assert resident_batch(CHIP, TOY, 5, 1, "fp8") == (10_000 - 388) // 112 == 85
    assert resident_batch(CHIP, TOY, 5, 1, "bf16", "fp8") == (10_000 - 776) // 56 == 164
    assert resident_batch(CHIP, TOY, 5, 1, chips=2) == (20_000 - 776) // 112 == 171
    draft = replace(TOY, layers=1)
    assert resident_batch(CHIP, TOY, 5, 1, draft=draft) == (10_000 - 776 - 2 * (184 + 40 + 12)) // (112 + 56) == 52
    assert resident_batch(CHIP, TOY, 5, 1, draft_parameters=500) == (10_000 - 776 - 2 * 500) // 112 == 73
    assert resident_batch(CHIP.with_values({"memory_capacity": 500}), TOY, 5, 1) == 0
    assert resident_batch(CHIP.with_values({"memory_capacity": 776 + 112}), TOY, 5, 1) == 1


def test_from_where_a_whole_overlapped_step_is_bound_by_compute() -> None:
    """Weights take 32.8 s; a sequence adds 13.12 s + 4.16 s of compute and 5.6 s of reads."""
    assert overlap_compute_bound_batch(CHIP, TOY, 5, 2) == seconds("32.8") / seconds("11.68")
    assert overlap_compute_bound_batch(CHIP, TOY, 5, 2, kv_reread=2) == seconds("32.8") / seconds("7.68")
    assert overlap_compute_bound_batch(CHIP, EXPERTS, 0, 1) == Fraction(2 * 1032, 20) / (
        Fraction(2 * 744 + 48, 100) - Fraction(24, 20)
    )
    # For one new token a cached one adds 0.32 s and 0.8 s: 6.56 s of compute are used up at 12.67 cached tokens.
    assert overlap_compute_bound_batch(CHIP, TOY, 12, 1) == seconds("32.8") / seconds("0.32")
    assert overlap_compute_bound_batch(CHIP, TOY, 13, 1) == NEVER
    rough = CHIP.with_values({"memory_bandwidth": Interval(19, 20)})
    with pytest.raises(Undecided, match="or none"):
        overlap_compute_bound_batch(rough, TOY, 12, 1)
    level = CHIP.with_values({"peaks": {"bf16": 656 + 32 * 6}, "memory_bandwidth": 16 * 6})
    assert overlap_compute_bound_batch(level, TOY, 5, 1) == NEVER
    # With a little more bandwidth the two may still be level: that leaves it open, and divides by no zero.
    with pytest.raises(Undecided, match="or none"):
        overlap_compute_bound_batch(level.with_values({"memory_bandwidth": Interval(96, 100)}), TOY, 5, 1)
