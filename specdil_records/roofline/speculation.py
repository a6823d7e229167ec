"""A speculative step against plain decoding: speedup, throughput, time, energy and cost per token.

Activations, norms, softmax and sampling are left out; so are padding of captured batches, GEMM tiles, scheduling
and ragged acceptance.
"""
from __future__ import annotations

import functools
from typing import Any

from specdil_records.arithmetic import Interval, divide, is_interval, lower, minimum, under, upper, where
from specdil_records.roofline.acceptance import expected_tokens
from specdil_records.roofline.errors import CatalogueError
from specdil_records.roofline.machine import Model
from specdil_records.roofline.setting import Setting, is_zero
from specdil_records.roofline.step import linear_part, seconds, step_seconds, times

Value = Any


def plain_seconds(
    setting: Setting, model: Model | None, batch: Value, context: Value, *, each: bool = False
) -> Value:
    """Seconds of a plain decode step, or of `each` of its sequences, its overhead included."""
    taken = step_seconds(setting, model, batch, context, 1, each=each)
    return _plus(taken, _of_each(setting.step_overhead, batch, each))


def speculative_seconds(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    draft_k: Value,
    draft_cost: Value,
    *,
    pairs: Value = None,
    share: Value = 1,
    each: bool = False,
) -> Value:
    """Seconds of a speculative step: verification of k + 1 tokens, drafting and overheads. A tree gives its `pairs`.

    All times `share`: with one over the expected tokens, the seconds per token. Or of `each` of its sequences.
    """
    taken = step_seconds(setting, model, batch, context, draft_k + 1, pairs, share=share, each=each)
    overhead = setting.step_overhead
    if not is_zero(setting.speculation_overhead):
        # Without a draft there is no speculation, nor its overhead.
        overhead = overhead + setting.speculation_overhead * minimum(draft_k, 1)
    drafting = draft_seconds(setting, model, batch, context, draft_k, draft_cost, each=each)
    beside = _plus(drafting, _of_each(overhead, batch, each))
    return taken if is_zero(beside) else taken + times(beside, share)


def _of_each(seconds_of_all: Value, batch: Value, each: bool) -> Value:
    return divide(seconds_of_all, batch) if each and not is_zero(seconds_of_all) else seconds_of_all


def draft_seconds(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    draft_k: Value,
    draft_cost: Value = 0,
    *,
    each: bool = False,
) -> Value:
    """Seconds of drafting k tokens: k steps of a draft model or head, or k times a share of a plain target step."""
    drafted = drafted_token_seconds(setting, batch, context, each=each)
    if drafted is not None:
        if not is_zero(draft_cost):
            raise CatalogueError("drafting is priced by draft_cost or by a draft, not by both")
        return draft_k * drafted
    if is_zero(draft_cost):
        return 0
    return draft_k * draft_cost * step_seconds(setting, model, batch, context, 1, each=each)


def drafted_token_seconds(setting: Setting, batch: Value, context: Value, *, each: bool) -> Value:
    """Seconds of one drafted token for the whole batch by a draft model or head; None where there is none."""
    if setting.draft is not None:
        # It has one query, so however often the target reads its cache, the draft reads its own once.
        return step_seconds(setting, setting.draft, batch, context, 1, each=each)
    if setting.draft_parameters is not None:
        # A head's weights are read once and multiplied with one token of each sequence.
        head = [linear_part(setting, setting.draft_parameters, batch)]
        return seconds(setting, head, 1, batch if each else 1)
    return None


def refuse_without_model(setting: Setting, model: Model | None) -> None:
    """Without a model only ratios of the weights' times mean anything. Raises `CatalogueError`."""
    if model is None and not (
        is_zero(setting.step_overhead) and is_zero(setting.speculation_overhead)
        and setting.draft is None and setting.draft_parameters is None
    ):
        raise CatalogueError("a model is needed where overheads or a draft's own weights are counted")


def seconds_per_token(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    draft_k: Value,
    expected: Value,
    draft_cost: Value = 0,
    *,
    each: bool = False,
    pairs: Value = None,
) -> Value:
    """Seconds of a speculative step over the tokens that it is expected to yield for each sequence.

    With `each`, over those of the whole batch.
    """
    share = divide(1, expected)
    return speculative_seconds(
        setting, model, batch, context, draft_k, draft_cost, pairs=pairs, share=share, each=each
    )


def speedup_of(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    draft_k: Value,
    expected: Value,
    draft_cost: Value,
    pairs: Value = None,
) -> Value:
    """Tokens per second of a speculative step over those of plain decoding, given the expected tokens."""
    refuse_without_model(setting, model)
    plain = plain_seconds(setting, model, batch, context, each=True)
    speculative = seconds_per_token(
        setting, model, batch, context, draft_k, expected, draft_cost, each=True, pairs=pairs
    )
    return under(plain, speculative)


def best_draft(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    acceptance: Value,
    draft_cost: Value,
    k_max: int,
) -> Value:
    """The draft length in 0..k_max with the largest speedup, the smallest on ties; on intervals all that may be it.

    Plain decoding is the same for all of them, so it is the one with the fewest seconds per token.
    """
    refuse_without_model(setting, model)
    taken = [
        seconds_per_token(setting, model, batch, context, k, expected_tokens(k, acceptance), draft_cost)
        for k in range(k_max + 1)
    ]
    return _place_of_smallest(taken)


def _place_of_smallest(values: list[Value]) -> Value:
    """Where the smallest stands: the first place, point by point, or the interval of places that may hold it."""
    best = functools.reduce(minimum, values)
    if any(is_interval(value) for value in values):
        could = [k for k, value in enumerate(values) if lower(value) <= upper(best)]
        return could[0] if len(could) == 1 else Interval(could[0], could[-1])
    place: Value = len(values) - 1
    for k in reversed(range(len(values) - 1)):
        place = where(values[k] <= best, k, place)
    return place


def _plus(a: Value, b: Value) -> Value:
    return a if is_zero(b) else a + b
