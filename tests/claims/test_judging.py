"""One claim, part by part: tolerances, citations, statements, and where each fault of them is told."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval
from specdil_records.claims.judging import leaf_point, named
from specdil_records.claims.quantities import Leaf, Quantity
from tests.claims.support import Judged, judge

PROSE = "At batch 16 with k=4 it is 21, or 25% of it."
READ = {"batch": "At batch 16", "k": "with k=4"}
FIGURES = {"is 21": "batch + k + 1", "or 25%": "k / batch"}


def judged(prose: str = PROSE, **claim: Any) -> Judged:
    return judge(prose, {"quote": PROSE, "read": READ, "because": "of a test", "figures": FIGURES, **claim})


@pytest.mark.parametrize(("tolerance", "fault", "words"), [
    ({"is 21": "1"}, None, ""), ({"is 21": "0.9"}, "figure-drift", "its expression gives 20"),
    ({"is 21": "5%"}, None, ""),
    ({"is 21": "4.7%"}, "figure-drift", "its expression gives 20"),
    ({"is 21": "-1"}, "formula", "a tolerance is more than nothing, not -1"),
    ({"is 21": "0"}, "formula", "a tolerance is more than nothing, not 0"),
    ({"is 21": "5 points"}, "formula", "a number in the figure's unit, or a percentage of it; not '5 points'"),
    ({"is 21": "1x"}, "formula", "not '1x'"), ({"is 21": "1 GB"}, "formula", "not '1 GB'"),
    ({"is 21": "much"}, "formula", "the tolerance 'much' is no number: 'much' is no number"),
    ({"is 21": "1 KB"}, "formula", "the tolerance '1 KB' is no number: 'KB' is no unit"),
])
def test_a_tolerance_is_a_number_in_the_unit_of_its_figure(tolerance: dict[str, str], fault: str | None,
                                                           words: str) -> None:
    found = judged(figures={**FIGURES, "is 21": "batch + k"}, tolerance=tolerance)
    places = {"figure-drift": "21", "formula": f'"{tolerance["is 21"]}"'}
    assert found.found == ([(fault, places[fault])] if fault else [])
    assert words in found.messages
    assert found.statuses["recomputed"] == (["25%"] if fault == "formula" else ["21", "25%"])
    figure = found.evaluation.claims[0].figures[0]
    state = {"formula": "broken", "figure-drift": "drifts"}.get(str(fault), "agrees")
    assert (figure.anchor, figure.state) == ("is 21", state)
    assert words in figure.reason or fault == "figure-drift"


@pytest.mark.parametrize(("tolerance", "drifts"), [("2", False), ("1.9", True), ("8%", False), ("7.9%", True)])
def test_the_tolerance_of_a_percentage_is_in_points_or_of_the_figure(tolerance: str, drifts: bool) -> None:
    found = judged(figures={**FIGURES, "or 25%": "k / batch + 0.02"}, tolerance={"or 25%": tolerance})
    assert found.found == ([("figure-drift", "25")] if drifts else [])


@pytest.mark.parametrize("because", ["", " "])
def test_a_tolerance_needs_a_reason(because: str) -> None:
    claim = {"quote": PROSE, "read": READ, "figures": FIGURES, "tolerance": {"is 21": "2"}}
    found = judge(PROSE, {**claim, "because": because})
    assert "a tolerance needs a reason, in because" in found.messages
    assert found.verdict("claim-1") == "undecided"


def test_a_tolerance_for_no_figure() -> None:
    found = judged(tolerance={"is 20": "9"})
    assert found.found == [("formula", '"9"')]
    assert "claim claim-1: no figure has the anchor 'is 20'" in found.messages
    found = judge("It falls.", {"over": {"B": "1..8"}, "holds": ["decreasing(additive.gain(B, 4), B)"],
                                "tolerance": {"is 20": "9"}, "because": "of a test"})
    assert found.found == [("formula", '"9"')]


@pytest.mark.parametrize(("value", "number"), [
    (7, Fraction(7)), (Fraction(1, 3), Fraction(1, 3)), (Interval(1, 2), Fraction(3, 2)),
    (Interval(Fraction(-1, 2), Fraction(1, 2)), Fraction(0)),
])
def test_what_a_source_writes_is_the_middle_of_what_it_stands_for(value: Any, number: Fraction) -> None:
    assert leaf_point(Leaf("cell", ("s", "t", "c"), "c", Quantity(value))) == number


@pytest.mark.parametrize(("figures", "found", "words"), [
    ({"is 21": "(batch + k, 2)"}, [("formula", '"(batch + k, 2)"')], "a range takes a pair (low, high)"),
    ({"is 21": "batch +"}, [("formula", '"batch +"')], "claim claim-1: not an expression: invalid syntax"),
    ({"is 21": "batch < k"}, [("formula", '"batch < k"')], "a figure needs a value"),
    ({"is 22": "batch + k"}, [("quote-not-verbatim", '"batch + k"')], "the anchor 'is 22' stands nowhere"),
    ({"16 with k=4": "batch + k"}, [("formula", '"batch + k"')], "holds 2 numbers"),
    ({"is 21": "batch / 0 + k"}, [("undecided", '"batch / 0 + k"')], "claim claim-1: it divides by zero"),
    ({"is 21": "batch + k + q"}, [("formula", '"batch + k + q"')], "claim claim-1: unknown name q"),
    ({"is 21": 'batch + cited("nosuch", "a", "b") + k'}, [("unresolved-reference",
                                                           """"batch + cited(\\"nosuch\\", \\"a\\", \\"b\\") + k\"""")],
     "there is no source 'nosuch'"),
])
def test_a_fault_of_an_expression_is_told_there_and_explains_its_number(figures: dict[str, str], found: list[Any],
                                                                       words: str) -> None:
    one = judged(figures={**figures, "or 25%": "k / batch"})
    assert one.found == found
    assert words in one.messages
    assert one.verdict("claim-1") == "undecided"
    assert one.statuses["recomputed"] == (["21", "25%"] if found[0][0] == "undecided" else ["25%"])


@pytest.mark.parametrize(("holds", "over", "found", "words", "verdict"), [
    ("k <", {}, "formula", "claim claim-1: not an expression", "undecided"),
    ("k > B", {"B": "1..4"}, "conclusion-false", "claim-1: k > B is false at B=4: 4 against 4", "drifted"),
    ("k / 0 > 1", {}, "undecided", "claim claim-1: it divides by zero", "undecided"),
    ("q > 1", {}, "formula", "claim claim-1: unknown name q", "undecided"),
    ("x > 2.5", {"B": "1..4"}, "undecided", "claim claim-1: whether x > 2.5 cannot be told at B=1: [2.45",
     "undecided"),
    ("x > 2.5 * B", {"B": "1..4"}, "conclusion-false", "is false at B=2: [2.45, 2.55] against 5", "drifted"),
    ("2.5 * B >= x", {"B": "1..4"}, "undecided", "whether 2.5 * B >= x cannot be told at B=1: 2.5 against [2.45, 2.55]",
     "undecided"),
])
def test_a_statement_that_does_not_hold_is_told_there(holds: str, over: dict[str, str], found: str, words: str,
                                                      verdict: str) -> None:
    one = judged(holds=[holds], assume={"x": "2.5"}, **({"over": over} if over else {}))
    assert one.found == [(found, f'"{holds}"')]
    assert words in one.messages
    assert one.verdict("claim-1") == verdict


@pytest.mark.parametrize(("words", "target", "found", "message"), [
    ("25% of it", "bench-report#fading", [("formula", '"bench-report#fading"')], "at least three words"),
    ("or 25% of that", "bench-report#fading", [("quote-not-verbatim", '"bench-report#fading"')], "stands nowhere"),
    ("or 25% of it", "bench-report", [("unresolved-reference", '"bench-report"')], "as a whole backs nothing"),
])
def test_a_citation_that_covers_nothing_is_told_once(words: str, target: str, found: list[Any], message: str) -> None:
    one = judged(figures={"is 21": "batch + k + 1"}, cites={words: target})
    assert one.found == found
    assert message in one.messages
    assert one.statuses == {"input": ["16", "4"], "recomputed": ["21"], "unbound": ["25%"]}


def test_a_number_of_the_prose_that_the_quote_has_otherwise() -> None:
    one = judged(PROSE.replace("k=4", "k=5"), figures={"is 21": "batch + 5 + 0 * k", "or 25%": "4 / batch"})
    assert ("quote-not-verbatim", "5") in one.found
    finding = next(one for one in one.report.findings if one.name == "quote-not-verbatim")
    assert finding.message == "the prose has 5, the claim claim-1 quotes 4"
    assert (finding.data["prose"], finding.data["quoted"], finding.data["claim"]) == ("5", "4", "claim-1")
    assert finding.help is not None and "follow it" in finding.help


def test_a_number_that_an_input_reads_elsewhere_with_other_digits() -> None:
    rest = {"quote": "The rack has 9 cards", "in": "/workarounds/0", "basis": "unverified"}
    claim = {"quote": PROSE, "read": {**READ, "cards": {"in": "/workarounds/0", "at": "rack has 8"}},
             "figures": {"is 21": "batch + k + cards / 8", "or 25%": "k / batch"}}
    one = judge(PROSE, claim, rest, workarounds=["The rack has 9 cards."])
    assert one.found == [("quote-not-verbatim", "9")]
    assert "the prose has 9, the claim claim-1 quotes 8" in one.messages


@pytest.mark.parametrize(("changed", "found", "words"), [
    ({"in": "nosuch"}, ("unresolved-reference", '"nosuch"'), "claim claim-1: 'nosuch' is no field of prose"),
    ({"quote": "At batch 16 it was"}, ("quote-not-verbatim", '"At batch 16 it was"'), "the quote is not"),
    ({"quote": "it"}, ("quote-ambiguous", '"it"'), "occurs 2 times"),
    ({"of": {"gone": "nosuch"}, "figures": {**FIGURES, "or 25%": "gone.tdp"}}, ("unresolved-reference", '"nosuch"'),
     "there is no accelerator or model 'nosuch'"),
    ({"read": {**READ, "lost": "nowhere"}, "figures": {**FIGURES, "or 25%": "lost"}},
     ("quote-not-verbatim", '"nowhere"'), "the anchor 'nowhere' is not in its field"),
])
def test_what_a_claim_rests_on_is_told_where_it_is_lost(changed: dict[str, Any], found: tuple[str, str],
                                                        words: str) -> None:
    one = judged(**changed)
    assert one.found[0] == found or found in one.found
    assert words in one.messages
    assert one.verdict("claim-1") == "undecided"
    assert {name for name, _ in one.found} <= {found[0], "unbound-figure"}


CELL = 'cited("bench-report", "table-1", "speedup", batch=B)'


@pytest.mark.parametrize(("points", "figure", "found", "words"), [
    (["16"], "1.25x", [], ""), (["16"], "1.2x", [], ""), (["16"], "1.3x", [], ""),
    (["16"], "1.26x", [("figure-drift", "1.26")], "the source has 1.25x"),
    (["1", "16"], "1.25x", [("figure-drift", "1.25")], "the source has 2.1x"),
    (["16", "1"], "1.25x", [("figure-drift", "1.25")], "the source has 2.1x"),
    (["1", "16"], "2.1x", [("figure-drift", "2.1")], "the source has 1.25x"),
    (["16", "2"], "1.25x", [("unresolved-reference", "CELL")], "bench-report#table-1 has no rows for batch=2"),
])
def test_a_cell_that_is_cited_along_an_axis_is_the_figure_at_every_point(
        points: list[str], figure: str, found: list[tuple[str, str]], words: str) -> None:
    one = judge(f"It reports {figure} of old.", {
        "basis": "reported", "over": {"B": points}, "figures": {f"reports {figure}": CELL}})
    assert [name for name, _ in one.found] == [name for name, _ in found]
    assert one.report.summary.broken == {}
    assert words in one.messages
    if found and found[0][0] == "figure-drift":
        assert one.found == found
        (finding,) = one.report.findings
        told = "with      bench-report#table-1 speedup, a value for each point (measured, bench-report)"
        assert told in finding.notes


def test_a_point_in_words() -> None:
    assert named({"B": 1, "k": Fraction(5, 2), "x": Fraction(1, 3)}) == "B=1, k=2.5, x=0.333333\u2026"
    assert named({}) == ""


def test_a_quote_that_differs_in_typography_is_told_at_the_quote_with_its_code_points() -> None:
    prose = "It\u2019s 16 \u2013 or 8 twice."
    one = judge(prose, {"quote": "It's 16 - or 8 twice", "read": {"half": "or 8"}, "figures": {"16 - or": "2 * half"}})
    assert [name for name, _ in one.found] == ["typography-differs"]
    (finding,) = one.report.findings
    assert finding.span.line == next(i for i, line in enumerate(
        one.corpus.by_id["flops/short"].document.text.split("\n"), 1) if '"quote"' in line)
    points: Any = finding.data["code_points"]
    assert sorted(point[:6] for point in points) == ["U+2013", "U+2019"]
    assert finding.message.endswith("differ in typography: " + ", ".join(points))


def test_a_term_that_cannot_be_told_from_its_expression_is_undecided() -> None:
    prose = "With about 2.5 it is x + k in all."
    one = judge(prose, {"read": {"x": "about 2.5"}, "over": {"k": "1..2"}, "figures": {"is x + k": "k + x"}})
    assert one.found == [("undecided", '"k + x"')]
    assert "the term and its expression overlap, but are not equal for certain" in one.messages
    (figure,) = one.evaluation.claims[0].figures
    assert (figure.state, figure.quoted) == ("undecided", "x + k")
    assert figure.computed is not None
    assert [leaf.label for leaf in figure.used] == ["k", "x"]


ZERO = "it divides by zero, or by an interval that holds zero"


@pytest.mark.parametrize(("holds", "states"), [
    (["k <", "k < batch"], [("broken", "not an expression: invalid syntax"), ("true", "")]),
    (["k / 0 > 1", "k > batch"], [("undecided", ZERO), ("false", "")]),
    (["q > 1"], [("broken", "unknown name q")]), (["x > 2.5"], [("undecided", "")]),
    (["gone.tdp > 1", "k < batch"], [("broken", "gone"), ("true", "")]),
])
def test_what_came_of_each_statement(holds: list[str], states: list[tuple[str, str]]) -> None:
    one = judged(holds=holds, assume={"x": "2.5"}, of={"gone": "nosuch"})
    claim = one.evaluation.claims[0]
    assert [(statement.state, statement.reason) for statement in claim.statements] == states
    assert one.verdict("claim-1") == ("drifted" if ("false", "") in states else "undecided")


def test_one_statement_that_rests_on_nothing_leaves_the_claim_open() -> None:
    claim = {"quote": "of it", "over": {"B": "1..4"}, "of": {"gone": "nosuch"}, "holds": ["gone.tdp > 1", "B > 0"]}
    rest = {"quote": PROSE, "basis": "unverified"}
    one = judge(PROSE, claim, rest)
    assert one.found == [("unresolved-reference", '"nosuch"')]
    assert one.evaluation.claims[0].unavailable
    more = judge(PROSE, {**claim, "holds": ["gone.tdp > 1", "B / 0 > 0"]}, rest)
    assert more.evaluation.claims[0].unavailable
    figures = {"is 21": "gone.tdp", "or 25%": "1 / (B - B)"}
    last = judge(PROSE, {**claim, "quote": PROSE, "holds": ["B > 0"], "figures": figures})
    assert last.evaluation.claims[0].unavailable


def test_without_a_grid_no_point_is_named() -> None:
    one = judged(holds=["x > 2.5"], assume={"x": "2.5"})
    assert one.messages == "claim claim-1: whether x > 2.5 cannot be told: [2.45, 2.55] against 2.5"


def test_a_tolerance_is_kept_at_every_point_of_the_grid() -> None:
    claim = {"over": {"B": ["1", "4", "9"]}, "because": "of a test", "tolerance": {"is 20": "5"}}
    one = judge("It is 20 or so.", {**claim, "figures": {"is 20": "20 + B"}})
    assert one.found == [("figure-drift", "20")]
    (figure,) = one.evaluation.claims[0].figures
    assert figure.reason == "the intervals do not meet at B=9"
    assert judge("It is 20 or so.", {**claim, "figures": {"is 20": "20 + B / 2"}}).found == []
    without = judge("It is 20 or so.", {"assume": {"b": "30"}, "because": "of a test", "figures": {"is 20": "b - 4"}})
    assert without.evaluation.claims[0].figures[0].reason == "the intervals do not meet"


@pytest.mark.parametrize("over", [{}, {"B": "1..4"}])
def test_a_figure_that_drifts_says_what_would_explain_it(over: dict[str, str]) -> None:
    expression = "batch + k" if not over else "batch + k + max(B, 99) - 99"
    one = judged(figures={**FIGURES, "is 21": expression}, **({"over": over} if over else {}))
    assert one.found == [("figure-drift", "21")]
    assert one.messages.endswith("it would be right for k + 1 tokens in place of k")


def test_a_figure_without_a_value_keeps_what_it_rested_on_and_why() -> None:
    one = judged(figures={**FIGURES, "is 21": "batch + k / 0", "or 25%": "k + q"})
    undecided, broken = one.evaluation.claims[0].figures
    assert (undecided.state, undecided.reason) == ("undecided", ZERO)
    assert [leaf.label for leaf in undecided.used] == ["batch", "k"]
    assert (broken.state, broken.reason, [leaf.label for leaf in broken.used]) == ("broken", "unknown name q", ["k"])


def test_each_citation_is_looked_at_whatever_came_of_the_one_before() -> None:
    prose = "They say 3 of that in all, and 4 of this at most, and 5 of those on top."
    cites = {"nothing of the kind": "bench-report#fading", "3 of that": "bench-report#fading",
             "and 4 of this at most": "bench-report", "5 of those on top": "bench-report#fading"}
    one = judge(prose, {"basis": "reported", "cites": cites})
    assert one.names == ["cited-quote-differs"] * 3 + ["formula", "quote-not-verbatim", "unresolved-reference"]
    assert [target for target, _ in one.evaluation.claims[0].cited] == ["bench-report#fading"]
    assert one.statuses["cited"] == ["5"]
