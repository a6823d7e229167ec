"""Disputes: they excuse only what they say, and have to go when they no longer disagree."""
from __future__ import annotations

from typing import Any

import pytest

from tests.claims.support import Judged, judge

PROSE = "At batch 16 with k=4 it is 20, a gain of 25%, more than before."
CLAIM = {"read": {"batch": "At batch 16", "k": "with k=4"},
         "figures": {"is 20": "additive.intensity(batch, k)", "25%": "additive.gain(batch, k)"}}


def disputed(prose: str = PROSE, claim: dict[str, Any] | None = None, files: dict[str, str] | None = None,
             **dispute: Any) -> Judged:
    full = {"claim": "claim-1", "because": "of a test", "sources": ["bench-report"], **dispute}
    return judge(prose, {"quote": PROSE, **CLAIM, **(claim or {})}, files=files,
                 disputes=({key: value for key, value in full.items() if value is not None},))


def test_a_figure_that_another_model_contradicts_is_disputed_and_no_error() -> None:
    judged = disputed(figure="25%", against="verify.gain(batch, k)")
    assert judged.found == []
    assert judged.verdict("claim-1") == "disputed"
    assert judged.statuses["disputed"] == ["25%"]


@pytest.mark.parametrize(("against", "fault"), [
    ("additive.gain(batch, k)", "stale-dispute"), ("k / batch", "stale-dispute"), ("verify.gain(batch)", "formula"),
    ("nonsense(k)", "formula"), ('cited("bench-report", "table-1", "speedup", batch=2)', "unresolved-reference"),
    ("decode.intensity(batch)", "formula")])
def test_what_a_dispute_sets_against_a_figure(against: str, fault: str) -> None:
    assert disputed(figure="25%", against=against).names == [fault]


def test_a_dispute_is_no_hiding_place() -> None:
    drifted = PROSE.replace("25%", "26%")
    assert disputed(drifted, figure="25%", against="verify.gain(batch, k)").found == [("figure-drift", "26")]
    moved = PROSE.replace("batch 16", "batch 17")
    assert sorted(disputed(moved, figure="25%", against="verify.gain(batch, k)").found) == [
        ("figure-drift", "20"), ("figure-drift", "25"), ("quote-not-verbatim", "17")]


def test_a_figure_may_fail_its_own_model_only_with_the_digits_that_the_dispute_quotes() -> None:
    prose = PROSE.replace("25%", "26%")
    wrong = {"quote": prose, "figures": {"is 20": "additive.intensity(batch, k)", "26%": "additive.gain(batch, k)"}}
    assert disputed(prose, wrong, figure="26%", own_model="fails").found == []
    assert disputed(prose, wrong, figure="26%", own_model="fails").statuses["disputed"] == ["26%"]
    other = prose.replace("26%", "27%")
    assert disputed(other, wrong, figure="26%", own_model="fails").found == [("figure-drift", "27")]
    assert disputed(prose, wrong, figure="27%", own_model="fails").names == ["figure-drift", "quote-not-verbatim"]
    assert disputed(figure="25%", own_model="fails").names == ["stale-dispute"]


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
    assert judged.found == [(fault, f'"{value}"')]
    assert judged.statuses["recomputed"] == ["20", "25%"]
    assert disputed(words="more than before", means="q > 64", at={"q": "16"}).found == []


def test_a_basis_is_disputed_while_the_source_is_weaker() -> None:
    measured = disputed(words="more than before", basis="measured", against="bench-report#fading")
    assert measured.names == ["stale-dispute"]
    assert disputed(words="more than before", basis="measured", against="bench-report#nosuch").names == [
        "unresolved-reference"]


def test_a_dispute_needs_something_behind_it() -> None:
    assert disputed(figure="25%", against="verify.gain(batch, k)", sources=None).names == ["dispute-unsupported"]
    assert disputed(figure="25%", against="verify.gain(batch, k)", sources=["nosuch"]).names == ["unresolved-reference"]
    assert disputed(figure="25%", against='cited("bench-report", "table-1", "speedup", batch=batch)',
                    sources=None).found == []


def test_a_dispute_about_no_claim_or_no_figure() -> None:
    judged = judge(PROSE, {"quote": PROSE, **CLAIM}, disputes=({
        "claim": "nosuch", "figure": "25%", "against": "verify.gain(batch, k)", "because": "of a test",
        "sources": ["bench-report"]},))
    assert judged.names == ["unresolved-reference"]
    assert disputed(figure="At batch 16", against="verify.gain(batch, k)").names == ["formula"]


@pytest.mark.parametrize(("against", "faults"), [
    ("9 * a", []), ("4 * a", ["stale-dispute"]), ("(9 * a, 12 * a)", []), ("(3 * a, 12 * a)", ["stale-dispute"]),
    ("(9 * a, 6.5 * a)", ["stale-dispute"])])
def test_a_range_is_disputed_outside_both_ends_or_member_by_member(against: str, faults: list[str]) -> None:
    prose = "A rack of 10 holds 30-65 users."
    judged = judge(prose, {"read": {"a": "rack of 10"}, "figures": {"30-65 users": "(3 * a, 6.5 * a)"}},
                   disputes=({"claim": "claim-1", "figure": "30-65 users", "against": against, "because": "of a test",
                              "sources": ["bench-report"]},))
    assert judged.names == faults


@pytest.mark.parametrize(("over", "against", "faults"), [
    (["1", "2"], "5 * B", []), (["20", "30"], "5 * B", []), (["1", "20"], "5 * B", []),
    (["1", "8"], "5 * B", ["stale-dispute"]), (["8", "1"], "5 * B", ["stale-dispute"]),
    (["1", "6"], "5 * B", ["stale-dispute"]), (["1", "13"], "5 * B", ["stale-dispute"]),
    (["1", "8"], "(5 * B, 70)", []), (["1", "6"], "(5 * B, 70)", ["stale-dispute"]),
    (["1", "13"], "(70, 5 * B)", ["stale-dispute"]),
])
def test_a_range_is_disputed_only_by_what_lies_outside_it_on_the_whole_grid(over: list[str], against: str,
                                                                           faults: list[str]) -> None:
    judged = judge("A rack of 10 holds 30-65 users.", {
        "read": {"a": "rack of 10"}, "over": {"B": over}, "figures": {"30-65 users": "(3 * a, 6.5 * a)"}},
        disputes=({"claim": "claim-1", "figure": "30-65 users", "against": against, "because": "of a test",
                   "sources": ["bench-report"]},))
    assert judged.names == faults
    if against == "5 * B" and over == ["1", "8"]:
        assert "40 lies between 30 and 65 at B=8" in judged.messages


def explained(judged: Judged) -> list[tuple[str, str]]:
    """State and explanation of each dispute."""
    return [(one.state, one.explanation) for claim in judged.evaluation.claims for one in claim.disputes]


@pytest.mark.parametrize(("dispute", "state", "explanation"), [
    ({"figure": "25%", "against": "verify.gain(batch, k)"}, "stands", "25% against 400%"),
    ({"figure": "25%", "against": "additive.gain(batch, k)"}, "stale", "25% against 25%"),
    ({"figure": "25%", "against": "B / 4"}, "stale", "25% against 25% at B=1"),
    ({"figure": "25%", "against": "1 / (B + 1)"}, "stale", "25% against 25% at B=3"),
    ({"figure": "25%", "own_model": "fails"}, "stale", "the figure agrees with its own expression"),
    ({"words": "more than before", "means": "B > 64"}, "stands", "not B > 64: 1 against 64"),
    ({"words": "more than before", "means": "B > 60"}, "stale",
     "the statement that the words stand for is true at some points of the grid"),
    ({"words": "more than before", "means": "B > 0"}, "stale", "the statement that the words stand for is true"),
    ({"words": "more than before", "means": "B > q", "at": {"q": "64"}}, "stands", "not B > q: 1 against 64"),
    ({"words": "more than before", "own_model": "fails", "means": "B > 64"},
     "stale", "the claim's own statements hold"),
    ({"basis": "measured", "against": "bench-report#table-1"}, "stale", "bench-report#table-1 is measured"),
    ({"basis": "measured", "against": "chip-sheet#data"}, "broken", ""),
    ({"basis": "measured", "against": "nosuch#data"}, "broken", ""),
    ({"words": "more than before", "means": "B > batch", "at": {"batch": "64"}},
     "stands", "not B > batch: 1 against 64"),
    ({"words": "more than before", "means": "B > batch", "at": {"z": "2"}}, "broken", ""),
    ({"figure": "25%", "against": "(B, B)"}, "broken", ""),
])
def test_what_a_dispute_says(dispute: dict[str, Any], state: str, explanation: str) -> None:
    judged = disputed(claim={"over": {"B": "1..64"}}, **dispute)
    found = explained(judged)
    assert len(found) == 1
    assert found[0][0] == state
    if state != "broken":
        assert found[0][1] == explanation


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
    judged = disputed(words="more than before", basis=said, against=f"other#{item}",
                      files={"records/sources/other.yaml": source})
    assert judged.names == faults
    state = "stale" if faults else "stands"
    assert explained(judged) == [(state, f"other#{item} is {found}" + ("" if faults else f", not {said}"))]


OWN = {"read": {"batch": "At batch 16", "k": "with k=4"}, "figures": {"is 20": "additive.intensity(batch, k)",
                                                                     "25%": "additive.gain(batch, k)"},
       "over": {"B": "1..8"}, "holds": ["B > 4", "B > 0"]}


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


def test_a_repeated_claim_is_excused_with_the_one_that_it_repeats() -> None:
    prose = PROSE.replace("25%", "26%") + " Again, a gain of 26% is seen, and 20 in all."
    first = {"quote": PROSE.replace("25%", "26%").removesuffix("."), "read": CLAIM["read"],
             "figures": {"is 20": "additive.intensity(batch, k)", "26%": "additive.gain(batch, k)"}}
    second = {"quote": "Again, a gain of 26% is seen, and 20 in all", "same_as": "claim-1",
              "figures": {"gain of 26%": "26%", "20 in all": "is 20"}}
    dispute = {"claim": "claim-1", "figure": "26%", "own_model": "fails", "because": "of a test",
               "sources": ["bench-report"]}
    judged = judge(prose, first, second, disputes=(dispute,))
    assert judged.found == []
    assert (judged.verdict("claim-1"), judged.verdict("claim-2")) == ("disputed", "disputed")
    assert judged.statuses["disputed"] == ["26%", "26%"]
    changed = judge(prose.replace("gain of 26% is seen", "gain of 27% is seen"), first, second, disputes=(dispute,))
    assert changed.found == [("figure-drift", "27")]


@pytest.mark.parametrize(("digits", "found"), [
    ("26%", []), ("6%", [("figure-drift", "6")]), ("2%", [("figure-drift", "2")]),
    ("26.0%", [("figure-drift", "26.0")])])
def test_a_repeat_is_excused_with_the_very_digits_of_the_disputed_figure(digits: str, found: list[Any]) -> None:
    first = PROSE.replace("25%", "26%")
    prose = f"{first} Again, a gain of {digits} is seen."
    wrong = {"quote": first, "figures": {"is 20": "additive.intensity(batch, k)", "26%": "additive.gain(batch, k)"}}
    again = {"quote": f"Again, a gain of {digits} is seen", "same_as": "claim-1",
             "figures": {f"gain of {digits}": "26%"}}
    judged = judge(prose, {**CLAIM, **wrong}, again, disputes=(
        {"claim": "claim-1", "because": "of a test", "figure": "26%", "own_model": "fails"},))
    assert judged.found == found


def test_a_record_cannot_say_of_itself_what_a_repeat_inherits() -> None:
    claim = {**CLAIM, "read": {**CLAIM["read"], "more": "is 20"}, "figures": {"25%": CLAIM["figures"]["25%"]}}
    for key in ("x-inherited", "x-anything"):
        assert judge(PROSE, {**claim, key: ["more"]}).names == ["formula"]
    for key in ("inherited", "said"):
        assert "schema" in judge(PROSE, {**CLAIM, key: ["k"]}).names
