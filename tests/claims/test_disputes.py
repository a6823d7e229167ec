"""Disputes: they excuse only what they say, and have to go when they no longer disagree."""
from __future__ import annotations

from typing import Any

import pytest

from tests.claims.support import CLAIM, OWN, PROSE, Judged, disputed, explained, judge


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
     "stale", "the claim's own statements about these words hold"),
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


TERMS = "The step has AI = B + k, a kx gain over 30-65 of 12.5% at batch 16."


def about_terms(**dispute: Any) -> Judged:
    claim = {"quote": TERMS, "over": {"B": "1..64", "k": "1..8"},
             "figures": {"AI = B + k": "additive.intensity(B, k)", "a kx gain": "k"}}
    full = {"claim": "claim-1", "because": "of a test", "sources": ["bench-report"], **dispute}
    return judge(TERMS, claim, {"quote": TERMS, "basis": "unverified"}, disputes=(full,))


@pytest.mark.parametrize(("figure", "against", "state", "explanation"), [
    ("AI = B + k", "verify.intensity(B, k)", "stands", "the term is 3, its expression 4 at B=2, k=1"),
    ("B + k", "verify.intensity(B, k)", "stands", "the term is 3, its expression 4 at B=2, k=1"),
    ("B + k, a", "B + k", "stale", "the term equals its expression on the whole grid"),
    ("kx gain", "k + 1", "stands", "the term is 1, its expression 2 at B=1, k=1"),
    ("kx gain", "B", "stands", "the term is 2, its expression 1 at B=1, k=2"),
    ("a kx gain", "k", "stale", "the term equals its expression on the whole grid"),
])
def test_a_term_is_disputed_by_what_it_does_not_equal_on_the_whole_grid(figure: str, against: str, state: str,
                                                                        explanation: str) -> None:
    judged = about_terms(figure=figure, against=against)
    assert explained(judged) == [(state, explanation)]
    assert judged.names == (["stale-dispute"] if state == "stale" else [])


@pytest.mark.parametrize(("figure", "against", "fault", "words"), [
    ("AI = B", "B + 1", "formula", "the anchor cuts a piece, 'B', out of a longer term"),
    ("gain", "k", "formula", "holds no numbers"),
    ("batch 16", "k", "formula", "dispute about claim claim-1: 'batch 16' is no figure of the claim"),
    ("over 30-65", "k", "formula", "'over 30-65' is no figure of the claim"),
    ("over 30", "k", "quote-not-verbatim", "dispute about claim claim-1: the anchor 'over 30' stands nowhere"),
    ("kx gain", "(k + 1, k + 2)", "formula", "a pair stands against a range only"),
    ("kx gain", "q", "formula", "dispute about claim claim-1: unknown name q"),
    ("kx gain", "B / 0", "undecided", "dispute about claim claim-1: it divides by zero"),
])
def test_a_dispute_that_cannot_be_judged_is_told_at_its_place(figure: str, against: str, fault: str,
                                                              words: str) -> None:
    judged = about_terms(figure=figure, against=against)
    assert judged.found in ([(fault, f'"{figure}"')], [(fault, f'"{against}"')])
    assert (judged.found[0][1] == f'"{against}"') is (figure == "kx gain")
    assert words in judged.messages
    assert explained(judged)[0][0] == ("undecided" if fault == "undecided" else "broken")


def test_a_term_may_fail_its_own_model() -> None:
    prose = "From 1 to k it goes, k + 1 in all."
    claim = {"over": {"k": "1..8"}, "figures": {"to k": "1 + k", "k + 1 in all": "k + 1"}}
    dispute = {"claim": "claim-1", "figure": "to k", "own_model": "fails", "because": "of a test"}
    rest = {"quote": prose, "basis": "unverified"}
    judged = judge(prose, {"quote": prose, **claim}, rest, disputes=(dispute,))
    assert (judged.found, judged.verdict("claim-1")) == ([], "disputed")
    assert explained(judged) == [("stands", "the term is 1, its expression 2 at k=1")]
    assert judge(prose, {"quote": prose, **claim}, rest, disputes=({**dispute, "figure": "k + 1"},)).names == [
        "figure-drift", "stale-dispute"]


@pytest.mark.parametrize(("tolerance", "against", "faults"), [
    (None, "batch + 6", []), ("2", "batch + 6", ["stale-dispute"]), ("2", "batch + 7", ["stale-dispute"]),
    ("2", "batch + 8", []), ("10%", "batch + 7", ["stale-dispute"]), ("10%", "batch + 8", []),
    ("0.2", "1.3 * batch", ["figure-drift", "stale-dispute"]), ("0.1", "1.3 * batch", ["figure-drift"]),
])
def test_a_dispute_disagrees_beyond_the_stated_tolerance(tolerance: str | None, against: str,
                                                         faults: list[str]) -> None:
    prose = "At batch 16 with k=4 it is 21."
    claim = {"read": CLAIM["read"], "figures": {"is 21": "batch + k + 0.5" if tolerance is None else "batch + k"},
             "because": "it was read off a figure", **({"tolerance": {"is 21": tolerance}} if tolerance else {})}
    assert judge(prose, claim, disputes=({
        "claim": "claim-1", "figure": "is 21", "against": against, "because": "of a test",
        "sources": ["bench-report"]},)).names == faults


@pytest.mark.parametrize(("against", "faults"), [("batch + 36", ["stale-dispute"]), ("batch + 56", [])])
def test_a_tolerance_widens_a_disputed_range_as_well(against: str, faults: list[str]) -> None:
    judged = judge("At batch 16 it is 30-50.", {
        "read": {"batch": "At batch 16"}, "figures": {"is 30-50": "(batch + 16, batch + 32)"},
        "tolerance": {"is 30-50": "4"}, "because": "it was read off a figure"}, disputes=({
            "claim": "claim-1", "figure": "is 30-50", "against": against, "because": "of a test",
            "sources": ["bench-report"]},))
    assert judged.names == faults


@pytest.mark.parametrize(("dispute", "faults"), [
    ({"words": "more than before", "means": "chip.memory_bandwidth < 0 * chip.memory_bandwidth"}, []),
    ({"words": "more than before", "means": "ridge(chip) < 0 * ridge(chip)"}, []),
    ({"words": "more than before", "means": "batch < k"}, ["dispute-unsupported"]),
    ({"words": "more than before", "means": "B > 64"}, ["dispute-unsupported"]),
    ({"words": "more than before", "means": "B > q", "at": {"q": "64"}}, ["dispute-unsupported"]),
    ({"words": "more than before", "means": "batch < k", "sources": []}, ["dispute-unsupported"]),
    ({"words": "more than before", "own_model": "fails"}, []),
    ({"figure": "25%", "against": "batch"}, ["dispute-unsupported"]),
    ({"figure": "25%", "against": "chip.memory_bandwidth / chip.memory_bandwidth * 4"}, []),
    ({"figure": "25%", "against": "batch * chip.memory_bandwidth / chip.memory_bandwidth"}, []),
])
def test_what_stands_behind_a_dispute(dispute: dict[str, Any], faults: list[str]) -> None:
    claim = {**OWN, "of": {"chip": "example-chip"}, "over": {"B": "1..64"}}
    judged = disputed(claim=claim, sources=dispute.pop("sources", None), **dispute)
    assert [name for name in judged.names if name != "conclusion-false"] == faults


@pytest.mark.parametrize(("against", "state", "fault"), [
    ("verify.gain(batch, k)", "stands", None), ("additive.gain(batch, k) + 1%", "broken", "formula"),
    ("0.26 * k / k", "stale", "stale-dispute"), ("k / 0", "undecided", "undecided"),
])
def test_a_figure_that_fails_its_own_model_may_be_set_against_another(against: str, state: str,
                                                                      fault: str | None) -> None:
    prose = PROSE.replace("25%", "26%")
    wrong = {"quote": prose, "figures": {"is 20": "additive.intensity(batch, k)", "26%": "additive.gain(batch, k)"}}
    judged = disputed(prose, wrong, figure="26%", own_model="fails", against=against)
    assert (explained(judged)[0][0], judged.names) == (state, [fault] if fault else [])


def test_a_figure_that_cannot_be_read_or_judged_is_told_once() -> None:
    prose = "At batch 16 with k=4 it is 12,5 and a gain of 25%."
    claim = {"quote": prose, "read": CLAIM["read"], "figures": {"25%": "k / 0", "with k=4": "batch / 4"}}
    unread = disputed(prose, claim, figure="is 12,5", against="k")
    assert ("unreadable-number", "12,5") in unread.found
    assert explained(unread) == [("broken", "")]
    assert unread.names == ["undecided", "unreadable-number"]
    for more in ({"against": "k"}, {"own_model": "fails"}):
        judged = disputed(prose.replace("12,5", "12"), claim, figure="25%", **more)
        assert ("undecided", '"k / 0"') in judged.found
        assert explained(judged)[0][0] != "stale"


@pytest.mark.parametrize(("dispute", "numbers"), [
    ({"figure": "25%", "against": "verify.gain(batch, k)"}, ["25%"]),
    ({"figure": "25%", "against": "additive.gain(batch, k)"}, ["25%"]), ({"figure": "25%", "against": "q"}, ["25%"]),
    ({"figure": "25%", "own_model": "fails"}, ["25%"]), ({"figure": "gain of 25%", "against": "batch"}, ["25%"]),
    ({"figure": "it is 20", "against": "batch"}, ["20"]), ({"words": "more than", "means": "batch < k"}, []),
])
def test_a_dispute_is_about_its_numbers_whatever_comes_of_it(dispute: dict[str, Any], numbers: list[str]) -> None:
    judged = disputed(**dispute)
    claim = judged.evaluation.claims[0]
    (found,) = claim.disputes
    field = judged.evaluation.fields["notes",]
    assert [field.text[field.numbers[i].start:field.numbers[i].stop] for i in found.numbers] == numbers


@pytest.mark.parametrize(("dispute", "fault"), [
    ({"figure": "25%", "against": "additive.gain(batch, k)"}, "stale-dispute"),
    ({"figure": "25%", "against": "verify.gain(batch, k)", "sources": None}, "dispute-unsupported"),
    ({"figure": "26%", "against": "batch"}, "quote-not-verbatim"), ({"figure": "25%", "against": "q"}, "formula"),
    ({"words": "less than", "means": "batch < k"}, "quote-not-verbatim"),
    ({"words": "more than", "means": "batch < q"}, "formula"),
])
def test_what_is_wrong_with_a_dispute_names_its_claim(dispute: dict[str, Any], fault: str) -> None:
    (finding,) = disputed(**dispute).report.findings
    assert (finding.name, finding.data["claim"]) == (fault, "claim-1")
    assert "claim-1" in finding.message


def test_of_two_expressions_for_one_number_only_the_disputed_one_is_excused() -> None:
    claim = {"figures": {"is 20": "additive.intensity(batch, k)", "25%": "additive.gain(batch, k)",
                         "gain of 25%": "additive.gain(batch, k) / 2"}}
    assert disputed(claim=claim, figure="25%", own_model="fails").names == ["figure-drift", "stale-dispute"]
    assert disputed(claim=claim, figure="gain of 25%", own_model="fails").names == []


def test_a_dispute_keeps_its_numbers_where_the_prose_has_other_digits() -> None:
    wrong = {"figures": {"is 20": "additive.intensity(batch, k)", "25%": "additive.gain(batch, k) / 2"}}
    judged = disputed(PROSE.replace("25%", "26%"), {"quote": PROSE, **wrong}, figure="25%", own_model="fails")
    (found,) = judged.evaluation.claims[0].disputes
    assert (found.state, found.numbers) == ("broken", (3,))


def test_a_stale_dispute_says_what_to_do() -> None:
    (finding,) = disputed(figure="25%", against="additive.gain(batch, k)").report.findings
    assert finding.help is not None and finding.help.startswith("remove the dispute")
