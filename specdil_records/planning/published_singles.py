"""Published figures that are single points rather than series: where a slowdown starts, one batch, two batches."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from specdil_records.arithmetic import upper
from specdil_records.planning.measuring import Row
from specdil_records.planning.published import ASSUMED_CONTEXT, NOTHING, Series, Shelf, say
from specdil_records.roofline import Answer, acceptance_from_length, break_even_batch, speedup

RATES = tuple(Fraction(rate, 10) for rate in (6, 7, 8, 9))


@dataclass(frozen=True, slots=True)
class Slowdown:
    """The batch from which speculation slows down: said for a rate, with the peak of the data sheet or one reached."""

    rate: Fraction
    by_data_sheet: float
    by_reached_peak: float


@lru_cache(maxsize=1)
def amd() -> tuple[tuple[int, int], tuple[Slowdown, ...], float]:
    """AMD's batches in eager and in graph mode, what the model says, and the share of the peak that was reached."""
    shelf = Shelf()
    columns = shelf.columns("amd-spec-decode-mi300x", "slowdown-from")
    measured = dict(zip(columns["mode"], map(int, columns["batch"]), strict=True))
    chip = shelf.library.accelerator("amd-instinct-mi300x")
    reached = shelf.columns("ml-engineering-accelerators", "mamf-bf16")
    best = Fraction(reached["achieved"][reached["accelerator"].index("amd-instinct-mi300x")]) * 10**12
    share = best / chip.peak("bf16")
    found = []
    for rate in RATES:
        batches = [_crossing(break_even_batch(chip, None, 0, 8, rate, Fraction(11, 340), level="W",
                                              compute_efficiency=part)) for part in (1, share)]
        found.append(Slowdown(rate, *batches))
    return (measured["eager"], measured["graph"]), tuple(found), float(share)


def _crossing(found: Answer) -> float:
    return float(found.crossing) if found.crossing is not None else 0.0


@lru_cache(maxsize=1)
def vllm_48944() -> tuple[tuple[tuple[int, float], ...], float, float]:
    """The measured ratio by context, the tokens per step that batch 256 needs to pay, and the rate that gives them.

    Weights only: the model has no record, and the chip (an NVL) none either; the SXM part stands in.
    """
    shelf = Shelf()
    columns = shelf.columns("vllm-pull-48944", "by-context")
    measured = tuple((int(context), float(Fraction(with_) / Fraction(without))) for context, with_, without in
                     zip(columns["context"], columns["speculative"], columns["plain"], strict=True))
    chip = shelf.library.accelerator("nvidia-h100-sxm")
    certain = speedup(chip, None, 256, 0, 3, 1, level="W", dtype="fp8")
    needed = 4 / certain
    return measured, float(needed), float(upper(acceptance_from_length(3, needed)))


@lru_cache(maxsize=1)
def sglang() -> tuple[tuple[int, float, tuple[float, float]], ...]:
    """For each batch the reported speedup and what the model says for the low and the high acceptance of the report."""
    shelf = Shelf()
    reported, rates = shelf.columns("sglang-deepseek-docs", "mtp"), shelf.columns("deepseek-v3-report", "mtp")
    ends = [Fraction(rates[name].rstrip("%")) / 100 for name in ("acceptance_low", "acceptance_high")]
    question = shelf.question("nvidia-h200-sxm", shelf.library.model("deepseek-v3"), NOTHING, chips=8, dtype="fp8")
    found = []
    for batch, ratio in zip(reported["batch"], reported["speedup"], strict=True):
        said: list[float] = []
        for rate in ends:
            row = Row(int(batch), ASSUMED_CONTEXT, 1, Fraction(ratio), expected=1 + rate)
            said.append(say(Series("", "", "", question, (row,), False)).said[0])
        found.append((int(batch), float(ratio), (said[0], said[1])))
    return tuple(found)
