"""What small rules say, to the letter: the place of each finding, its words and what it carries."""
from __future__ import annotations

from typing import Any

import pytest
import yaml

from specdil_records.checking import Options, check
from specdil_records.checking.selftest import check_sample, sample_corpus
from specdil_records.rules import Sample, by_name
from specdil_records.rules.samples import files_of
from tests.claims.support import judge

FLOP, CHIP = "records/flops/example-stall.yaml", "records/accelerators/example-chip.yaml"
GROUPS = ("'12,5' cannot be read as a number: the decimal mark is a point with digits on both sides, groups of three "
          "are set apart by a comma or a fixed blank, digits are 0 to 9")


@pytest.mark.parametrize(("name", "path", "pointer", "message", "data"), [
    ("bad-id", "records/sources/bench-report.yaml", ("id",),
     "the id is sources/bench-reports, but the path says sources/bench-report",
     {"id": "sources/bench-reports", "path_id": "sources/bench-report"}),
    ("basis-unbacked", FLOP, ("hardware_parameters", 0, "basis"),
     "the basis is measured, but nothing backs this row", {}),
    ("cited-quote-differs", FLOP, ("claims", 3, "cites", "gains fade with every request"),
     "bench-report#fading does not say this: -some +every -requests +request",
     {"source": "bench-report#fading", "difference": "-some +every -requests +request"}),
    ("duplicate-id", "records/sources/chip-sheet.yaml", ("id",),
     "sources/chip-sheet is also the id of records/sources/chip-sheet.json",
     {"first": "records/sources/chip-sheet.json"}),
    ("effect-not-verbatim", FLOP, ("hardware_parameters", 0, "effect"),
     "the effect is not in the record's prose; the nearest sentence differs by -lowers +raises -.",
     {"nearest": "More bandwidth lowers the ridge.", "difference": "-lowers +raises -."}),
    ("not-affected", FLOP, ("hardware_parameters", 0, "values_for", 0),
     "example-chip is not among affected_by_hardware", {}),
    ("too-large", FLOP, (), "lists and mappings are nested more than 100 deep here", {}),
    ("typography-differs", FLOP, ("hardware_parameters", 0, "effect"),
     "the effect and the prose differ in typography: U+2011", {"code_points": ["U+2011"]}),
    ("unbound-figure", FLOP, ("workarounds", 0), "nothing accounts for 3", {"figure": "3"}),
    ("unchecked-figures", "records/flops/older.yaml", ("arithmetic_intensity",),
     "2 numbers of this 1.0 record cannot be accounted for", {"count": 2}),
    ("unknown-unit", CHIP, ("quantities", "memory_bandwidth", "value"),
     "'tb/s' is no unit; case tells units apart (TB, Tb)", {"figure": "2.00 tb/s"}),
    ("unreadable-number", FLOP, ("workarounds", 0), GROUPS, {"figure": "12,5"}),
    ("unresolved-reference", FLOP, ("affected_by_hardware", 0),
     "there is no accelerator 'example-chop'; did you mean example-chip?", {"name": "example-chop", "item": None}),
    ("unused-source", "records/sources/lonely.yaml", ("id",), "nothing refers to sources/lonely", {}),
    ("value-missing", FLOP, ("hardware_parameters", 0, "values_for", 0),
     "example-chip has no sourced value of memory_capacity", {}),
    ("withdrawn-reference", FLOP, ("mentions", 0), "flops/old-view is withdrawn", {}),
    ("schema", FLOP, ("status",), '"status" cannot be "activ"; did you mean "active"?',
     {"pointer": "/status", "keyword": "enum"}),
])
def test_what_a_rule_says_of_its_bad_sample(name: str, path: str, pointer: tuple[str | int, ...], message: str,
                                            data: dict[str, Any]) -> None:
    rule = by_name(name)
    assert rule is not None
    (one,) = check_sample(rule.bad)
    assert (one.name, one.path, one.pointer, one.message, one.data) == (name, path, pointer, message, data)


ROW = "  values_for: [example-chip]\n"
MORE = ROW + ("- parameter: memory_bandwidth\n  effect: More bandwidth lowers the ridge\n  basis: unverified\n"
              "  values_for: [{}]\n")
CHOP = "there is no accelerator 'example-chop'; did you mean example-chip?"
OLD = """\
schema_version: "3.0"
id: flops/{0}
name: Old
status: {1}
arithmetic_intensity: Nothing more.
scales_with: []
affected_by_hardware: []
hardware_parameters: []
workarounds: []
notes: Nothing more.
"""


def old(name: str, status: str, by: str = "") -> dict[str, str]:
    """A record that no longer stands."""
    more = f"superseded_by: {by}\n" if by else ""
    return {f"records/flops/{name}.yaml": OLD.format(name, status) + more}


@pytest.mark.parametrize(("edits", "files", "found"), [
    ((("flop", ROW, MORE.format("example-chop, other-chip")),), {}, [
        ("unresolved-reference", ("hardware_parameters", 1, "values_for", 0), CHOP),
        ("unresolved-reference", ("hardware_parameters", 1, "values_for", 1), "there is no accelerator 'other-chip'")]),
    ((("flop", ROW, "  values_for: [nosuch, example-chip]\n"),
      ("flop", "parameter: memory_bandwidth", "parameter: tdp")), {}, [
        ("unresolved-reference", ("hardware_parameters", 0, "values_for", 0), "there is no accelerator 'nosuch'"),
        ("value-missing", ("hardware_parameters", 0, "values_for", 1), "example-chip has no sourced value of tdp")]),
    ((("flop", "history:", "mentions: [nosuch, old, older]\nhistory:"),),
     {**old("old", "superseded", "older"), **old("older", "superseded", "newer"), **old("newer", "active")}, [
        ("unresolved-reference", ("mentions", 0), "there is no flop 'nosuch'"),
        ("withdrawn-reference", ("mentions", 1), "flops/old is superseded"),
        ("withdrawn-reference", ("mentions", 2), "flops/older is superseded")]),
    ((), {**old("old", "superseded", "older"), **old("older", "withdrawn")}, [
        ("withdrawn-reference", ("superseded_by",), "flops/older is withdrawn")]),
    ((("bench", 'speedup: ["2.10", "1.25"]', 'speedup: ["2.10"], note: [a, b], one: c'),
      ("bench", "unit: {speedup: x}", "unit: {speedup: x, gain: x}")), {}, [
        ("schema", ("tables", 0, "columns", "speedup"), "the column speedup has 1 cells where another has 2"),
        ("schema", ("tables", 0, "unit", "gain"), "unit names gain, which is no column of the table")]),
    ((("flop", "More bandwidth lowers the ridge\n  basis", "Quite something else\n  basis"),), {}, [
        ("effect-not-verbatim", ("hardware_parameters", 0, "effect"), "the effect is not in the record's prose")]),
])
def test_what_rules_say_of_references_and_tables(edits: tuple[tuple[str, str, str], ...], files: dict[str, str],
                                                 found: list[tuple[str, tuple[str | int, ...], str]]) -> None:
    told = {(one.name, one.pointer, one.message) for one in check_sample(Sample(edits, files))}
    assert {one for one in told if one[0] not in ("undecided", "basis-too-strong")} == set(found)


def test_a_claim_that_nothing_backs_is_told_with_its_name() -> None:
    base = {"quote": "With k=4 it is 20", "read": {"k": "With k=4"}, "figures": {"is 20": "k + 16"}}
    (one,) = judge("With k=4 it is 20. It is so.", base, {"quote": "It is so", "basis": "derived",
                                                          "same_as": "claim-1"}).report.findings
    assert (one.name, one.pointer, one.message, one.data) == (
        "basis-unbacked", ("claims", 1, "basis"), "claim claim-2: the basis is derived, but nothing backs it",
        {"claim": "claim-2"})


@pytest.mark.parametrize(("text", "message"), [
    ("The gain is 7.", "1 number of this 1.0 record cannot be accounted for"),
    ("The gain is 7 of 9.", "2 numbers of this 1.0 record cannot be accounted for"),
])
def test_the_numbers_of_an_older_record_are_counted(text: str, message: str) -> None:
    rule = by_name("unchecked-figures")
    assert rule is not None
    (path,) = rule.bad.files
    data = yaml.safe_load(rule.bad.files[path])
    told = check_sample(Sample(files={path: yaml.safe_dump(data | {"arithmetic_intensity": text})}))
    (one,) = [one for one in told if one.name == "unchecked-figures"]
    assert (one.pointer, one.message, one.span.column) == (("arithmetic_intensity",), message, text.index("7") + 23)


LONELY = 'schema_version: "3.0"\nid: sources/lonely\nkind: blog\ntitle: Lonely\n'
UNUSED = ("unused-source", "nothing refers to sources/lonely")


@pytest.mark.parametrize(("files", "found"), [
    ({}, [UNUSED]), ({"records/flops/broken.yaml": OLD.format("broken", "active") + "x: lonely\n"}, []),
    ({"records/flops/broken.yaml": OLD.format("broken", "active") + "x: other\n"}, [UNUSED]),
    ({"records/flops/broken.yaml": "- ["}, []),  # what cannot be read may well name it
    ({"records/flops/user.yaml": OLD.format("user", "active") + "mentions: [lonely]\n"}, [UNUSED]),
    ({"records/accelerators/user.yaml": 'schema_version: "3.0"\nid: accelerators/user\nname: User\nquantities:\n'
      '  tdp: {value: "700 W", basis: specified, source: lonely, locator: page 1}\n'}, []),
])
def test_a_source_that_nothing_refers_to(files: dict[str, str], found: list[tuple[str, str]]) -> None:
    path = "records/sources/lonely.yaml"
    told = check_sample(Sample(files={path: LONELY, **files}))
    assert [(one.name, one.message) for one in told if one.path == path] == found


@pytest.mark.parametrize(("path", "named", "message"), [
    ("flops/other.yml", "flops/other", "a record file ends in .yaml or .json"),
    ("other/thing.yaml", "other/thing",
     "the file lies in no folder of a kind of record (flops/, accelerators/, models/, sources/)"),
    ("other/thing.yaml", "flops/thing", "the id is flops/thing, but the path says other/thing"),
    ("flops/more/other.yaml", "flops/other", "the id is flops/other, but the path says flops/more/other"),
])
def test_an_id_is_the_path(path: str, named: str, message: str) -> None:
    files = {f"records/{path}": OLD.replace("flops/{0}", named).format("", "active")}
    (one,) = [one for one in check_sample(Sample(files=files)) if one.name == "bad-id"]
    assert (one.pointer, one.message) == (("id",), message)


@pytest.mark.parametrize(("text", "found"), [
    (LONELY.replace("lonely", "other"), [("bad-id", ("id",))]),
    (LONELY.replace("sources/lonely", "sources/Other"), [("bad-id", ("id",))]),  # of two complaints the schema's
    (LONELY.replace("lonely", "other") + "title: Again\n", [("duplicate-key", ())]),
    (LONELY.replace("id: sources/lonely\n", ""), [("schema", ())]),
])
def test_an_id_is_told_once_and_not_of_a_file_that_does_not_read(text: str, found: list[Any]) -> None:
    told = check_sample(Sample(files={"records/sources/lonely.yaml": text}))
    assert [(one.name, one.pointer) for one in told if one.name != "unused-source"] == found


TWIN = '{"schema_version": "3.0", "id": "sources/lonely", "kind": "blog", "title": "t"}'


@pytest.mark.parametrize(("text", "pointer"), [(LONELY, ("id",)), (LONELY.replace("id: sources/lonely\n", ""), ())])
def test_the_later_of_two_files_with_one_id_is_told_with_either(text: str, pointer: tuple[str, ...]) -> None:
    paths = ("records/sources/lonely.yaml", "records/sources/lonely.json")
    corpus = sample_corpus(Sample(files=dict(zip(paths, (text, TWIN), strict=True))))
    for scope in (None, *(frozenset({path}) for path in paths)):
        (one,) = [one for one in check(corpus, Options(scope=scope)).findings if one.name == "duplicate-id"]
        assert (one.path, one.pointer) == (paths[0], pointer)


def marked(sample: Sample, name: str) -> str:
    """The text that a finding marks."""
    (one,) = [one for one in check_sample(sample) if one.name == name]
    line = files_of(sample)[one.path].split("\n")[one.span.line - 1]
    return line[one.span.column - 1:one.span.end_column - 1]


def test_what_is_marked() -> None:
    unit = Sample((("bench", "unit: {speedup: x}", "unit: {speedup: x, gain: ms}"),))
    assert marked(unit, "schema") == "gain"
    for name, text in (("cited-quote-differs", "gains fade with every request"), ("unchecked-figures", "64")):
        rule = by_name(name)
        assert rule is not None
        assert marked(rule.bad, name) == text


def test_a_table_of_single_cells_without_units_is_fine() -> None:
    table = "tables:\n- {id: one, locator: Table 1, basis: measured, columns: {gain: 2.0x, batch: '16'}}\n"
    assert [one.name for one in check_sample(Sample(files={"records/sources/lonely.yaml": LONELY + table}))] == [
        "unused-source"]


@pytest.mark.parametrize(("claim", "names"), [
    ({"basis": "unverified"}, []), ({"cites": {"It is so and no other": "bench-report"}, "basis": "reported"},
                                    ["unresolved-reference"]),
    ({"holds": ["additive.gain(16, 4) < 1"], "backed_by": "nobody", "basis": "derived"}, ["unresolved-reference"]),
])
def test_what_does_not_resolve_is_no_second_time_told_as_unbacked(claim: dict[str, Any], names: list[str]) -> None:
    assert judge("It is so and no other.", claim).names == names


def test_cited_words_that_differ_in_typography_only() -> None:
    source = LONELY + ("quotes:\n- {id: words, locator: Section 1, basis: reported, "
                       "text: \"the chip's gains fade\"}\n")
    words = "the chip\u2019s gains fade"
    judged = judge(f"There {words}.", {"cites": {words: "lonely#words"}, "basis": "reported"},
                   files={"records/sources/lonely.yaml": source})
    (one,) = judged.report.findings
    assert (one.name, one.pointer) == ("typography-differs", ("claims", 0, "cites", words))
    assert one.message == "the cited words and lonely#words differ in typography: U+2019"
    assert (one.data, judged.found) == ({"code_points": ["U+2019"]}, [("typography-differs", f'"{words}"')])
