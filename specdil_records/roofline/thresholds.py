"""Thresholds of speculation: from which batch it costs throughput, beyond which context it always pays.

Activations, norms, softmax and sampling are left out.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from specdil_records.arithmetic import divide, every, lower, maximum, some, upper
from specdil_records.roofline import shapes
from specdil_records.roofline.acceptance import expected_tokens
from specdil_records.roofline.answers import NEVER, Answer, hull
from specdil_records.roofline.crossings import Line, only_crossing, stretches_not_negative, whole_ranges
from specdil_records.roofline.errors import Undecided
from specdil_records.roofline.machine import Model, in_floats
from specdil_records.roofline.setting import Setting, in_float_setting
from specdil_records.roofline.speculation import (
    plain_seconds,
    refuse_without_model,
    speculative_seconds,
)
from specdil_records.roofline.step import attention_part, linear_part, parts

Value = Any
NEAR = 1e-6
"""Floats screen a scan: only where gain and loss are this close do exact numbers have to decide."""


def break_even(
    setting: Setting,
    model: Model | None,
    context: Value,
    draft_k: int,
    acceptance: Value,
    draft_cost: Value,
    batch_max: int,
) -> Answer:
    """At which batches a speculative step yields at least as many tokens per second as plain decoding."""
    refuse_without_model(setting, model)
    expected = expected_tokens(draft_k, acceptance)
    if expected == 1:
        return NEVER
    fast, slow = _extremes(setting, context)
    if fast == slow:
        return _pays(_Gain(fast, fast, model, draft_k, expected, draft_cost), batch_max)
    # The least gain has plain steps at their fastest beside speculative ones at their slowest, and the reverse.
    least = _pays(_Gain(fast, slow, model, draft_k, expected, draft_cost), batch_max)
    most = _pays(_Gain(slow, fast, model, draft_k, expected, draft_cost), batch_max)
    return hull(least, most)  # type: ignore[no-any-return]


Case = tuple[Setting, Value]
"""Conditions and context of a step."""


def _extremes(setting: Setting, context: Value) -> tuple[Case, Case]:
    """The same case with every interval at its faster end, and at its slower end."""
    chip = setting.accelerator
    assert chip is not None

    def at(faster: Callable[[Value], Value], slower: Callable[[Value], Value]) -> Case:
        values = {
            "memory_bandwidth": faster(chip.memory_bandwidth),
            "peaks": {dtype: faster(peak) for dtype, peak in chip.peaks.items()},
            "interconnect_bandwidth": faster(chip.interconnect_bandwidth),
            "memory_capacity": None,
            "tdp": None,
        }
        moved = replace(
            setting,
            accelerator=chip.with_values(values),
            compute_efficiency=faster(setting.compute_efficiency),
            memory_efficiency=faster(setting.memory_efficiency),
            latency=slower(setting.latency),
        )
        return moved, slower(context)

    return at(upper, lower), at(lower, upper)


def _pays(gaining: _Gain, batch_max: int) -> Answer:
    if gaining.has_experts:
        return _scanned(gaining, batch_max)
    stretches = stretches_not_negative(gaining.at, gaining.bends())
    if not any(end is None or end > 0 for _, end in stretches):
        return NEVER
    if stretches == ((0, None),):
        return Answer("always", ((1, batch_max),), None, batch_max)
    crossing = only_crossing(stretches)
    beyond = crossing is not None and stretches[-1][1] is None
    return Answer("batches", whole_ranges(stretches, batch_max), crossing, batch_max, beyond)


class _Gain:
    """What a speculative step gains over as many plain tokens, in seconds, as a function of the batch."""

    def __init__(
        self, plain: Case, speculative: Case, model: Model | None, draft_k: int, expected: Value, draft_cost: Value
    ) -> None:
        self.plain, self.speculative, self.model = plain, speculative, model
        self.draft_k, self.expected, self.draft_cost = draft_k, expected, draft_cost

    @property
    def has_experts(self) -> bool:
        return any(each is not None and each.is_moe for each in (self.model, self.speculative[0].draft))

    def at(self, batch: Value) -> Value:
        (setting, context), (other, other_context) = self.plain, self.speculative
        plain = plain_seconds(setting, self.model, batch, context)
        speculative = speculative_seconds(
            other, self.model, batch, other_context, self.draft_k, self.draft_cost
        )
        return self.expected * plain - speculative

    def bends(self) -> list[Value]:
        """Every batch at which one of the times may change its slope."""
        (setting, context), (other, other_context) = self.plain, self.speculative
        found = _bends_of_step(setting, self.model, context, 1)
        found += _bends_of_step(other, self.model, other_context, self.draft_k + 1)
        found += _bends_of_step(other, self.model, other_context, 1)
        if other.draft is not None:
            found += _bends_of_step(other, other.draft, other_context, 1)
        if other.draft_parameters is not None:
            head = [linear_part(other, other.draft_parameters, batch) for batch in (0, 1)]
            found += _bends(other, [(part.all_flops, part.all_bytes) for part in head])
        return found

    def in_floats(self) -> _Gain:
        """The same with float values."""
        model = None if self.model is None else in_floats(self.model)
        plain, speculative = (
            (in_float_setting(setting), float(context)) for setting, context in (self.plain, self.speculative)
        )
        return _Gain(plain, speculative, model, self.draft_k, float(self.expected), float(self.draft_cost))


def _bends_of_step(setting: Setting, model: Model | None, context: Value, new_tokens: int) -> list[Value]:
    at_zero = parts(setting, model, 0, context, new_tokens)
    at_one = parts(setting, model, 1, context, new_tokens)
    pairs = [
        [(part.all_flops, part.all_bytes) for part in ends] for ends in zip(at_zero, at_one, strict=True)
    ]
    if setting.mode == "operator":
        return [bend for ends in pairs for bend in _bends(setting, ends)]
    whole = [(sum(pair[i][0] for pair in pairs), sum(pair[i][1] for pair in pairs)) for i in (0, 1)]
    return _bends(setting, whole)


def _bends(setting: Setting, ends: list[tuple[Value, Value]]) -> list[Value]:
    """Where compute and memory time of something linear meet, given its FLOPs and bytes at 0 and at 1."""
    compute = Line.through(*(divide(flops, setting.peak()) for flops, _ in ends))
    memory = Line.through(*(divide(read, setting.bandwidth()) for _, read in ends))
    place = compute.meets(memory)
    return [] if place is None else [place]


def _scanned(gaining: _Gain, batch_max: int) -> Answer:
    """Ranges found one batch after another, for models whose gain is no piecewise linear function.

    Floats screen: where they come near the balance exact numbers decide.
    """
    batches = np.arange(1.0, batch_max + 1)
    try:
        screening = gaining.in_floats()
    except OverflowError:
        raise Undecided("a number is too large for the scan of a model with experts") from None
    setting, context = screening.plain
    plain = screening.expected * plain_seconds(setting, screening.model, batches, context)
    gain = screening.at(batches)
    pays = gain >= 0
    for place in np.flatnonzero(abs(gain) < NEAR * plain):
        pays[place] = _decided(gaining, int(place) + 1)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], pays.astype(np.int8), [0]))))
    ranges = tuple((int(first) + 1, int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True))
    if not ranges:
        return Answer("never", (), None, batch_max)
    return Answer("always" if ranges == ((1, batch_max),) else "batches", ranges, None, batch_max)


def _decided(gaining: _Gain, batch: int) -> bool:
    gain = gaining.at(batch)
    if lower(gain) >= 0:
        return True
    if upper(gain) < 0:
        return False
    raise Undecided(f"batch {batch} is too close to the balance for the enclosure of its experts")


def critical(setting: Setting, model: Model, draft_k: int, acceptance: Value) -> Any:
    """The context beyond which speculation pays at every batch large enough to make the linear layers compute-bound.

    A number of tokens, or `NEVER`. With attention bound by memory it is ((q - E)(c' + kappa') + k(c'_d + kappa'_d)) /
    ((E - mu) kappa' - k kappa'_d); elsewhere the same piecewise linear function is solved on its other pieces.
    """
    expected = expected_tokens(draft_k, acceptance)
    if expected == 1:
        return NEVER
    plain = _PerSequence(setting, model, 1)
    verify = _PerSequence(setting, model, draft_k + 1)
    drafting = None if setting.draft is None else _PerSequence(setting, setting.draft, 1)

    def gain(context: Value) -> Value:
        value = expected * plain.at(context) - verify.at(context)
        if drafting is not None:
            return value - draft_k * drafting.at(context)
        return value - draft_k * _head(setting)

    bends = [bend for each in (plain, verify, drafting) if each is not None for bend in each.bends()]
    stretches = stretches_not_negative(gain, bends)
    if not stretches or stretches[-1][1] is not None:
        return NEVER
    return stretches[-1][0]


def _head(setting: Setting) -> Value:
    if setting.draft_parameters is None:
        return 0
    return linear_part(setting, setting.draft_parameters, 1).flops.at(setting.peak())


class _PerSequence:
    """Seconds per sequence of a step at a large batch: linear layers bound by compute, attention by either."""

    def __init__(self, setting: Setting, model: Model, new_tokens: int) -> None:
        self.setting, self.model, self.new_tokens = setting, model, new_tokens
        flops = 2 * shapes.active_parameters(model) * new_tokens
        self.linear = divide(flops, setting.peak() * setting.chips)

    def _attention(self, context: Value) -> tuple[Value, Value]:
        part = attention_part(self.setting, self.model, 1, context, self.new_tokens)
        return part.flops.at(self.setting.peak()), part.bytes.at(self.setting.bandwidth())

    def at(self, context: Value) -> Value:
        return self.linear + maximum(*self._attention(context))

    def bends(self) -> list[Value]:
        """Contexts at which the attention's time may change its slope, the window's end among them."""
        window = self.model.window
        knots = [0] if window is None else [0, window]
        found = knots[1:]
        for knot in knots:
            (low_c, low_m), (high_c, high_m) = self._attention(knot), self._attention(knot + 1)
            compute, memory = Line.through(low_c, high_c), Line.through(low_m, high_m)
            place = compute.meets(memory)
            if place is not None:
                found.append(knot + place)
        return found


def overlap_compute_bound(setting: Setting, model: Model, context: Value, new_tokens: Value) -> Any:
    """The batch from which a whole step, compute and memory overlapped, is bound by compute; `NEVER` if none."""
    weights = linear_part(setting, shapes.matmul_parameters(model), 1)
    worked = linear_part(setting, shapes.active_parameters(model), new_tokens)
    attention = attention_part(setting, model, 1, context, new_tokens)
    compute = worked.flops.at(setting.peak()) + attention.flops.at(setting.peak())
    rest = compute - attention.bytes.at(setting.bandwidth())
    if every(upper(rest) <= 0):
        return NEVER
    if some(lower(rest) <= 0):
        raise Undecided("within the intervals of the inputs there may be such a batch or none")
    return divide(weights.bytes.at(setting.bandwidth()), rest)
