"""What takes a record's place is a reference like any other, whatever the kind of the record."""
from __future__ import annotations

from dataclasses import replace

import pytest

from specdil_records.checking import check
from specdil_records.checking.selftest import check_sample, sample_corpus
from specdil_records.rules import Sample
from specdil_records.rules.reference_cycle import ReferenceCycle
from specdil_records.rules.samples import BASE

KINDS = [("flop", "flops", "example-stall"), ("chip", "accelerators", "example-chip"),
         ("bench", "sources", "bench-report")]


def found(name: str, target: str) -> list[tuple[str, str, tuple[str | int, ...]]]:
    """The findings about the record whose place another has taken."""
    line = next(one for one in BASE[name].splitlines() if one.startswith("id: "))
    text = BASE[name].replace("status: active\n", "")
    edits = ((name, BASE[name], text.replace(line, f"{line}\nstatus: superseded\nsuperseded_by: {target}")),)
    return [(one.name, one.path, one.pointer) for one in check_sample(Sample(edits))
            if one.name != "withdrawn-reference"]


@pytest.mark.parametrize(("name", "folder", "tail"), KINDS)
def test_a_successor_has_to_be_there(name: str, folder: str, tail: str) -> None:
    assert found(name, "nobody") == [("unresolved-reference", f"records/{folder}/{tail}.yaml", ("superseded_by",))]


@pytest.mark.parametrize(("name", "folder", "tail"), KINDS)
def test_nothing_succeeds_itself(name: str, folder: str, tail: str) -> None:
    assert found(name, tail) == [("reference-cycle", f"records/{folder}/{tail}.yaml", ("superseded_by",))]


def test_a_corpus_made_of_another_has_circles_of_its_own() -> None:
    straight, round_ = sample_corpus(Sample()), sample_corpus(ReferenceCycle.bad)
    assert check(straight).findings == ()
    assert [one.name for one in check(replace(straight, records=round_.records)).findings] == ["reference-cycle"]
    assert check(replace(round_, records=straight.records)).findings == ()
