"""Thresholds of a toy model on a toy chip, each worked out by hand: one draft at one half, so E = 3/2 and q = 2."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval
from specdil_records.roofline import NEVER, Answer, Model, break_even_batch, critical_context
from specdil_records.roofline.errors import CatalogueError
from tests.roofline.toy import CHIP, LOCAL, TOY, seconds

HALF = Fraction(1, 2)
ONE_EXPERT = replace(TOY, experts=1, experts_per_token=1)
"""It has experts, so it is scanned, but always reads the one: weights only it breaks even at n E/q as a dense model."""


def pays(context: Any, **conditions: Any) -> Answer:
    return break_even_batch(CHIP, TOY, context, 1, HALF, **conditions)


def test_an_answer_says_how_far_was_looked() -> None:
    """Beyond 9.2 cached tokens it always pays."""
    assert pays(10) == Answer("always", ((1, 4096),), None, 4096)
    assert pays(10, batch_max=7) == Answer("always", ((1, 7),), None, 7)
    # (E - 1) 32.8/(1.6 - 1.2) would be 41, beyond the ridge; so E 32.8/(13.12 + 1.6 - 1.2).
    assert pays(0) == Answer("batches", ((1, 3),), seconds("49.2") / seconds("13.52"), 4096)


def test_an_overhead_may_leave_half_a_sequence_or_nothing() -> None:
    """A sequence gains 16.4 s for a step, less 0.4 s for each sequence."""
    assert pays(0, speculation_overhead=seconds("16.2")) == Answer("batches", (), HALF, 4096)
    assert pays(0, speculation_overhead=seconds("16.4")) == NEVER


def test_a_head_changes_its_slope_where_no_step_does() -> None:
    """Overlapped, the steps bend at 5.4 and 2.6 sequences, the head of 100 weights at 5."""
    found = pays(0, mode="overlap", draft_parameters=100)
    assert found.crossing == (seconds("49.2") - 10) / (seconds("14.08") - seconds("1.2"))


def test_the_enclosure_of_an_uncertain_cache_is_that_of_its_corners() -> None:
    found = pays(Interval(2, 4))
    low = seconds("49.2") / (seconds("13.12") + seconds("4.8") - seconds("3.6"))
    high = seconds("49.2") / (seconds("13.12") + seconds("3.2") - seconds("6.0"))
    assert found == Answer("batches", ((1, 3),), Interval(low, high), 4096)


def test_the_enclosure_of_an_uncertain_machine_is_that_of_its_corners() -> None:
    """Least with plain steps at 110 FLOP/s and 10 byte/s beside verification at 90 and 8.1; most the reverse."""
    chip = CHIP.with_values({"peaks": {"bf16": Interval(100, 110)}, "memory_bandwidth": Interval(9, 10)})
    shares = Interval(Fraction(9, 10), 1)
    found = break_even_batch(
        chip, None, 0, 1, HALF, level="W", compute_efficiency=shares, memory_efficiency=shares
    )
    assert found.crossing == Interval(Fraction(3, 2) * 90 / 20, Fraction(3, 2) * 110 / (2 * seconds("8.1")))
    assert found.ranges == ((1, 6),)


def test_a_share_of_an_uncertain_plain_step_bends_by_itself() -> None:
    """Four or five tokens at the ridge; a draft costs a quarter of a plain step, which then bends at four sequences.

    In steps bound by memory, least: 3/2 - b/2 - 1/4 from two sequences to four; most: 3/2 - 2b/5 - 1/4.
    """
    chip = CHIP.with_values({"peaks": {"bf16": Interval(80, 100)}})
    found = break_even_batch(chip, None, 0, 1, HALF, Fraction(1, 4), level="W")
    assert found.crossing == Interval(Fraction(5, 2), Fraction(25, 8))


def test_the_enclosure_of_an_uncertain_wait_is_that_of_its_corners() -> None:
    """Two chips: 16.4 s of reads or 6.56 s of compute a sequence; four reductions of 8 byte a token over a link."""
    quarter = Fraction(1, 4)
    found = pays(0, level="W", chips=2, latency=Interval(quarter, HALF))
    below = seconds("6.56") + Fraction(64 - 48, 96)
    low = (Fraction(3, 2) * (seconds("16.4") + 1) - 2) / below
    high = (Fraction(3, 2) * (seconds("16.4") + 2) - 1) / below
    assert found.crossing == Interval(low, high)


@pytest.mark.parametrize(("off", "last"), [(0, 3), (1, 3), (-1, 2)])
def test_a_scan_decides_a_tie_exactly(off: int, last: int) -> None:
    """Four tokens at the ridge: three sequences are exactly at the balance, unless the peak is off by 10**-12."""
    chip = CHIP.with_values({"peaks": {"bf16": 100 + Fraction(off, 10**10)}, "memory_bandwidth": 25})
    found = break_even_batch(chip, ONE_EXPERT, 0, 1, HALF, level="W", batch_max=10)
    assert found == Answer("batches", ((1, last),), None, 10)


def test_a_scan_may_find_all_batches_or_none() -> None:
    slow = {"speculation_overhead": 10**6}
    assert break_even_batch(CHIP, ONE_EXPERT, 50, 1, HALF, batch_max=9) == Answer("always", ((1, 9),), None, 9)
    assert break_even_batch(CHIP, ONE_EXPERT, 50, 1, HALF, batch_max=9, **slow) == Answer("never", (), None, 9)


def test_the_context_from_which_it_always_pays() -> None:
    """c' = 6.56 and kappa' = 0.8: (0.5 * 7.36)/(0.5 * 0.8); a head of 100 weights adds 2 s, whatever the level."""
    assert critical_context(CHIP, TOY, 1, HALF) == seconds("9.2")
    assert critical_context(CHIP, TOY, 1, HALF, level="W") == seconds("9.2")
    assert critical_context(CHIP, TOY, 1, HALF, draft_parameters=100) == seconds("14.2")


def test_the_context_where_attention_bends_beyond_its_window() -> None:
    """At 680/9 FLOP/s attention over two new tokens is bound by compute from ten cached tokens on.

    There it takes 18/85 (2S + 14) s, and a plain step 0.4 (S + 6) s; the linear layers take 656 FLOPs a token.
    """
    peak = Fraction(680, 9)
    token, pair = 656 / peak, 16 / peak
    ideal = (2 * token + 14 * pair - Fraction(3, 2) * (token + seconds("2.4"))) / (seconds("0.6") - 2 * pair)
    assert ideal > 10
    assert critical_context(CHIP.with_values({"peaks": {"bf16": peak}}), LOCAL, 1, HALF) == ideal


@pytest.mark.parametrize("model", [TOY, LOCAL])
def test_the_context_where_attention_bends_below_one_cached_token(model: Model) -> None:
    """At 64 FLOP/s attention over two new tokens takes 0.8 (S + 2) s up to half a cached token, then 0.5 (2S + 3) s."""
    expected = Fraction(19, 10)
    ideal = (seconds("20.5") + seconds("1.5") - expected * seconds("11.05")) / (expected * seconds("0.8") - 1)
    found = critical_context(CHIP.with_values({"peaks": {"bf16": 64}}), model, 1, Fraction(9, 10))
    assert found == ideal == Fraction(201, 104)


def test_a_draft_changes_its_slope_where_its_target_does_not() -> None:
    """Overlapped, a draft of 184 weights bends at 5.35 sequences, its target at 5.4 and 2.6."""
    draft, expected = replace(TOY, layers=1), Fraction(19, 10)
    found = break_even_batch(CHIP, TOY, 0, 1, Fraction(9, 10), mode="overlap", draft=draft)
    below = seconds("14.08") + seconds("0.4") - expected * seconds("0.8")
    assert found.crossing == (expected * seconds("32.8") - seconds("18.4")) / below


@pytest.mark.parametrize("more", [{"chips": 2}, {"mode": "overlap"}, {"latency": seconds("1")}])
def test_what_the_critical_context_does_not_count_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(CatalogueError, match="critical_context has no argument " + next(iter(more))):
        critical_context(CHIP, TOY, 1, HALF, **more)
