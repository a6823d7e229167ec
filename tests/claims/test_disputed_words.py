"""Disputes about words and about a basis: what the words mean, where it is looked at, and what stands behind."""
from __future__ import annotations

from typing import Any

import pytest

from tests.claims.support import CLAIM, OWN, PROSE, Judged, disputed, explained, judge


@pytest.mark.parametrize(("means", "fault"), [
    ("additive.gain(batch, k) > verify.gain(batch, k)", None),
    ("additive.gain(batch, k) < verify.gain(batch, k)", "stale-dispute"),
    ("ridge(chip) > ridge(chip)", "undecided"),
    ("batch +", "formula")])
def test_words_are_disputed_while_what_they_mean_is_false(means: str, fault: str | None) -> None:
    judged = disputed(claim={"of": {"chip": "example-chip"}}, words="more than before", means=means)
    assert judged.names == ([fault] if fault else [])


def test_words_have_to_be_false_at_every_point_of_the_grid() -> None:
    claim = {"over": {"B": "1..64"}}
    assert disputed(claim=claim, words="more than before", means="B > 64").found == []
    assert disputed(claim=claim, words="more than before", means="B > 60").names == ["stale-dispute"]
    assert disputed(claim=claim, words="more than before", means="B > 60", at={"B": "8"}).found == []
    assert disputed(claim=claim, words="less than before", means="B > 64").names == ["quote-not-verbatim"]


@pytest.mark.parametrize(("value", "fault"), [
    ("much", "unreadable-number"), ("12,5", "unreadable-number"), ("1 KB", "unknown-unit"), ("", "unreadable-number")])
def test_a_value_at_which_a_dispute_looks_is_a_number(value: str, fault: str) -> None:
    judged = disputed(words="more than before", means="q > 64", at={"q": value})
    assert judged.messages not in ("", "None")
    assert judged.found == [(fault, f'"{value}"')]
    assert judged.statuses["recomputed"] == ["20", "25%"]
    assert disputed(words="more than before", means="q > 64", at={"q": "16"}).found == []


def test_a_basis_is_disputed_while_the_source_is_weaker() -> None:
    measured = disputed(words="more than before", basis="measured", against="bench-report#fading")
    assert measured.names == ["stale-dispute"]
    assert disputed(words="more than before", basis="measured", against="bench-report#nosuch").names == [
        "unresolved-reference"]


@pytest.mark.parametrize(("said", "found", "faults"), [
    ("measured", "reported", []), ("measured", "specified", []), ("measured", "measured", ["stale-dispute"]),
    ("reported", "simulated", []), ("reported", "reported", ["stale-dispute"]),
    ("reported", "specified", ["stale-dispute"]), ("specified", "reported", []),
    ("specified", "measured", ["stale-dispute"]), ("simulated", "reported", ["stale-dispute"]),
    ("simulated", "derived", []),
])
@pytest.mark.parametrize("item", ["cells", "words"])
def test_a_basis_is_disputed_by_a_weaker_source(said: str, found: str, faults: list[str], item: str) -> None:
    source = ("schema_version: \"3.0\"\nid: sources/other\nkind: paper\ntitle: Other\ntables:\n"
              f"- {{id: cells, locator: Table 1, basis: {found}, seen: full-text, columns: {{a: [\"1\"]}}}}\nquotes:\n"
              f"- {{id: words, locator: page 1, basis: {found}, seen: full-text, text: \"more than before\"}}\n")
    judged = disputed(words="more than before", basis=said, against=f"other#{item}", sources=None,
                      files={"records/sources/other.yaml": source})
    assert judged.names == faults
    state = "stale" if faults else "stands"
    assert explained(judged) == [(state, f"other#{item} is {found}" + ("" if faults else f", not {said}"))]


def test_words_may_fail_their_own_statements_with_the_digits_that_are_quoted() -> None:
    excused = disputed(claim=OWN, words="more than before", own_model="fails")
    assert (excused.found, excused.verdict("claim-1")) == ([], "disputed")
    assert explained(excused) == [("stands", "B > 4 is false")]
    assert disputed(claim=OWN, words="a gain of 25%, more than before", own_model="fails").found == []
    assert disputed(claim=OWN, words="more than before", own_model="fails", means="B > 8").found == []
    assert disputed(claim=OWN, words="more than before", own_model="fails", means="B > 7").names == ["stale-dispute"]
    moved = disputed(PROSE.replace("25%", "26%"), OWN, words="a gain of 25%, more than before", own_model="fails")
    assert explained(moved) == [("broken", "the prose has other digits than the dispute quotes")]
    assert "conclusion-false" in moved.names
    elsewhere = disputed(PROSE.replace("k=4", "k=5"), OWN, words="more than before", own_model="fails")
    assert explained(elsewhere)[0][0] == "stands"


MORE = "At batch 16 with k=4 it is 20, a gain of 25%, more than before, and more."


def on_axes(**dispute: Any) -> Judged:
    return disputed(MORE, {**CLAIM, "quote": MORE, "over": {"B": "1..8", "K": "1..4"}},
                    **{"words": "more than before", **dispute})


@pytest.mark.parametrize(("means", "at", "state", "explanation"), [
    ("B > 4", {"B": "4"}, "stands", "not B > 4: 4 against 4"),
    ("B > 4", {"B": "5"}, "stale", "the statement that the words stand for is true"),
    ("B > K + 4", {"B": "5"}, "stands", "not B > K + 4: 5 against 5"),
    ("B > K + 4", {"B": "6"}, "stale", "the statement that the words stand for is true at some points of the grid"),
    ("B > K + 4", {"K": "4"}, "stands", "not B > K + 4: 1 against 8"),
    ("B + K > 7", {"K": "3", "B": "4"}, "stands", "not B + K > 7: 7 against 7"),
    ("B + K > 7", {"K": "3", "B": "5"}, "stale", "the statement that the words stand for is true"),
    ("B > q + r", {"q": "5", "r": "3.5"}, "stands", "not B > q + r: 1 against [8.45, 8.55]"),
    ("B > q + r", {"q": "5", "r": "3"}, "stands", "not B > q + r: 1 against 8"),
    ("q > 0.3", {"q": "25%"}, "stands", "not q > 0.3: [0.245, 0.255] against 0.3"),
    ("batch > 20", {"batch": "18"}, "stands", "not batch > 20: 18 against 20"),
    ("batch > 20", {"batch": "21"}, "stale", "the statement that the words stand for is true"),
    ("k > 5", {"k": 18}, "stale", "the statement that the words stand for is true"),
    ("decreasing(B + K, B)", {"K": "2"}, "stands", "not decreasing(B + K, B): 3 against 4"),
    ("q == 2.5", {"q": "2.5"}, "undecided",
     "whether q == 2.5 is false everywhere cannot be told: [2.45, 2.55] against 2.5"),
    ("decreasing(B + K, B)", {"B": "2"}, "broken", "B is no axis of the grid (K)"),
    ("B > 9", {"z": "28", "a": "1", "B": "1"}, "broken", "at names a, z, which nothing uses"),
    ("verify.gain(batch=1, draft_k=2) > 9", {"draft_k": "2"}, "broken", "at names draft_k, which nothing uses"),
    ("B >", {"B": "1"}, "broken", "not an expression: invalid syntax"),
])
def test_at_gives_names_a_value_of_their_own(means: str, at: dict[str, Any], state: str, explanation: str) -> None:
    judged = on_axes(means=means, at=at)
    assert explained(judged) == [(state, explanation)]
    faults = {"stands": [], "stale": ["stale-dispute"], "undecided": ["undecided"], "broken": ["formula"]}
    assert judged.names == faults[state]
    if state in ("undecided", "broken"):
        assert judged.found[0][1] == f'"{means}"'
        assert f"dispute about claim claim-1: {explanation}" in judged.messages


@pytest.mark.parametrize(("means", "q", "state"), [
    ("B > q", "7.5", "stale"), ("B > q", "8.5", "stands"), ("B >= q", "8.0", "undecided"),
    ("B < q", "1.0", "undecided"), ("B < q", "1.5", "stale"), ("B == q", "2.0", "undecided"),
    ("B == q", "2", "stale"), ("B == q", "9.0", "stands"),
])
def test_where_it_cannot_be_told_whether_words_are_false_nothing_is_stale(means: str, q: str, state: str) -> None:
    assert [one for one, _ in explained(on_axes(means=means, at={"q": q}))] == [state]


def test_a_limit_that_is_missed_everywhere_stays_disputed() -> None:
    claim = {**CLAIM, "over": {"B": "1..8", "c": ["0.0000002", "1"]}}
    assert disputed(claim=claim, words="more than before", means="tends(1 / B + c, B, 0)").found == []
    near = {**CLAIM, "over": {"B": "1..8", "c": ["0.00000001", "1"]}}
    assert disputed(claim=near, words="more than before", means="tends(1 / B + c, B, 0)").names == ["stale-dispute"]


@pytest.mark.parametrize(("dispute", "fault", "place", "message"), [
    ({"words": "more than after", "means": "B > 9"}, "quote-not-verbatim", "more than after", "stands nowhere"),
    ({"words": "more", "means": "B > 9"}, "quote-ambiguous", "more", "'more' stands 2 times"),
    ({"words": "more than after", "own_model": "fails"}, "quote-not-verbatim", "more than after", "stands nowhere"),
    ({"words": "more than after", "basis": "measured", "against": "bench-report#table-1"}, "quote-not-verbatim",
     "more than after", "dispute about claim claim-1: the anchor 'more than after' stands nowhere"),
    ({"words": "more", "basis": "measured", "against": "bench-report#table-1"}, "quote-ambiguous", "more",
     "dispute about claim claim-1: the anchor 'more' stands 2 times"),
    ({"words": None, "basis": "measured", "against": "bench-report#nosuch"}, "unresolved-reference",
     "bench-report#nosuch", ""),
])
def test_disputed_words_stand_in_the_quote_once(dispute: dict[str, Any], fault: str, place: str, message: str) -> None:
    judged = on_axes(**dispute)
    assert judged.found == [(fault, f'"{place}"')]
    assert message in judged.messages
    assert explained(judged) == [("broken", "")]


def test_a_source_with_a_fault_of_its_own_settles_no_basis() -> None:
    source = ("schema_version: \"3.0\"\nid: sources/other\nkind: paper\ntitle: 7\nquotes:\n"
              "- {id: words, locator: page 1, basis: derived, seen: full-text, text: \"more than before\"}\n")
    judged = disputed(words="more than before", basis="measured", against="other#words",
                      files={"records/sources/other.yaml": source})
    assert (judged.found, explained(judged)) == ([], [("broken", "")])


def test_a_dispute_about_words_excuses_no_statement_that_holds_a_number_elsewhere() -> None:
    prose = "The gain at 64 is more than 7% and shrinks"
    claim = {"read": {"b": "at 64"}, "over": {"B": "1..16"}, "held": {"7%": "g"},
             "holds": ["additive.gain(b, 4) > g", "increasing(additive.gain(B, 4), B)"]}
    about = {"claim": "claim-1", "own_model": "fails", "because": "of a test"}
    assert judge(prose, claim).names == ["conclusion-false", "conclusion-false"]
    words = judge(prose, claim, disputes=({**about, "words": "shrinks"},))
    assert words.found == [("conclusion-false", '"additive.gain(b, 4) > g"')]
    number = judge(prose, claim, disputes=({**about, "words": "more than 7% and shrinks"},))
    assert number.found == []
    only = judge(prose, {**claim, "holds": claim["holds"][:1]}, disputes=({**about, "words": "shrinks"},))
    assert only.names == ["conclusion-false", "stale-dispute"]


@pytest.mark.parametrize(("again", "found"), [("6%", []), ("7.25%", []), ("7.26%", [("figure-drift", "7.26")])])
def test_a_claim_that_repeats_a_disputed_one_may_have_it_right(again: str, found: list[tuple[str, str]]) -> None:
    prose = f"At batch 64 with k=4 the gain is 7.25%. Later {again} again."
    base = {"quote": "At batch 64 with k=4 the gain is 7.25%", "read": {"b": "At batch 64", "k": "with k=4"},
            "figures": {"is 7.25%": "additive.gain(b, k)"}}
    repeat = {"id": "again", "in": "notes", "quote": f"Later {again} again", "same_as": "claim-1",
              "figures": {f"Later {again}": "is 7.25%"}}
    dispute = {"claim": "claim-1", "figure": "is 7.25%", "own_model": "fails", "because": "of a test"}
    judged = judge(prose, base, disputes=(dispute,), repeats=(repeat,))
    assert judged.found == found
