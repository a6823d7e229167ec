"""Every row of the reference table, in exact arithmetic, to 1e-12."""
from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, upper
from specdil_records.roofline import CATALOGUE, Answer, answer, call
from tests.roofline.samples import A100, H100, LLAMA_2_7B, MIXTRAL

TABLE = Path(__file__).parent / "data" / "roofline_points.csv"
CHIPS = {"H100-SXM": H100, "A100-80GB-PCIe": A100, "": H100}
MODELS = {"Llama-2-7B": LLAMA_2_7B, "Mixtral-8x7B": MIXTRAL, "": LLAMA_2_7B}
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
EXPECTED_ROWS = {
    "hardware": 14, "model": 10, "expected_tokens": 126, "threshold_weights_only": 128, "capacity": 2,
    "speedup": 192, "critical_context": 6, "ai_ceiling": 12, "kv_compute_onset": 24, "threshold_with_kv": 18,
    "moe_distinct_experts": 3, "seed_vs_physical": 20, "speedup_kv_reread": 36, "moe_speedup": 5,
    "k_opt_weights_only": 44, "draft_cost": 4,
}


class Row:
    """One row with its columns as numbers, and the conditions that the level and mode columns mean."""

    def __init__(self, row: dict[str, str]) -> None:
        self.text = row
        self.chip, self.model = CHIPS[row["accelerator"]], MODELS[row["model"]]
        self.batch, self.context, self.k = (self.whole(each) for each in ("batch", "context", "draft_k"))
        self.alpha = Fraction(row["acceptance"] or 0)
        self.level: dict[str, Any] = {"level": "WK" if row["level"] == "WKX" else row["level"] or "WK"}
        self.mode: dict[str, Any] = {"mode": row["mode"] or "operator"}
        self.reread: dict[str, Any] = {"kv_reread": self.k + 1} if row["level"] == "WKX" else {}

    def whole(self, name: str) -> int:
        return int(self.text[name] or 0)

    def speedup(self) -> Any:
        return of(
            "speedup", self.chip, self.model, self.batch, self.context, self.k, self.alpha,
            **self.level, **self.mode, **self.reread,
        )

    def seconds(self, new_tokens: int) -> Any:
        conditions = self.level | self.mode | self.reread
        return of("step.time", self.chip, self.model, self.batch, self.context, new_tokens, **conditions)

    def step(self, name: str, new_tokens: int) -> Any:
        return of(name, self.model, self.batch, self.context, new_tokens, **self.level)

    def break_even(self, **conditions: Any) -> Any:
        return of(
            "break_even_batch", self.chip, self.model, self.context, self.k, self.alpha, **self.level, **conditions
        )

    def tokens_at_the_ridge(self, weight_dtype: str) -> Any:
        return of("ridge_tokens", self.chip, weight_dtype=weight_dtype)

    def best_length(self) -> Any:
        return of(
            "best_draft_length", self.chip, None, self.batch, 0, self.alpha, level="W", k_max=400
        )


def of(name: str, *args: Any, **kwargs: Any) -> Any:
    return call(CATALOGUE[name], *args, **kwargs)


COMPUTED: dict[str, Callable[[Row], Any]] = {
    "peak_bf16_dense": lambda r: r.chip.peak("bf16"),
    "hbm_bandwidth": lambda r: r.chip.memory_bandwidth,
    "hbm_capacity": lambda r: r.chip.memory_capacity,
    "ridge": lambda r: of("ridge", r.chip),
    "ridge_tokens_w16a16": lambda r: r.tokens_at_the_ridge("bf16"),
    "ridge_tokens_w8a16": lambda r: r.tokens_at_the_ridge("int8"),
    "ridge_tokens_w4a16": lambda r: r.tokens_at_the_ridge("int4"),
    "P_mm": lambda r: of("matmul_parameters", r.model),
    "P_total": lambda r: of("total_parameters", r.model),
    "kv_bytes_per_token_bf16": lambda r: of("kv_bytes_per_token", r.model),
    "L": lambda r: r.model.layers,
    "d": lambda r: r.model.hidden_size,
    "H": lambda r: r.model.heads,
    "G": lambda r: r.model.kv_heads,
    "h": lambda r: r.model.head_size,
    "f": lambda r: r.model.ffn_size,
    "V": lambda r: r.model.vocabulary,
    "E": lambda r: of("expected_tokens", r.k, r.alpha),
    "B_c_ar": lambda r: of("compute_bound_batch", r.chip, 0),
    "B_c_verify": lambda r: of("compute_bound_batch", r.chip, r.k),
    "B_breakeven_max": lambda r: r.break_even(),
    "B_breakeven_sum": lambda r: r.break_even(mode="serial"),
    "B_breakeven": lambda r: r.break_even(**r.mode),
    "B_max_resident": lambda r: of("resident_batch", r.chip, r.model, r.context, r.k),
    "S": Row.speedup,
    "T_ar": lambda r: r.seconds(1),
    "T_verify": lambda r: r.seconds(r.k + 1),
    "AI_ar": lambda r: r.step("step.intensity", 1),
    "AI_verify": lambda r: r.step("step.intensity", r.k + 1),
    "F_ar": lambda r: r.step("step.flops", 1),
    "F_verify": lambda r: r.step("step.flops", r.k + 1),
    "D_ar": lambda r: r.step("step.bytes", 1),
    "D_verify": lambda r: r.step("step.bytes", r.k + 1),
    "linear_bound_verify": lambda r: of("step.bound", r.chip, r.model, r.batch, r.k + 1),
    "S_crit": lambda r: of("critical_context", r.chip, r.model, r.k, r.alpha),
    "AI_inf": lambda r: of("intensity_ceiling", r.model, r.context, r.k + 1),
    "B_c_step_max": lambda r: of("overlap_compute_bound_batch", r.chip, r.model, r.context, r.k + 1),
    "E_act": lambda r: of("moe.distinct_experts", r.model, r.batch),
    "seed_AI_spec": lambda r: of("additive.intensity", r.batch, r.k),
    "physical_AI_spec": lambda r: of("verify.intensity", r.batch, r.k),
    "seed_gain": lambda r: of("additive.gain", r.batch, r.k),
    "physical_gain": lambda r: of("verify.gain", r.batch, r.k),
    "k_opt": Row.best_length,
    "S_at_k_opt": Row.speedup,
    "c_medusa_step": lambda r: of("medusa.draft_cost", r.model, r.k),
}
INFINITE = {"B_breakeven": "always", "B_c_step_max": "never"}


def test_no_row_is_lost() -> None:
    assert Counter(row["table"] for row in ROWS) == EXPECTED_ROWS
    assert len(ROWS) == 644
    assert {row["quantity"] for row in ROWS} == set(COMPUTED)


@pytest.mark.parametrize("table", sorted(EXPECTED_ROWS))
def test_a_table_of_reference_points(table: str) -> None:
    compared = 0
    for text in ROWS:
        if text["table"] != table:
            continue
        found, printed = COMPUTED[text["quantity"]](Row(text)), text["value"]
        if printed == "inf":
            assert isinstance(found, Answer), text
            assert found.kind == INFINITE[text["quantity"]], text
        elif isinstance(found, str):
            assert found == printed, text
        else:
            assert isinstance(found, int | Fraction), text
            assert abs(found - Fraction(printed)) <= Fraction(printed) / 10**12, text
        compared += 1
    assert compared == EXPECTED_ROWS[table]


def test_the_ranges_stand_beside_the_crossing() -> None:
    found = answer(CATALOGUE["break_even_batch"], H100, LLAMA_2_7B, 16, 4, Fraction(4, 5))
    assert found.ranges == ((1, 216),)
    assert found.kind == "batches"


def test_very_long_steps_of_experts_are_enclosed() -> None:
    found = of("moe.distinct_experts", MIXTRAL, 100000)
    assert isinstance(found, Interval)
    assert upper(found) == 8
    assert found.width < Fraction(1, 2**200)
