"""What a check says of claims and of numbers: the words that are counted, shown and kept."""
from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction


class ClaimVerdict(StrEnum):
    """How a claim counts, worst first; it counts once."""

    DRIFTED = "drifted"
    UNDECIDED = "undecided"
    DISPUTED = "disputed"
    RECOMPUTED = "recomputed"
    HELD = "held"
    CITED = "cited"
    UNVERIFIED = "unverified"


class Status(StrEnum):
    """What accounts for a number; of several, the first in this order."""

    DISPUTED = "disputed"
    RECOMPUTED = "recomputed"
    CITED = "cited"
    HELD = "held"
    INPUT = "input"
    UNVERIFIED = "unverified"
    EXEMPT = "exempt"
    UNBOUND = "unbound"


COVERED = frozenset({Status.DISPUTED, Status.RECOMPUTED, Status.CITED, Status.HELD, Status.INPUT})


def coverage(numbers: Mapping[str, int]) -> Fraction:
    """(disputed + recomputed + cited + held + input) / (all - exempt); 1 when there are no numbers."""
    relevant = sum(numbers.values()) - numbers.get(Status.EXEMPT, 0)
    covered = sum(numbers.get(status, 0) for status in COVERED)
    return Fraction(covered, relevant) if relevant else Fraction(1)


def coverage_words(numbers: Mapping[str, int]) -> str:
    """The coverage in words: as a percentage that says 100 only for all, or that there was no number to cover."""
    if not any(count for status, count in numbers.items() if status != Status.EXEMPT):
        return "no number to account for"
    share = coverage(numbers)
    shown = f"{float(share):.1%}".replace(".0%", "%")
    return "coverage over 99.9%" if share != 1 and shown == "100%" else f"coverage {shown}"
