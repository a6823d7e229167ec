"""The best draft length for each batch, in ranges, and what the rule loses that looks at the batch alone."""
from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdil_records.arithmetic import lower
from specdil_records.planning.question import Floats, Question, gains
from specdil_records.planning.reasons import Costs, costs
from specdil_records.roofline import NEVER, Answer, MissingValue, critical_context, resident_batch

TIE = 1e-9
"""Speedups as close as this are the same; the shorter draft is taken."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring batches with the same best draft length, and the speedup at both ends."""

    first: int
    last: int
    draft_k: int
    speedup_first: float
    speedup_last: float


@dataclass(frozen=True, slots=True)
class Schedule:
    """The answer. `off_from` is the batch from which speculation stays off; None where it never does.

    `by_batch_only` is the same under the rule that knows no context (weights only), `off_from_by_batch_only` where
    that switches off, `most_lost` the largest share of throughput that following it loses at this context, at the
    batch `lost_at`.
    """

    question: Question
    stretches: tuple[Stretch, ...]
    off_from: int | None
    by_batch_only: tuple[Stretch, ...]
    off_from_by_batch_only: int | None
    most_lost: float
    lost_at: int
    pays_beyond: tuple[int, Any] | None
    """A draft length and the context beyond which it pays at every large batch; None where there is none."""
    resident: int | None
    """Sequences that fit in memory at this context; None where the accelerator does not say its capacity."""
    reasons: tuple[Costs, ...]
    """What the best step costs, for each stretch, at its last batch."""

    @property
    def off_below(self) -> tuple[Stretch, ...]:
        """Where it is off although it pays again at a larger batch."""
        return tuple(one for one in self.stretches[:-1] if one.draft_k == 0)

    @property
    def longest(self) -> int:
        """The longest draft that is ever used."""
        return max(one.draft_k for one in self.stretches)


def schedule(question: Question) -> Schedule:
    """The best draft length for every batch from 1 to `batch_max`. Raises `MissingValue`, `CatalogueError`."""
    batches = np.arange(1.0, question.batch_max + 1)
    here = gains(question, batches)
    weights_only = gains(question, batches, "W")
    best, rule = (best_lengths(table, float(question.least_gain)) for table in (here, weights_only))
    each = np.arange(len(batches))
    lost = 1 - here[each, rule] / here[each, best]
    worst = int(np.argmax(lost))
    found = _stretches(best, here)
    return Schedule(
        question, found, _off_from(found), _stretches(rule, weights_only), _off_from(_stretches(rule, weights_only)),
        float(max(lost[worst], 0)), worst + 1, _pays_beyond(question), _resident(question),
        tuple(costs(question, one.last, one.draft_k) for one in found),
    )


def best_lengths(table: Floats, least_gain: float = 0.0) -> Any:
    """For each row the first column that comes within a tie of the largest; 0 where that gains less than wanted."""
    largest = table.max(axis=1, keepdims=True)
    best = np.argmax(table >= largest * (1 - TIE), axis=1)
    return np.where(largest[:, 0] < 1 + least_gain - TIE, 0, best)


def _stretches(best: Any, table: Floats) -> tuple[Stretch, ...]:
    edges = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist(), len(best)]
    found = []
    for start, end in itertools.pairwise(edges):
        draft_k = int(best[start])
        found.append(Stretch(start + 1, end, draft_k, float(table[start, draft_k]), float(table[end - 1, draft_k])))
    return tuple(found)


def _off_from(stretches: tuple[Stretch, ...]) -> int | None:
    return stretches[-1].first if stretches[-1].draft_k == 0 else None


def _resident(question: Question) -> int | None:
    conditions, longest = question.conditions, question.lengths[-1]
    try:
        found = resident_batch(
            question.accelerator, question.model, question.context, longest,
            conditions.get("weight_dtype") or conditions.get("dtype", "bf16"), conditions.get("kv_dtype", "bf16"),
            question.draft.model, question.draft.resident_parameters(longest), conditions.get("chips", 1),
        )
    except MissingValue:
        return None
    return int(lower(found))


_OF_CRITICAL_CONTEXT = ("dtype", "weight_dtype", "kv_dtype", "kv_reread", "compute_efficiency", "memory_efficiency")


def _pays_beyond(question: Question) -> tuple[int, Any] | None:
    """The length that pays from the shortest context on at large batches; dense models on one chip."""
    if question.model.is_moe or question.conditions.get("chips", 1) != 1:
        return None
    conditions = {name: question.conditions[name] for name in _OF_CRITICAL_CONTEXT if name in question.conditions}
    found: tuple[int, Any] | None = None
    for draft_k in question.lengths[1:]:
        place = critical_context(
            question.accelerator, question.model, draft_k, question.acceptance.as_rate(draft_k),
            draft=question.draft.model, draft_parameters=question.draft.parameters, **conditions,
        )
        if place is NEVER or isinstance(place, Answer):
            continue
        if found is None or place < found[1]:
            found = (draft_k, place)
    return found
