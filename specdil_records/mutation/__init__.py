"""The mutation self-test: a corpus is changed in one place at a time, and every change has to be found."""
from __future__ import annotations

from specdil_records.mutation.mutants import Mutant, Outcome, Result
from specdil_records.mutation.running import Count, Report, mutate

__all__ = ["Count", "Mutant", "Outcome", "Report", "Result", "mutate"]
