"""The one verdict under which a claim counts, and what somebody who asks about a number is answered."""
from __future__ import annotations

from typing import Any

import pytest

from specdil_records.claims.answers import NothingJudged, as_data, chosen, ledger_data, ledgers_data, matching
from tests.claims.support import CLAIM, ID, PROSE, Judged, disputed, judge

GAIN = {"quote": "a gain of 25%", "read": {"batch": {"in": "notes", "at": "At batch 16"},
                                           "k": {"in": "notes", "at": "with k=4"}},
        "figures": {"25%": "additive.gain(batch, k)"}}
REST = {"quote": PROSE, "basis": "unverified"}
CELL = {"basis": "reported", "quote": "Reported is 1.25x at batch 16", "read": {"batch": "at batch 16"},
        "figures": {"is 1.25x": 'cited("bench-report", "table-1", "speedup", batch=batch)'}}
WORDS = {"basis": "reported", "quote": "gains fade with every request",
         "cites": {"gains fade with every request": "bench-report#fading"}}
LONG = f"{PROSE} Reported is 1.25x at batch 16, and gains fade with every request."


@pytest.mark.parametrize(("claim", "verdict"), [
    (GAIN, "recomputed"), ({**GAIN, "holds": ["k < batch"]}, "recomputed"),
    ({**GAIN, "holds": ["k > batch"]}, "drifted"),
    ({**GAIN, "figures": {"25%": "additive.gain(batch, k) / 2"}}, "drifted"),
    ({**GAIN, "figures": {"25%": "additive.gain(batch, k) / 2"}, "holds": ["k / 0 > 1"]}, "drifted"),
    ({**GAIN, "holds": ["k / 0 > 1"]}, "undecided"), ({**GAIN, "figures": {"25%": "k / 0 + batch"}}, "undecided"),
    ({**GAIN, "figures": {"25%": "k + batch + q"}}, "undecided"),
    ({**GAIN, "quote": "a gain of 25% there"}, "undecided"),
    ({**GAIN, "figures": {"35%": "k / batch"}}, "undecided"),
    ({**GAIN, "tolerance": {"26%": "1%"}, "because": "of a test"}, "undecided"),
    ({"quote": "more than before", "over": {"B": "1..4"}, "holds": ["B > 0"]}, "held"),
    ({"quote": "more than before", "over": {"B": "1..4"}, "holds": ["B > 1"]}, "drifted"),
    (CELL, "cited"), ({**CELL, "over": {"B": "1..4"}, "holds": ["B > 0"]}, "held"), (WORDS, "cited"),
    ({"quote": "more than before", "basis": "unverified"}, "unverified"),
])
def test_the_verdict_on_a_claim(claim: dict[str, Any], verdict: str) -> None:
    assert judge(LONG, claim, REST).verdict("claim-1") == verdict


@pytest.mark.parametrize(("dispute", "verdict"), [
    ({"figure": "25%", "against": "verify.gain(batch, k)"}, "disputed"),
    ({"figure": "25%", "against": "additive.gain(batch, k)"}, "recomputed"),
    ({"figure": "25%", "against": "k / 0"}, "undecided"), ({"figure": "25%", "against": "q"}, "recomputed"),
])
def test_the_verdict_on_a_claim_under_dispute(dispute: dict[str, Any], verdict: str) -> None:
    assert disputed(**dispute).verdict("claim-1") == verdict


def test_a_finding_carries_its_claim_or_what_the_quote_is_near() -> None:
    quote = PROSE.replace("before", "after")
    judged = judge(LONG, {**GAIN, "figures": {"25%": "k +"}}, {**REST, "quote": quote}, CELL, WORDS)
    assert [(one.name, one.data) for one in judged.report.findings if one.pointer[:1] == ("claims",)] == [
        ("formula", {"claim": "claim-1"}), ("formula", {"claim": "claim-1"}),
        ("quote-not-verbatim", {"nearest": PROSE, "difference": "-after +before"})]


@pytest.fixture(scope="module")
def judged() -> Judged:
    return judge(LONG, {"quote": PROSE, **CLAIM, "over": {"B": "1..4"}, "holds": ["B > 0"]}, CELL, WORDS,
                 disputes=({"claim": "claim-1", "figure": "25%", "against": "verify.gain(batch, k)",
                            "because": "of a test", "sources": ["bench-report"]},))


@pytest.mark.parametrize(("what", "found"), [
    (None, [("claim-1", ["20", "25%"]), ("claim-2", ["1.25x"]), ("claim-3", [])]), ("claim-3", [("claim-3", [])]),
    ("claim-1", [("claim-1", ["20", "25%"])]), ("25%", [("claim-1", ["25%"])]), ("25", [("claim-1", ["25%"])]),
    (" 25% ", [("claim-1", ["25%"])]), ("is 20", [("claim-1", ["20"])]), ("16", [("claim-1", []), ("claim-2", [])]),
    ("4", [("claim-1", [])]), ("1.25x", [("claim-2", ["1.25x"])]), ("1.25", [("claim-2", ["1.25x"])]),
    ("25 %", [("claim-1", ["25%"])]), ("5", []), ("claim", []), ("is 1.25x", [("claim-2", ["1.25x"])]),
])
def test_claims_are_asked_for_by_name_or_by_number(judged: Judged, what: str | None, found: list[Any]) -> None:
    assert [(claim.id, [figure.quoted for figure in figures])
            for claim, figures in matching(judged.evaluation, what)] == found


def test_what_is_not_there_is_told_with_what_is(judged: Judged) -> None:
    record = judged.corpus.by_id[ID]
    assert [claim.id for claim, _ in chosen(record, judged.evaluation, "25%")] == ["claim-1"]
    with pytest.raises(NothingJudged, match=r"has no claim and no judged number 'nosuch'.*claim-1, claim-2, claim-3"):
        chosen(record, judged.evaluation, "nosuch")
    empty = judge("Nothing is said.")
    with pytest.raises(NothingJudged, match="flops/short has no claims"):
        chosen(empty.corpus.by_id[ID], empty.evaluation, None)


def test_a_claim_as_plain_data(judged: Judged) -> None:
    ((claim, figures),) = matching(judged.evaluation, "claim-1")
    found = as_data(claim, figures)
    lines: Any = found.pop("figures")
    assert [{key: one[key] for key in ("anchor", "quoted", "expression", "state")} for one in lines] == [
        {"anchor": "is 20", "quoted": "20", "expression": "additive.intensity(batch, k)", "state": "agrees"},
        {"anchor": "25%", "quoted": "25%", "expression": "additive.gain(batch, k)", "state": "agrees"}]
    assert lines[0]["lines"][0] == "quoted    20, which stands for [19.5, 20.5]"
    assert found == {
        "claim": "claim-1", "verdict": "disputed", "basis": "derived", "quote": PROSE,
        "inputs": {"batch": "16", "k": "4"}, "statements": [{"text": "B > 0", "state": "true"}],
        "disputes": [{"figure": "25%", "against": "verify.gain(batch, k)", "state": "stands",
                      "explanation": "25% against 400%", "because": "of a test",
                      "sources": ["bench-report"]}]}


def test_a_dispute_without_sources_has_none_of_them() -> None:
    ((claim, _),) = matching(disputed(figure="25%", against="verify.gain(batch, k)", sources=None).evaluation, None)
    found: Any = as_data(claim, [])["disputes"]
    assert [one["sources"] for one in found] == [[]]


def test_a_ledger_as_plain_data(judged: Judged) -> None:
    record = judged.corpus.by_id[ID]
    found = ledger_data(record, judged.evaluation)
    numbers = [(row["number"], row["status"], row["by"]) for row in found["numbers"]]
    assert numbers == [("16", "input", ["claim-1"]), ("4", "input", ["claim-1"]), ("20", "recomputed", ["claim-1"]),
                       ("25%", "disputed", ["claim-1"]), ("1.25x", "cited", ["claim-2"]), ("16", "input", ["claim-2"])]
    first = found["numbers"][0]
    line = record.document.text.split("\n")[first["line"] - 1]
    assert line[first["column"] - 1:].startswith("16 with k=4")
    assert (found["record"], found["path"], found["coverage"]) == (ID, "records/flops/short.yaml", 1.0)
    counts = {"disputed": 1, "recomputed": 1, "cited": 1, "held": 0, "input": 3, "unverified": 0, "exempt": 0,
              "unbound": 0}
    assert found["counts"] == counts
    both = ledgers_data([found, found])
    assert (both["records"], both["coverage"]) == ([found, found], 1.0)
    assert both["counts"] == {status: 2 * amount for status, amount in counts.items()}
    assert ledgers_data([]) == {"records": [], "counts": {}, "coverage": 1.0}
