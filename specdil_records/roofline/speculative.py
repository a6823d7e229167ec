"""The public closed forms about speculation, with flat arguments in the catalogue's order.

The last arguments, the conditions, are those of `Setting`. SI units. Activations, norms, softmax and sampling are
left out of all of them; so are padding of captured batches, GEMM tiles, scheduling and ragged acceptance. Each
raises `MissingValue` where the accelerator or a model lacks a value, and `CatalogueError` for a wrong word.
"""
from __future__ import annotations

from typing import Any, Unpack

from specdil_records.arithmetic import divide, floor, maximum
from specdil_records.roofline import shapes
from specdil_records.roofline.acceptance import expected_tokens
from specdil_records.roofline.answers import Answer
from specdil_records.roofline.errors import CatalogueError
from specdil_records.roofline.formats import bits_per
from specdil_records.roofline.intensity import ridge_tokens
from specdil_records.roofline.machine import Accelerator, Model
from specdil_records.roofline.setting import Conditions, Setting
from specdil_records.roofline.speculation import best_draft, seconds_per_token, speedup_of
from specdil_records.roofline.thresholds import break_even, critical, overlap_compute_bound

Value = Any


def speedup(
    accelerator: Accelerator,
    model: Model | None,
    batch: Value,
    context: Value,
    draft_k: Value,
    acceptance: Value,
    draft_cost: Value = 0,
    **conditions: Unpack[Conditions],
) -> Value:
    """Tokens/s with speculation over tokens/s without, pure: E(T(1) + T0)/(T(k + 1) + T_draft + T0 + T_overhead).

    T0 is `step_overhead`, T_overhead `speculation_overhead`. `draft_cost` c: T_draft = k c T(1) at that batch; a
    `draft` model: k T_d(B, S, 1) with its own weights and cache; `draft_parameters`: as many weights read and
    multiplied per drafted token. k = 0 is no speculation: 1. Level W without a model works for dense ones.
    Activations, norms, softmax and sampling are left out. Source: MagicDec, eq. 1.
    """
    setting = Setting(accelerator, **conditions)
    return speedup_of(setting, model, batch, context, draft_k, expected_tokens(draft_k, acceptance), draft_cost)


def tree_speedup(
    accelerator: Accelerator,
    model: Model | None,
    batch: Value,
    context: Value,
    new_tokens: Value,
    mean_accepted_length: Value,
    draft_cost: Value = 0,
    *,
    pairs: Value = None,
    **conditions: Unpack[Conditions],
) -> Value:
    """As `speedup`, for a tree of q - 1 nodes with known E = 1 + sum of path probabilities, pure.

    `pairs` counts each node's ancestors and itself, the root included; `draft_cost` is that of one node. Activations,
    norms, softmax and sampling are left out. Source: MagicDec, eq. 1 and its blog on trees.
    """
    setting = Setting(accelerator, **conditions)
    nodes = new_tokens - 1
    return speedup_of(setting, model, batch, context, nodes, mean_accepted_length, draft_cost, pairs=pairs)


def chunked_prefill_speedup(
    accelerator: Accelerator,
    batch: Value,
    draft_k: Value,
    acceptance: Value,
    prefill_tokens: Value,
    dtype: str = "bf16",
    weight_dtype: str | None = None,
) -> Value:
    """Speedup with a chunk of prompt in every step, weights only, pure: E max(B + n_p, n)/max(B(k + 1) + n_p, n).

    Activations, norms, softmax and sampling are left out. Source: derived.
    """
    n = ridge_tokens(accelerator, dtype, weight_dtype)
    plain = maximum(batch + prefill_tokens, n)
    return divide(
        expected_tokens(draft_k, acceptance) * plain, maximum(batch * (draft_k + 1) + prefill_tokens, n)
    )


def throughput(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    context: Value,
    draft_k: Value,
    acceptance: Value,
    draft_cost: Value = 0,
    **conditions: Unpack[Conditions],
) -> Value:
    """token/s of the whole batch: B E/T_step. k = 0 gives plain decoding.

    Activations, norms, softmax and sampling are left out. Source: derived; MagicDec, eq. 1.
    """
    setting = Setting(accelerator, **conditions)
    expected = expected_tokens(draft_k, acceptance)
    taken = seconds_per_token(setting, model, batch, context, draft_k, expected, draft_cost, each=True)
    return divide(1, taken)


def tpot(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    context: Value,
    draft_k: Value,
    acceptance: Value,
    draft_cost: Value = 0,
    **conditions: Unpack[Conditions],
) -> Value:
    """s/token that one sequence waits for, on average: T_step/E.

    Activations, norms, softmax and sampling are left out. Source: derived.
    """
    setting = Setting(accelerator, **conditions)
    expected = expected_tokens(draft_k, acceptance)
    return seconds_per_token(setting, model, batch, context, draft_k, expected, draft_cost)


def energy_per_token(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    context: Value,
    draft_k: Value,
    acceptance: Value,
    draft_cost: Value = 0,
    **conditions: Unpack[Conditions],
) -> Value:
    """J/token at full board power, an upper bound: TDP T_step/(B E), for each of several chips.

    Activations, norms, softmax and sampling are left out. Source: derived.
    """
    tokens_per_second = throughput(
        accelerator, model, batch, context, draft_k, acceptance, draft_cost, **conditions
    )
    return divide(accelerator.need("tdp") * conditions.get("chips", 1), tokens_per_second)


def cost_per_million_tokens(
    accelerator: Accelerator,
    model: Model,
    batch: Value,
    context: Value,
    draft_k: Value,
    acceptance: Value,
    price_per_hour: Value,
    draft_cost: Value = 0,
    **conditions: Unpack[Conditions],
) -> Value:
    """Price of 10**6 tokens in the currency of `price_per_hour`: price/3600/throughput * 10**6.

    Activations, norms, softmax and sampling are left out. Source: derived.
    """
    tokens_per_second = throughput(
        accelerator, model, batch, context, draft_k, acceptance, draft_cost, **conditions
    )
    return divide(price_per_hour * 10**6, 3600 * tokens_per_second)


def break_even_batch(
    accelerator: Accelerator,
    model: Model | None,
    context: Value,
    draft_k: int,
    acceptance: Value,
    draft_cost: Value = 0,
    *,
    batch_max: int = 4096,
    **conditions: Unpack[Conditions],
) -> Answer:
    """At which batches a speculative step yields at least the throughput of plain decoding.

    Weights only with an ideal draft the crossing is n E/(k + 1) (serial: n(E - 1)/(k + 1 - E)); with the KV cache
    E w/(q c' + kappa'(S + q) - E kappa'(S + 1)) and its two other branches. Dense models: the exact root of a
    piecewise linear function in every mode, with draft cost and overheads too. Models with experts: every batch
    up to `batch_max`. E = 1 is `never`. Activations, norms, softmax and sampling are left out. Source: derived.
    """
    setting = Setting(accelerator, **conditions)
    return break_even(setting, model, context, draft_k, acceptance, draft_cost, batch_max)


def critical_context(
    accelerator: Accelerator, model: Model, draft_k: int, acceptance: Value, **conditions: Unpack[Conditions]
) -> Any:
    """Cached tokens beyond which speculation pays at every large batch, a count, or `never`.

    ((q - E)(c' + kappa') + k(c'_d + kappa'_d))/((E - mu) kappa' - k kappa'_d), q = k + 1, while attention is
    bound by memory; elsewhere the same balance solved exactly. Activations, norms, softmax and sampling are left
    out. Worked out for one chip whose operators follow each other: `chips`, `mode` and `latency` raise
    `CatalogueError`. Source: derived.
    """
    if unknown := sorted({"chips", "mode", "latency"} & set(conditions)):
        raise CatalogueError(f"critical_context has no argument {unknown[0]}")
    return critical(Setting(accelerator, **conditions), model, draft_k, acceptance)


def best_draft_length(
    accelerator: Accelerator,
    model: Model | None,
    batch: Value,
    context: Value,
    acceptance: Value,
    draft_cost: Value = 0,
    *,
    k_max: int = 16,
    **conditions: Unpack[Conditions],
) -> Value:
    """The k in 0..k_max with the largest `speedup`, the smallest on ties, a count.

    Compare float arrays of it by the speedup that they reach, not by k. Activations, norms, softmax and sampling
    are left out. Source: SmartSpec; Synergy.
    """
    setting = Setting(accelerator, **conditions)
    return best_draft(setting, model, batch, context, acceptance, draft_cost, k_max)


def resident_batch(
    accelerator: Accelerator,
    model: Model,
    context: Value,
    draft_k: Value,
    weight_dtype: str = "bf16",
    kv_dtype: str = "bf16",
    draft: Model | None = None,
    draft_parameters: Value = None,
    chips: Value = 1,
) -> Value:
    """Sequences that fit in memory, a count: floor((capacity - b_w P_total)/(kappa(S + k + 1))), never below 0.

    A draft model's weights and cache are taken off and added; so are the weights of a head, `draft_parameters`.
    Activations, norms, softmax and sampling are left out. Source: derived.
    """
    weights: Value = 0 if draft_parameters is None else divide(draft_parameters * bits_per(weight_dtype), 8)
    cached: Value = 0
    for each in (model, draft):
        if each is not None:
            weights = weights + divide(shapes.total_parameters(each) * bits_per(weight_dtype), 8)
            cached = cached + shapes.kv_bytes_per_token(each, kv_dtype) * (context + draft_k + 1)
    return maximum(floor(divide(accelerator.need("memory_capacity") * chips - weights, cached)), 0)


def overlap_compute_bound_batch(
    accelerator: Accelerator, model: Model, context: Value, new_tokens: Value, **conditions: Unpack[Conditions]
) -> Any:
    """Batch from which a whole overlapped step is bound by compute, a real threshold, or `never`.

    w/((2Pq + 4LHh(qS + q(q + 1)/2))/pi - kappa'(S + q)), w = b_w P/beta. Activations, norms, softmax and sampling
    are left out. Source: derived.
    """
    return overlap_compute_bound(Setting(accelerator, **conditions), model, context, new_tokens)
