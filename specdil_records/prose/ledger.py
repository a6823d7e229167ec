"""The ledger: every number of the prose with the one status that it has."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from specdil_records.findings import Place, Pointer, Status
from specdil_records.prose.numbers import Found

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
