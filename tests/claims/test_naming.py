"""What the names of a claim stand for, and what is wrong with one: it stands for nothing then."""
from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from specdil_records.claims.naming import repeated
from specdil_records.claims.quantities import Leaf, Quantity
from tests.claims.support import Judged, judge

PROSE = "At batch 16 it takes 30-65 GB, below 9 of them."
READ = {"batch": "At batch 16"}


def judged(**claim: Any) -> Judged:
    """A claim that holds what it reads, beside two that assert the other numbers."""
    rest = ({"quote": quote, "basis": "unverified"} for quote in ("it takes 30-65 GB", "below 9 of them"))
    return judge(PROSE, {"because": "of a test", "read": READ, "holds": ["batch > 4"], **claim}, *rest)


@pytest.mark.parametrize(("claim", "name", "place", "message"), [
    ({"over": {"B": "9..1"}}, "formula", ("over",), "axis B: 9..1 does not ascend"),
    ({"assume": {"batch": "3"}}, "formula", (), "the name batch is given twice"),
    ({"over": {"batch": "1..3"}}, "formula", (), "the name batch is given twice"),
    ({"over": {"batch": "1..3", "B": "1..3"}, "holds": ["batch > 4", "B > 0"]}, "formula", (),
     "the name batch is given twice"),
    ({"of": {"batch": "example-chip"}}, "formula", (), "the name batch is given twice"),
    ({"read": {**READ, "x": "takes 30-65"}, "holds": ["batch > 4", "x > 2"]}, "formula", ("read", "x"),
     "x is read from a range; an input is one number"),
    ({"held": {"takes 30-65": "x"}, "holds": ["batch > 4", "x > 2"]}, "formula", ("held", "takes 30-65"),
     "a held anchor holds one number"),
    ({"held": {"below 8": "x"}, "holds": ["batch > x"]}, "quote-not-verbatim", ("held", "below 8"),
     "the anchor 'below 8' stands nowhere in its quote"),
    ({"held": {"of them": "x"}, "holds": ["batch > x"]}, "formula", ("held", "of them"),
     "the anchor 'of them' holds no numbers"),
])
def test_a_name_with_a_fault_stands_for_nothing(claim: dict[str, Any], name: str, place: tuple[str, ...],
                                                message: str) -> None:
    one = judged(**claim)
    (found,) = one.report.findings
    assert (found.name, found.pointer) == (name, ("claims", 0, *place))
    assert found.message.startswith(f"claim claim-1: {message}")
    assert one.verdict("claim-1") == "undecided"


@pytest.mark.parametrize(("text", "name", "message"), [
    ("much", "unreadable-number", "'much' is no number"),
    ("3 KB", "unknown-unit", "'KB' is no unit; case tells units apart (kB, kb)"),
])
@pytest.mark.parametrize("holds", ["batch > a", "batch > 4"])
def test_an_assumption_that_cannot_be_read(text: str, name: str, message: str, holds: str) -> None:
    one = judged(assume={"a": text}, holds=[holds])
    (found,) = one.report.findings
    assert (found.name, found.pointer, found.message) == (name, ("claims", 0, "assume", "a"), message)
    assert one.verdict("claim-1") == "undecided"


def test_what_names_stand_for() -> None:
    one = judged(held={"below 9": "most"}, assume={"a": "3"}, over={"B": "1..4"}, of={"chip": "example-chip"},
                 holds=["batch > most"])
    scope = one.evaluation.claims[0].scope
    assert scope is not None
    assert scope.inputs == {
        "batch": Leaf("input", ("batch",), "batch", Quantity(16), "16", None, "the prose"),
        "a": Leaf("input", ("a",), "a", Quantity(3), "3", "assumed"),
        "most": Leaf("input", ("most",), "most", Quantity(9), "9", None, "the prose")}
    assert (list(scope.axes), list(scope.subjects)) == (["B"], ["chip"])


def test_the_names_that_are_given_twice() -> None:
    kinds: dict[str, Any] = {"read": {"a": "at 1"}, "assume": {"a": "1"}, "held": {"a": "a"}, "over": {"a": "1..2"},
                             "of": {"a": "chip"}}
    for kind, other in permutations(kinds, 2):
        assert repeated({kind: kinds[kind], other: kinds[other]}) == ["a"]
        assert repeated({kind: {}, other: kinds[other]}) == repeated({other: kinds[other]}) == []
    assert repeated({"held": {"at 1": "b", "at 2": "b"}, "over": {"a": "1..2", "c": "1..2"}, "of": {"a": "chip"}}) == [
        "a", "b"]
