"""The words of a verdict: how figures, statements and disputes were judged, line by line, and what findings carry."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.derivations import brief_lines, claim_lines
from specdil_records.claims.messages import dispute_lines, false_problem, leaf_line, statement_lines, unique
from specdil_records.claims.quantities import Leaf, Quantity
from specdil_records.claims.results import DisputeResult, StatementResult
from specdil_records.claims.statements import Truth
from tests.claims.support import Judged, judge

STEP = "At batch 16 with k=4 it is 20, a gain of 26%, more than before"
PROSE = (f"{STEP}. Reported is 1.25x at batch 16, it moves 3.00 TB/s; gains fade with every request, as k + 2 do. "
         "That is 2.49 in all.")
OWN: dict[str, Any] = {
    "quote": STEP, "read": {"batch": "At batch 16", "k": "with k=4"}, "assume": {"a": "2"}, "because": "of  a test",
    "figures": {"is 20": "batch + k", "26%": "additive.gain(batch, k)"}, "over": {"B": "1..4"},
    "holds": ["B > 0", "batch > B + 13", "k / (a - 2) > 1"]}
CELL = {"basis": "reported", "quote": "Reported is 1.25x at batch 16", "read": {"batch": "at batch 16"},
        "figures": {"is 1.25x": 'cited("bench-report", "table-1", "speedup", batch=batch)'}}
WORDS = {"basis": "reported", "quote": "gains fade with every request",
         "cites": {"gains fade with every request": "bench-report#fading"}}
CHIP = {"basis": "specified", "quote": "it moves 3.00 TB/s", "of": {"chip": "example-chip"},
        "figures": {"3.00 TB/s": "chip.memory_bandwidth"}}
TERM = {"quote": "as k + 2 do", "over": {"k": "1..4"}, "figures": {"k + 2": "k + 1"}}
ROUND = {"quote": "That is 2.49 in all", "assume": {"a": "1.249"}, "because": "of a test",
         "figures": {"2.49": "2 * a"}}
DISPUTES = ({"claim": "claim-1", "figure": "is 20", "against": "batch", "because": "of  a\n test",
             "sources": ["bench-report", "chip-sheet"]},
            {"claim": "claim-3", "words": "gains fade", "means": "1 > 2", "because": "of it"})
TOLD = [
    ["claim claim-1: drifted (basis derived)", f"  quote     {STEP}",
     "  read      batch = 16, from the prose: At batch 16", "  read      k = 4, from the prose: with k=4",
     "  figure    is 20",
     "    quoted    20, which stands for [19.5, 20.5]", "    computed  20 = batch + k",
     "    with      batch = 16 (the prose)", "    with      k = 4 (the prose)",
     "    verdict   agrees: the intervals meet", "  figure    26%",
     "    quoted    26%, which stands for [25.5, 26.5]%", "    computed  25% = additive.gain(batch, k)",
     "    with      batch = 16 (the prose)", "    with      k = 4 (the prose)",
     "    verdict   drifts: the intervals do not meet", "  holds     B > 0: true",
     "  holds     batch > B + 13: false at B=3 (16 against 16)",
     "  holds     k / (a - 2) > 1: undecided (it divides by zero, or by an interval that holds zero)",
     "  disputed  is 20: stands; 20 against 16", "    against batch", "    because of a test",
     "    sources bench-report, chip-sheet", "  because   of  a test"],
    ["claim claim-2: cited (basis reported)", "  quote     Reported is 1.25x at batch 16",
     "  read      batch = 16, from the prose: at batch 16", "  figure    is 1.25x",
     "    quoted    1.25x, which stands for [1.245, 1.255]x",
     '    computed  [1.245, 1.255]x = cited("bench-report", "table-1", "speedup", batch=batch)',
     "    with      batch = 16 (the prose)",
     "    with      bench-report#table-1 speedup at batch=16 = 1.25 (measured, bench-report)",
     "    verdict   agrees: the source has 1.25x"],
    ["claim claim-3: disputed (basis reported)", "  quote     gains fade with every request",
     "  cites     bench-report#fading", "  disputed  gains fade: stands; not 1 > 2: 1 against 2",
     "    means   1 > 2", "    because of it"],
    ["claim claim-4: drifted (basis specified)", "  quote     it moves 3.00 TB/s", "  figure    3.00 TB/s",
     "    quoted    3.00 TB/s, which stands for [2.995, 3.005] TB/s",
     "    computed  [1.995, 2.005] TB/s = chip.memory_bandwidth",
     "    with      chip.memory_bandwidth = 2.00 TB/s (specified, chip-sheet)",
     "    verdict   drifts: the source has 2 TB/s"],
    ["claim claim-5: drifted (basis derived)", "  quote     as k + 2 do", "  figure    k + 2", "    quoted    k + 2",
     "    computed  k + 1", "    with      k over its axis",
     "    verdict   drifts: the term is 3, its expression 2 at k=1"],
    ["claim claim-6: drifted (basis derived)", "  quote     That is 2.49 in all", "  figure    2.49",
     "    quoted    2.49, which stands for [2.485, 2.495]", "    computed  [2.497, 2.499] = 2 * a",
     "    with      a = 1.249 (assumed)", "    verdict   drifts: the intervals do not meet",
     "    rounding  it would be right truncated", "  because   of a test"],
]


@pytest.fixture(scope="module")
def judged() -> Judged:
    return judge(PROSE, OWN, CELL, WORDS, CHIP, TERM, ROUND, disputes=DISPUTES)


def test_a_claim_is_told_line_by_line(judged: Judged) -> None:
    assert [list(claim_lines(claim, claim.figures)) for claim in judged.evaluation.claims] == TOLD


def test_a_claim_is_told_briefly(judged: Judged) -> None:
    first = judged.evaluation.claims[0]
    assert list(brief_lines(first, first.figures[:1])) == [TOLD[0][0], *TOLD[0][4:10]]


def test_what_drifts_is_told_with_all_that_it_rests_on(judged: Judged) -> None:
    drifts = {str(one.data["claim"]): one for one in judged.report.findings if one.name == "figure-drift"}
    first = drifts["claim-1"]
    assert first.message == "the prose says 26%, its expression gives 25%"
    assert list(first.notes) == [line.strip() for line in TOLD[0][11:16]]
    assert first.data == {
        "claim": "claim-1", "anchor": "26%", "expression": "additive.gain(batch, k)", "quoted": "26%",
        "computed": "25%", "quoted_interval": "[25.5, 26.5]%", "roundings": [],
        "inputs": ["batch = 16 (the prose)", "k = 4 (the prose)"]}
    assert drifts["claim-4"].message == "the prose says 3.00 TB/s, the source has 2 TB/s"
    term = drifts["claim-5"]
    assert term.message == "the prose says k + 2, but the term is 3, its expression 2 at k=1"
    assert term.data == {"claim": "claim-5", "expression": "k + 1"}
    assert list(term.notes) == [line.strip() for line in TOLD[4][3:]]
    assert drifts["claim-6"].data["roundings"] == ["truncated"]
    marked = [text for name, text in judged.found if name == "figure-drift"]
    assert marked == ["26", "3.00", "k + 2", "2.49"]


def test_what_is_false_is_told_with_its_point(judged: Judged) -> None:
    (false,) = [one for one in judged.report.findings if one.name == "conclusion-false"]
    assert false.message == "claim-1: batch > B + 13 is false at B=3: 16 against 16"
    assert (false.pointer, false.data) == (("claims", 0, "holds", 1), {"point": {"B": "3"}})
    bare = StatementResult("never", ("claims", 0), "false", Truth("false"))
    assert (false_problem("it", bare).message, list(statement_lines(bare))) == ("it: never is false", [
        "holds     never: false"])
    assert list(statement_lines(replace(bare, truth=None))) == ["holds     never: false"]
    (false,) = judge("It stays.", {"holds": ["additive.gain(16, 4) > 1"]}).report.findings
    assert (false.message, false.data) == ("claim-1: additive.gain(16, 4) > 1 is false: 0.25 against 1", {"point": {}})


def test_a_dispute_is_told_without_what_it_does_not_say() -> None:
    basis = DisputeResult(("disputes", 0), {"basis": "measured", "because": "of it"}, "stands")
    assert list(dispute_lines(basis)) == ["disputed  : stands", "  because of it"]
    assert next(dispute_lines(replace(basis, explanation="none of X"))) == "disputed  : stands; none of X"


def test_a_cause_is_told_and_carried() -> None:
    (one,) = judge("With k=4 it is 21.", {"read": {"k": "With k=4"}, "figures": {"is 21": "16 + k"}}).report.findings
    told = "it would be right for k + 1 tokens in place of k"
    assert (one.message, one.data["cause"]) == (f"the prose says 21, its expression gives 20; {told}", told)


@pytest.mark.parametrize(("leaf", "line"), [
    (Leaf("input", ("a",), "a", Quantity(4)), "a = 4"),
    (Leaf("input", ("a",), "a", Quantity(4), "4.0", "assumed"), "a = 4.0 (assumed)"),
    (Leaf("input", ("a",), "a", Quantity(Fraction(1, 2)), "", None, "the prose"), "a = 0.5 (the prose)"),
    (Leaf("record", ("a",), "a", Quantity(Interval(1, 2)), "", "measured", "report"), "a = [1, 2] (measured, report)"),
    (Leaf("axis", ("B",), "B", Quantity(RationalGrid([1, 2]))), "B over its axis"),
    (Leaf("cell", ("c",), "c", Quantity(Interval(RationalGrid([1, 2]), RationalGrid([2, 3]))), "", "measured", "own"),
     "c, a value for each point (measured, own)"),
])
def test_an_input_is_told_with_what_is_behind_it(leaf: Leaf, line: str) -> None:
    assert leaf_line(leaf) == line
    assert unique((leaf, leaf)) == [leaf]
