"""Claims: the expression language, the verdict on every figure and statement, disputes, derivations."""
from __future__ import annotations

from specdil_records.claims.evaluation import Evaluation, evaluate
from specdil_records.claims.results import ClaimResult

__all__ = ["ClaimResult", "Evaluation", "evaluate"]
