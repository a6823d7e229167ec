"""Why a schedule says what it says: what a speculative step costs beside a plain one, and where its time goes."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from specdil_records.roofline import in_floats, ridge_tokens
from specdil_records.roofline.machine import as_float
from specdil_records.roofline.setting import Setting
from specdil_records.roofline.speculation import draft_seconds, plain_seconds
from specdil_records.roofline.step import attention_part, linear_parts, seconds, step_seconds, total_bytes, total_flops

if TYPE_CHECKING:
    from specdil_records.planning.question import Question


@dataclass(frozen=True, slots=True)
class Costs:
    """One point: a step with drafts of k tokens (where speculation is off, of the length that loses least).

    `cost` is the time of the step in plain ones, `expected` the tokens that it yields; shares are of the step's time.
    `bound` is what decides its linear layers.
    """

    batch: int
    draft_k: int
    tried_k: int
    cost: float
    expected: float
    tokens: int
    ridge: float
    bound: str
    share_of_cache: float
    share_of_draft: float
    share_of_overhead: float
    growth_of_reads: float
    """Weights read by the step over those of a plain one: above 1 only with experts."""
    has_experts: bool


def costs(question: Question, batch: int, draft_k: int) -> Costs:
    """What the best step at a batch costs; with k = 0, what the least costly speculation would have cost."""
    tried = draft_k or _least_bad(question, batch)
    setting = _setting(question, tried)
    model, at = in_floats(question.model), float(question.context)
    size = float(batch)
    whole = step_seconds(setting, model, size, at, tried + 1)
    drafting = draft_seconds(setting, model, size, at, tried)
    overhead = setting.step_overhead + setting.speculation_overhead
    taken = whole + drafting + overhead
    linear = linear_parts(setting, model, size * (tried + 1))
    attention = seconds(setting, [attention_part(setting, model, size, at, tried + 1)])
    assert setting.accelerator is not None
    machine = setting.peak() / setting.bandwidth()
    bound = "compute" if total_flops(linear) > machine * total_bytes(linear) else "memory"
    nominal = ridge_tokens(in_floats(question.accelerator), setting.dtype, setting.weight_dtype)
    return Costs(
        batch, draft_k, tried, float(taken / plain_seconds(setting, model, size, at)),
        float(question.acceptance.expected(tried)), batch * (tried + 1),
        float(nominal * as_float(setting.compute_efficiency) / as_float(setting.memory_efficiency)), bound,
        float(attention / taken), float(drafting / taken), float(overhead / taken),
        float(total_bytes(linear) / total_bytes(linear_parts(setting, model, size))), question.model.is_moe,
    )


def _least_bad(question: Question, batch: int) -> int:
    import numpy as np

    from specdil_records.planning.question import gains

    if len(question.lengths) < 2:
        return 0
    return int(np.argmax(gains(question, np.asarray([float(batch)]))[0, 1:])) + 1


def _setting(question: Question, draft_k: int) -> Setting:
    conditions = {name: as_float(value) for name, value in question.conditions_at(draft_k).items()}
    return replace(Setting(in_floats(question.accelerator)), **conditions)


def sentence(found: Costs) -> str:
    """The reason in words."""
    step = f"a step of k = {found.tried_k} takes {found.cost:.2f} plain ones and yields {found.expected:.2f} tokens"
    if found.tried_k == 0:
        return "no draft is long enough to plan with"
    why = _causes(found)
    return step + (f": {'; '.join(why)}" if why else "")


def _causes(found: Costs) -> list[str]:
    made: list[str] = []
    sizes = f"{found.tokens} tokens a step" + ("" if found.has_experts else f", ridge {found.ridge:.0f}")
    if found.growth_of_reads > 1.02:
        made.append(f"it touches more experts and reads {found.growth_of_reads:.2f} times the weights")
    elif found.bound == "memory":
        made.append(f"its tokens share one read of the weights ({sizes})")
    if found.bound == "compute":
        made.append(f"its linear layers are bound by compute ({sizes})")
    if found.share_of_cache > 0.25:
        made.append(f"attention over the cache is {found.share_of_cache:.0%} of it")
    if found.share_of_draft > 0.1:
        made.append(f"drafting is {found.share_of_draft:.0%} of it")
    if found.share_of_overhead > 0.1:
        made.append(f"overheads are {found.share_of_overhead:.0%} of it")
    return made


def as_data(found: Costs) -> dict[str, Any]:
    """The same for programs."""
    return {
        "at_batch": found.batch, "draft_k_looked_at": found.tried_k, "step_in_plain_steps": found.cost,
        "expected_tokens": found.expected, "tokens_of_step": found.tokens, "ridge_tokens": found.ridge,
        "linear_layers_bound_by": found.bound, "share_of_attention": found.share_of_cache,
        "share_of_draft": found.share_of_draft, "share_of_overhead": found.share_of_overhead,
        "growth_of_weight_reads": found.growth_of_reads, "sentence": sentence(found),
    }
