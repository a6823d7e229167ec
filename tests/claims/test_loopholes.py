"""What tells an expression that says something from one that does not: values that move, and values that do not."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.grids import Grid, read_grid
from specdil_records.claims.language import parse_value
from specdil_records.claims.loopholes import own_digits_only, same, single, varies
from specdil_records.claims.quantities import Leaf, Quantity
from tests.claims.support import judge

ONE, PAIR, EQUAL = RationalGrid([3]), RationalGrid([3, 4]), RationalGrid([3, 3])
ROWS, COLUMNS = RationalGrid([[1, 1], [2, 2]]), RationalGrid([[1, 2], [1, 2]])


@pytest.mark.parametrize(("value", "moves"), [
    (3, False), (Fraction(1, 3), False), (Interval(1, 2), False), (ONE, False), (EQUAL, False), (PAIR, True),
    (RationalGrid([3, 3, 4]), True), (ROWS, True), (COLUMNS, True), (RationalGrid([[1, 1], [1, 1]]), False),
    (RationalGrid([[7]]), False), (Interval(EQUAL, PAIR + 1), True), (Interval(PAIR - 2, EQUAL + 1), True),
    (Interval(EQUAL - 1, EQUAL), False), (Interval(1, PAIR), True)])
def test_a_value_varies_when_two_points_of_its_grid_differ(value: Any, moves: bool) -> None:
    assert varies(value) is moves


@pytest.mark.parametrize(("a", "b", "equal"), [
    (1, 1, True), (1, Fraction(2, 2), True), (1, 2, False), (Interval(1, 2), Interval(1, 2), True),
    (Interval(1, 2), Interval(1, 3), False), (Interval(0, 2), Interval(1, 2), False), (Interval(1, 2), 1, False),
    (2, Interval(1, 2), False), (Interval(1, 1), 1, True), (PAIR, PAIR, True), (PAIR, EQUAL, False), (EQUAL, 3, True),
    (3, PAIR, False), (Interval(EQUAL - 1, PAIR), Interval(2, PAIR), True), (Interval(2, PAIR), Interval(2, 4), False)])
def test_values_are_the_same_ends_and_all(a: Any, b: Any, equal: bool) -> None:
    assert same(a, b) is equal
    assert same(b, a) is equal


@pytest.mark.parametrize(("value", "only"), [
    (ONE, 3), (RationalGrid([[7]]), 7), (5, 5), (Fraction(1, 2), Fraction(1, 2))])
def test_the_one_point_of_an_axis_is_a_number(value: Any, only: Any) -> None:
    assert single(value) == only
    assert not isinstance(single(value), RationalGrid)


def test_an_axis_of_more_points_stays_one() -> None:
    assert single(PAIR) is PAIR
    span = Interval(1, 2)
    assert single(span) is span


@pytest.mark.parametrize(("expression", "more", "hollow"), [
    ("a", {"assume": {"a": "25%"}}, True),
    ("a * 1", {"assume": {"a": "25%"}}, True),
    ("a + a - a", {"assume": {"a": "25%"}}, True),
    ("2 * a", {"assume": {"a": "12.5%"}}, False),
    ("a * a / 25%", {"assume": {"a": "25%"}}, None),
    ("a * b", {"assume": {"a": "50%", "b": "0.5"}}, False),
    ("1 / B", {"over": {"B": [4]}}, False),
])
def test_a_figure_that_is_only_what_the_claim_assumes_is_refused(expression: str, more: dict[str, Any],
                                                                 hollow: bool | None) -> None:
    claim = {"because": "of a test", "figures": {"gain of 25%": expression}, **more}
    found = judge("It has a gain of 25%.", {"quote": "It has a gain of 25%", **claim})
    if hollow is None:
        assert found.names == ["formula"], "no percentages in expressions"
    else:
        assert ("formula" in found.names) is hollow, found.messages


@pytest.mark.parametrize(("expression", "points", "hollow"), [("B", [16], True), ("B + 4 - 4", [16], True),
                                                              ("2 * B", [8], False)])
def test_nor_one_that_is_only_an_axis_of_one_point(expression: str, points: list[int], hollow: bool) -> None:
    found = judge("It runs at batch 16.", {"quote": "It runs at batch 16", "over": {"B": points},
                                           "figures": {"batch 16": expression}})
    assert ("formula" in found.names) is hollow, found.messages


@pytest.mark.parametrize(("prose", "statement", "over", "idle"), [
    ("16", "x > 8", {}, False), ("16", "x > 15", {}, False), ("16", "x < 17", {}, False), ("16", "x == 16", {}, False),
    ("16", "x != 7", {}, False), ("16", "agrees(x, 16)", {}, False), ("16", "x * x > 5", {}, False),
    ("16", "x * B <= 64", {"B": "1..4"}, False), ("16", "B <= x", {"B": "1..16"}, False),
    ("16", "B < x + 20", {"B": "1..16"}, False), ("16", "increasing(x * B, B)", {"B": "1..4"}, False),
    ("16", "tends(x + 1 / B, B, 16)", {"B": "1..4"}, False), ("16", "1 / x < 1", {}, False),
    ("16", "10 / x > 0", {}, False), ("16", "max(x, 1) <= 16", {}, False), ("16", "x != c", {}, False),
    ("16", "c - x != 0", {}, False), ("16", "1 / (c - x) < 0", {}, False), ("-16", "x < 0", {}, False),
    ("16", "x != 1 / 3", {}, False), ("-16", "x != 5", {}, False), ("2.5", "x <= 3", {}, False),
    ("2.5", "x > 2", {}, False), ("2.5", "x != 9", {}, False),
    ("25%", "x < 1", {}, False), ("2.5 TB/s", "x > chip.memory_bandwidth", {}, False),
    ("2.5 TB/s", "x > 0 * x", {}, False), ("2.5 TB/s", "x < 2 * chip.memory_bandwidth", {}, False),
    ("16", "x == x", {}, True), ("16", "x / x == 1", {}, True), ("2.5", "x / c <= x / c + 1", {}, True),
    ("16", "x ** 2 >= 0", {}, True), ("16", "abs(x) >= 0", {}, True), ("16", "max(x, 0) >= 0", {}, True),
    ("16", "verify.gain(x, 4) > 0", {}, True), ("16", "constant(x + B - B, B)", {"B": "1..4"}, True),
    ("16", "increasing(x + B, B)", {"B": "1..4"}, True), ("16", "tends(x / B, B, 0)", {"B": "1..4"}, True),
    ("16", "x - x < B", {"B": "1..4"}, True), ("2.5 TB/s", "x + chip.memory_bandwidth >= x", {}, True),
    ("16", "c / x == 7 / x", {}, True), ("1", "1 / x < 2", {}, False),
])
def test_a_statement_holds_a_number_that_another_number_would_refute(prose: str, statement: str, over: dict[str, str],
                                                                     idle: bool) -> None:
    more: dict[str, Any] = {"of": {"chip": "example-chip"}, "assume": {"c": "7"}, "because": "of a test"}
    judged = judge(f"It is {prose}.", {"held": {f"is {prose}": "x"}, "holds": [statement],
                                       **({"over": over} if over else {}), **more})
    assert judged.names == (["formula"] if idle else []), judged.messages
    assert judged.statuses == ({"unbound": [prose]} if idle else {"held": [prose]})


@pytest.mark.parametrize(("statements", "idle"), [
    (["x > 0 - x"], False), (["x == x"], True), (["x == x", "x < 17"], False), (["x < 17", "x == x"], False),
    (["x == x", "2 * x >= x + x"], True), (["x / x == 1"], False), (["verify.gain(x, 4) > 0"], False),
    (["additive.gain(2, 1) < 1", "x == x"], True), (["additive.gain(2, 1) < 1", "x < 17"], False),
    (["x == x", "x > 17"], None), (["x > 17"], None),
])
def test_an_input_has_to_matter_to_some_statement(statements: list[str], idle: bool | None) -> None:
    judged = judge("It is 16.", {"read": {"x": "is 16"}, "holds": statements})
    assert judged.names == (["conclusion-false"] if idle is None else ["formula"] if idle else [])
    if idle:
        assert "the statements are true whatever x is: nothing rests on it" in judged.messages


NAMES = {"x": Quantity(16), "y": Quantity(3), "w": Quantity(Interval(2, 3)), "own": Quantity(20),
         "s": Quantity(Fraction(1, 4), kind="percent"),
         **{name: Quantity(Fraction(3, 4)) for name in ("share", "p", "q", "r", "t")}}


def hollow(text: str, over: dict[str, str] | None = None) -> bool:
    grid = read_grid(over) if over else Grid({})
    scope = Scope({name: Leaf("input", (name,), name, one) for name, one in NAMES.items()}, grid.quantities(), {}, None)
    node = parse_value(text).tree
    return own_digits_only(node, scope, grid, frozenset({"own"}), Evaluator(scope).value(node))


@pytest.mark.parametrize(("text", "over"), [
    ("20", {}), ("own", {}), ("own + x - x", {}), ("20 * x ** 0", {}), ("x / x * 20", {}), ("max(20, 0 * w)", {}),
    ("own * s / s", {}), ("B - B + 20", {"B": "1..4"}), ("own + 0 * B * k", {"B": "1..4", "k": "1..2"}),
    ("(x + y) / (y + x)", {}), ("x * y / (x * y)", {}), ("w / w * 0", {}), ("verify.gain(own, 20)", {}),
    ("ceil(own + 0 * w)", {}), ("20 + 0 * expected_tokens(4, s)", {}), ("own * expected_tokens(4, s) ** 0", {}),
    ("20 + 0 * expected_tokens(4, share)", {}), ("20 + 0 * p * q * r * t * expected_tokens(4, share)", {}),
])
def test_what_stays_the_same_says_nothing(text: str, over: dict[str, str]) -> None:
    assert hollow(text, over)


@pytest.mark.parametrize(("text", "over"), [
    ("x + 4", {}), ("own + x", {}), ("own * w", {}), ("x / y", {}), ("x - y", {}), ("y - x", {}), ("x * y", {}),
    ("s * 80", {}), ("w", {}), ("w * w", {}), ("1 - s", {}), ("B + 20", {"B": "1..4"}),
    ("20 * B / k", {"B": "1..4", "k": "1..2"}),
    ("B - k", {"B": "1..4", "k": "1..4"}), ("k", {"k": "4..4"}), ("x / s", {}), ("s / x", {}), ("w / s", {}),
    ("verify.gain(x, y)", {}), ("additive.gain(own, y)", {}), ("max(x, own)", {}), ("min(x, own)", {}),
    ("x + y", {}), ("x ** 2 / y ** 2", {}), ("(x - 16) * y", {}),
    ("expected_tokens(4, s)", {}), ("expected_tokens(4, share)", {}), ("8 * s", {}),
    ("own * expected_tokens(4, s)", {}), ("max(s, 0.1) * 80", {}),
])
def test_what_moves_with_its_inputs_says_something(text: str, over: dict[str, str]) -> None:
    assert not hollow(text, over)


@pytest.mark.parametrize(("expression", "hollow"), [
    ("a", True), ("a * a / 4", False), ("4 + 0 * a", True), ("a + 0 / (a - 9)", True), ("a + 0 / (a - 5)", True),
    ("8 - a", False), ("16 / a", False), ("abs(a)", True), ("max(a, 0)", True), ("min(a, 6)", False), ("ceil(a)", True),
    ("max(floor(a), 1)", True), ("verify.gain(1, a)", False),
    ("min(a, 10) + 0 / (a - 9)", False),
])
def test_a_figure_may_follow_from_what_is_assumed_but_not_repeat_it(expression: str, hollow: bool) -> None:
    found = judge("It has 4 cards.", {"assume": {"a": "4"}, "because": "of a test", "figures": {"has 4": expression}})
    assert found.names == (["formula"] if hollow else [])


@pytest.mark.parametrize(("expression", "hollow"), [("a", True), ("a + a - a", True), ("2 * a", False)])
def test_twice_nothing_is_no_repetition(expression: str, hollow: bool) -> None:
    found = judge("It has 0.0 left.", {"assume": {"a": "0.0"}, "because": "of a test",
                                       "figures": {"has 0.0": expression}})
    assert found.names == (["formula"] if hollow else [])


CELL = 'cited("bench-report", "table-1", "speedup", batch="16")'


@pytest.mark.parametrize(("expression", "refused"), [
    ("CELL", False), ("(CELL)", False), ("+CELL", True), ("-(-CELL)", True), ("CELL * 1", True), ("0 + CELL", True),
    ("abs(CELL)", True), ("max(CELL, 0)", True), ("min(CELL, CELL)", True), ("2 * CELL - CELL", True),
    ("2 * CELL - 1.25", False), ("CELL ** 1", True), ("CELL ** 2 / CELL", True), ("CELL / 2 + 0.625", False),
])
def test_what_is_cited_is_cited_by_itself(expression: str, refused: bool) -> None:
    figures = {"gains 1.25x": expression.replace("CELL", CELL)}
    found = judge("It gains 1.25x.", {"figures": figures, "basis": "measured"})
    assert found.names == (["formula"] if refused else [])


def test_nor_does_a_disguise_widen_the_value_of_a_record() -> None:
    prose, figures = "It moves 2.01 TB/s.", {"moves 2.01 TB/s": "chip.memory_bandwidth"}
    bare = judge(prose, {"of": {"chip": "example-chip"}, "figures": figures, "basis": "specified"})
    assert bare.names == ["figure-drift"]
    dressed = judge(prose, {"of": {"chip": "example-chip"}, "basis": "specified",
                            "figures": {"moves 2.01 TB/s": "chip.memory_bandwidth * 1"}})
    assert dressed.names == ["formula"]


def test_an_expression_is_hollow_wherever_else_it_has_no_value() -> None:
    for number in (*range(1, 16), *range(17, 120)):
        assert hollow(f"20 + 0 / (x - {number})"), number


def test_the_cell_of_a_source_stands_by_itself_even_at_nothing() -> None:
    source = ("schema_version: \"3.0\"\nid: sources/other\nkind: paper\ntitle: Other\ntables:\n"
              "- {id: cells, locator: Table 1, basis: measured, seen: full-text, "
              "columns: {a: [{value: \"0\", uncertainty: \"0\"}]}}\n")
    judged = judge("It fails 0 times.", {"figures": {"fails 0": 'cited("other", "cells", "a")'}, "basis": "measured"},
                   files={"records/sources/other.yaml": source})
    assert judged.names == []


@pytest.mark.parametrize(("expression", "used"), [
    ('cited("bench-report", "table-1", "speedup", batch=batch)', True),
    ('cited("bench-report", "table-1", "speedup", batch="16")', False),
    ('cited("bench-report", "table-1", "speedup", batch=16)', False),
    ("1 + batch / 64", True), ("assumed + additive.gain(batch=2, draft_k=1) / 2", False),
    ("assumed + batch +", True),
])
def test_a_keyword_or_a_column_uses_no_input_of_its_name(expression: str, used: bool) -> None:
    judged = judge("It reports 1.25x at batch 16.", {
        "basis": "reported", "read": {"batch": "at batch 16"}, "assume": {"assumed": "1"}, "because": "of a test",
        "figures": {"reports 1.25x": expression}}, {"basis": "unverified"})
    assert (("formula", '"at batch 16"') in judged.found) is not used
    assert ("batch is read, but no expression uses it" in judged.messages) is not used


def test_each_input_and_each_held_number_has_to_be_used() -> None:
    judged = judge("At batch 16 with k=4 and q=2 it is 20 or 30, below 40 or 50.", {
        "read": {"batch": "At batch 16", "k": "with k=4", "q": "q=2"},
        "held": {"below 40": "most", "or 50": "more"}, "holds": ["k < most"], "figures": {"is 20": "batch + 4"}},
        {"basis": "unverified"})
    assert judged.found == [("formula", '"q=2"'), ("formula", '"more"')]
    judged = judge("At batch 16 with k=4 it is 20.", {
        "read": {"batch": "At batch 16", "k": "with k=4"}, "holds": ["batch > 4"]}, {"basis": "unverified"})
    assert judged.found == [("formula", '"with k=4"')]


def test_nor_does_it_hold_a_number() -> None:
    judged = judge("It is 16.", {"held": {"is 16": "batch"}, "holds": ["additive.gain(batch=2, draft_k=1) < 1"]})
    assert judged.found == [("formula", '"batch"')]
    assert "batch is held, but no statement uses it" in judged.messages


@pytest.mark.parametrize("expression", ["own", "own + batch - batch", "own * batch / batch", "max(own, own)"])
@pytest.mark.parametrize("statement", ["own < 21", "own == 20", "own > batch"])
def test_a_held_number_does_not_prove_itself(expression: str, statement: str) -> None:
    judged = judge("At batch 16 it is 20.", {"read": {"batch": "At batch 16"}, "held": {"is 20": "own"},
                                             "figures": {"is 20": expression}, "holds": [statement, "batch == 16"]})
    assert ("formula", f'"{expression}"') in judged.found
    idle = "it is the same whatever batch is" if "batch" in expression else "it says nothing about the figure"
    assert idle in judged.messages


def test_a_held_number_may_help_to_prove_another() -> None:
    judged = judge("At most 16 it is 20.", {"held": {"most 16": "most"}, "figures": {"is 20": "most + 4"},
                                            "holds": ["most == 16"]})
    assert (judged.found, judged.statuses) == ([], {"held": ["16"], "recomputed": ["20"]})


@pytest.mark.parametrize(("expression", "names"), [
    ("min(B, 4)", ["formula"]), ("max(B, 4)", ["figure-drift"]), ("4 + B - B", ["formula"]), ("4 * B / B", ["formula"]),
    ("ceil(B)", ["figure-drift"]),
])
def test_an_axis_along_which_nothing_changes_ends_no_check(expression: str, names: list[str]) -> None:
    judged = judge("Over all batches it is 4.", {"over": {"B": "4..64"}, "figures": {"it is 4": expression}})
    assert judged.names == names


@pytest.mark.parametrize(("statement", "held"), [
    ("g == h", False), ("g - h == 0", False), ("g <= h", False), ("g == 7", True), ("g == h + b - 16", False)])
def test_a_number_is_not_held_by_its_own_digits_under_another_name(statement: str, held: bool) -> None:
    judged = judge("At batch 16 it runs with 7 GPUs.", {
        "read": {"h": "with 7 GPUs", "b": "At batch 16"}, "held": {"with 7 GPUs": "g"},
        "holds": [statement, "b == 16"]})
    assert ("g is: they do not hold it" not in judged.messages) is held


@pytest.mark.parametrize("statement", [
    "decreasing(additive.gain(B, 4), B)", "tends(additive.gain(B, 4), B, 0)", "additive.gain(B, 4) > 0"])
@pytest.mark.parametrize("over", ["64..1", "1..1000000"])
def test_a_grid_that_is_wrong_is_told_once(statement: str, over: str) -> None:
    judged = judge("The gain falls.", {"over": {"B": over}, "holds": [statement]})
    assert judged.names == ["formula"]


GIGABYTES = "k * bytes_per('fp8') * 1000000000"


@pytest.mark.parametrize(("term", "expression", "name"), [
    ("k%", "verify.gain(1, k)", "figure-drift"), ("k%", "k / 100", None), ("k percent", "k / 100", None),
    ("k GB", "verify.gain(1, k)", "formula"), ("k GB", GIGABYTES, None), ("k MB", GIGABYTES, "figure-drift"),
    ("k KB", GIGABYTES, "formula"), ("k tokens", "k", None), ("kx", "k", None), ("k of them", "k", None),
    ("k points", "k / 100", "formula"), ("k points", "2 * k / 100 - k / 100", None),
    ("k points", "3 * k / 100 - k / 100", "figure-drift"),
])
def test_the_unit_behind_a_term_counts(term: str, expression: str, name: str | None) -> None:
    judged = judge(f"It comes to {term} here.", {
        "over": {"k": "1..8"}, "figures": {f"to {term}": expression}})
    assert judged.names == ([name] if name else [])


@pytest.mark.parametrize(("statement", "words"), [
    ("1 < 2", "it names nothing"), ("max(1, 2) == 2", "it names nothing"), ("agrees(1, 1)", "it names nothing"),
    ("B == B", "both sides are the same"), ("B + 1 <= B + 1", "both sides are the same"),
    ("agrees(decode.intensity(B), decode.intensity(B))", "both sides are the same"),
    ("additive.gain(16, 4) == 0.25", ""), ("B < B + 1", ""), ("additive.gain(B, 4) == 4 / B", ""),
])
def test_a_statement_about_nothing_backs_nothing(statement: str, words: str) -> None:
    judged = judge("The gain falls.", {"over": {"B": "1..64"}, "holds": [statement]})
    assert judged.names == (["formula"] if words else [])
    assert words in judged.messages


@pytest.mark.parametrize(("expression", "names"), [
    ("p", ["formula"]), ("p * b / 64", ["formula"]), ("p + b - 64", ["formula"]), ("64 * p / b", ["formula"]),
    ("p * 64 / 64", ["formula"]), ("p * b / 32", ["figure-drift"]), ("min(p, b)", ["formula"]),
    ("additive.gain(b, 4)", []),
])
def test_a_figure_is_not_proved_by_its_own_digits_whatever_else_is_named(expression: str, names: list[str]) -> None:
    claim = {"read": {"b": "At batch 64", "p": "is 6.25%"}, "figures": {"is 6.25%": expression},
             "holds": ["p < b"]}
    assert judge("At batch 64 the gain is 6.25% here", claim).names == names
