"""The ledger's arithmetic: which status counts, how many numbers have each, and how much is accounted for."""
from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from specdil_records.findings import Status, coverage, coverage_words
from specdil_records.prose.ledger import LedgerEntry, count, first
from specdil_records.prose.numbers import find_numbers

IN_ORDER = ["disputed", "recomputed", "cited", "held", "input", "unverified", "exempt", "unbound"]


def test_of_several_statuses_the_first_counts() -> None:
    assert [str(status) for status in Status] == IN_ORDER
    for earlier, later in pairwise(IN_ORDER):
        assert first([Status(later), Status(earlier), Status(later)]) == earlier
    assert first([]) == "unbound"


@pytest.mark.parametrize(("numbers", "share"), [
    ({}, 1), ({"exempt": 3}, 1), ({"unbound": 2}, 0), ({"unverified": 2}, 0),
    ({"recomputed": 1, "unbound": 1}, Fraction(1, 2)),
    ({"disputed": 1, "recomputed": 2, "cited": 3, "held": 4, "input": 5, "unverified": 6, "exempt": 7, "unbound": 8},
     Fraction(15, 29)),
    ({"held": 1, "exempt": 9}, 1), ({"cited": 1, "unverified": 3, "exempt": 1}, Fraction(1, 4)),
])
def test_coverage_is_what_is_covered_of_all_that_counts(numbers: dict[str, int], share: Fraction | int) -> None:
    assert coverage(numbers) == share


@pytest.mark.parametrize(("numbers", "words"), [
    ({}, "no number to account for"), ({"exempt": 3, "held": 0}, "no number to account for"),
    ({"unbound": 2}, "coverage 0%"), ({"held": 2}, "coverage 100%"), ({"held": 1, "unverified": 2}, "coverage 33.3%"),
    ({"held": 9999, "unbound": 1}, "coverage over 99.9%"), ({"held": 1, "unbound": 1}, "coverage 50%"),
])
def test_only_what_is_all_covered_is_said_to_be_and_nothing_is_not_called_all(numbers: dict[str, int],
                                                                              words: str) -> None:
    assert coverage_words(numbers) == words


def test_every_status_is_counted_and_one_without_a_number_with_nought() -> None:
    (number,) = find_numbers("batch 32")
    entries = [LedgerEntry(("notes",), 0, number, "32", Status(status)) for status in ("held", "unbound", "held")]
    assert count(entries) == {**dict.fromkeys(IN_ORDER, 0), "held": 2, "unbound": 1}
    assert count([]) == dict.fromkeys(IN_ORDER, 0)
    assert coverage(count(entries)) == Fraction(2, 3)
