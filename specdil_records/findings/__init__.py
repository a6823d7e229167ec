"""Findings, their severity and their place: the one thing that every room may name.

A room that meets a fault returns a `Problem`: what is wrong and where in its document. The pipeline turns
it into a `Finding` by adding what only the pipeline knows: the rule's code and severity, the record, the
file, and the exact line and column.
"""
from __future__ import annotations

from specdil_records.findings.statuses import ClaimVerdict, Status, coverage, coverage_words
from specdil_records.findings.values import (
    Edit,
    Finding,
    Fix,
    Place,
    Pointer,
    Problem,
    Severity,
    Span,
    Splice,
    pointer_text,
)

__all__ = ["ClaimVerdict", "Edit", "Finding", "Fix", "Place", "Pointer", "Problem", "Severity", "Span", "Splice",
           "Status", "coverage", "coverage_words", "pointer_text"]
