"""Random calls of catalogue entries: every parameter has a strategy, so that a new entry is covered or fails."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from specdil_records.arithmetic import Interval
from specdil_records.roofline import DTYPES, LEVELS, MODES, Entry, Model, call
from tests.roofline.samples import CHIPS, DENSE_MODELS, EXPERT_MODELS, TINY_LLAMA

Arguments = dict[str, Any]


def fractions(low: Any, high: Any, denominator: int = 40) -> st.SearchStrategy[Fraction]:
    return st.fractions(low, high, max_denominator=denominator)


def mostly(default: Any, other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(default), st.just(default), st.just(default), other)


STORED = st.sampled_from(["bf16", "fp8", "int4", "fp32"])
STRATEGIES: Mapping[str, st.SearchStrategy[Any]] = {
    "accelerator": st.sampled_from(list(CHIPS.values())),
    "model": st.sampled_from(DENSE_MODELS + DENSE_MODELS + EXPERT_MODELS),
    "batch": st.one_of(st.integers(1, 8), st.integers(1, 64), st.integers(1, 400)),
    "context": st.one_of(st.integers(0, 200), st.integers(0, 100000)),
    "new_tokens": st.integers(1, 9),
    "draft_k": st.integers(0, 8),
    "acceptance": st.one_of(fractions(0, 1), st.sampled_from([Fraction(0), Fraction(1), Fraction(4, 5)])),
    "mean_accepted_length": fractions(0, 1),
    "prefill_tokens": st.integers(0, 2000),
    "draft_budget": st.integers(0, 300),
    "tokens": st.integers(1, 500),
    "rates": st.lists(fractions(0, 1), min_size=1, max_size=6),
    "price_per_hour": fractions(0, 20),
    "draft_cost": mostly(0, fractions(0, Fraction(1, 2))),
    "dtype": mostly("bf16", st.sampled_from([each for each in DTYPES if each in ("bf16", "fp16")])),
    "weight_dtype": mostly("bf16", STORED),
    "kv_dtype": mostly("bf16", STORED),
    "level": mostly("WK", st.sampled_from(LEVELS)),
    "mode": st.sampled_from(MODES),
    "kv_reread": mostly(1, fractions(1, 12)),
    "draft": mostly(None, st.just(TINY_LLAMA)),
    "step_overhead": mostly(0, fractions(0, Fraction(1, 200), 10**4)),
    "compute_efficiency": mostly(1, fractions(Fraction(1, 3), 1)),
    "memory_efficiency": mostly(1, fractions(Fraction(1, 3), 1)),
    "draft_parameters": mostly(None, st.integers(10**6, 10**9)),
    "speculation_overhead": mostly(0, fractions(0, Fraction(1, 200), 10**4)),
    "chips": mostly(1, st.sampled_from([2, 4, 8, 16])),
    "latency": mostly(0, fractions(0, Fraction(1, 10**4), 10**6)),
    "activation_dtype": STORED,
    "pairs": fractions(0, 1),
    "batch_max": st.sampled_from([1, 7, 64]),
    "k_max": st.integers(0, 6),
}


@st.composite
def arguments_of(draw: st.DrawFn, entry: Entry, *, dense: bool = False, ideal: bool = False) -> Arguments:
    """Exact arguments of an entry; `ideal` keeps what spoils its conditional monotony at the defaults."""
    drawn: Arguments = {}
    for parameter in entry.parameters:
        if ideal and parameter.name in entry.ideal_without:
            drawn[parameter.name] = parameter.default
            continue
        value = draw(STRATEGIES[parameter.name])
        drawn[parameter.name] = max(value, parameter.least) if parameter.name in ("draft_k", "context") else value
    if entry.name.startswith("moe."):
        drawn["model"] = draw(st.sampled_from(EXPERT_MODELS))
    if dense and isinstance(drawn.get("model"), Model) and drawn["model"].is_moe:
        drawn["model"] = draw(st.sampled_from(DENSE_MODELS))
    return settled(drawn)


def settled(drawn: Arguments) -> Arguments:
    """The same arguments with what depends on others put right."""
    if "mean_accepted_length" in drawn:
        # Drawn as a share of the drafts: never more than all of them.
        drafts = drawn["draft_k"] if "draft_k" in drawn else drawn["new_tokens"] - 1
        drawn["mean_accepted_length"] = 1 + drawn["mean_accepted_length"] * drafts
    if "pairs" in drawn:
        q = drawn["new_tokens"]
        # Between a flat tree and a chain; the default is the chain.
        drawn["pairs"] = None if drawn["pairs"] == 0 else q + drawn["pairs"] * (q * (q + 1) // 2 - q)
    if drawn.get("draft") is not None:
        drawn["draft_parameters"] = None if "draft_parameters" in drawn else 0
    own_draft = drawn.get("draft") is not None or drawn.get("draft_parameters") is not None
    if own_draft and "draft_cost" in drawn:
        drawn["draft_cost"] = 0
    return {name: value for name, value in drawn.items() if not (name == "draft_parameters" and value == 0)}


def evaluated(entry: Entry, arguments: Arguments, how: Any = call) -> Any:
    """The entry's value at these arguments."""
    rest = dict(arguments)
    many = [rest.pop(each.name) for each in entry.parameters if each.many]
    return how(entry, *(many[0] if many else ()), **rest)


def around(value: Any, below: Fraction, above: Fraction) -> Interval:
    """An interval about a number."""
    return Interval(value - below * abs(value), value + above * abs(value))
