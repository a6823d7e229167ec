"""The public closed forms about one step, with flat arguments in the catalogue's order.

The last arguments, the conditions, are those of `Setting`. SI units. Bytes are those of weights and KV cache:
activations, norms, softmax and sampling are left out of all of them (activations cost some hundredths of a percent
of the weight bytes per token of the step). Each raises `MissingValue` where the accelerator or the model lacks a
value, and `CatalogueError` for a word outside a vocabulary.
"""
from __future__ import annotations

from typing import Any, Unpack

from specdil_records.arithmetic import divide
from specdil_records.roofline import shapes
from specdil_records.roofline.machine import Accelerator, Model
from specdil_records.roofline.setting import Conditions, Setting
from specdil_records.roofline.step import (
    Amount,
    Part,
    all_reduce_seconds,
    attention_part,
    bound,
    causal_pairs,
    parts,
    seconds,
    step_seconds,
    total_bytes,
    total_flops,
)

Value = Any


def step_flops(
    model: Model, batch: Value, context: Value, new_tokens: Value, level: str = "WK", pairs: Value = None
) -> Value:
    """FLOPs of a step: 2PBq in the linear layers and 4LHhB(qS + q(q + 1)/2) in attention.

    One multiply-accumulate is two FLOPs. P counts the active experts only. A tree gives its number of
    ancestor pairs, itself included, as `pairs` in place of q(q + 1)/2; level W leaves attention out. Activations,
    norms, softmax and sampling are left out. Source: MagicDec, table 1.
    """
    return total_flops(parts(Setting(level=level), model, batch, context, new_tokens, pairs))


def step_bytes(
    model: Model,
    batch: Value,
    context: Value,
    new_tokens: Value,
    weight_dtype: str = "bf16",
    kv_dtype: str = "bf16",
    level: str = "WK",
    kv_reread: Value = 1,
) -> Value:
    """Bytes that a step reads: b_w P of weights and kappa B(mu S + q) of KV cache, mu = min(kv_reread, q).

    Of routed experts only the distinct ones are read. Level W leaves the cache out. Activations, norms, softmax and
    sampling are left out. Source: Leviathan et al. 2023, section 3.4; vLLM issue 17984.
    """
    setting = Setting(weight_dtype=weight_dtype, kv_dtype=kv_dtype, level=level, kv_reread=kv_reread)
    return total_bytes(parts(setting, model, batch, context, new_tokens))


def step_intensity(
    model: Model,
    batch: Value,
    context: Value,
    new_tokens: Value,
    weight_dtype: str = "bf16",
    kv_dtype: str = "bf16",
    level: str = "WK",
    kv_reread: Value = 1,
    pairs: Value = None,
) -> Value:
    """FLOP/byte of a step: all its FLOPs over all its bytes.

    Activations, norms, softmax and sampling are left out. Source: Williams et al. 2009; JAX scaling book, ch. 7.
    """
    setting = Setting(weight_dtype=weight_dtype, kv_dtype=kv_dtype, level=level, kv_reread=kv_reread)
    made = parts(setting, model, batch, context, new_tokens, pairs)
    return divide(total_flops(made), total_bytes(made))


def step_time(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    context: Value,
    new_tokens: Value,
    *,
    pairs: Value = None,
    **conditions: Unpack[Conditions],
) -> Value:
    """Seconds of a step. operator: max(F_lin/pi, D_w/beta) + max(F_att/pi, D_kv/beta); overlap: the larger of
    the two sums; serial: both sums together. overlap <= operator <= serial <= 2 overlap.

    Efficiencies scale peak and bandwidth; routed experts have a maximum of their own; step overheads are not in it.
    Activations, norms, softmax and sampling are left out. Source: JAX scaling book, ch. 1 and 7.
    """
    return step_seconds(Setting(accelerator, **conditions), model, batch, context, new_tokens, pairs)


def step_bound(
    accelerator: Accelerator, model: Model, batch: Value, new_tokens: Value, **conditions: Unpack[Conditions]
) -> Any:
    """Which term decides the linear layers: "compute" iff F_lin/pi > D_w/beta, else "memory".

    Activations, norms, softmax and sampling are left out. Source: Williams et al. 2009. Raises `Undecided` where
    the inputs' intervals allow both.
    """
    return bound(Setting(accelerator, **conditions), model, batch * new_tokens)


def intensity_ceiling(model: Model, context: Value, new_tokens: Value, kv_dtype: str = "bf16") -> Value:
    """FLOP/byte that a step tends to as the batch grows: (2Pq + 4LHh(qS + q(q + 1)/2))/(kappa(S + q)).

    The weights' bytes no longer count. Activations, norms, softmax and sampling are left out. Source: derived.
    """
    attention = attention_part(Setting(kv_dtype=kv_dtype), model, 1, context, new_tokens)
    return divide(2 * shapes.active_parameters(model) * new_tokens + attention.flops.total, attention.bytes.total)


def all_reduce_time(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    new_tokens: Value,
    chips: Value,
    latency: Value = 0,
    activation_dtype: str = "bf16",
) -> Value:
    """Seconds of a step's all-reduces under tensor parallelism: 2L(latency + 2(p - 1)/p * Bqd b_a/link).

    `link` is one direction of a chip's interconnect, half of the aggregate. Here, and only here, activations are
    counted; norms, softmax and sampling are left out. Source: JAX scaling book, ch. 7; derived.
    """
    setting = Setting(accelerator, chips=chips, latency=latency)
    return all_reduce_seconds(setting, model, batch * new_tokens, activation_dtype)


def chain_pairs(new_tokens: Value) -> Value:
    """Pairs of new tokens that see each other in a chain, each itself included, a count: q(q + 1)/2.

    For a tree, count each node's ancestors and itself. Activations, norms, softmax and sampling are left out.
    Source: MagicDec, table 1.
    """
    return causal_pairs(new_tokens)


def prefill_flops(model: Model, batch: Value, new_tokens: Value) -> Value:
    """FLOPs of reading prompts of n tokens: 2(P - Vd)Bn + 2VdB + 4LHhB n(n + 1)/2.

    The LM head multiplies the last token of each prompt only. Activations, norms, softmax and sampling are left
    out. Source: JAX scaling book, ch. 7; derived.
    """
    return total_flops(_prefill_parts(Setting(), model, batch, new_tokens))


def prefill_time(
    accelerator: Accelerator, model: Model, batch: Value, new_tokens: Value, **conditions: Unpack[Conditions]
) -> Value:
    """Seconds of reading prompts of n tokens on one chip, with the modes of `step.time`.

    The LM head multiplies the last token of each prompt only. Activations, norms, softmax and sampling are left
    out. Source: JAX scaling book, ch. 7; derived.
    """
    setting = Setting(accelerator, **conditions)
    return seconds(setting, _prefill_parts(setting, model, batch, new_tokens))


def _prefill_parts(setting: Setting, model: Model, batch: Value, new_tokens: Value) -> list[Part]:
    made = parts(setting, model, batch, 0, new_tokens)
    head = 2 * model.need("vocabulary") * model.need("hidden_size")
    spared = head * (batch * new_tokens - batch)
    return [made[0]._replace(flops=Amount(made[0].flops.total - spared)), *made[1:]]
