"""A whole record: what a repeated claim takes over, asides, trends, and the status of every number."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from specdil_records.claims.evaluation import distinct, evaluate, spell_out
from specdil_records.claims.quantities import Leaf, Quantity
from specdil_records.findings import Place, Problem
from tests.claims.support import ID, judge

BASE: dict[str, Any] = {
    "id": "base", "in": "notes", "quote": "q", "basis": "derived", "backed_by": "s", "assume": {"a": "1"},
    "of": {"c": "chip"}, "over": {"B": "1..4"}, "because": "of b",
    "read": {"x": "at 16", "y": {"in": "/workarounds/0", "at": "of 2"}},
    "figures": {"is 20": "x + 4", "is 30": "x + 14"}, "held": {"below 9": "limit"},
    "cites": {"three plain words": "s#q"}, "holds": ["x < limit"], "tolerance": {"is 20": "1"}, "occurrence": 2,
}


def again(**fields: Any) -> Any:
    return spell_out({"id": "again", "in": "notes", "quote": "r", "same_as": "base", **fields}, [BASE])


def test_a_claim_of_its_own_is_left_as_it_is() -> None:
    assert spell_out(BASE, [BASE]) is BASE


def test_a_repeated_claim_takes_what_its_figures_rest_on() -> None:
    spelt = again(figures={"makes 20": "is 20"})
    assert spelt == {
        "id": "again", "in": "notes", "quote": "r", "same_as": "base", "basis": "derived", "backed_by": "s",
        "assume": {"a": "1"}, "of": {"c": "chip"}, "over": {"B": "1..4"}, "because": "of b",
        "read": {"x": {"in": "notes", "at": "at 16"}, "y": {"in": "/workarounds/0", "at": "of 2"}},
        "inherited": ("x", "y"), "figures": {"makes 20": "x + 4"}, "tolerance": {"makes 20": "1"},
    }


def test_what_a_repeated_claim_says_itself_comes_first() -> None:
    spelt = again(basis="reported", because="of mine", over={"B": "1..8"}, read={"x": "at 17"},
                  figures={"makes 30": "is 30"}, tolerance={"makes 30": "2"})
    assert (spelt["basis"], spelt["because"], spelt["over"]) == ("reported", "of mine", {"B": "1..8"})
    assert spelt["read"] == {"x": "at 17", "y": {"in": "/workarounds/0", "at": "of 2"}}
    assert spelt["inherited"] == ("y",)
    assert (spelt["figures"], spelt["tolerance"]) == ({"makes 30": "x + 14"}, {"makes 30": "2"})


def test_several_anchors_are_carried_over_each_to_its_kind() -> None:
    spelt = again(tolerance={"30": "3"}, figures={"makes 20": "is 20", "under 9": "below 9", "30": "is 30",
                                                  "the same words": "three plain words"})
    assert spelt["figures"] == {"makes 20": "x + 4", "30": "x + 14"}
    assert (spelt["held"], spelt["cites"]) == ({"under 9": "limit"}, {"the same words": "s#q"})
    assert spelt["tolerance"] == {"30": "3", "makes 20": "1"}
    assert spelt["holds"] == ["x < limit"]


def test_statements_are_repeated_with_what_they_hold_or_when_nothing_else_is() -> None:
    assert "holds" not in again(figures={"makes 20": "is 20"})
    assert again(figures={"under 9": "below 9"})["holds"] == ["x < limit"]
    assert again()["holds"] == ["x < limit"]
    assert again(figures={})["holds"] == ["x < limit"]
    without = {key: value for key, value in BASE.items() if key not in ("holds", "read")}
    spelt = spell_out({"id": "again", "same_as": "base"}, [without])
    assert not isinstance(spelt, Problem)
    assert not {"holds", "read", "inherited"} & spelt.keys()


@pytest.mark.parametrize(("data", "claims", "words"), [
    ({"same_as": "nosuch"}, [BASE], "no claim 'nosuch' of its own to repeat"),
    ({"same_as": "base"}, [{**BASE, "same_as": "other"}], "no claim 'base' of its own to repeat"),
    ({"same_as": "base", "figures": {"a 1": "is 21"}}, [BASE], "claim base has no anchor 'is 21'"),
    ({"same_as": "base", "figures": {"a 1": "is 20"}}, [{"id": "base"}], "claim base has no anchor 'is 20'"),
])
def test_a_repetition_of_nothing(data: dict[str, Any], claims: list[dict[str, Any]], words: str) -> None:
    found = spell_out({"id": "again", **data}, claims)
    assert isinstance(found, Problem)
    assert (found.name, found.message) == ("unresolved-reference", words)


def test_a_repetition_of_nothing_is_told_once_and_explains_its_numbers() -> None:
    judged = judge("At batch 16 it is 20.", {"same_as": "nosuch", "figures": {"is 20": "is 20"}})
    assert judged.found == [("unresolved-reference", '"nosuch"')]
    assert judged.verdict("claim-1") == "undecided"


def test_a_repetition_of_nothing_is_looked_for_and_the_next_claim_is_judged() -> None:
    again = {"same_as": "nosuch", "quote": "It is so"}
    judged = judge("It is so. It is so. More is 20.", {**again, "occurrence": 2},
                   {**again, "quote": "It was so"}, {"quote": "More is 20", "basis": "unverified"})
    assert [(one.name, one.pointer) for one in judged.report.findings] == [
        ("unresolved-reference", ("claims", 0, "same_as")), ("quote-not-verbatim", ("claims", 1, "quote")),
        ("unresolved-reference", ("claims", 1, "same_as"))]
    assert (judged.verdict("claim-1"), judged.verdict("claim-3")) == ("undecided", "unverified")
    assert [claim.basis for claim in judged.evaluation.claims] == ["unverified"] * 3


def test_a_repeated_claim_need_not_use_what_it_inherits() -> None:
    base = {"quote": "At batch 16 it is 20, k is 4.", "read": {"batch": "At batch 16", "k": "k is 4"},
            "figures": {"is 20": "batch + k"}, "holds": ["batch > k"]}
    judged = judge("At batch 16 it is 20, k is 4. It is so there.", base, {"quote": "It is so there",
                                                                            "same_as": "claim-1", "basis": "derived"})
    assert judged.found == []
    alone = {**base, "figures": {"is 20": "batch + 4"}, "holds": ["batch > 4"]}
    assert judge("At batch 16 it is 20, k is 4.", alone).names == ["formula"]


def test_a_dispute_about_no_claim_is_told_and_the_next_one_is_judged() -> None:
    base = {"quote": "With k=4 it is 20", "read": {"k": "With k=4"}, "figures": {"is 20": "k + 16"}}
    judged = judge("With k=4 it is 20. Again it is 20.", base,
                   {"quote": "Again it is 20", "same_as": "claim-1", "figures": {"is 20": "is 20"}},
                   disputes=tuple({"claim": claim, "figure": "is 20", "against": "k", "because": "of a test",
                                   "sources": ["bench-report"]} for claim in ("nosuch", "claim-1")))
    told = [(one.name, one.pointer, one.message) for one in judged.report.findings]
    assert told == [("unresolved-reference", ("disputes", 0, "claim"), "there is no claim 'nosuch'")]
    assert judged.verdict("claim-1") == "disputed"


def test_a_figure_that_fails_its_own_model_is_excused_in_a_repeated_claim() -> None:
    base = {"quote": "With k=4 it is 21", "read": {"k": "With k=4"}, "figures": {"is 21": "k + 16"}}
    judged = judge("With k=4 it is 21. Again it is 21. It is so.", base,
                   {"quote": "Again it is 21", "same_as": "claim-1", "figures": {"it is 21": "is 21"}},
                   {"quote": "It is so", "same_as": "claim-1", "basis": "unverified"},
                   disputes=({"claim": "claim-1", "figure": "is 21", "own_model": "fails", "because": "of a test",
                              "sources": ["bench-report"]},))
    assert judged.found == []
    assert [[one.pointer for one in claim.disputes] for claim in judged.evaluation.claims] == [
        [("disputes", 0)], [("disputes", 0)], []]


@pytest.mark.parametrize(("claim", "names"), [
    ({"over": {"B": "1..4"}, "holds": ["B > 0"]}, ["formula", "unbound-figure"]),
    ({"figures": {"is 20": "batch + "}}, ["formula"]),
    ({"figures": {"is 20": "batch + 4", "20": "batch + 4"}}, ["quote-ambiguous"]),
    ({"figures": {"is 20": "batch + 4", "21": "batch + 4"}}, ["quote-not-verbatim"]),
])
def test_only_a_lost_anchor_explains_all_numbers_of_its_quote(claim: dict[str, Any], names: list[str]) -> None:
    prose = "At batch 16 it is 20." if "20" not in claim.get("figures", {}) else "At batch 16 it is 20, not 20."
    assert judge(prose, {"read": {"batch": "At batch 16"}, **claim}).names == names


@pytest.mark.parametrize(("aside", "faults"), [
    ({"text": "of 1970"}, []), ({"text": "of 1971"}, ["quote-not-verbatim", "unbound-figure"]),
    ({"text": "7 of them", "occurrence": 2}, ["unbound-figure", "unbound-figure"]),
    ({"text": "7 of them"}, ["quote-ambiguous", "unbound-figure", "unbound-figure", "unbound-figure"]),
    ({"text": "The law"}, ["formula", "unbound-figure"]), ({"text": "of 1970", "in": "nosuch"},
                                                          ["unbound-figure", "unresolved-reference"]),
    ({"text": "7 of them", "occurrence": 3}, ["quote-not-verbatim"] + ["unbound-figure"] * 3),
])
def test_an_aside_takes_its_numbers_out_of_the_count(aside: dict[str, Any], faults: list[str]) -> None:
    prose = "7 of them and 7 of them. The law of 1970 stays." if "7" in aside["text"][:1] else "The law of 1970 stays."
    judged = judge(prose, {"quote": "stays", "basis": "unverified"},
                   asides=[{"in": "notes", "kind": "other", "because": "of it", **aside}])
    assert judged.names == faults
    if not faults:
        assert judged.statuses == {"exempt": ["1970"]}


def test_asides_are_told_each_in_its_place() -> None:
    asides = [("nosuch", "7 of"), ("notes", "8 of"), ("notes", "of all"), ("notes", "of them"), ("notes", "5 of")]
    judged = judge("7 of them, 8 of them, and 9 of all.", {"basis": "unverified", "quote": "and 9 of all"},
                   asides=[{"in": where, "text": text, "kind": "date", "because": "b"} for where, text in asides])
    assert [(one.name, one.pointer, one.message) for one in judged.report.findings] == [
        ("unbound-figure", ("notes",), "nothing accounts for 7"),
        ("unresolved-reference", ("asides", 0, "in"),
         "'nosuch' is no field of prose; there are arithmetic_intensity, notes"),
        ("formula", ("asides", 2, "text"), "the aside 'of all' holds no number"),
        ("quote-ambiguous", ("asides", 3, "text"), "the aside 'of them' stands 2 times in its field"),
        ("quote-not-verbatim", ("asides", 4, "text"), "the aside '5 of' stands nowhere in its field")]
    assert [(entry.written, str(entry.status), entry.by) for entry in judged.evaluation.ledger] == [
        ("7", "unbound", ()), ("8", "exempt", ("date",)), ("9", "unverified", ("claim-1",))]


def test_an_ambiguous_aside_says_how_often() -> None:
    judged = judge("7 of them and 7 of them.", {"basis": "unverified"},
                   asides=[{"in": "notes", "kind": "other", "because": "of it", "text": "7 of them"},
                           {"in": "notes", "kind": "other", "because": "of it", "text": "8 of them"}])
    assert "the aside '7 of them' stands 2 times in its field" in judged.messages
    assert "the aside '8 of them' stands nowhere in its field" in judged.messages


ZERO = "it divides by zero, or by an interval that holds zero"


@pytest.mark.parametrize(("trend", "state", "name", "place", "message"), [
    ({"is": "decreasing"}, "true", "", (), ""),
    ({"is": "increasing"}, "false", "conclusion-false", (),
     "trend of B: increasing(1 / B, B) is false at B=2: 1 against 0.5"),
    ({"is": "constant"}, "false", "conclusion-false", (),
     "trend of B: constant(1 / B, B) is false at B=2: 1 against 0.5"),
    ({"of": "x / B", "assume": {"x": "3"}}, "true", "", (), ""),
    ({"of": "x / B", "assume": {"x": "much"}}, None, "unreadable-number", ("assume",), "'much' is no number"),
    ({"of": "x / B"}, "broken", "formula", ("of",), "trend: unknown name x"),
    ({"in": "C"}, "broken", "formula", ("in",), "trend: C is no axis of the grid (B)"),
    ({"of": "x / B", "assume": {"x": "0 \u00b1 1"}}, "undecided", "undecided", (),
     "whether decreasing(x / B, B) cannot be told at B=2: [-1, 1] against [-0.5, 0.5]"),
    ({"over": {"B": "9..1"}}, "broken", "formula", ("over",), "trend: axis B: 9..1 does not ascend"),
    ({"of": "B / (B - 1)"}, "undecided", "undecided", ("of",), f"trend: {ZERO}"),
    ({"of": 'cited("nosuch", "t", "c") / B'}, "broken", "unresolved-reference", ("of",),
     "trend: there is no source 'nosuch'"),
    ({"of": 'cited("faulty", "t", "c") / B'}, "broken", "", (), ""),  # told where it stands
])
def test_a_trend_is_judged_as_a_statement(trend: dict[str, Any], state: str | None, name: str, place: tuple[str, ...],
                                          message: str) -> None:
    data = {"is": "decreasing", "of": "1 / B", "in": "B", "over": {"B": "1..4"}, **trend}
    rows = [{"parameter": "draft_k", "effect": "It stays"},
            {"parameter": "batch_size", "effect": "It fades", "trend": data}]
    judged = judge("Nothing more.", {"basis": "unverified"}, scales_with=rows,
                   files={"records/sources/faulty.yaml": "id: 7\n"})
    found = [(one.name, one.pointer, one.message) for one in judged.report.findings if one.record == ID]
    assert found == ([(name, ("scales_with", 1, "trend", *place), message)] if name else [])
    told = [(one.text, one.pointer, one.state, one.reason) for one in judged.evaluation.trends]
    text = f"{data['is']}({data['of']}, {data['in']})"
    reason = message.removeprefix("trend: ") if message.startswith("trend: ") else "faulty" if "faulty" in text else ""
    assert told == ([(text, ("scales_with", 1, "trend"), state, reason)] if state else [])
    if state == "true" and "assume" in data:
        truth = judged.evaluation.trends[0].truth
        assert truth is not None
        assert Leaf("input", ("x",), "x", Quantity(3), "3", "assumed") in truth.used


def test_only_a_record_that_fits_its_schema_is_judged() -> None:
    judged = judge("Nothing more.", {"basis": "unverified"}, files={"records/sources/faulty.yaml": "id: 7\n"})
    record = judged.corpus.by_id[ID]
    assert evaluate(record).ledger == evaluate(record, judged.corpus).ledger
    faulty = next(one for one in judged.corpus.own if one.path == "records/sources/faulty.yaml")
    for lost, corpus in ((faulty, judged.corpus), (replace(record, home=None), None)):
        with pytest.raises(ValueError, match="belongs to no corpus, or does not read or fit its schema"):
            evaluate(lost, corpus)


def test_each_number_has_the_first_status_that_applies() -> None:
    judged = judge(
        "At batch 16 with k=4 it is 20, below 30, and 1.25x is reported by FP8 users, 7 of them.",
        {"read": {"batch": "batch 16", "k": "k=4"}, "figures": {"is 20": "batch + k"}, "held": {"below 30": "limit"},
         "holds": ["batch + k < limit"]},
        {"basis": "reported", "quote": "and 1.25x is reported", "read": {"batch": {"in": "notes", "at": "batch 16"}},
         "figures": {"and 1.25x": 'cited("bench-report", "table-1", "speedup", batch=batch)'}},
        {"basis": "unverified", "quote": "7 of them"})
    assert judged.found == []
    assert judged.statuses == {"input": ["16", "4"], "recomputed": ["20"], "held": ["30"], "cited": ["1.25x"],
                               "exempt": ["8"], "unverified": ["7"]}
    by = {entry.written: entry.by for entry in judged.evaluation.ledger}
    assert by["16"] == ("claim-1", "claim-2")
    assert (by["20"], by["1.25x"], by["8"], by["7"]) == (("claim-1",), ("claim-2",), ("name",), ("claim-3",))


def test_digits_of_a_term_have_the_status_of_its_figure() -> None:
    claim = {"over": {"k": "2..8", "B": "1..4"}, "figures": {"a gain of k/2": "k / 2", "B + 3": "B + 3"}}
    judged = judge("On H100 it has a gain of k/2, and B + 3.", claim, {"basis": "unverified"})
    assert (judged.found, judged.statuses) == ([], {"exempt": ["100"], "recomputed": ["2", "3"]})
    disputed = judge("On H100 it has a gain of k/2, and B + 3.", claim, {"basis": "unverified"}, disputes=({
        "claim": "claim-1", "figure": "gain of k/2", "against": "k", "because": "of a test",
        "sources": ["bench-report"]},))
    assert (disputed.found, disputed.statuses) == ([], {"exempt": ["100"], "disputed": ["2"], "recomputed": ["3"]})


def test_one_fault_is_one_finding() -> None:
    here, there = Place(("notes",), 1, 2), Place(("notes",), 3, 4)
    drift, changed, other = (Problem("figure-drift", "a", here), Problem("quote-not-verbatim", "b", here),
                             Problem("quote-not-verbatim", "c", there))
    assert distinct([drift, changed, other, Problem("figure-drift", "d", here)]) == [drift, other]
    assert distinct([changed, drift]) == [drift]
    assert distinct([changed, other, Problem("formula", "e", here)]) == [changed, other, Problem("formula", "e", here)]


def test_a_changed_term_is_told_once_and_so_is_the_effect_that_repeats_it() -> None:
    claim = {"quote": "At batch 1 it is k+1 here", "read": {"b": "At batch 1"}, "over": {"k": "1..16"},
             "figures": {"is k+1 here": "additive.intensity(b, k)"}}
    row = {"parameter": "memory_bandwidth", "effect": "it is k+1 here", "basis": "unverified", "values_for": []}
    assert judge("At batch 1 it is k+1 here", claim, hardware_parameters=[row]).found == []
    assert judge("At batch 1 it is k+2 here", claim, hardware_parameters=[row]).found == [("figure-drift", "k+2")]


def test_a_number_that_a_quote_has_otherwise_is_told_with_what_follows_it() -> None:
    claim = {"quote": "Up to 60 of 64 users fit", "held": {"Up to 60": "fit", "of 64": "all"}, "holds": ["fit < all"]}
    row = {"parameter": "memory_bandwidth", "effect": "60 of 64 users", "basis": "unverified", "values_for": []}
    (found,) = judge("Up to 61 of 64 users fit.", claim, hardware_parameters=[row]).evaluation.problems
    assert (found.name, found.where) == ("quote-not-verbatim", Place(("notes",), 6, 8))
    assert [(fix.where, fix.text, fix.safe) for fix in found.fixes] == [
        (Place(("claims", 0, "quote"), 6, 8), "61", True),
        (Place(("claims", 0, "held", "Up to 60"), 6, 8, True), "61", True),
        (Place(("hardware_parameters", 0, "effect"), 0, 2), "61", True)]
    assert {fix.why for fix in found.fixes} == {"the quote, its anchors and what is lifted follow the prose: 61"}


@pytest.mark.parametrize(("prose", "quote"), [
    ("Up to 1,061 of 2000 users fit.", "Up to 60 of 2000 users fit"),  # a comma needs quotes, which `fix` adds
    ("Up to 60 of 2000 users fit.", "Up to 60 of 2000 ever fit"),
])
def test_what_a_report_does_not_mend(prose: str, quote: str) -> None:
    judged = judge(prose, {"quote": quote, "basis": "unverified"})
    assert [problem.fixes for problem in judged.evaluation.problems if problem.name == "quote-not-verbatim"] == [()]


TWICE = "At batch 16 it is 20. At batch 32 it comes to 40."
REPEAT = {"id": "again", "in": "notes", "quote": "At batch 32 it comes to 40", "same_as": "claim-1",
          "read": {"batch": "At batch 32"}, "figures": {"comes to 40": "is 20"}}


@pytest.mark.parametrize(("expression", "found"), [
    ("batch + bytes_of(3)", "formula"), ("batch * chip.tdp", "undecided"),
    ('batch * cited("no-source", "a", "b")', "unresolved-reference"),
])
def test_what_is_wrong_with_an_expression_is_told_where_it_stands_and_not_where_it_is_repeated(expression: str,
                                                                                             found: str) -> None:
    base = {"quote": "At batch 16 it is 20", "read": {"batch": "At batch 16"}, "of": {"chip": "example-chip"},
            "figures": {"is 20": expression}}
    judged = judge(TWICE, base, repeats=(REPEAT,))
    told = [(one.name, one.pointer) for one in judged.report.findings if one.name == found]
    assert told == [(found, ("claims", 0, "figures", "is 20"))]
    assert {str(claim.verdict) for claim in evaluate(judged.corpus.by_id[ID]).claims} == {"undecided"}


def test_what_is_wrong_with_a_repetition_alone_is_told_there() -> None:
    base = {"quote": "At batch 16 it is 20", "read": {"batch": "At batch 16"}, "figures": {"is 20": "batch + 4"}}
    judged = judge(TWICE, base, repeats=({**REPEAT, "read": {"batch": "At batch 33"}},))
    assert [(one.name, one.pointer) for one in judged.report.findings] == [
        ("quote-not-verbatim", ("claims", 1, "read", "batch"))]


@pytest.mark.parametrize(("at", "where", "verdict"), [
    ("At batch 17", ("notes",), "recomputed"), ("In batch 16", ("claims", 0, "read", "batch"), "undecided")])
def test_a_place_that_a_repeated_claim_takes_over_is_missed_once(at: str, where: tuple[str | int, ...],
                                                                 verdict: str) -> None:
    base = {"quote": "At batch 16 it is 20", "read": {"batch": at}, "figures": {"is 20": "batch + 4"}}
    repeat = {**REPEAT, "quote": "Again it is 20", "figures": {"is 20": "is 20"}}
    del repeat["read"]
    judged = judge("At batch 16 it is 20. Again it is 20.", base, repeats=(repeat,))
    assert [(one.name, one.pointer) for one in judged.report.findings] == [("quote-not-verbatim", where)]
    assert [judged.verdict(name) for name in ("claim-1", "again")] == [verdict, verdict]
