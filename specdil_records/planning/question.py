"""What a schedule is asked for: the machine, the model, the acceptance, the draft, and the conditions of a run."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from specdil_records.planning.acceptance import Acceptance
from specdil_records.roofline import Accelerator, Model, in_floats, tree_speedup
from specdil_records.roofline.machine import as_float

Floats = npt.NDArray[np.float64]
DraftKind = Literal["n-gram", "model", "medusa", "head"]


@dataclass(frozen=True, slots=True)
class Draft:
    """What drafts: nothing that counts (n-gram), a model of its own, Medusa heads, or a head run once per token.

    `parameters` are weights read and multiplied for each drafted token (of one Medusa head: each head drafts one
    token). `seconds_per_token` is what drafting a token costs beside that, whatever the batch: launches, sampling, a
    search for n-grams.
    """

    kind: DraftKind
    words: str
    model: Model | None = None
    parameters: int | Fraction | None = None
    seconds_per_token: Any = 0

    def resident_parameters(self, longest: int) -> int | Fraction:
        """Weights that lie in memory beside a draft model's own: of every Medusa head, of another head once."""
        return (self.parameters or 0) * (longest if self.kind == "medusa" else 1)


def medusa_head(model: Model) -> int:
    """Weights of one Medusa head: a square layer and an LM head."""
    hidden = model.need("hidden_size")
    return int(hidden * hidden + hidden * model.need("vocabulary"))


@dataclass(frozen=True, slots=True)
class Question:
    """All that a schedule depends on; `conditions` as the closed forms take them."""

    accelerator: Accelerator
    model: Model
    context: int
    acceptance: Acceptance
    draft: Draft
    conditions: Mapping[str, Any] = field(default_factory=dict)
    speculation_overhead: Any = 0
    batch_max: int = 512
    k_max: int = 8
    least_gain: Any = 0
    """Speculation that gains less is not worth its trouble, and is off."""

    @property
    def lengths(self) -> range:
        """The draft lengths to choose from, none included."""
        longest = self.acceptance.longest
        return range((self.k_max if longest is None else min(self.k_max, longest)) + 1)

    def conditions_at(self, draft_k: int, level: str = "WK") -> dict[str, Any]:
        """Keyword arguments of the closed forms for drafts of so many tokens."""
        overhead = self.speculation_overhead + draft_k * self.draft.seconds_per_token
        return {**self.conditions, "level": level, "draft": self.draft.model,
                "draft_parameters": self.draft.parameters, "speculation_overhead": overhead}

    def at_context(self, context: int) -> Question:
        """The same question at another context."""
        return replace(self, context=context)


def gains(question: Question, batches: Floats, level: str = "WK", context: Any = None) -> Floats:
    """The speedup for every batch and every draft length, in float64: one row a batch, one column a length."""
    chip, model = in_floats(question.accelerator), in_floats(question.model)
    at = float(question.context) if context is None else context
    columns = []
    for draft_k in question.lengths:
        conditions = {name: as_float(value) for name, value in question.conditions_at(draft_k, level).items()}
        expected = float(question.acceptance.expected(draft_k))
        column = tree_speedup(chip, model, batches, at, draft_k + 1, expected, **conditions)
        columns.append(np.broadcast_to(column, batches.shape))
    found: Floats = np.stack(columns, axis=1)
    return found
