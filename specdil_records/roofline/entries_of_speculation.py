"""Catalogue entries: acceptance, speculative steps and their thresholds."""
from __future__ import annotations

from math import inf

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.roofline import acceptance, speculative
from specdil_records.roofline.entry import SECOND, Entry, falling, rising, takes

TOKEN = Dimension(token=1)

_ONE_DRAFT = {"draft_k": {"least": 1}}
_CONDITIONS = (
    "dtype weight_dtype kv_dtype level mode kv_reread draft step_overhead compute_efficiency memory_efficiency"
    " draft_parameters speculation_overhead chips latency"
)
_POINT = "accelerator model batch context draft_k acceptance"
_FASTER = (
    "accelerator.peaks accelerator.memory_bandwidth accelerator.interconnect_bandwidth"
    " compute_efficiency memory_efficiency"
)
_SLOWER = "context draft_cost draft_parameters kv_reread step_overhead speculation_overhead latency"
_COMPUTE = "accelerator.peaks compute_efficiency"
_MEMORY = "accelerator.memory_bandwidth memory_efficiency"
_OVERHEADS = ("step_overhead", "speculation_overhead", "chips")
_OWN_COST = ("draft", "draft_parameters", *_OVERHEADS)

ACCEPTANCE = (
    Entry(
        "expected_tokens", takes("draft_k acceptance"), PURE, "E = sum of a^i for i = 0..k",
        "Leviathan et al. 2023, eq. 1", "rational", "tokens per step, bonus token included",
        acceptance.expected_tokens, rising("draft_k acceptance"),
    ),
    Entry(
        "mean_accepted_length", takes("draft_k acceptance"), PURE, "E, the bonus token included",
        "EAGLE; vLLM metrics (1 + accepted/drafts)", "rational", "the same as expected_tokens",
        acceptance.expected_tokens, rising("draft_k acceptance"),
    ),
    Entry(
        "expected_tokens.from_rates", takes("rates"), PURE, "1 + sum of p_i", "vLLM metrics", "rational",
        "tokens per step from unconditional rates by position", acceptance.tokens_from_rates, rising("rates"),
    ),
    Entry(
        "expected_tokens.from_conditional_rates", takes("rates"), PURE, "1 + sum of products of a_j",
        "Leviathan et al. 2023, eq. 1, by position", "rational",
        "tokens per step from rates given that all before were accepted",
        acceptance.tokens_from_conditional_rates, rising("rates"),
    ),
    Entry(
        "expected_tokens.from_paths", takes("rates"), PURE, "1 + sum of path probabilities", "MagicDec; EAGLE-2",
        "rational", "tokens per step of a tree from the probability of each node's path",
        acceptance.tokens_from_rates, rising("rates"),
    ),
    Entry(
        "accepted_fraction", takes("draft_k acceptance", **_ONE_DRAFT), PURE, "(E - 1)/k",
        "derived from Leviathan et al. 2023", "rational", "accepted over drafted tokens; not the acceptance rate",
        acceptance.accepted_fraction, rising("acceptance") | falling("draft_k"),
    ),
    Entry(
        "acceptance_from_length", takes("draft_k mean_accepted_length", **_ONE_DRAFT), PURE,
        "a with sum of a^i = length", "Leviathan et al. 2023, eq. 1, turned round", "enclosed",
        "acceptance rate from a mean accepted length", acceptance.acceptance_from_length,
        rising("mean_accepted_length") | falling("draft_k"), per_point=True,
    ),
    Entry(
        "leviathan.speedup", takes("draft_k acceptance draft_cost"), PURE, "E/(kc + 1)",
        "Leviathan et al. 2023, theorem 3.8", "rational", "walltime improvement while compute is idle",
        acceptance.leviathan_speedup, rising("acceptance") | falling("draft_cost"),
    ),
    Entry(
        "leviathan.operations", takes("draft_k acceptance draft_cost"), PURE, "(kc + k + 1)/E",
        "Leviathan et al. 2023, theorem 3.11", "rational", "growth of operations per token",
        acceptance.leviathan_operations, rising("draft_cost") | falling("acceptance"),
    ),
)

STEPS = (
    Entry(
        "speedup", takes(f"{_POINT} draft_cost {_CONDITIONS}"), PURE,
        "E(T(1) + T0)/(T(k + 1) + T_draft + T0 + T_overhead)", "MagicDec, eq. 1", "piecewise",
        "throughput with speculation over throughput without", speculative.speedup,
        rising("acceptance step_overhead")
        | falling("draft_cost draft_parameters speculation_overhead kv_reread"),
        rising(_COMPUTE) | falling(_MEMORY), _OWN_COST,
    ),
    Entry(
        "tree.speedup",
        takes(f"accelerator model batch context new_tokens mean_accepted_length draft_cost {_CONDITIONS} pairs"),
        PURE, "speedup with E and pairs of a tree of q - 1 nodes", "MagicDec, eq. 1 and blog", "piecewise",
        "throughput with tree speculation over throughput without", speculative.tree_speedup,
        rising("mean_accepted_length")
        | falling("draft_cost draft_parameters speculation_overhead kv_reread pairs"),
    ),
    Entry(
        "chunked_prefill.speedup",
        takes("accelerator batch draft_k acceptance prefill_tokens dtype weight_dtype"), PURE,
        "E max(B + n_p, n)/max(B(k + 1) + n_p, n)", "derived", "piecewise",
        "speedup with a chunk of prompt in every step, weights only", speculative.chunked_prefill_speedup,
        rising("acceptance accelerator.peaks") | falling("accelerator.memory_bandwidth batch"),
    ),
    Entry(
        "throughput", takes(f"{_POINT} draft_cost {_CONDITIONS}"), TOKEN / SECOND, "B E/T_step", "derived",
        "piecewise", "tokens per second of the whole batch", speculative.throughput,
        rising(f"{_FASTER} batch acceptance") | falling(_SLOWER),
    ),
    Entry(
        "tpot", takes(f"{_POINT} draft_cost {_CONDITIONS}"), SECOND / TOKEN, "T_step/E", "derived", "piecewise",
        "seconds per token of one sequence", speculative.tpot,
        rising(f"{_SLOWER} batch") | falling(f"{_FASTER} acceptance"),
    ),
    Entry(
        "energy_per_token", takes(f"{_POINT} draft_cost {_CONDITIONS}"), Dimension(joule=1, token=-1),
        "TDP T_step/(B E)", "derived", "piecewise", "joules per token at full board power, an upper bound",
        speculative.energy_per_token,
        rising(f"{_SLOWER} accelerator.tdp") | falling(f"{_FASTER} batch acceptance"),
    ),
    Entry(
        "cost_per_million_tokens", takes(f"{_POINT} price_per_hour draft_cost {_CONDITIONS}"), PURE,
        "price/3600/throughput * 10^6", "derived", "piecewise", "price of a million tokens",
        speculative.cost_per_million_tokens,
        rising(f"{_SLOWER} price_per_hour") | falling(f"{_FASTER} batch acceptance"),
    ),
)

THRESHOLDS = (
    Entry(
        "break_even_batch",
        takes(f"accelerator model context draft_k acceptance draft_cost {_CONDITIONS} batch_max", **_ONE_DRAFT),
        PURE, "W: nE/(k + 1); WK: Ew/(qc' + kappa'(S + q) - E kappa'(S + 1)) and two branches", "derived",
        "piecewise", "batch up to which speculation does not cost throughput", speculative.break_even_batch,
        rising(f"acceptance step_overhead accelerator.interconnect_bandwidth {_COMPUTE}")
        | falling("draft_cost speculation_overhead kv_reread draft_parameters"),
        falling(_MEMORY), _OVERHEADS, result="answer", per_point=True, floats_for={"always": inf, "never": 0.0},
    ),
    Entry(
        "critical_context",
        takes(
            "accelerator model draft_k acceptance dtype weight_dtype kv_dtype kv_reread draft compute_efficiency"
            " memory_efficiency draft_parameters", **_ONE_DRAFT,
        ),
        PURE, "((q - E)(c' + kappa') + k(c'_d + kappa'_d))/((E - mu) kappa' - k kappa'_d)", "derived", "piecewise",
        "context beyond which speculation pays at every large batch", speculative.critical_context,
        rising(f"kv_reread draft_parameters {_MEMORY}") | falling(f"acceptance {_COMPUTE}"),
        result="answer", per_point=True, floats_for={"never": inf},
    ),
    Entry(
        "best_draft_length",
        takes(f"accelerator model batch context acceptance draft_cost {_CONDITIONS} k_max"), PURE,
        "argmax over k of speedup", "SmartSpec; Synergy", "scanned", "draft length with the largest speedup",
        speculative.best_draft_length, rising("acceptance"), rising(_COMPUTE) | falling(_MEMORY), _OWN_COST,
        result="whole", per_point=True,
    ),
    Entry(
        "resident_batch",
        takes(
            "accelerator model context draft_k weight_dtype kv_dtype draft draft_parameters chips",
            weight_dtype={"default": "bf16"},
        ),
        PURE, "floor((capacity - b_w P_total)/(kappa(S + k + 1)))", "derived", "piecewise",
        "sequences that fit in memory", speculative.resident_batch,
        rising("accelerator.memory_capacity chips") | falling("context draft_k draft_parameters"), result="whole",
    ),
    Entry(
        "overlap_compute_bound_batch",
        takes(
            "accelerator model context new_tokens dtype weight_dtype kv_dtype kv_reread compute_efficiency"
            " memory_efficiency"
        ),
        PURE, "w/((2Pq + 4LHh(qS + q(q + 1)/2))/pi - kappa'(S + q))", "derived", "piecewise",
        "batch from which a whole overlapped step is bound by compute", speculative.overlap_compute_bound_batch,
        rising(f"kv_reread {_COMPUTE}") | falling(_MEMORY),
        result="answer", per_point=True, floats_for={"never": inf},
    ),
)

ENTRIES = (*ACCEPTANCE, *STEPS, *THRESHOLDS)
