"""A document judged by one version of the format."""
from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from specdil_records.findings import Place, Pointer, Problem, pointer_text
from specdil_records.schemas.engines import is_valid, wordy
from specdil_records.schemas.wording import Fault, faults_of

# Where several keywords fail on one value, the earliest in this list is the fault; the others are its consequences.
_RANK = ("type", "const", "enum", "format", "pattern")


class Judged(Protocol):
    """What validation needs of a document."""

    @property
    def data(self) -> Any:
        """Plain data: dict, list, str, int, float, bool and None."""

    @property
    def broken(self) -> bool:
        """Whether reading reported a fault that leaves the data in doubt."""

    @property
    def refused(self) -> Collection[Pointer]:
        """The pointers of values that reading reported and left out."""


def validate(document: Judged, kind: str, version: str) -> list[Problem]:
    """What the schema of `kind` and `version` finds wrong with a document, keys by the alphabet, items in their order.

    One problem for each fault, at the deepest node that is to blame: an unknown key at that key, a missing key at
    the mapping that lacks it, all else at the value. What reading has reported is not reported again. Raises
    `UnknownSchema` for a version that is not shipped and `ShippedDataMissing` for a damaged installation.
    """
    if is_valid(document.data, version, kind) or document.broken:
        return []
    found: dict[tuple[Pointer, bool, str], Fault] = {}
    for error in wordy(version, kind).iter_errors(document.data):
        for fault in faults_of(error):
            if fault.pointer in document.refused:
                continue
            slot = (fault.pointer, fault.at_key, fault.missing)
            if slot not in found or _rank(fault) < _rank(found[slot]):
                found[slot] = fault
    return [_problem(fault) for fault in sorted(found.values(), key=_order)]


def _order(fault: Fault) -> tuple[list[tuple[int, str]], str]:
    way = [(part, "") if isinstance(part, int) else (-1, part) for part in fault.pointer]
    return way, fault.missing


def _rank(fault: Fault) -> int:
    return _RANK.index(fault.keyword) if fault.keyword in _RANK else len(_RANK)


def _problem(fault: Fault) -> Problem:
    return Problem(
        name=fault.name,
        message=fault.message,
        where=Place(fault.pointer, key=fault.at_key),
        help=fault.help,
        data={"pointer": pointer_text(fault.pointer), "keyword": fault.keyword},
    )
