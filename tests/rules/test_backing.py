"""What stands behind a basis: what is named, how strong it is, what is not there, and what goes in a circle."""
from __future__ import annotations

import json
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest

from specdil_records.checking import Options, check
from specdil_records.checking.selftest import check_sample
from specdil_records.rules import Sample
from tests.claims.support import MODEL, judge

BASES = ("unverified", "derived", "simulated", "reported", "specified", "measured")
"""From the weakest to the strongest."""
OTHER = """\
schema_version: "3.0"
id: flops/other
name: Other
status: active
arithmetic_intensity: Nothing more.
scales_with: []
affected_by_hardware: []
hardware_parameters: []
workarounds: []
notes: At batch 8 it is 8. At batch 32 it is 32.
claims:
- {id: first, in: notes, quote: At batch 8 it is 8, basis: derived, read: {batch: At batch 8},
   figures: {is 8: decode.intensity(batch)}}
- {id: again, in: notes, quote: At batch 32 it is 32, same_as: first, read: {batch: At batch 32},
   figures: {is 32: is 8}}
"""
DOTTED = """\
schema_version: "3.0"
id: accelerators/chip-1.5
name: Chip
quantities:
  memory_bandwidth: {value: "2.00 TB/s", basis: reported, source: bench-report, locator: Table 1}
"""
READ_OFF = """\
schema_version: "3.0"
id: sources/read-off
kind: paper
title: Read off
tables:
- {id: curve, locator: Figure 2, basis: simulated, columns: {gain: "2.0"}}
"""
FILES = {"records/flops/other.yaml": OTHER, "records/accelerators/chip-1.5.yaml": DOTTED,
         "records/sources/read-off.yaml": READ_OFF,
         "records/models/small.yaml": MODEL + "basis: specified\n",
         "records/models/plain.yaml": MODEL.replace("models/small", "models/plain")}
GUESS = ("bench", "quotes:\n",
         'quotes:\n- {id: guess, locator: Section 4, basis: simulated, seen: full-text, text: "a guess of them"}\n')
ROW = "  effect: More bandwidth lowers the ridge\n  basis: unverified\n"
TREND = "  trend: {of: \"additive.gain(B, k)\", in: B, is: decreasing, over: {B: 1..64, k: 1..8}}\n"


def row(basis: str, backed_by: str | list[str] | None) -> list[tuple[str, tuple[str | int, ...], str]]:
    """What is found about a hardware row of the example: name, place, message."""
    named = "" if backed_by is None else f"  backed_by: {json.dumps(backed_by)}\n"
    edits = (GUESS, ("flop", ROW, ROW.replace("unverified", basis) + named))
    return [(one.name, one.pointer, one.message) for one in check_sample(Sample(edits, FILES))
            if one.path == "records/flops/example-stall.yaml"]


@pytest.mark.parametrize(("backed_by", "strongest", "weakest"), [
    ("gain-at-16", "derived", "claim gain-at-16"), ("measured-gain", "reported", "claim measured-gain"),
    ("bench-report#table-1", "measured", None), ("bench-report#fading", "measured", None),
    ("bench-report#guess", "simulated", "bench-report#guess"), ("read-off#curve", "simulated", "read-off#curve"),
    ("example-chip.memory_bandwidth", "specified", "example-chip.memory_bandwidth"),
    ("chip-1.5.memory_bandwidth", "reported", "chip-1.5.memory_bandwidth"),
    ("small.layers", "specified", "small.layers"),
    ("plain.layers", "reported", "plain.layers"),  # a model has its shape from a source, which says so
    ("flops/other#first", "derived", "flops/other#first"), ("flops/other#again", "derived", "flops/other#again"),
    (["bench-report#table-1", "bench-report#guess"], "simulated", "bench-report#guess"),
    (["measured-gain", "example-chip.memory_bandwidth"], "reported", "claim measured-gain"),
])
def test_a_row_is_as_strong_as_the_weakest_that_it_names(backed_by: str | list[str], strongest: str,
                                                         weakest: str | None) -> None:
    place = ("hardware_parameters", 0, "basis")
    for basis in BASES:
        expected = []
        if BASES.index(basis) > BASES.index(strongest):
            expected = [("basis-too-strong", place, f"the basis is {basis}, but {weakest} is {strongest}")]
        assert row(basis, backed_by) == expected


@pytest.mark.parametrize("basis", BASES)
def test_without_anything_behind_it_a_row_is_unverified(basis: str) -> None:
    found = [(name, place) for name, place, _ in row(basis, None)]
    unbacked = [("basis-unbacked", ("hardware_parameters", 0, "basis"))]
    assert found == ([] if basis == "unverified" else unbacked)


@pytest.mark.parametrize(("basis", "names"), [
    ("derived", []), ("unverified", []), ("simulated", ["basis-too-strong"]), ("measured", ["basis-too-strong"])])
def test_a_trend_is_derived(basis: str, names: list[str]) -> None:
    found = check_sample(Sample((("flop", TREND, f"{TREND}  basis: {basis}\n"),)))
    assert [one.name for one in found] == names
    assert all(one.pointer == ("scales_with", 0, "basis") for one in found)
    assert all("the row's trend is derived" in one.message for one in found)


@pytest.mark.parametrize(("backed_by", "message"), [
    ("gain-at-61", "no claim of this record is called 'gain-at-61'; did you mean gain-at-16?"),
    ("xyz", "no claim of this record is called 'xyz'; a source is named as SOURCE#item"),
    ("bench-reprt#table-1", "there is no source or flop 'bench-reprt'; did you mean bench-report?"),
    ("bench-report#table-7", "bench-report has no 'table-7'; did you mean table-1?"),
    ("bench-report#gess", "bench-report has no 'gess'; did you mean guess?"),
    ("bench-report#xyz", "bench-report has no 'xyz'"),
    ("flops/other#frist", "other has no 'frist'; did you mean first?"),
    ("example-chip.memory_capacity", "example-chip has no 'memory_capacity'"),
    ("example-chop.memory_bandwidth", "'example-chop'; did you mean example-chip?"),
])
@pytest.mark.parametrize("basis", ["derived", "measured"])
def test_what_is_not_there_is_told_once_where_it_is_named(backed_by: str, message: str, basis: str) -> None:
    (name, place, text), = row(basis, backed_by)
    assert (name, place) == ("unresolved-reference", ("hardware_parameters", 0, "backed_by"))
    assert message in text


def test_of_several_each_is_told_in_its_place() -> None:
    found = row("derived", ["xyz", "gain-at-16", "bench-report#xyz"])
    assert [(name, place) for name, place, _ in found] == [
        ("unresolved-reference", ("hardware_parameters", 0, "backed_by", 0)),
        ("unresolved-reference", ("hardware_parameters", 0, "backed_by", 2))]


# Claims ---------------------------------------------------------------------------------------------------

PROSE = "At batch 16 it gives 1.25x, and the chip moves 2.00 TB/s."
CITED = {"read": {"batch": "At batch 16"},
         "figures": {"1.25x": 'cited("bench-report", "table-1", "speedup", batch=batch)'}}
MOVES = {"of": {"chip": "example-chip"}, "figures": {"2.00 TB/s": "chip.memory_bandwidth"}}
BOTH = {**CITED, **MOVES, "figures": CITED["figures"] | MOVES["figures"]}
OWN = {"read": {"batch": "At batch 16"}, "holds": ["batch > 4"]}


@pytest.mark.parametrize(("claim", "strongest"), [
    (CITED, "measured"), (MOVES, "specified"), (BOTH, "specified"), (OWN, "derived"),
    ({**CITED, "holds": ["batch > 4"]}, "derived"),
    ({**MOVES, "holds": ["2 * chip.memory_bandwidth > chip.memory_bandwidth"]}, "specified"),
    ({**CITED, "backed_by": "example-chip.memory_bandwidth"}, "specified"),
    ({**OWN, "backed_by": ["bench-report#table-1"]}, "derived"),
    ({"read": CITED["read"], "holds": ['cited("bench-report", "table-1", "speedup", batch=batch) > 1'],
      "backed_by": "example-chip.memory_bandwidth"}, "specified"),
])
def test_a_claim_is_as_strong_as_the_weakest_behind_it(claim: dict[str, Any], strongest: str) -> None:
    for basis in BASES:
        found = [name for name in judge(PROSE, {**claim, "basis": basis}).names if name.startswith("basis")]
        assert found == (["basis-too-strong"] if BASES.index(basis) > BASES.index(strongest) else []), basis


def test_a_citation_is_no_stronger_than_what_is_named_beside_it() -> None:
    words = "gains fade with every request"
    claim = {"cites": {words: "bench-report#fading"}, "backed_by": "example-chip.memory_bandwidth"}
    assert judge(f"Here {words}.", {**claim, "basis": "specified"}).names == []
    assert judge(f"Here {words}.", {**claim, "basis": "measured"}).names == ["basis-too-strong"]


def test_a_claim_that_is_too_strong_is_told_behind_one_that_nothing_backs() -> None:
    judged = judge(PROSE, {"basis": "unverified"}, {**CITED, "basis": "measured"}, {**MOVES, "basis": "measured"})
    (one,) = [one for one in judged.report.findings if one.name == "basis-too-strong"]
    assert one.pointer == ("claims", 2, "basis")
    assert one.message == "claim claim-3: the basis is measured, but example-chip.memory_bandwidth is specified"
    assert one.data == {"basis": "measured", "weakest": "specified", "because_of": "example-chip.memory_bandwidth"}


ROWS = """\
hardware_parameters:
- {parameter: tdp, effect: At batch 8 it is 8, basis: measured, values_for: [], backed_by: "BACKED_BY"}
"""


@pytest.mark.parametrize(("text", "backed_by", "found"), [
    (OTHER, "again", "but claim again is derived"), (OTHER, "first", "but claim first is derived"),
    (OTHER.partition("claims:")[0].replace("8", "eight").replace("32", "more"), "example-chip.memory_bandwidth",
     "but example-chip.memory_bandwidth is specified"),
    (OTHER.partition("claims:")[0].replace("8", "eight").replace("32", "more"), "nobody",
     "no claim of this record is called 'nobody'"),
])
def test_a_claim_that_repeats_another_has_its_basis_and_a_record_may_have_no_claims(text: str, backed_by: str,
                                                                                    found: str) -> None:
    rows = ROWS.replace("BACKED_BY", backed_by)
    if "eight" in text:
        rows = rows.replace("8", "eight")
    files = {"records/flops/other.yaml": text.replace("hardware_parameters: []\n", rows)}
    (one,) = check_sample(Sample(files=files))
    assert found in one.message


@pytest.mark.parametrize("same_as", ["nobody", "again"])
def test_a_claim_that_repeats_none_of_its_own_is_unverified(same_as: str) -> None:
    more = f"- {{id: lost, in: notes, quote: At batch 32 it is 32, same_as: {same_as}}}\n"
    text = (OTHER + more).replace("hardware_parameters: []\n", ROWS.replace("BACKED_BY", "lost"))
    found = check_sample(Sample(files={"records/flops/other.yaml": text}))
    assert [(one.name, one.pointer) for one in found] == [
        ("basis-too-strong", ("hardware_parameters", 0, "basis")), ("unresolved-reference", ("claims", 2, "same_as"))]
    assert found[0].message == "the basis is measured, but claim lost is unverified"


@pytest.mark.parametrize("target", ["bench-report#table-1", "bench-report#fadin"])
def test_words_are_cited_from_a_quote(target: str) -> None:
    words = "gains fade with every request"
    judged = judge(f"Here {words}.", {"cites": {words: target}})
    (one,) = [one for one in judged.report.findings if one.name == "unresolved-reference"]
    assert one.pointer == ("claims", 0, "cites", words)
    assert one.message.startswith(f"bench-report has no {target.partition('#')[2]!r}")


# Circles --------------------------------------------------------------------------------------------------


def circles(*backed_by: str | list[str] | None) -> list[tuple[tuple[str | int, ...], str]]:
    """The circles among claims c1, c2, ... that name these."""
    claims = [{"id": f"c{i}", **deepcopy(OWN), **({} if named is None else {"backed_by": named})}
              for i, named in enumerate(backed_by, 1)]
    return [(one.pointer, one.message) for one in judge(PROSE, *claims).report.findings
            if one.name == "reference-cycle"]


@pytest.mark.parametrize(("named", "places", "members"), [
    ((None, "c1", "c2"), [], []),
    (("c1",), [0], [{"short#c1"}]),
    (("c2", "c1"), [0], [{"short#c1", "short#c2"}]),
    ((None, "c3", "c2"), [1], [{"short#c2", "short#c3"}]),
    (("c2", ["c3", "bench-report#table-1"], "c1"), [0], [{"short#c1", "short#c2", "short#c3"}]),
    (("c2", "c1", "c4", "c3"), [0, 2], [{"short#c1", "short#c2"}, {"short#c3", "short#c4"}]),
    (("flops/short#c2", "c1"), [0], [{"short#c1", "short#c2"}]),
    (("c2", "c3", "c2"), [1], [{"short#c2", "short#c3"}]),
])
def test_a_circle_is_told_once_at_its_first_member(named: tuple[str | list[str] | None, ...], places: list[int],
                                                   members: list[set[str]]) -> None:
    found = circles(*named)
    assert [place for place, _ in found] == [("claims", at, "backed_by") for at in places]
    assert [set(message.removeprefix("a circle: ").split(" -> ")) for _, message in found] == members


def test_the_first_member_is_the_first_in_the_file() -> None:
    named: list[str | list[str] | None] = [None] * 11
    named[2], named[10] = "c11", "c3"
    assert [place for place, _ in circles(*named)] == [("claims", 2, "backed_by")]


def test_a_circle_is_told_behind_a_record_that_does_not_read() -> None:
    judged = judge(PROSE, {**OWN, "backed_by": "claim-1"}, files={"records/accelerators/broken.yaml": "- ["})
    assert "reference-cycle" in judged.names


def test_a_circle_is_written_in_its_own_direction() -> None:
    (_, message), = circles("c2", "c3", "c1")
    follows = {"short#c1": "short#c2", "short#c2": "short#c3", "short#c3": "short#c1"}
    chain = message.removeprefix("a circle: ").split(" -> ")
    assert len(chain) == 4
    assert all(follows[one] == other for one, other in pairwise(chain))


def test_a_circle_through_two_records_is_told_at_the_first_by_path() -> None:
    there = FILES["records/flops/other.yaml"].replace("- {id: first,", "- {id: first, backed_by: flops/short#claim-1,")
    judged = judge(PROSE, {**OWN, "backed_by": "flops/other#first"}, files={"records/flops/other.yaml": there})
    for scope in (None, {"records/flops/other.yaml"}, {"records/flops/short.yaml"}):  # it is shown with either
        report = check(judged.corpus, Options(scope=None if scope is None else frozenset(scope)))
        found = [(one.path, one.pointer) for one in report.findings if one.name == "reference-cycle"]
        assert found == [("records/flops/other.yaml", ("claims", 0, "backed_by"))]
    apart = check(judged.corpus, Options(scope=frozenset({"records/sources/chip-sheet.yaml"})))
    assert [one.name for one in apart.findings] == []


@pytest.mark.parametrize(("entry", "found"), [
    ('{value: "2.00 TB/s", basis: specified, source: chip-sheet}', []),
    ('{value: "2.00 TB/s", basis: unverified}', []),
    ('{value: "2.00 TB/s", basis: measured}', [("basis-unbacked", "basis")]),
    ('{value: "-2.00 TB/s", basis: specified, source: chip-sheet}', [("unreadable-number", "value")]),
    ('{value: "0 TB/s", basis: specified, source: chip-sheet}', [("unreadable-number", "value")]),
])
def test_a_value_has_a_source_or_is_unverified_and_is_more_than_nothing(entry: str,
                                                                        found: list[tuple[str, str]]) -> None:
    chip = f'schema_version: "3.0"\nid: accelerators/other\nname: Other\nquantities: {{memory_bandwidth: {entry}}}\n'
    told = check_sample(Sample((), {"records/accelerators/other.yaml": chip}))
    assert [(one.name, one.pointer) for one in told] == [
        (name, ("quantities", "memory_bandwidth", key)) for name, key in found]


SHEET = ('schema_version: "3.0"\nid: sources/sheet\nkind: {}\ntitle: A sheet\n'
         'quotes: [{{id: q, locator: "Page  2", basis: {}, seen: full-text, text: it moves 2.00 TB/s}}]\n')


@pytest.mark.parametrize(("kind", "quoted", "basis", "locator", "message"), [
    ("data-sheet", "specified", "specified", "page 2", ""), ("data-sheet", "specified", "reported", "page 2", ""),
    ("data-sheet", "specified", "measured", "page 9", "the basis is measured, but sheet, a data sheet, is specified"),
    ("blog", "reported", "specified", "page 2", "the basis is specified, but sheet, page 2, is reported"),
    ("blog", "reported", "specified", "page 9", ""), ("paper", "measured", "measured", "page 2", ""),
])
def test_a_value_is_no_stronger_than_what_stands_at_its_place(kind: str, quoted: str, basis: str, locator: str,
                                                              message: str) -> None:
    value = f'{{value: "2.00 TB/s", basis: {basis}, source: sheet, locator: {locator}}}'
    chip = f'schema_version: "3.0"\nid: accelerators/other\nname: Other\nquantities: {{memory_bandwidth: {value}}}\n'
    model = MODEL.replace("source: chip-sheet", f"source: sheet\nlocator: {locator}") + f"basis: {basis}\n"
    told = check_sample(Sample((), {"records/accelerators/other.yaml": chip, "records/models/small.yaml": model,
                                    "records/sources/sheet.yaml": SHEET.format(kind, quoted)}))
    places = [("quantities", "memory_bandwidth", "basis"), ("basis",)]
    assert [(one.name, one.message, one.pointer) for one in told] == [
        ("basis-too-strong", message, place) for place in places if message]


def test_the_id_of_a_claim_may_hold_a_dot() -> None:
    there = FILES["records/flops/other.yaml"].replace(": first,", ": at.first,")
    backed = judge(PROSE, {**OWN, "backed_by": "flops/other#at.first"}, files={"records/flops/other.yaml": there})
    assert "unresolved-reference" not in {name for name, _ in backed.found}
    own = there.replace("hardware_parameters: []", "hardware_parameters: [{parameter: memory_bandwidth, effect: At "
                        "batch 8 it is 8, basis: derived, backed_by: at.first, values_for: []}]")
    assert own != there
    told = check_sample(Sample((), {"records/flops/other.yaml": own}))
    assert [one.name for one in told] == []
