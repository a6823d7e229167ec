"""Arithmetic intensities and the ridge: what the small closed forms say, weights only.

Activations, norms, softmax and sampling are left out of every one of them.
"""
from __future__ import annotations

from typing import Any

from specdil_records.arithmetic import divide
from specdil_records.roofline import shapes
from specdil_records.roofline.formats import bits_per
from specdil_records.roofline.machine import Accelerator, Model

Value = Any


def decode_intensity(batch: Value, weight_dtype: str = "bf16") -> Value:
    """FLOP/byte of a decode step, weights only: 2B/b_w, so B at 16 bit (operational intensity, as Williams has it).

    Activations, norms, softmax and sampling are left out. Source: Williams et al. 2009; JAX scaling book, ch. 7.
    """
    return divide(16 * batch, bits_per(weight_dtype))


def additive_intensity(batch: Value, draft_k: Value, weight_dtype: str = "bf16") -> Value:
    """FLOP/byte when k drafts are added to the whole step: 2(B + k)/b_w.

    The model of the record that started this project; exact only if the k drafts are shared by the batch, as at
    B = 1. Activations, norms, softmax and sampling are left out. Source: the seed record.
    """
    return decode_intensity(batch + draft_k, weight_dtype)


def additive_gain(batch: Value, draft_k: Value) -> Value:
    """Relative gain in intensity of the additive model, pure: k/B.

    Activations, norms, softmax and sampling are left out. Source: the seed record.
    """
    return divide(draft_k, batch)


def verify_intensity(batch: Value, draft_k: Value, weight_dtype: str = "bf16") -> Value:
    """FLOP/byte of a verify step, weights only: 2B(k + 1)/b_w; every sequence verifies k + 1 tokens in one read.

    Activations, norms, softmax and sampling are left out. Source: Leviathan et al. 2023, section 3.4; MagicDec;
    Medusa, table 8.
    """
    return decode_intensity(batch * (draft_k + 1), weight_dtype)


def verify_gain(batch: Value, draft_k: Value) -> Value:
    """Relative gain in intensity of a verify step over decode, weights only, pure: k, whatever the batch.

    Activations, norms, softmax and sampling are left out. Source: Leviathan et al. 2023, section 3.4.
    """
    del batch
    return draft_k


def budget_tokens(batch: Value, draft_budget: Value) -> Value:
    """Tokens of a verify step that drafts D tokens in all, a count: B + D.

    D = k is the additive model, D = Bk the verify model. Activations, norms, softmax and sampling are left out.
    Source: vLLM's adaptive verification.
    """
    return batch + draft_budget


def budget_intensity(batch: Value, draft_budget: Value, weight_dtype: str = "bf16") -> Value:
    """FLOP/byte of a verify step that drafts D tokens in all, weights only: 2(B + D)/b_w.

    Activations, norms, softmax and sampling are left out. Source: vLLM's adaptive verification.
    """
    return decode_intensity(budget_tokens(batch, draft_budget), weight_dtype)


def ridge(accelerator: Accelerator, dtype: str = "bf16") -> Value:
    """FLOP/byte at which compute and memory take equally long: dense peak / bandwidth.

    A property of the chip: activations, norms, softmax and sampling do not enter. Source: Williams et al. 2009.
    Raises `MissingValue`.
    """
    return divide(accelerator.peak(dtype), accelerator.need("memory_bandwidth"))


def ridge_tokens(accelerator: Accelerator, dtype: str = "bf16", weight_dtype: str | None = None) -> Value:
    """Tokens of a step at which its weights' reads take as long as its FLOPs, a count: n = peak * b_w/(2 bandwidth).

    Activations, norms, softmax and sampling are left out. Source: Williams et al. 2009; JAX scaling book, ch. 7.
    Raises `MissingValue`.
    """
    return divide(ridge(accelerator, dtype) * bits_per(weight_dtype or dtype), 16)


def compute_bound_batch(
    accelerator: Accelerator, draft_k: Value, dtype: str = "bf16", weight_dtype: str | None = None
) -> Value:
    """Batch beyond which a verify step's linear layers are compute-bound, a real threshold: n/(k + 1).

    Activations, norms, softmax and sampling are left out. Source: derived. Raises `MissingValue`.
    """
    return divide(ridge_tokens(accelerator, dtype, weight_dtype), draft_k + 1)


def medusa_linear_intensity(model: Model, batch: Value, new_tokens: Value) -> Value:
    """FLOP/byte of one FFN matrix with its activations, 16 bit: m h i/(m h + h i + m i), m = b q.

    Medusa's letters: h hidden size, i FFN size. Counts the matrix's own input and output; norms, softmax and
    sampling are left out. Source: Medusa, appendix G. Raises `MissingValue`.
    """
    m, h, i = batch * new_tokens, model.need("hidden_size"), model.need("ffn_size")
    return divide(m * h * i, m * h + h * i + m * i)


def medusa_attention_intensity(model: Model, context: Value, new_tokens: Value) -> Value:
    """FLOP/byte of a score matrix with its inputs and output, 16 bit: q s d/(q d + s d + q s), whatever the batch.

    Medusa's letters: s context, d head size. Every head has its own cache. Norms, softmax and sampling are left
    out. Source: Medusa, appendix G. Raises `MissingValue`.
    """
    q, s, d = new_tokens, context, model.need("head_size")
    return divide(q * s * d, q * d + s * d + q * s)


def medusa_heads_parameters(model: Model, draft_k: Value) -> Value:
    """Weights of k Medusa heads, each a square layer and an LM head: k(d**2 + dV)."""
    d = model.need("hidden_size")
    return draft_k * (d * d + d * model.need("vocabulary"))


def medusa_draft_cost(model: Model, draft_k: Value) -> Value:
    """Cost of k Medusa heads in target steps, pure: k(d**2 + dV)/P, run once a step.

    For `draft_cost`, which is per drafted token, divide by k. Activations, norms, softmax and sampling are left
    out. Source: Medusa; derived. Raises `MissingValue`.
    """
    return divide(medusa_heads_parameters(model, draft_k), shapes.matmul_parameters(model))
