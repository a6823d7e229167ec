"""One forward step of a transformer: FLOPs, bytes, intensity, time.

A step is a few parts. Each part computes and reads; what happens once for every sequence (attention over its own
cache) is kept per sequence with the batch as its `copies`, so that on grids the per-sequence side stays small.
Activations, norms, softmax and sampling are left out.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from specdil_records.arithmetic import divide, every, is_interval, lower, maximum, minimum, plus, upper
from specdil_records.roofline import moe, shapes
from specdil_records.roofline.errors import CatalogueError, Undecided
from specdil_records.roofline.formats import bits_per
from specdil_records.roofline.machine import Model
from specdil_records.roofline.setting import Setting, is_one, is_zero

Value = Any


class Amount(NamedTuple):
    """So many units of so many FLOPs or bytes each.

    Kept apart because the unit is one number and the count may be an array: what is divided is the unit.
    """

    each: Value
    count: Value = 1

    @property
    def total(self) -> Value:
        """FLOPs or bytes in all."""
        return times(self.each, self.count)

    def at(self, rate: Value) -> Value:
        """Seconds at a rate."""
        return times(divide(self.each, rate), self.count)


class Part(NamedTuple):
    """A stretch of a step whose compute and reads overlap: what one copy takes, and how many copies."""

    flops: Amount
    bytes: Amount
    copies: Value = 1

    @property
    def all_flops(self) -> Value:
        """FLOPs of all copies."""
        return times(self.copies, self.flops.total)

    @property
    def all_bytes(self) -> Value:
        """Bytes of all copies."""
        return times(self.copies, self.bytes.total)


def parts(
    setting: Setting, model: Model | None, batch: Value, context: Value, new_tokens: Value, pairs: Value = None
) -> list[Part]:
    """The parts of a step: linear layers (and routed experts), then attention where the level counts it.

    `pairs` is the number of pairs of a new token and one that it sees among the new ones, itself included; by
    default that of a chain, q(q + 1)/2.
    """
    made = linear_parts(setting, model, times(batch, new_tokens))
    if setting.with_kv:
        if model is None:
            raise CatalogueError("a model is needed where the KV cache is counted")
        made.append(attention_part(setting, model, batch, context, new_tokens, pairs))
    return made


def linear_parts(setting: Setting, model: Model | None, tokens: Value) -> list[Part]:
    """Linear layers over all tokens of a step: 2P FLOPs a token against one read of the weights."""
    if model is None:
        # Weights only, a speedup does not depend on how many weights there are; eight take whole bytes.
        return [linear_part(setting, 8, tokens)]
    made = [linear_part(setting, shapes.always_read_parameters(model), tokens)]
    if model.is_moe:
        one = shapes.expert_parameters(model)
        flops = _per_chip(setting, 2 * model.need("experts_per_token") * one)
        read = Amount(_weight_bytes(setting, one), moe.distinct_experts(model, tokens))
        made.append(Part(Amount(flops, tokens), read))
    return made


def linear_part(setting: Setting, parameters: Value, tokens: Value) -> Part:
    """Weights that are read once and multiplied with every token."""
    return Part(
        Amount(_per_chip(setting, 2 * parameters), tokens), Amount(_weight_bytes(setting, parameters))
    )


def _weight_bytes(setting: Setting, parameters: Value) -> Value:
    return _per_chip(setting, divide(parameters * setting.weight_bits, 8))


def _per_chip(setting: Setting, amount: Value) -> Value:
    return amount if is_one(setting.chips) else divide(amount, setting.chips)


def attention_part(
    setting: Setting, model: Model, batch: Value, context: Value, new_tokens: Value, pairs: Value = None
) -> Part:
    """Attention of one sequence over its cache, as often as there are sequences."""
    pairs = causal_pairs(new_tokens) if pairs is None else pairs
    reread = setting.kv_reread if is_one(setting.kv_reread) else minimum(setting.kv_reread, new_tokens)
    layers = model.need("layers")
    seen = times(new_tokens, context) + pairs
    read = times(reread, context) + new_tokens
    if model.window is not None:
        # Local layers see no more than the window; counts are then per token and layer.
        within = minimum(context, model.window)
        local = layers if model.local_layers is None else model.local_layers
        seen = local * (times(new_tokens, within) + pairs) + (layers - local) * seen
        read = local * (times(reread, within) + new_tokens) + (layers - local) * read
        layers = 1
    flops = _per_chip(setting, shapes.flops_per_pair(model) * layers)
    each = shapes.kv_bytes_per_layer(model, setting.kv_dtype) * layers
    if not is_one(setting.chips):
        each = divide(each, setting.share_of_kv(model))
    return Part(Amount(flops, seen), Amount(each, read), batch)


def causal_pairs(new_tokens: Value) -> Value:
    """Pairs of a new token and one it sees among the new ones, itself included, in a chain: q(q + 1)/2."""
    return divide(new_tokens * (new_tokens + 1), 2)


def total_flops(made: list[Part]) -> Value:
    """FLOPs of a step."""
    return _sum([part.all_flops for part in made])


def total_bytes(made: list[Part]) -> Value:
    """Bytes that a step reads."""
    return _sum([part.all_bytes for part in made])


def seconds(setting: Setting, made: list[Part], share: Value = 1, sequences: Value = 1) -> Value:
    """Seconds that parts take on one chip, by the setting's mode, times a share (such as one over the tokens).

    With the number of `sequences` it is the time of one of them: what happens once a step is divided among them, what
    happens once for each is taken once. That and the share go in while arrays are still small.
    """
    peak, bandwidth = setting.peak(), setting.bandwidth()

    def weighted(part: Part, value: Value) -> Value:
        if is_one(sequences):
            return times(part.copies, times(value, share))
        # Copies other than one are one for each sequence.
        return divide(times(value, share), sequences) if is_one(part.copies) else times(value, share)

    if setting.mode == "operator":
        return _sum([weighted(part, maximum(part.flops.at(peak), part.bytes.at(bandwidth))) for part in made])
    compute = _sum([weighted(part, part.flops.at(peak)) for part in made])
    memory = _sum([weighted(part, part.bytes.at(bandwidth)) for part in made])
    return maximum(compute, memory) if setting.mode == "overlap" else compute + memory


def step_seconds(
    setting: Setting,
    model: Model | None,
    batch: Value,
    context: Value,
    new_tokens: Value,
    pairs: Value = None,
    *,
    share: Value = 1,
    each: bool = False,
) -> Value:
    """Seconds of a whole step, or of `each` of its sequences, with the all-reduces of several chips.

    Step overheads are not in it.
    """
    made = parts(setting, model, batch, context, new_tokens, pairs)
    taken = seconds(setting, made, share, batch if each else 1)
    if is_one(setting.chips):
        return taken
    if model is None:
        raise CatalogueError("a model is needed where several chips share the work")
    # A step on a single chip waits for nobody; in a grid of chips it is one point among others.
    waits = times(minimum(setting.chips - 1, 1), share)
    beside = times(all_reduce_seconds(setting, model, times(batch, new_tokens)), waits)
    return taken + (divide(beside, batch) if each else beside)


def all_reduce_seconds(setting: Setting, model: Model, tokens: Value, activation_dtype: str = "bf16") -> Value:
    """Seconds of the two all-reduces of each layer over the activations of all tokens."""
    chips = setting.chips
    size = divide(tokens * model.need("hidden_size") * bits_per(activation_dtype), 8)
    sent = divide(2 * (chips - 1) * size, chips)
    return 2 * model.need("layers") * (setting.latency + divide(sent, setting.link()))


def bound(setting: Setting, model: Model | None, tokens: Value) -> Value:
    """Which term decides the linear layers: "compute" iff F/peak > D/bandwidth, else "memory"."""
    made = linear_parts(setting, model, tokens)
    compute = divide(total_flops(made), setting.peak())
    memory = divide(total_bytes(made), setting.bandwidth())
    if is_interval(compute) or is_interval(memory):
        if every(lower(compute) > upper(memory)):
            return "compute"
        if every(upper(compute) <= lower(memory)):
            return "memory"
        raise Undecided("within the intervals of the inputs either term may decide")
    larger = compute > memory
    if isinstance(larger, np.ndarray):
        return np.where(larger, "compute", "memory")
    return "compute" if larger else "memory"


def times(a: Value, b: Value) -> Value:
    """A product; by the plain number one it costs nothing, which on arrays saves a pass."""
    if is_one(a):
        return b
    return a if is_one(b) else a * b


def _sum(values: list[Value]) -> Value:
    """A sum of values that are not used again, the last (attention, which spans the most axes) first."""
    total = values[-1]
    for value in values[-2::-1]:
        total = value if is_zero(total) else plus(total, value)
    return total


