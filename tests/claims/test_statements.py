"""Statements by value: the verdict, the point that decides it, and what it rested on."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Dimension, Interval
from specdil_records.claims import statements
from specdil_records.claims.evaluating import Scope
from specdil_records.claims.grids import Grid, read_grid
from specdil_records.claims.language import FormulaError, parse_statement
from specdil_records.claims.quantities import Leaf, Quantity
from specdil_records.claims.statements import Truth, judge

RATE = Dimension(byte=1, second=-1)
VALUES: dict[str, Any] = {"two": 2, "half": Fraction(1, 2), "wide": Interval(1, 3), "high": Interval(3, 4),
                          "third": Fraction(1, 3)}


def scope(**more: Quantity) -> Scope:
    quantities = {name: Quantity(value) for name, value in VALUES.items()} | {"speed": Quantity(5, RATE)} | more
    return Scope({name: Leaf("input", (name,), name, quantity) for name, quantity in quantities.items()}, {}, {}, None)


def truth(text: str, over: dict[str, Any] | None = None, **more: Quantity) -> Truth:
    return judge(parse_statement(text), scope(**more), read_grid(over) if over else Grid({}))


@pytest.mark.parametrize(("text", "over", "verdict", "point", "detail", "anywhere"), [
    ("two < 3", {}, "true", {}, "", False),
    ("two < 2", {}, "false", {}, "2 against 2", False),
    ("wide < 2", {}, "undecided", {}, "[1, 3] against 2", False),
    ("wide < high", {}, "undecided", {}, "[1, 3] against [3, 4]", False),
    ("wide <= high", {}, "true", {}, "", False),
    ("agrees(wide, high)", {}, "true", {}, "", False),
    ("agrees(two, high)", {}, "false", {}, "2 against [3, 4]", False),
    ("agrees(high, two)", {}, "false", {}, "[3, 4] against 2", False),
    ("agrees(third, 1 / 3)", {}, "true", {}, "", False),
    ("agrees(third, 0.3333)", {}, "false", {}, "0.333333\u2026 against 0.3333", False),
    ("B < 3", {"B": "1..4"}, "false", {"B": 3}, "3 against 3", True),
    ("B > 4", {"B": "1..4"}, "false", {"B": 1}, "1 against 4", False),
    ("B * k < 6", {"k": ["1", "2"], "B": "1..4"}, "false", {"k": 2, "B": 3}, "6 against 6", True),
    ("B + k > 2", {"k": ["2", "1"], "B": "1..4"}, "false", {"k": 1, "B": 1}, "2 against 2", True),
    ("k < 2", {"B": "1..4", "k": ["1", "2"]}, "false", {"B": 1, "k": 2}, "2 against 2", True),
    ("B * wide < 6", {"B": "1..4"}, "undecided", {"B": 2}, "[2, 6] against 6", True),
    ("B * wide < 4", {"B": "1..4"}, "false", {"B": 4}, "[4, 12] against 4", True),
    ("agrees(B, high)", {"B": "2..4"}, "false", {"B": 2}, "2 against [3, 4]", True),
    ("two < 2", {"B": "1..4"}, "false", {"B": 1}, "2 against 2", False),
    ("increasing(B * B, B)", {"B": "1..4"}, "true", {}, "", False),
    ("increasing(B * B, B)", {"B": ["4", "1", "2"]}, "true", {}, "", False),
    ("increasing(B * (5 - B), B)", {"B": "1..4"}, "false", {"B": 3}, "6 against 6", True),
    ("decreasing(1 / B, B)", {"B": "1..4"}, "true", {}, "", False),
    ("decreasing(B * (B - 3), B)", {"B": "1..4"}, "false", {"B": 2}, "-2 against -2", False),
    ("constant(two * B / B, B)", {"B": "1..4"}, "true", {}, "", False),
    ("constant(B * (3 - B), B)", {"B": "1..3"}, "false", {"B": 3}, "2 against 0", True),
    ("increasing(k - B, B)", {"k": ["1", "2"], "B": ["1", "3"]}, "false", {"k": 1, "B": 3}, "0 against -2", False),
    ("increasing(wide * B, B)", {"B": ["1", "4"]}, "true", {}, "", False),
    ("increasing(wide * B, B)", {"B": ["1", "2"]}, "undecided", {"B": 2}, "[1, 3] against [2, 6]", False),
    ("increasing(min(B, 2) * k, B)", {"k": ["1", "2"], "B": "1..3"}, "false", {"k": 1, "B": 3}, "2 against 2", True),
    ("B < k + 1", {"B": "1..3", "k": ["1", "2"]}, "false", {"B": 2, "k": 1}, "2 against 2", True),
    ("increasing(verify.gain(B, k), B)", {"B": "2..4", "k": ["1", "2"]}, "false", {"B": 2, "k": 1},
     "it does not change with B", False),
    ("constant(wide * verify.gain(B, k), B)", {"B": "2..4", "k": ["1", "2"]}, "true", {}, "", False),
    ("tends(min(10, 10 ** 6 / B), B, 0)", {"B": "1..4"}, "true", {}, "", False),
    ("tends(min(9.9, 10 ** 6 / B), B, 0)", {"B": "1..4"}, "false", {"B": 10**6},
     "the distance to the limit does not fall tenfold", False),
    ("tends(1 / B, B, 0)", {"B": "1..4"}, "true", {}, "", False),
    ("tends(two + 1 / B, B, two)", {"B": "1..4"}, "true", {}, "", False),
    ("tends(1 + 1 / B, B, two)", {"B": "1..4"}, "false", {"B": 10**6},
     "the distance to the limit does not fall tenfold", False),
    ("tends(k / B, B, 0)", {"k": ["1", "2"], "B": "1..4"}, "true", {}, "", False),
    ("tends((k - 1) * B + 1 / B, B, 0)", {"k": ["1", "2"], "B": "1..4"}, "false", {"B": 10**6, "k": 2},
     "the distance to the limit does not fall tenfold", True),
    ("tends(max(0, 10 ** 6 - B), B, 0)", {"B": "1..4"}, "true", {}, "", False),
    ("tends(max(1 / B, 1 / 10 ** 6), B, 0)", {"B": "1..4"}, "false", {"B": 10**9},
     "the distance to the limit does not fall tenfold", False),
    ("tends(max(wide * 10 ** 3 / B, 0.2), B, 0)", {"B": "1..4"}, "false", {"B": 10**9},
     "the distance to the limit does not fall tenfold", False),
    ("tends(max(wide * 10 ** 3 / B, 0.2 / B), B, 0)", {"B": "1..4"}, "true", {}, "", False),
    ("tends(max(wide * 10 ** 3, 0.2 * B) / B, B, 0)", {"B": "1..4"}, "false", {"B": 10**9},
     "the distance to the limit does not fall tenfold", False),
    ("tends(B / 10 ** 4, B, 10)", {"B": "1..4"}, "false", {"B": 10**6},
     "the distance to the limit does not fall tenfold", False),
])
def test_verdicts(text: str, over: dict[str, Any], verdict: str, point: dict[str, int], detail: str,
                  anywhere: bool) -> None:
    found = truth(text, over)
    assert (found.verdict, found.point, found.detail, found.anywhere) == (verdict, point, detail, anywhere)
    assert list(found.point) == list(point)


@pytest.mark.parametrize(("text", "over", "verdict", "anywhere", "nowhere"), [
    ("B < 3", ["1", "2"], "true", False, False), ("B < 3", ["2", "3"], "false", True, False),
    ("B < 3", ["3", "4"], "false", False, True), ("B < wide", ["0", "3"], "false", True, False),
    ("B < wide", ["2", "3"], "false", False, False), ("B < wide", ["0", "2"], "undecided", True, False),
    ("B < wide", ["1", "2"], "undecided", False, False), ("two < 2", ["1", "2"], "false", False, True),
    ("increasing(min(B, 1) * verify.gain(B, 1), B)", ["1", "2"], "false", False, True),
    ("increasing(verify.gain(B, 1), B)", ["1", "2"], "false", False, True),
    ("tends(B / A, A, 0)", ["1", "2"], "true", False, False),
    ("tends(1 / A + B / 10 ** 7, A, 0)", ["0.1", "2"], "false", True, False),
    ("tends(1 / A + B / 10 ** 7, A, 0)", ["2", "10000000"], "false", False, True),
    ("tends(1 / A + B / 10 ** 7, A, 0)", ["10000000", "2"], "false", False, True),
    ("tends(B * (wide - 2) / A, A, 0)", ["1", "2"], "undecided", False, False),
    ("tends(B * (wide - 2) / A, A, 0)", ["0", "2"], "undecided", True, False),
    ("tends(B * (wide - 2) / A, A, 0 - B)", ["0", "2"], "false", True, False),
    ("tends(B * min(A * (wide - 2), 10 ** 4), A, 0)", ["1", "2"], "undecided", False, False),
    ("tends(max(B * wide * 10 ** 3 / A, 0.2), A, 0)", ["1"], "false", False, True),
])
def test_where_a_statement_is_true_and_whether_it_is_false_everywhere(text: str, over: list[str], verdict: str,
                                                                      anywhere: bool, nowhere: bool) -> None:
    found = truth(text, {"A": "1..2", "B": over} if "A" in text else {"B": over})
    assert (found.verdict, found.anywhere, found.nowhere) == (verdict, anywhere, nowhere)


@pytest.mark.parametrize(("text", "over", "words"), [
    ("speed < two", {}, "byte/s is compared with a bare number"),
    ("agrees(two, speed)", {}, "a bare number cannot agree with byte/s"),
    ("tends(speed / B, B, 0)", {"B": "1..4"}, "byte/s cannot tend to a bare number"),
    ("increasing(two, B)", {"B": "1..4"}, "does not use B"),
    ("increasing(B, B)", {"B": ["1"]}, "one value only"),
    ("increasing(two, two)", {"B": "1..4"}, "no axis"),
    ("tends(two, two, 1)", {"B": "1..4"}, "no axis"),
    ("nothing < 2", {}, "unknown name nothing"),
])
def test_statements_that_say_nothing(text: str, over: dict[str, Any], words: str) -> None:
    with pytest.raises(FormulaError, match=words):
        truth(text, over)


def test_a_trend_of_something_that_does_not_vary_along_the_axis() -> None:
    assert truth("constant(min(B, 1), B)", {"B": "1..4"}).verdict == "true"
    flat = truth("increasing(min(B, 1), B)", {"B": "1..4"})
    assert (flat.verdict, flat.point) == ("false", {"B": 2})


@pytest.mark.parametrize(("text", "over", "used"), [
    ("two < wide + B", {"B": "1..4"}, {"two", "wide", "B"}), ("agrees(two, wide)", {}, {"two", "wide"}),
    ("increasing(two * B, B)", {"B": "1..4"}, {"two", "B"}), ("tends(two / B, B, half)", {"B": "1..4"},
                                                             {"two", "half", "B"}),
    ("tends(two / B, B, half - half)", {"B": "1..4"}, {"two", "half", "B"}), ("two < 1", {}, {"two"}),
    ("constant(two * verify.gain(B, k), B)", {"B": "2..4", "k": ["1", "2"]}, {"two", "B", "k"}),
    ("increasing(verify.gain(B, k), B)", {"B": "2..4", "k": ["1", "2"]}, {"B", "k"}),
])
def test_a_statement_rests_on_what_it_names(text: str, over: dict[str, Any], used: set[str]) -> None:
    assert {leaf.label for leaf in truth(text, over).used} == used


def test_a_kept_verdict_is_of_the_same_values_on_the_same_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "_KNOWN", {})
    text = "x < 3 * B"
    for value, over, verdict in [
            (2, {"B": "1..4"}, "true"), (3, {"B": "1..4"}, "false"), (3, {"B": "2..4"}, "true"),
            (Interval(2, 3), {"B": "1..4"}, "undecided"), (2, {"B": "1..4"}, "true")]:
        assert truth(text, over, x=Quantity(value)).verdict == verdict
    assert len(statements._KNOWN) == 4
    with pytest.raises(FormulaError):
        truth(text, {"B": "1..4"}, x=Quantity(2, RATE))


def test_a_kept_verdict_rests_on_what_its_own_claim_names() -> None:
    one, two = (Leaf("input", ("x",), "x", Quantity(16), "16", basis, source)
                for basis, source in ((None, "the prose"), ("assumed", "")))
    for leaf in (one, two, one):
        assert judge(parse_statement("x < 17"), Scope({"x": leaf}, {}, {}, None), Grid({})).used == (leaf,)


def test_no_more_verdicts_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "_KNOWN", {})
    monkeypatch.setattr(statements, "MOST_KNOWN", 3)
    for number in range(10):
        assert truth(f"{number} < 5").verdict == ("true" if number < 5 else "false")
        assert len(statements._KNOWN) <= 3


@dataclass(frozen=True)
class Other:
    """A record, or a source, in which every value is the same number."""

    number: int

    def leaf(self, alias: str, quantity: str) -> Leaf:
        return Leaf("record", ("other", quantity), f"{alias}.{quantity}", Quantity(self.number))

    def machine(self, alias: str, adjust: Any) -> tuple[Any, tuple[Leaf, ...]]:
        raise AssertionError("no form is asked for")

    def cell(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf:
        return Leaf("cell", (source, item, column), column, Quantity(self.number))


@pytest.mark.parametrize("text", ["chip.tdp < 5", 'cited("s", "t", "c") < 5', 'chip.tdp + cited("s", "t", "c") < 10'])
def test_a_kept_verdict_is_of_the_same_record_and_the_same_source(text: str) -> None:
    for number, verdict in ((4, "true"), (6, "false"), (4, "true")):
        names = Scope({}, {}, {"chip": Other(number)}, Other(number))
        assert judge(parse_statement(text), names, Grid({})).verdict == verdict


def test_values_that_stand_in_are_used_throughout() -> None:
    def instead(leaf: Leaf) -> Quantity:
        return Quantity(3) if leaf.label == "two" else leaf.quantity

    for text in ("two < 3", "agrees(two, 2)", "tends(two + 1 / B, B, 2)", "constant(min(two, 1 / B + 1), B)"):
        assert truth(text, {"B": "1..4"}).verdict == ("true" if "constant" not in text else "false")
        assert judge(parse_statement(text), scope(), read_grid({"B": "1..4"}), instead).verdict == "false"
