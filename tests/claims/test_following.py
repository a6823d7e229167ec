"""What is written anew when numbers of the prose are: quotes, anchors, repetitions, disputes and lifted effects."""
from __future__ import annotations

from typing import Any

import pytest

from specdil_records.claims.following import anchors, followers
from specdil_records.claims.results import ClaimResult
from specdil_records.findings import Pointer
from tests.claims.support import Judged, judge

NOTES: Pointer = ("notes",)
PROSE = "At batch 16 with k=4 it is 20 in all."
CLAIM = {"quote": PROSE, "read": {"batch": "At batch 16", "k": "k=4"}, "figures": {"it is 20": "batch + k"}}


def written(judged: Judged, digits: dict[tuple[Pointer, int], str]) -> dict[tuple[Pointer, bool], str]:
    """What stands, at each place that follows, when its numbers are written anew; true for a key."""
    found: dict[tuple[Pointer, bool], str] = {}
    splices = followers(judged.evaluation, digits)
    assert len(set(splices)) == len(splices)
    for one in sorted(splices, key=lambda one: -one.start):
        text: Any = judged.evaluation.record.data
        for part in one.pointer[:-1] if one.key else one.pointer:
            text = text[part]
        text = found.get((one.pointer, one.key), one.pointer[-1] if one.key else text)
        found[one.pointer, one.key] = text[:one.start] + one.text + text[one.end:]
    return found


def at(*parts: str | int, key: bool = False) -> tuple[Pointer, bool]:
    return ("claims", 0, *parts), key


def test_a_quote_and_its_anchors_follow() -> None:
    judged = judge(PROSE, {**CLAIM, "tolerance": {"it is 20": "1"}, "because": "of a test"})
    assert written(judged, {(NOTES, 0): "32", (NOTES, 2): "36"}) == {
        at("quote"): "At batch 32 with k=4 it is 36 in all.", at("read", "batch"): "At batch 32",
        at("figures", "it is 20", key=True): "it is 36", at("tolerance", "it is 20", key=True): "it is 36"}
    assert written(judged, {(NOTES, 1): "8"}) == {
        at("quote"): "At batch 16 with k=8 it is 20 in all.", at("read", "k"): "k=8"}
    assert written(judged, {}) == written(judged, {(NOTES, 0): "16", (("arithmetic_intensity",), 0): "7"}) == {}


def test_what_is_held_and_cited_follows() -> None:
    judged = judge(PROSE, {**CLAIM, "held": {"16": "most"}, "holds": ["k < most"],
                           "cites": {"with k=4": "bench-report"}})
    assert written(judged, {(NOTES, 0): "32", (NOTES, 1): "8"}) == {
        at("quote"): "At batch 32 with k=8 it is 20 in all.", at("read", "batch"): "At batch 32",
        at("read", "k"): "k=8", at("held", "16", key=True): "32", at("cites", "with k=4", key=True): "with k=8"}


def test_of_an_anchor_with_several_numbers_each_has_its_own() -> None:
    prose = "From 3 at batch 16 it is 10-20 GB, or 5."
    judged = judge(prose, {"quote": prose, "read": {"batch": "batch 16"}, "figures": {"10-20 GB": "(batch, batch)"}})
    assert written(judged, {(NOTES, 3): "30", (NOTES, 2): "12", (NOTES, 4): "7"}) == {
        at("quote"): "From 3 at batch 16 it is 12-30 GB, or 7.", at("figures", "10-20 GB", key=True): "12-30 GB"}
    assert written(judged, {(NOTES, 3): "30"})[at("figures", "10-20 GB", key=True)] == "10-30 GB"


def test_an_anchor_that_does_not_stand_in_its_quote_once_stays() -> None:
    prose = "It is 20 and again 20 with k=4."
    claim = {"quote": prose, "read": {"k": "k=4"}, "figures": {"20": "k + 16", "21": "k", "with k": "k"}}
    assert written(judge(prose, claim), {(NOTES, 0): "30", (NOTES, 1): "30", (NOTES, 2): "8"}) == {
        at("quote"): "It is 30 and again 30 with k=8.", at("read", "k"): "k=8"}


def test_the_anchor_of_an_input_that_cannot_be_read_follows_its_quote() -> None:
    judged = judge(PROSE, {**CLAIM, "read": {"batch": "At batch 16", "k": "16 with k=4"}})
    assert list(judged.evaluation.claims[0].inputs) == ["batch"]
    assert written(judged, {(NOTES, 0): "32"}) == {
        at("quote"): PROSE.replace("16", "32"), at("read", "batch"): "At batch 32", at("read", "k"): "32 with k=4"}


def test_what_reads_otherwise_in_code_than_by_itself_stays() -> None:
    prose = "It ran `f 1,000 20` with `g 1,000` of 30."
    claim = {"quote": "1,000 20", "read": {"k": {"in": "notes", "at": "1,000` of 30"}}, "holds": ["k > 1"]}
    judged = judge(prose, claim, hardware_parameters=[row("1,000 20")])
    assert list(judged.evaluation.claims[0].inputs) == ["k"]
    assert written(judged, {(NOTES, 0): "2", (NOTES, 3): "2"}) == {}
    whole = {"quote": "ran `f 1,000 20`", "figures": {"1,000 20": "1"}}
    assert written(judge(prose, whole), {(NOTES, 0): "2"}) == {at("quote"): "ran `f 2,000 20`"}


def test_inputs_that_lie_outside_the_quote_follow() -> None:
    prose = "Up to 16 users. At batch 8 of 9 with k=4 it is so."
    judged = judge(prose, {"quote": "it is so", "read": {"users": {"in": "notes", "at": "Up to 16 users"},
                                                         "batch": "At batch 8 of", "steps": {
                                                             "in": "arithmetic_intensity", "at": "7 steps"}},
                           "holds": ["users + steps > batch"]},
                   arithmetic_intensity="At 3 it takes 7 steps.")
    assert judged.found == [("unbound-figure", "3"), ("unbound-figure", "9"), ("unbound-figure", "4")]
    assert written(judged, {(NOTES, 0): "32", (NOTES, 1): "64", (NOTES, 2): "5"}) == {
        at("read", "users", "at"): "Up to 32 users", at("read", "batch"): "At batch 64 of"}
    assert written(judged, {(("arithmetic_intensity",), 1): "9", (("arithmetic_intensity",), 0): "4"}) == {
        at("read", "steps", "at"): "9 steps"}


def test_what_a_repetition_takes_over_follows_the_claim_that_it_repeats() -> None:
    prose = f"{PROSE} Again it makes 20 there, not 5."
    again = {"id": "again", "in": "notes", "quote": "it makes 20 there", "same_as": "claim-1",
             "figures": {"makes 20": "it is 20"}}
    other = {**again, "id": "other", "same_as": "again", "figures": {"makes 20": "it is 20"}}
    bare = {"id": "bare", "in": "notes", "quote": "not 5", "same_as": "claim-1"}
    judged = judge(prose, CLAIM, repeats=(again, other, bare))
    new = {at("figures", "it is 20", key=True): "it is 24", at("quote"): PROSE.replace("20", "24"),
           (("claims", 1, "figures", "makes 20"), False): "it is 24"}
    assert written(judged, {(NOTES, 2): "24"}) == new
    own = {(("claims", i, part), False): "it makes 24 there" for i in (1, 2) for part in ("quote",)}
    keys = {(("claims", i, "figures", "makes 20"), True): "makes 24" for i in (1, 2)}
    assert written(judged, {(NOTES, 3): "24"}) == {**own, **keys}
    assert written(judged, {(NOTES, 4): "6"}) == {(("claims", 3, "quote"), False): "not 6"}


def test_an_input_that_is_taken_over_is_written_where_it_is_read_first() -> None:
    again = {"id": "again", "in": "notes", "quote": "as 20 there", "same_as": "claim-1", "read": {"k": "of k=5"},
             "figures": {"as 20": "it is 20"}}
    judged = judge(f"{PROSE} It is as 20 there of k=5.", CLAIM, repeats=(again,))
    assert written(judged, {(NOTES, 0): "32"}) == {
        at("quote"): PROSE.replace("16", "32"), at("read", "batch"): "At batch 32"}
    assert written(judged, {(NOTES, 4): "6"}) == {(("claims", 1, "read", "k"), False): "of k=6"}


def test_a_dispute_follows_the_claim_that_it_is_about() -> None:
    other = {"quote": "Others say 20 here", "figures": {"say 20": "4 * k"}, "read": {"k": {"in": "notes", "at": "k=4"}}}
    disputes = tuple({"claim": claim, **said, "because": "of a test", "sources": ["bench-report"]} for claim, said in (
        ("claim-2", {"figure": "20", "against": "k"}), ("claim-1", {"figure": "it is 20", "against": "k"}),
        ("claim-1", {"words": "20 in all", "means": "k > 20"})))
    judged = judge(f"{PROSE} Others say 20 here.", CLAIM, other, disputes=disputes)
    assert written(judged, {(NOTES, 2): "24"}) == {
        at("quote"): PROSE.replace("20", "24"), at("figures", "it is 20", key=True): "it is 24",
        (("disputes", 1, "figure"), False): "it is 24", (("disputes", 2, "words"), False): "24 in all"}


def row(effect: str) -> dict[str, Any]:
    return {"parameter": "memory_bandwidth", "effect": effect, "basis": "unverified", "values_for": []}


@pytest.mark.parametrize(("effect", "digits", "text"), [
    ("with k=4 it is 20", {0: "32", 2: "24"}, "with k=4 it is 24"),
    ("with k=4 it is 24", {1: "8", 2: "24"}, "with k=8 it is 24"), ("with k=4 it is 24", {2: "24"}, None),
    ("it is 20 in all", {0: "32", 1: "8"}, None), ("it was 20 in all", {2: "24"}, None),
])
def test_a_lifted_effect_follows(effect: str, digits: dict[int, str], text: str | None) -> None:
    judged = judge(PROSE, CLAIM, hardware_parameters=[row("Nothing more"), row(effect)])
    found = written(judged, {(NOTES, index): one for index, one in digits.items()})
    place = (("hardware_parameters", 1, "effect"), False)
    assert {key: new for key, new in found.items() if key[0][0] != "claims"} == ({place: text} if text else {})


def test_a_record_without_claims_or_rows_has_nothing_that_follows() -> None:
    assert written(judge(PROSE), {(NOTES, 0): "32"}) == {}


def test_the_keys_of_a_claim_that_may_be_absent() -> None:
    data = {"claims": [{"id": "bare"}, {"id": "again", "same_as": "bare"}]}
    assert list(anchors(data, ClaimResult("bare", ("claims", 0), {}))) == []


def test_a_quote_that_has_other_digits_than_the_prose_gets_the_new_ones() -> None:
    judged = judge(PROSE.replace("20", "21"), CLAIM)
    assert written(judged, {(NOTES, 2): "21"}) == {
        at("quote"): PROSE.replace("20", "21"), at("figures", "it is 20", key=True): "it is 21"}
    assert written(judged, {(NOTES, 2): "20"}) == {}
