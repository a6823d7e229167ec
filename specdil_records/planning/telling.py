"""A schedule as text, as JSON and as the setting of an engine. Decides nothing."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdil_records.planning.fitting import Fit
from specdil_records.planning.literals import shown
from specdil_records.planning.question import Question
from specdil_records.planning.reasons import as_data as reason_data
from specdil_records.planning.reasons import sentence
from specdil_records.planning.scheduling import Schedule, Stretch

SERVED = "num_speculative_tokens_per_batch_size"


def vllm(found: Schedule) -> dict[str, Any]:
    """The two entries of vLLM's speculative config; ranges are inclusive and join, no k is above the first entry."""
    return {"num_speculative_tokens": max(found.longest, 1),
            SERVED: [[one.first, one.last, one.draft_k] for one in found.stretches]}


def text(found: Schedule) -> Iterator[str]:
    """The schedule with its reasons, in lines."""
    question = found.question
    yield f"{question.model.name} on {machine(question)}, context {question.context}"
    yield f"{question.acceptance.words}; {question.draft.words}"
    yield ""
    table = [("batch", "k", "speedup", "why, at the last batch")]
    for one, costs in zip(found.stretches, found.reasons, strict=True):
        table.append((_span(one), str(one.draft_k) if one.draft_k else "off", _speedups(one), sentence(costs)))
    widths = [max(len(line[column]) for line in table) for column in range(3)]
    for line in table:
        yield "  ".join([*(part.rjust(width) for part, width in zip(line[:3], widths, strict=True)), line[3]])
    yield ""
    yield f"switch off: {switch(found.off_from, question.batch_max, found.off_below)}"
    yield f"batch only: {_batch_only(found)}"
    if found.pays_beyond is not None:
        draft_k, place = found.pays_beyond
        yield (f"context:    beyond {shown(place, 4)} cached tokens k = {draft_k} pays at every batch, "
               "overheads left out")
    if found.resident == 0:
        yield "memory:     not one sequence of this context fits beside the weights: more chips are needed"
    elif found.resident is not None:
        yield f"memory:     {found.resident} sequences of this context fit" + (
            "; rows beyond are moot" if found.resident < question.batch_max else "")


def machine(question: Question) -> str:
    """The machine in words, with what is not as the data sheet has it."""
    chips = question.conditions.get("chips", 1)
    said = f"{chips}x {question.accelerator.name}" if chips != 1 else question.accelerator.name
    conditions = question.conditions
    dtypes = {conditions.get(name) for name in ("dtype", "weight_dtype", "kv_dtype")} - {None, "bf16"}
    if dtypes:
        weights = conditions.get("weight_dtype") or conditions.get("dtype", "bf16")
        said += f" ({conditions.get('dtype', 'bf16')} arithmetic, {weights} weights, "
        said += f"{conditions.get('kv_dtype', 'bf16')} cache)"
    return said


def _span(one: Stretch) -> str:
    return str(one.first) if one.first == one.last else f"{one.first}-{one.last}"


def _speedups(one: Stretch) -> str:
    ends = f"{one.speedup_first:.2f}", f"{one.speedup_last:.2f}"
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def switch(off_from: int | None, batch_max: int, before: tuple[Stretch, ...] = ()) -> str:
    """Where speculation is switched off, in words; `before` holds what is off though a larger batch is on again."""
    if off_from == 1:
        return "always: it pays at no batch"
    at = "at batch " + ", ".join(map(_span, before)) if before else ""
    if off_from is None:
        return at or f"never, up to batch {batch_max}"
    return f"{at} and from batch {off_from}" if at else f"from batch {off_from}"


def _batch_only(found: Schedule) -> str:
    """The rule that ignores the context, beside the schedule."""
    rule = ", ".join(f"{_span(one)}: {one.draft_k or 'off'}" for one in found.by_batch_only)
    off = switch(found.off_from_by_batch_only, found.question.batch_max)
    lost = f"; at this context it loses up to {found.most_lost:.0%} (batch {found.lost_at})"
    return f"a rule that knows no context says {rule} (off {off})" + (lost if found.most_lost >= 0.005 else
                                                                     "; at this context it loses nothing")


def data(found: Schedule) -> dict[str, Any]:
    """The schedule for programs."""
    question = found.question
    return {
        "accelerator": question.accelerator.name, "model": question.model.name, "context": question.context,
        "acceptance": question.acceptance.words, "draft": question.draft.words,
        "conditions": {name: value if isinstance(value, str | int) else float(value)
                       for name, value in question.conditions.items() if value is not None},
        "batch_max": question.batch_max,
        "ranges": [{**_range_data(one), "why": reason_data(costs)}
                   for one, costs in zip(found.stretches, found.reasons, strict=True)],
        "off_from": found.off_from,
        "batch_only": {"ranges": [_range_data(one) for one in found.by_batch_only],
                       "off_from": found.off_from_by_batch_only,
                       "most_lost": found.most_lost, "lost_at": found.lost_at},
        "pays_beyond": None if found.pays_beyond is None else
        {"draft_k": found.pays_beyond[0], "context": float(found.pays_beyond[1])},
        "resident_batch": found.resident,
        "vllm": vllm(found),
    }


def _range_data(one: Stretch) -> dict[str, Any]:
    return {"first_batch": one.first, "last_batch": one.last, "draft_k": one.draft_k,
            "speedup_first": one.speedup_first, "speedup_last": one.speedup_last}


# A fit ------------------------------------------------------------------------------------------------------

WORDS = {
    "compute_efficiency": "share of the peak", "memory_efficiency": "share of the bandwidth",
    "step_overhead": "seconds beside every step", "draft_seconds": "seconds beside every drafted token",
    "acceptance": "acceptance rate",
}


def fit_text(found: Fit) -> Iterator[str]:
    """Fitted values and residuals, in lines."""
    yield f"fitted to {len(found.rows)} rows, residuals of the speedup {found.spread:.1%} (root mean square)"
    for name, value in found.values.items():
        note = "" if found.told[name] else "  (these rows hardly tell: kept near a common value)"
        yield f"  {name:<19} {value:<10.4g} {WORDS[name]}{note}"
    yield f"  {'batch':>6} {'context':>8} {'k':>3} {'measured':>9} {'fitted':>7} {'residual':>9}"
    for row, said, off in zip(found.rows, found.speedups, found.residuals, strict=True):
        yield (f"  {row.batch:>6} {row.context:>8} {row.draft_k:>3} {float(row.speedup):>9.3f} {said:>7.3f} "
               f"{off:>+9.1%}")


def fit_data(found: Fit) -> dict[str, Any]:
    """A fit for programs."""
    rows = []
    for place, row in enumerate(found.rows):
        rows.append({
            "batch": row.batch, "context": row.context, "draft_k": row.draft_k, "measured": float(row.speedup),
            "fitted": found.speedups[place], "residual": found.residuals[place],
            "fitted_without": None if found.without is None else found.without[place],
            "fitted_with": None if found.with_ is None else found.with_[place],
        })
    return {"values": dict(found.values), "told": dict(found.told), "root_mean_square": found.spread, "rows": rows}
