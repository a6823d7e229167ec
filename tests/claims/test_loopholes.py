"""What tells an expression that says something from one that does not: values that move, and values that do not."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.loopholes import same, single, varies
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
