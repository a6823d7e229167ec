"""Closed forms of the roofline of speculative decoding, and a catalogue of them.

Pure functions, SI units, one definition for exact numbers, intervals, exact grids and float arrays. FLOP, byte,
second; one multiply-accumulate is two FLOPs; dense peaks; GB is 10**9. Bytes are those of weights and KV cache:
activations, norms, softmax and sampling are left out.

    >>> from specdil_records.roofline import CATALOGUE, call
    >>> call(CATALOGUE["verify.intensity"], 32, 4)
    160
"""
from __future__ import annotations

from specdil_records.roofline.acceptance import (
    acceptance_from_length,
    accepted_fraction,
    expected_tokens,
    leviathan_operations,
    leviathan_speedup,
    tokens_from_conditional_rates,
    tokens_from_rates,
)
from specdil_records.roofline.answers import NEVER, Answer
from specdil_records.roofline.calling import answer, call, declared_monotony
from specdil_records.roofline.catalogue import CATALOGUE, signature
from specdil_records.roofline.entry import PARAMETERS, REQUIRED, Entry, Parameter
from specdil_records.roofline.errors import CatalogueError, MissingValue, NoNumber, Undecided
from specdil_records.roofline.formats import DTYPES, LEVELS, MODES, bytes_per
from specdil_records.roofline.intensity import (
    additive_gain,
    additive_intensity,
    compute_bound_batch,
    decode_intensity,
    medusa_attention_intensity,
    medusa_draft_cost,
    medusa_heads_parameters,
    medusa_linear_intensity,
    ridge,
    ridge_tokens,
    verify_gain,
    verify_intensity,
)
from specdil_records.roofline.machine import Accelerator, Model, in_floats
from specdil_records.roofline.moe import distinct_experts
from specdil_records.roofline.shapes import (
    active_parameters,
    kv_bytes_per_token,
    matmul_parameters,
    total_parameters,
)
from specdil_records.roofline.speculative import (
    best_draft_length,
    break_even_batch,
    chunked_prefill_speedup,
    cost_per_million_tokens,
    critical_context,
    energy_per_token,
    overlap_compute_bound_batch,
    resident_batch,
    speedup,
    throughput,
    tpot,
    tree_speedup,
)
from specdil_records.roofline.steps import (
    all_reduce_time,
    intensity_ceiling,
    prefill_flops,
    prefill_time,
    step_bound,
    step_bytes,
    step_flops,
    step_intensity,
    step_time,
)

__all__ = [
    "CATALOGUE",
    "DTYPES",
    "LEVELS",
    "MODES",
    "NEVER",
    "PARAMETERS",
    "REQUIRED",
    "Accelerator",
    "Answer",
    "CatalogueError",
    "Entry",
    "MissingValue",
    "Model",
    "NoNumber",
    "Parameter",
    "Undecided",
    "acceptance_from_length",
    "accepted_fraction",
    "active_parameters",
    "additive_gain",
    "additive_intensity",
    "all_reduce_time",
    "answer",
    "best_draft_length",
    "break_even_batch",
    "bytes_per",
    "call",
    "chunked_prefill_speedup",
    "compute_bound_batch",
    "cost_per_million_tokens",
    "critical_context",
    "declared_monotony",
    "decode_intensity",
    "distinct_experts",
    "energy_per_token",
    "expected_tokens",
    "in_floats",
    "intensity_ceiling",
    "kv_bytes_per_token",
    "leviathan_operations",
    "leviathan_speedup",
    "matmul_parameters",
    "medusa_attention_intensity",
    "medusa_draft_cost",
    "medusa_heads_parameters",
    "medusa_linear_intensity",
    "overlap_compute_bound_batch",
    "prefill_flops",
    "prefill_time",
    "resident_batch",
    "ridge",
    "ridge_tokens",
    "signature",
    "speedup",
    "step_bound",
    "step_bytes",
    "step_flops",
    "step_intensity",
    "step_time",
    "throughput",
    "tokens_from_conditional_rates",
    "tokens_from_rates",
    "total_parameters",
    "tpot",
    "tree_speedup",
    "verify_gain",
    "verify_intensity",
]
