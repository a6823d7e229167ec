"""Places in sources that the prose names, figures of a row's magnitude, and units of evidence."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking.selftest import check_sample
from specdil_records.rules import Sample
from specdil_records.rules.written import LOCATOR, located
from tests.claims.support import judge

LONG = "records/sources/long-report.yaml"
SOURCE = """\
schema_version: "3.0"
id: sources/long-report
kind: paper
title: A Study of Long Things
tables:
- {id: t5, locator: Table 5, basis: measured, seen: full-text, columns: {batch: ["1"]}}
- {id: t51, locator: "Table 12, left half", basis: measured, seen: full-text, columns: {batch: ["1"]}}
quotes:
- {id: g3, locator: Appendix G.3, basis: simulated, seen: full-text, text: "so it is said there"}
- {id: s2, locator: Section 2.1, basis: simulated, seen: full-text, text: "so it is said there too"}
"""


def places(prose: str, files: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """The places that a source's record does not have: the words that are marked, and the message."""
    judged = judge(prose, files={LONG: SOURCE, **(files or {})})
    text = judged.corpus.by_id["flops/short"].document.text.split("\n")
    return [(text[one.span.line - 1][one.span.column - 1:one.span.end_column - 1], one.message)
            for one in judged.report.findings if one.name == "unresolved-reference"]


@pytest.mark.parametrize("prose", [
    "It is in long-report, Table 5.", "It is in Long-Report Table 5.", "See A Study of Long Things (Appendix G.3).",
    "See a study of long things, Appendix G.3.", "In long-report's Table 5 it is so.",
    "The long-report paper, in its Section 2.1, has it.", "See long-report, Section 2.1 and Appendix G.3.",
    "See long-report, Table 5, Table 12 and Section 2.1.",
    "The long-report figure 1.25x is high.", "long-report's figure 16 GB is new.",
    "In long-report Table 40% are empty.",
    "See long-report table 5, section 2.1, \u00a72.1 and appendix g.3.", "See long-report, \u00a7 2.1.",
    # No source stands before these, or too much stands between.
    "It is in Table 9.", "The long-report is fine, but Table 9 is ours.", "An overlong-report, Table 9, is another.",
    "It is in bench-report, Table 1."])
def test_places_that_are_there_or_of_no_source(prose: str) -> None:
    assert places(prose) == []


@pytest.mark.parametrize(("prose", "marked"), [
    ("It is in long-report, Table 9.", ["Table 9"]), ("In LONG-REPORT (Table 9) it is so.", ["Table 9"]),
    ("See A Study of Long Things, Appendix H.", ["Appendix H"]), ("In long-report's Table 51 it is so.", ["Table 51"]),
    # A part of a place's number is another place.
    ("In long-report, Appendix G it is.", ["Appendix G"]), ("See long-report, Section 2.", ["Section 2"]),
    ("The long-report paper, in its Section 3.1, has it.", ["Section 3.1"]),
    ("See long-report, Table 1.", ["Table 1"]), ("See long-report, Appendix G.3.1.", ["Appendix G.3.1"]),
    ("See long-report, Section 2.11.", ["Section 2.11"]),
    ("See long-report, Table 5 and Table 6.", ["Table 6"]), ("See long-report, Table 7, Table 5.", ["Table 7"]),
    ("See long-report, Table 7, Table 8.", ["Table 7", "Table 8"]),
    ("See long-report, Table 5. It rains. Table 6 is ours.", []),
    ("See bench-report, Table 5, and long-report, Table 1.", ["Table 5", "Table 1"]),
    ("It is in the report of bench-report: long-report, Table 1.", ["Table 1"]),
    ("See long-report table 9.", ["table 9"]), ("See long-report, section 3.1.", ["section 3.1"]),
    ("See long-report, appendix g.4.", ["appendix g.4"]), ("See long-report, \u00a7 3.1.", ["\u00a7 3.1"]),
    ("See long-report, Algorithm 5.", ["Algorithm 5"]), ("The long-report reports in Table 9 that.", ["Table 9"]),
    ("The long-report [Table 9] has it.", ["Table 9"]), ("See A Study of\nLong Things (Table 9).", ["Table 9"]),
    ("See A Study of Long Things, as Table 9 is ours.", []),
    ("long-report, Table 9, has it.", ["Table 9"]), ("Table 1 is ours. See long-report, Table 9.", ["Table 9"]),
    ("The long-report is new; in long-report, Table 9, it is so.", ["Table 9"]),
])
def test_places_that_a_source_does_not_have(prose: str, marked: list[str]) -> None:
    found = places(prose)
    assert [words for words, _ in found] == marked
    assert all(f"has no place {words!r}" in message for words, message in found)


@pytest.mark.parametrize(("prose", "found"), [
    ("See long-report, Tables 5 and 12.", []), ("See long-report, Tables 5 and 9.", [("9", "Table 9")]),
    ("See long-report, Tables 9 and 40 GB of it.", [("9", "Table 9")]),
    ("See long-report, tables 8, 5, and 9.", [("8", "table 8"), ("9", "table 9")]),
    ("See long-report, Appendices G.3 or G.4.", [("G.4", "Appendix G.4")]),
    ("See long-report, Sections 2.1 and 3.1, and Table 7.", [("3.1", "Section 3.1"), ("Table 7", "Table 7")]),
])
def test_each_of_several_places_is_looked_for(prose: str, found: list[tuple[str, str]]) -> None:
    told = places(prose)
    assert [words for words, _ in told] == [words for words, _ in found]
    for (_, message), (_, named) in zip(told, found, strict=True):
        assert f"has no place {named!r}" in message


def test_the_nearest_place_is_named() -> None:
    assert places("See long-report, Appendix G.4.") == [
        ("Appendix G.4", "long-report has no place 'Appendix G.4'; did you mean Appendix G.3?")]


def titled(name: str, title: str) -> dict[str, str]:
    text = SOURCE.replace("long-report", name).replace("A Study of Long Things", json.dumps(title))
    return {f"records/sources/{name}.yaml": text}


@pytest.mark.parametrize(("title", "prose", "marked"), [
    # A title may change its length where case is folded: the sharp s is two letters then.
    ("Die Stra\u00dfenstudie", "See die stra\u00dfenstudie, Table 9.", ["Table 9"]),
    ("Die Stra\u00dfenstudie", "See DIE STRASSENSTUDIE, Table 9.", ["Table 9"]),
    ("Die Stra\u00dfenstudie", "Gro\u00dfe Stra\u00dfen: the other-report; Table 9 is ours.", []),
    # A title of nothing is no name.
    ("", "See: Table 9.", []), (" ", "See: Table 9.", []), ("", "((Table 9) is ours.", [])])
def test_titles_of_other_letters_or_none(title: str, prose: str, marked: list[str]) -> None:
    assert [words for words, _ in places(prose, titled("other-report", title))] == marked


@pytest.mark.parametrize(("first", "second"), [("a", "z"), ("z", "a")])
def test_of_names_that_begin_alike_the_longer_is_meant(first: str, second: str) -> None:
    files = {**titled(f"{first}-one", "Odd steps"), **titled(f"{second}-two", "Odd steps report")}
    for prose, source in (("See odd steps, Table 9.", f"{first}-one"),
                          ("See the Odd Steps report, Table 9.", f"{second}-two")):
        (words, message), = places(prose, files)
        assert (words, message.partition(" has ")[0]) == ("Table 9", source)


def test_a_lost_place_names_source_and_place() -> None:
    judged = judge("See long-report, Table 9.", files={LONG: SOURCE})
    (one,) = [one for one in judged.report.findings if one.name == "unresolved-reference"]
    assert (one.path, one.pointer) == ("records/flops/short.yaml", ("notes",))
    assert one.data == {"source": "sources/long-report", "locator": "Table 9"}


# Magnitudes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("magnitude", "names", "marked"), [
    ("2.00 TB/s", [], []), ("2.0 TB/s", ["new-figure"], ["2.0"]), ("2 TB/s", ["new-figure"], ["2"]),
    ("2.00 GB/s", ["new-figure"], ["2.00"]), ("2.00", ["new-figure"], ["2.00"]), ("25%", [], []),
    ("25", ["new-figure"], ["25"]), ("1.25x at batch 16", [], []), ("1.25x at batch 17", ["new-figure"], ["17"]),
    ("3.00 TB/s, then 4.00 TB/s", ["new-figure", "new-figure"], ["3.00", "4.00"]), ("as H100 has", [], []),
    ("2,00 TB/s", ["unreadable-number"], ["2,00"]), ("2.00 KB", ["unknown-unit"], ["2.00"]),
    ("above 2,00 TB/s", ["unreadable-number"], ["2,00"]),
    # The same number of something else is another figure.
    ("2.00 TB", ["new-figure"], ["2.00"]), ("1.25", ["new-figure"], ["1.25"]), ("25 points", ["new-figure"], ["25"]),
    ("25 percent", [], []), ("2.00TB/s", [], []),
])
def test_figures_of_a_magnitude_are_those_of_the_prose(magnitude: str, names: list[str], marked: list[str]) -> None:
    row = f"  magnitude: {json.dumps(magnitude)}\n"
    edits = (("flop", "  basis: unverified\n  values_for", f"{row}  basis: unverified\n  values_for"),)
    found = check_sample(Sample(edits))
    assert [one.name for one in found] == names
    assert [one.pointer for one in found] == [("hardware_parameters", 0, "magnitude")] * len(names)
    # The text begins behind `  magnitude: "`.
    assert [magnitude[one.span.column - 15:one.span.end_column - 15] for one in found] == marked
    assert all(marked[0] in one.message or "'KB'" in one.message for one in found[:1])


@pytest.mark.parametrize("figure", ["2.0 TB/s", "25 GB", "26%"])
def test_a_new_figure_is_named_with_its_unit(figure: str) -> None:
    row = "  basis: unverified\n  values_for"
    (one,) = check_sample(Sample((("flop", row, f"  magnitude: {figure} of it\n{row}"),)))
    assert (one.message, one.data) == (f"the prose holds no {figure}", {"figure": figure})


@pytest.mark.parametrize(("version", "more", "names"), [
    ("3.0", "name: Other\nstatus: active\n", ["unreadable-number"]), ("2.0", "", ["unchecked-figures"]),
    ("1.0", "", ["unchecked-figures"])])
def test_a_number_of_the_prose_that_cannot_be_read_is_told_at_its_digits(version: str, more: str,
                                                                         names: list[str]) -> None:
    text = FLOP.replace("VERSION", version) + more
    if version == "1.0":
        text = text.replace("hardware_parameters: []\n", "")
    found = check_sample(Sample(files={"records/flops/other.yaml": text}))
    assert [one.name for one in found] == names
    if more:
        (one,) = found
        assert one.data == {"figure": "12,5"}
        assert "'12,5'" in one.message
        assert (one.span.column, one.span.end_column) == (len("notes: It is ") + 1, len("notes: It is 12,5") + 1)


FLOP = """\
schema_version: "VERSION"
id: flops/other
arithmetic_intensity: Nothing more.
scales_with: []
affected_by_hardware: []
hardware_parameters: []
workarounds: []
notes: It is 12,5% of it.
"""


# Evidence -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "name", "words"), [
    ("2.00 TB/s", None, ""), ("2000 GB/s", None, ""), ("2,00 TB/s", "unreadable-number", "'2,00'"),
    ("2.00 KB", "unknown-unit", "'KB'"), ("2.00 TB", "unknown-unit", "is measured in byte/s; '2.00 TB' is not"),
    ("2.00", "unknown-unit", "is measured in byte/s; '2.00' is not"), ("fast", "unreadable-number", "'fast'")])
@pytest.mark.parametrize("where", ["quantities", "conflicts"])
def test_a_value_is_a_number_in_a_unit_of_its_quantity(value: str, name: str | None, words: str,
                                                         where: str) -> None:
    text = '  tdp: {value: "700 W", basis: specified, source: chip-sheet, locator: page 1}\n'
    entry = f'{{value: "{value}", source: chip-sheet'
    if where == "quantities":
        edits: Any = (("chip", "  peak_bf16", f"  interconnect_bandwidth: {entry}, basis: specified}}\n  peak_bf16"),)
        place: tuple[str | int, ...] = ("quantities", "interconnect_bandwidth", "value")
    else:
        new = f"conflicts:\n- {entry}, quantity: interconnect_bandwidth}}\nquantities:\n"
        edits, place = (("chip", "quantities:\n", new),), ("conflicts", 0, "value")
    found = check_sample(Sample((*edits, ("chip", "  memory_bandwidth", f"{text}  memory_bandwidth"))))
    assert [(one.name, one.pointer, one.data) for one in found] == ([(name, place, {"figure": value})] if name else [])
    assert all(words in one.message for one in found)


@pytest.mark.parametrize(("cell", "unit", "names"), [
    ("1.5", "x", []), ("1.5x", "x", []), ("", "x", []), ("-", "x", []), ("n/a", "x", []), ("\u2013", "x", []),
    ("1,5", "x", ["unreadable-number"]), ("fast", "x", ["unreadable-number"]), ("1,5", None, []), ("fast", None, []),
    ("1.5 KB", "x", ["unknown-unit"])])
def test_cells_of_a_column_with_a_unit_are_numbers(cell: str, unit: str | None, names: list[str]) -> None:
    units = "speedup: x" + ("" if unit is None else f", other: {unit}")
    found = check_sample(Sample((
        ("bench", 'speedup: ["2.10", "1.25"]', f'speedup: ["2.10", "1.25"], other: ["1.0", "{cell}"]'),
        ("bench", "unit: {speedup: x}", f"unit: {{{units}}}"))))
    assert [(one.name, one.pointer) for one in found] == [
        (name, ("tables", 0, "columns", "other", 1)) for name in names]


WORDS = ("Figure", "fig.", "Fig.", "APPENDICES", "App.", "Sec.", "sect\u0131on", "\u017fection", "Tables", "subTable",
         "eq.", "Lemma", "\u00a7", "3", "9.2", "A", "IV", "40%", "3(a)", ",", "and", "or", "\u00e9", "\U0001d4b3", "\n")


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(("", " "))), max_size=9))
def test_places_are_looked_for_where_their_words_may_begin_and_none_is_missed(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + blank for word, blank in parts)
    assert [match.span() for match in located(text)] == [match.span() for match in LOCATOR.finditer(text)]
