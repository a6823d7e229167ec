"""Roots of piecewise linear functions, and thresholds against bisection, scans and the closed forms."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import Interval, divide, lower, upper
from specdil_records.roofline import (
    CATALOGUE,
    NEVER,
    Accelerator,
    Answer,
    CatalogueError,
    Model,
    Undecided,
    answer,
    break_even_batch,
    call,
    critical_context,
    expected_tokens,
    kv_bytes_per_token,
    matmul_parameters,
    ridge,
    ridge_tokens,
    speedup,
)
from specdil_records.roofline.crossings import Line, only_crossing, stretches_not_negative, whole_ranges
from tests.roofline.samples import (
    CHIPS,
    DENSE_MODELS,
    H100,
    LLAMA_2_7B,
    LLAMA_3_8B,
    MIXTRAL,
    TINY_LLAMA,
    uncertain,
)

SOME = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(SOME, max_examples=8)
CHIP = st.sampled_from(list(CHIPS.values()))
RATE = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
LENGTH = st.integers(1, 8)
DENSE = st.sampled_from(DENSE_MODELS)
SMALL = st.integers(-30, 30)
HALF = Fraction(1, 2)


@SOME
@given(st.lists(st.tuples(st.integers(1, 40), SMALL), max_size=5), SMALL, SMALL)
def test_stretches_of_a_random_piecewise_linear_function(
    changes: list[tuple[int, int]], start: int, slope: int
) -> None:
    def value(x: Any) -> Any:
        return start + slope * x + sum(change * max(0, x - place) for place, change in changes)

    found = stretches_not_negative(value, [place for place, _ in changes])
    for step in range(50 * 12):
        x = Fraction(step, 12)
        inside = any(low <= x and (high is None or x <= high) for low, high in found)
        assert inside == (value(x) >= 0)
    for ends in found:
        for end in ends:
            assert end is None or end == 0 or value(end) == 0


def test_whole_numbers_in_stretches() -> None:
    stretches = ((0, Fraction(5, 2)), (Fraction(29, 10), Fraction(29, 10)), (3, 7), (Fraction(15, 2), None))
    assert whole_ranges(stretches, 10) == ((1, 10),)
    assert whole_ranges(((Fraction(1, 3), Fraction(2, 3)),), 10) == ()
    assert whole_ranges(((0, 2), (4, 4), (Fraction(9, 2), Fraction(13, 2)), (8, 8)), 10) == ((1, 2), (4, 6), (8, 8))
    assert whole_ranges(((0, Fraction(1, 2)), (3, 20)), 7) == ((3, 7),)
    assert only_crossing(((0, 5),)) == 5
    assert only_crossing(((Fraction(1, 2), None),)) == HALF
    assert only_crossing(((2, 5),)) is None
    assert only_crossing(((0, None),)) is None


def test_lines_meet_at_one_place_or_at_none() -> None:
    assert Line.through(3, 5) == Line(3, 2)
    assert Line(3, 2).meets(Line(10, -1)) == Line(10, -1).meets(Line(3, 2)) == Fraction(7, 3)
    assert Line(3, 2).meets(Line(0, 2)) is None
    assert Line(3, 2).meets(Line(3, 2)) is None


@pytest.mark.parametrize(("gain", "stretches"), [
    (lambda x: -abs(x - 1), ((1, 1),)),
    (lambda x: HALF - abs(x - 1), ((HALF, Fraction(3, 2)),)),
    (lambda x: abs(x - 1) - HALF, ((0, HALF), (Fraction(3, 2), None))),
    (lambda x: abs(x - 1), ((0, None),)),
    (lambda x: x, ((0, None),)),
    (lambda x: -x, ((0, 0),)),
    (lambda x: 4 - x, ((0, 4),)),
    (lambda x: x - 4, ((4, None),)),
    (lambda x: -1, ()),
    (lambda x: 0, ((0, None),)),
    (lambda x: -1 - x, ()),
])
@pytest.mark.parametrize("bends", [[1], [1, 2, 2], [3, 1, 0, -5]])
def test_stretches_of_lines_with_one_bend_at_most(gain: Any, stretches: Any, bends: list[int]) -> None:
    assert stretches_not_negative(gain, bends) == stretches


@SOME
@given(CHIP, LENGTH, RATE)
def test_weights_only_the_crossing_is_the_closed_form(chip: Accelerator, k: int, rate: Fraction) -> None:
    n, expected = ridge_tokens(chip), expected_tokens(k, rate)
    operator = break_even_batch(chip, None, 0, k, rate, level="W")
    serial = break_even_batch(chip, None, 0, k, rate, level="W", mode="serial")
    assert operator.crossing == n * expected / (k + 1)
    assert serial.crossing == n * (expected - 1) / (k + 1 - expected)
    assert operator == break_even_batch(chip, None, 0, k, rate, level="W", mode="overlap")


@SOME
@given(CHIP, DENSE, st.integers(0, 300), LENGTH, RATE)
def test_with_kv_the_crossing_is_the_closed_form_while_attention_is_bound_by_memory(
    chip: Accelerator, model: Model, context: int, k: int, rate: Fraction
) -> None:
    if model.window is not None or not attention_bound_by_memory(chip, model, context, k + 1):
        return
    found = break_even_batch(chip, model, context, k, rate)
    assert closed_form(chip, model, context, k, rate) in (found.crossing, found.kind)


def attention_bound_by_memory(chip: Accelerator, model: Model, context: int, q: int) -> bool:
    a = divide(2 * model.heads, model.kv_heads * 2)
    return bool(a * q * (context + Fraction(q + 1, 2)) / (context + q) <= ridge(chip))


def closed_form(chip: Accelerator, model: Model, context: int, k: int, rate: Fraction) -> Any:
    q, expected = k + 1, expected_tokens(k, rate)
    w = divide(2 * matmul_parameters(model), chip.memory_bandwidth)
    c = divide(2 * matmul_parameters(model), chip.peak("bf16"))
    kv = divide(kv_bytes_per_token(model), chip.memory_bandwidth)
    if expected * (c + kv * (context + 1)) >= q * c + kv * (context + q):
        return "always"
    b = expected * w / (q * c + kv * (context + q) - expected * kv * (context + 1))
    if b < ridge_tokens(chip) / q:
        b = (expected - 1) * w / (kv * (context + q) - expected * kv * (context + 1))
    return b


CASES: dict[str, dict[str, Any]] = {
    "ideal": {},
    "overlap": {"mode": "overlap"},
    "serial": {"mode": "serial"},
    "costly draft": {"draft_cost": Fraction(1, 10)},
    "draft model": {"draft": TINY_LLAMA},
    "drafting head": {"draft_parameters": 3 * 10**8},
    "overheads": {"step_overhead": Fraction(1, 1000), "speculation_overhead": Fraction(1, 2000)},
    "re-read cache": {"kv_reread": 3},
    "two chips": {"chips": 2, "latency": Fraction(1, 10**5)},
    "small formats": {"weight_dtype": "int4", "kv_dtype": "fp8", "compute_efficiency": Fraction(7, 10)},
}


@pytest.mark.parametrize("case", CASES)
@FEW
@given(CHIP, DENSE, st.sampled_from([0, 40, 1024, 5000]), LENGTH, RATE)
def test_ranges_are_those_of_a_scan_and_the_crossing_that_of_bisection(
    case: str, chip: Accelerator, model: Model, context: int, k: int, rate: Fraction
) -> None:
    conditions = CASES[case]

    def pays(batch: Any) -> bool:
        return bool(speedup(chip, model, batch, context, k, rate, **conditions) >= 1)

    found = break_even_batch(chip, model, context, k, rate, batch_max=300, **conditions)
    inside = {batch for first, last in found.ranges for batch in range(first, last + 1)}
    edges = {batch for ends in found.ranges for end in ends for batch in (end - 1, end, end + 1)}
    for batch in sorted({1, 2, 5, 17, 64, 128, 300} | {each for each in edges if 1 <= each <= 300}):
        assert (batch in inside) == pays(batch)
    if found.crossing is not None:
        low, high = found.crossing / 10**6, found.crossing * 2
        starts = pays(low)
        assert found.beyond != starts
        for _ in range(45):
            middle = (low + high) / 2
            low, high = (middle, high) if pays(middle) == starts else (low, middle)
        assert abs(low / found.crossing - 1) < Fraction(1, 10**12)


@pytest.mark.parametrize("mode", ["operator", "overlap", "serial"])
@FEW
@given(CHIP, DENSE, st.integers(0, 20000), LENGTH, RATE)
def test_an_ideal_speedup_never_rises_with_the_batch(
    mode: Any, chip: Accelerator, model: Model, context: int, k: int, rate: Fraction
) -> None:
    gains = [speedup(chip, model, batch, context, k, rate, mode=mode) for batch in (1, 2, 7, 30, 59, 120, 500, 3000)]
    assert gains == sorted(gains, reverse=True)


def test_no_acceptance_is_never_worth_it_weights_only_too() -> None:
    assert break_even_batch(H100, LLAMA_2_7B, 1024, 4, 0) == NEVER
    assert break_even_batch(H100, None, 0, 4, 0, level="W") == NEVER
    assert critical_context(H100, LLAMA_2_7B, 4, 0) == NEVER


def test_a_break_even_without_a_draft_is_refused() -> None:
    for name in ("break_even_batch", "critical_context"):
        with pytest.raises(CatalogueError, match="at least 1"):
            call(CATALOGUE[name], H100, LLAMA_2_7B, draft_k=0, acceptance=Fraction(1, 2),
                 **({"context": 0} if name == "break_even_batch" else {}))


def test_a_costly_draft_may_pay_in_the_middle_only() -> None:
    """A 7B target with a 1.1B draft on an H100 gains more at batch 64 than alone and than at 512."""
    gains = [float(speedup(H100, LLAMA_2_7B, b, 1024, 4, Fraction(4, 5), draft=TINY_LLAMA)) for b in (1, 64, 512)]
    assert [f"{gain:.2f}" for gain in gains[:2]] == ["2.09", "2.54"]
    assert 2.2 < gains[2] < 2.22


def test_experts_are_scanned_and_have_no_single_crossing() -> None:
    found = break_even_batch(H100, MIXTRAL, 1024, 4, Fraction(3, 5))
    assert found.kind == "batches"
    assert found.crossing is None
    for first, last in found.ranges:
        for batch, pays in ((first - 1, False), (first, True), (last, True), (last + 1, False)):
            if 1 <= batch <= 4096:
                gain = speedup(H100, MIXTRAL, batch, 1024, 4, Fraction(3, 5))
                assert (lower(gain) >= 1, upper(gain) >= 1) == (pays, pays)
    assert found.ranges[0][0] == 2


def test_an_uncertain_chip_gives_an_interval_of_crossings() -> None:
    found = answer(CATALOGUE["break_even_batch"], uncertain(H100), LLAMA_2_7B, 16, 4, Fraction(4, 5))
    sharp = answer(CATALOGUE["break_even_batch"], H100, LLAMA_2_7B, 16, 4, Fraction(4, 5))
    assert found.crossing.holds(sharp.crossing)
    assert found.crossing.width < sharp.crossing / 50
    assert found.ranges == ((1, int(found.crossing.lo)),)


def test_with_overheads_an_uncertain_chip_still_has_an_enclosure() -> None:
    conditions = {"step_overhead": Fraction(1, 1000)}
    found = answer(CATALOGUE["break_even_batch"], uncertain(H100), LLAMA_2_7B, 16, 4, Fraction(4, 5), **conditions)
    sharp = answer(CATALOGUE["break_even_batch"], H100, LLAMA_2_7B, 16, 4, Fraction(4, 5), **conditions)
    assert found.crossing.holds(sharp.crossing)


def test_answers_of_two_kinds_are_undecided() -> None:
    with pytest.raises(Undecided, match="never"):
        call(CATALOGUE["break_even_batch"], H100, LLAMA_2_7B, 16, 4, Interval(0, Fraction(1, 2)))
    with pytest.raises(Undecided):
        call(CATALOGUE["break_even_batch"], H100, LLAMA_2_7B, Interval(16, 128), 4, Fraction(4, 5))


# Critical context -------------------------------------------------------------------------------------------


@SOME
@given(CHIP, st.sampled_from([LLAMA_2_7B, LLAMA_3_8B]), LENGTH, RATE)
def test_the_critical_context_is_the_closed_form(chip: Accelerator, model: Model, k: int, rate: Fraction) -> None:
    found = critical_context(chip, model, k, rate)
    q, expected = k + 1, expected_tokens(k, rate)
    ideal = (q - expected) * (2 * matmul_parameters(model) / (ridge(chip) * kv_bytes_per_token(model)) + 1)
    ideal /= expected - 1
    if attention_bound_by_memory(chip, model, int(ideal), q):
        assert found == ideal


@SOME
@given(CHIP, st.sampled_from([LLAMA_2_7B, LLAMA_3_8B]), LENGTH, RATE, st.fractions(1, 3, max_denominator=4))
def test_with_a_draft_and_re_reads_it_is_the_closed_form(
    chip: Accelerator, model: Model, k: int, rate: Fraction, reread: Fraction
) -> None:
    found = critical_context(chip, model, k, rate, draft=TINY_LLAMA, kv_reread=reread)
    q, expected, mu = k + 1, expected_tokens(k, rate), min(reread, k + 1)
    c, c_d = (divide(2 * matmul_parameters(each), chip.peak("bf16")) for each in (model, TINY_LLAMA))
    kv, kv_d = (divide(kv_bytes_per_token(each), chip.memory_bandwidth) for each in (model, TINY_LLAMA))
    below = (expected - mu) * kv - k * kv_d
    if below <= 0:
        assert found == NEVER
        return
    ideal = ((q - expected) * (c + kv) + k * (c_d + kv_d)) / below
    if attention_bound_by_memory(chip, model, int(ideal), q) and attention_bound_by_memory(
        chip, TINY_LLAMA, int(ideal), 1
    ):
        assert found == ideal


@FEW
@given(CHIP, DENSE, LENGTH, RATE)
def test_beyond_the_critical_context_speculation_pays_at_every_batch(
    chip: Accelerator, model: Model, k: int, rate: Fraction
) -> None:
    found = critical_context(chip, model, k, rate)
    if isinstance(found, Answer):
        for context in (10**3, 10**6):
            assert speedup(chip, model, 10**9, context, k, rate) < 1
        return
    assert break_even_batch(chip, model, int(found) + 1, k, rate).kind == "always"
    if found >= 1:
        assert break_even_batch(chip, model, int(found) - 1, k, rate).kind != "always"
