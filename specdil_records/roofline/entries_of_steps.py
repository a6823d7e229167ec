"""Catalogue entries: intensities, shapes, the ridge, and one step."""
from __future__ import annotations

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.roofline import intensity, moe, shapes, steps
from specdil_records.roofline.entry import SECOND, Entry, falling, rising, takes

INTENSITY = Dimension(flop=1, byte=-1)
FLOP = Dimension(flop=1)
BYTE = Dimension(byte=1)
BYTES_PER_TOKEN = Dimension(byte=1, token=-1)

_B16 = {"weight_dtype": {"default": "bf16"}}
_STEP = "accelerator model batch context new_tokens"
_FORMATS = "dtype weight_dtype kv_dtype level mode kv_reread compute_efficiency memory_efficiency"
_MACHINE = "accelerator.peaks accelerator.memory_bandwidth compute_efficiency memory_efficiency"

INTENSITIES = (
    Entry(
        "decode.intensity", takes("batch weight_dtype", **_B16), INTENSITY, "2B/b_w",
        "Williams et al. 2009; JAX scaling book, ch. 7", "rational", "intensity of a decode step, weights only",
        intensity.decode_intensity, rising("batch"),
    ),
    Entry(
        "additive.intensity", takes("batch draft_k weight_dtype", **_B16), INTENSITY, "2(B + k)/b_w",
        "the seed record", "rational", "intensity if k drafts are added to the whole step, weights only",
        intensity.additive_intensity, rising("batch draft_k"),
    ),
    Entry(
        "additive.gain", takes("batch draft_k"), PURE, "k/B", "the seed record", "rational",
        "relative gain in intensity of the additive model",
        intensity.additive_gain, rising("draft_k") | falling("batch"),
    ),
    Entry(
        "verify.intensity", takes("batch draft_k weight_dtype", **_B16), INTENSITY, "2B(k + 1)/b_w",
        "Leviathan et al. 2023, section 3.4; MagicDec; Medusa, table 8", "rational",
        "intensity of a verify step, weights only", intensity.verify_intensity, rising("batch draft_k"),
    ),
    Entry(
        "verify.gain", takes("batch draft_k"), PURE, "k", "Leviathan et al. 2023, section 3.4", "rational",
        "relative gain in intensity of a verify step, weights only", intensity.verify_gain, rising("draft_k"),
    ),
    Entry(
        "draft_budget.tokens", takes("batch draft_budget"), PURE, "B + D", "vLLM adaptive verification", "rational",
        "tokens of a verify step that drafts D in all", intensity.budget_tokens, rising("batch draft_budget"),
    ),
    Entry(
        "draft_budget.intensity", takes("batch draft_budget weight_dtype", **_B16), INTENSITY, "2(B + D)/b_w",
        "vLLM adaptive verification", "rational", "intensity of a verify step that drafts D in all, weights only",
        intensity.budget_intensity, rising("batch draft_budget"),
    ),
    Entry(
        "medusa.linear_intensity", takes("model batch new_tokens"), INTENSITY, "mhi/(mh + hi + mi), m = Bq",
        "Medusa, appendix G", "rational", "intensity of one FFN matrix with its activations, 16 bit",
        intensity.medusa_linear_intensity, rising("batch new_tokens"),
    ),
    Entry(
        "medusa.attention_intensity", takes("model context new_tokens", context={"least": 1}), INTENSITY,
        "qsd/(qd + sd + qs)", "Medusa, appendix G", "rational", "intensity of a score matrix, 16 bit",
        intensity.medusa_attention_intensity, rising("context new_tokens"),
    ),
    Entry(
        "medusa.draft_cost", takes("model draft_k"), PURE, "k(d^2 + dV)/P", "Medusa; derived", "rational",
        "cost of k Medusa heads in target steps", intensity.medusa_draft_cost, rising("draft_k"),
    ),
    Entry(
        "ridge", takes("accelerator dtype"), INTENSITY, "pi/beta", "Williams et al. 2009", "rational",
        "intensity at which compute and memory take equally long", intensity.ridge,
        rising("accelerator.peaks") | falling("accelerator.memory_bandwidth"),
    ),
    Entry(
        "ridge_tokens", takes("accelerator dtype weight_dtype"), PURE, "n = pi b_w/(2 beta)",
        "Williams et al. 2009; JAX scaling book, ch. 7", "rational",
        "tokens at which the weights' reads take as long as their FLOPs", intensity.ridge_tokens,
        rising("accelerator.peaks") | falling("accelerator.memory_bandwidth"),
    ),
    Entry(
        "compute_bound_batch", takes("accelerator draft_k dtype weight_dtype"), PURE, "n/(k + 1)", "derived",
        "rational", "batch beyond which a verify step is bound by compute, weights only",
        intensity.compute_bound_batch,
        rising("accelerator.peaks") | falling("accelerator.memory_bandwidth draft_k"),
    ),
)

SHAPES = (
    Entry(
        "matmul_parameters", takes("model"), PURE, "P = L(dHh + 2dGh + Hhd + 3df) + Vd", "JAX scaling book, ch. 4",
        "rational", "weights that a step multiplies with (all experts)", shapes.matmul_parameters,
    ),
    Entry(
        "active_parameters", takes("model"), PURE, "P with K experts in place of E_x", "MoESD", "rational",
        "weights that one token multiplies with", shapes.active_parameters,
    ),
    Entry(
        "total_parameters", takes("model"), PURE, "P + Vd + (2L + 1)d; without Vd if tied", "model cards; derived",
        "rational", "weights that lie in memory", shapes.total_parameters,
    ),
    Entry(
        "kv_bytes_per_token", takes("model kv_dtype"), BYTES_PER_TOKEN, "kappa = 2LGh b_kv",
        "JAX scaling book, ch. 7", "rational", "bytes of one cached token", shapes.kv_bytes_per_token,
    ),
    Entry(
        "moe.distinct_experts", takes("model tokens"), PURE, "E_x(1 - (1 - K/E_x)^n)", "MoESD", "enclosed",
        "distinct experts per layer that n independent tokens touch", moe.distinct_experts, rising("tokens"),
    ),
)

STEPS = (
    Entry(
        "step.flops", takes("model batch context new_tokens level pairs"), FLOP,
        "2PBq + 4LHhB(qS + q(q + 1)/2)", "MagicDec, table 1", "rational", "FLOPs of a step", steps.step_flops,
        rising("batch context new_tokens pairs"),
    ),
    Entry(
        "step.bytes",
        takes("model batch context new_tokens weight_dtype kv_dtype level kv_reread", **_B16), BYTE,
        "b_w P + kappa B(mu S + q), mu = min(kv_reread, q)", "Leviathan et al. 2023, section 3.4; vLLM issue 17984",
        "piecewise", "bytes that a step reads", steps.step_bytes, rising("batch context new_tokens kv_reread"),
    ),
    Entry(
        "step.intensity",
        takes("model batch context new_tokens weight_dtype kv_dtype level kv_reread pairs", **_B16), INTENSITY,
        "step.flops / step.bytes", "Williams et al. 2009; JAX scaling book, ch. 7", "piecewise",
        "intensity of a whole step", steps.step_intensity, rising("batch pairs") | falling("kv_reread"),
    ),
    Entry(
        "step.time", takes(f"{_STEP} {_FORMATS} chips latency pairs"), SECOND,
        "max(F_lin/pi, D_w/beta) + max(F_att/pi, D_kv/beta); overlap: max of sums; serial: sum of both",
        "JAX scaling book, ch. 1 and 7", "piecewise", "seconds of a step", steps.step_time,
        rising("batch context new_tokens kv_reread latency pairs")
        | falling(f"{_MACHINE} accelerator.interconnect_bandwidth"),
    ),
    Entry(
        "step.bound",
        takes("accelerator model batch new_tokens dtype weight_dtype compute_efficiency memory_efficiency"), PURE,
        "compute iff F_lin/pi > D_w/beta", "Williams et al. 2009", "piecewise",
        "which term decides the linear layers", steps.step_bound, result="word",
    ),
    Entry(
        "intensity_ceiling", takes("model context new_tokens kv_dtype"), INTENSITY,
        "(2Pq + 4LHh(qS + q(q + 1)/2))/(kappa(S + q))", "derived", "rational",
        "intensity that a step tends to as the batch grows", steps.intensity_ceiling, rising("new_tokens"),
    ),
    Entry(
        "chain_pairs", takes("new_tokens"), PURE, "q(q + 1)/2", "MagicDec, table 1", "rational",
        "pairs of new tokens that see each other in a chain", steps.chain_pairs, rising("new_tokens"),
    ),
    Entry(
        "all_reduce_time", takes(
            "accelerator model batch new_tokens chips latency activation_dtype", chips={"default": 2}
        ), SECOND,
        "2L(latency + 2(p - 1)/p * Bqd b_a/link), link half of the aggregate", "JAX scaling book, ch. 7; derived",
        "rational", "seconds of a step's all-reduces", steps.all_reduce_time,
        rising("batch new_tokens chips latency") | falling("accelerator.interconnect_bandwidth"),
    ),
    Entry(
        "prefill.flops", takes("model batch new_tokens"), FLOP, "2(P - Vd)Bn + 2VdB + 4LHhB n(n + 1)/2",
        "JAX scaling book, ch. 7; derived", "rational", "FLOPs of reading prompts of n tokens",
        steps.prefill_flops, rising("batch new_tokens"),
    ),
    Entry(
        "prefill.time", takes(
            "accelerator model batch new_tokens dtype weight_dtype kv_dtype mode compute_efficiency memory_efficiency"
        ), SECOND,
        "step.time with prefill.flops", "JAX scaling book, ch. 7; derived", "piecewise",
        "seconds of reading prompts of n tokens", steps.prefill_time, rising("batch new_tokens") | falling(_MACHINE),
    ),
)

ENTRIES = (*INTENSITIES, *SHAPES, *STEPS)
