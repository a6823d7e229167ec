"""The ledger: every number of the prose with the one status that it has."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from specdil_records.findings import Place, Pointer
from specdil_records.prose.numbers import Found


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
ORDER = {status: position for position, status in enumerate(Status)}


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One number of the prose: where it stands, how it is written, its status and what gave it that status."""

    pointer: Pointer
    index: int
    number: Found
    written: str
    status: Status
    by: tuple[str, ...] = ()
    explained: bool = False
    """True when a finding already says what is wrong with what should account for the number."""

    @property
    def place(self) -> Place:
        """The number's digits in its field."""
        return Place(self.pointer, self.number.start, self.number.end)


def first(statuses: Iterable[Status]) -> Status:
    """The status that counts, of several."""
    return min(statuses, key=ORDER.__getitem__, default=Status.UNBOUND)


def count(entries: Iterable[LedgerEntry]) -> dict[str, int]:
    """How many numbers have each status; statuses without a number are there with 0."""
    found = Counter(entry.status for entry in entries)
    return {str(status): found[status] for status in Status}


def coverage(numbers: Mapping[str, int]) -> Fraction:
    """(disputed + recomputed + cited + held + input) / (all - exempt); 1 when there are no numbers."""
    relevant = sum(numbers.values()) - numbers.get(Status.EXEMPT, 0)
    covered = sum(numbers.get(status, 0) for status in COVERED)
    return Fraction(covered, relevant) if relevant else Fraction(1)
