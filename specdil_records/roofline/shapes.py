"""What follows from a model's shape alone: parameters, KV bytes, attention work.

Activations, norms, softmax and sampling are left out throughout.
"""
from __future__ import annotations

from typing import Any

from specdil_records.arithmetic import divide
from specdil_records.roofline.formats import bits_per
from specdil_records.roofline.machine import Model

Value = Any


def matmul_parameters(model: Model) -> Value:
    """Weights that a step multiplies with, in parameters (a count).

    P = L(dHh + 2dGh + Hhd + 3df) + Vd. With experts 3df becomes E_x(3df_e + d) in the layers that have them (the
    router included) and 3df_e for each shared expert. The embedding is a gather and norms are left out (so are
    activations, softmax and sampling). Source: JAX scaling book, ch. 4. Raises `MissingValue`.
    """
    if not model.is_moe:
        return always_read_parameters(model)
    return always_read_parameters(model) + model.need("experts") * expert_parameters(model)


def active_parameters(model: Model) -> Value:
    """Weights that one token multiplies with, in parameters (a count): P with K experts in place of E_x.

    The router is multiplied whole. Activations, norms, softmax and sampling are left out. Source: MoESD.
    Raises `MissingValue`.
    """
    if not model.is_moe:
        return always_read_parameters(model)
    return always_read_parameters(model) + model.need("experts_per_token") * expert_parameters(model)


def always_read_parameters(model: Model) -> Value:
    """Weights that every step reads whatever the routing: attention, dense FFNs, shared experts, routers, LM head."""
    layers, d = model.need("layers"), model.need("hidden_size")
    total = layers * attention_parameters(model) + model.need("vocabulary") * d
    if not model.is_moe:
        return total + layers * (3 * d * model.need("ffn_size"))
    shared = 3 * d * _expert_ffn_size(model) * model.shared_experts
    router = model.need("experts") * d
    if model.dense_layers:
        total = total + model.dense_layers * (3 * d * model.need("ffn_size"))
    return total + (layers - model.dense_layers) * (shared + router)


def expert_parameters(model: Model) -> Value:
    """Weights of one routed expert, summed over the layers that have experts."""
    expert_layers = model.need("layers") - model.dense_layers
    return expert_layers * (3 * model.need("hidden_size") * _expert_ffn_size(model))


def _expert_ffn_size(model: Model) -> Value:
    return model.need("ffn_size") if model.expert_ffn_size is None else model.expert_ffn_size


def attention_parameters(model: Model) -> Value:
    """Weights of the attention projections of one layer: query, key, value, output.

    With latent attention: the (maybe compressed) query with its rotary part, the latent with the shared rotary
    key, both expansions of the latent, the output.
    """
    d, heads, h = model.need("hidden_size"), model.need("heads"), model.need("head_size")
    if model.kv_latent_size is None:
        return d * heads * h + 2 * d * model.need("kv_heads") * h + heads * h * d
    latent, rope = model.kv_latent_size, model.need("rope_size")
    per_query = heads * (h + rope)
    query = d * per_query
    if model.query_latent_size is not None:
        query = model.query_latent_size * (d + per_query)
    return query + d * (latent + rope) + latent * heads * (2 * h) + heads * h * d


def total_parameters(model: Model) -> Value:
    """All weights that lie in memory, in parameters (a count): P + Vd + (2L + 1)d, without Vd for tied embeddings.

    Two norms a layer and one at the end. Activations, softmax and sampling state are left out. Source: model
    cards; derived. Raises `MissingValue`.
    """
    d = model.need("hidden_size")
    total = matmul_parameters(model) + (2 * model.need("layers") + 1) * d
    return total if model.tied_embeddings else total + model.need("vocabulary") * d


def kv_bytes_per_token(model: Model, kv_dtype: str = "bf16") -> Value:
    """Bytes that one cached token takes, in byte/token.

    kappa = 2LGh * b_kv: key and value of the KV heads, not of the query heads. With latent attention
    L(latent + rope) * b_kv. Activations, norms, softmax and sampling are left out. Source: JAX scaling book, ch. 7.
    Raises `MissingValue`.
    """
    return model.need("layers") * kv_bytes_per_layer(model, kv_dtype)


def kv_bytes_per_layer(model: Model, kv_dtype: str) -> Value:
    """Bytes that one cached token takes in one layer."""
    if model.kv_latent_size is None:
        values = 2 * model.need("kv_heads") * model.need("head_size")
    else:
        values = model.kv_latent_size + model.need("rope_size")
    return divide(values * bits_per(kv_dtype), 8)


def flops_per_pair(model: Model) -> Value:
    """FLOPs that one query spends on one key in one layer: 4Hh (scores and values), or 2H(2 latent + rope)."""
    if model.kv_latent_size is None:
        return 4 * model.need("heads") * model.need("head_size")
    return 2 * model.need("heads") * (2 * model.kv_latent_size + model.need("rope_size"))

