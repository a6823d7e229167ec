"""The one point of a grid that decides, by value: what misses first, what meets first, and where a term differs."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.claims.grids import EMPTY, Grid
from specdil_records.claims.quantities import Quantity
from specdil_records.claims.representative import agrees_with_term, at, meeting_point, worst_point, worst_written

GRID = Grid({"B": (1, 2, 4)})
BOTH = Grid({"B": (1, 2), "k": (5, 7, 9)})
QUOTED = Interval(3, 5)


def along(*values: Any) -> RationalGrid:
    return RationalGrid.of(values)


def between(low: RationalGrid | int, high: RationalGrid | int) -> Interval[Any]:
    return Interval(low, high)


@pytest.mark.parametrize(("value", "point", "there"), [
    (along(3, 5, 6), 4, 6), (along(3, 2, 6), 2, 2), (along(5, 3, 4), 1, 5), (along(2, 2, 2), 1, 2),
    (between(along(1, 2, 5), along(3, 4, 5)), 1, Interval(1, 3)), (between(along(1, 6, 5), along(3, 7, 5)), 2,
                                                                   Interval(6, 7)),
    (between(1, along(3, 2, 4)), 2, Interval(1, 2)), (between(along(5, 6, 7), 8), 2, Interval(6, 8)),
    # more than eight times as wide as what is quoted: nothing can be told there
    (between(along(4, 4, 4), along(4, 21, 4)), 2, Interval(4, 21)),
    (between(along(4, 4, 4), along(4, 20, 4)), 1, 4),
])
def test_the_worst_point(value: Any, point: int, there: Any) -> None:
    found, quantity = worst_point(Quantity(value), QUOTED, GRID)
    assert (found, quantity) == ({"B": point}, Quantity(there))


@pytest.mark.parametrize(("value", "point", "there"), [
    (between(along(3, 3, 2), along(5, 5, 4)), 4, Interval(2, 4)), (between(along(3, 4, 3), along(5, 6, 5)), 2,
                                                                   Interval(4, 6)),
    (between(along(3, 3, 3), along(5, 5, 5)), 1, Interval(3, 5)),
])
def test_of_whole_numbers_each_has_to_lie_inside(value: Any, point: int, there: Any) -> None:
    found, quantity = worst_point(Quantity(value, whole=True), QUOTED, GRID)
    assert (found, quantity) == ({"B": point}, Quantity(there, whole=True))


@pytest.mark.parametrize(("value", "point", "there", "written"), [
    (between(along(2, 4, 5), along(4, 6, 7)), 4, Interval(5, 7), 6),
    (between(along(2, 1, 5), along(4, 4, 7)), 2, Interval(1, 4), Fraction(5, 2)),
    (between(along(4, 2, 2), along(6, 4, 4)), 1, Interval(4, 6), 5), (along(3, 5, 6), 4, 6, 6),
])
def test_the_worst_number_as_it_is_written(value: Any, point: int, there: Any, written: Any) -> None:
    found = worst_written(Quantity(value), QUOTED, GRID)
    assert found == ({"B": point}, Quantity(there), written)


@pytest.mark.parametrize(("value", "point", "there"), [
    (along(2, 3, 4), 2, 3), (along(6, 5, 4), 2, 5), (along(1, 2, 6), 1, 1), (along(1, 2, 4), 4, 4),
    (between(along(1, 1, 4), along(2, 3, 4)), 2, Interval(1, 3)), (between(along(6, 5, 4), 7), 2, Interval(5, 7)),
    (between(1, along(2, 3, 4)), 2, Interval(1, 3)),
])
def test_the_first_point_that_meets(value: Any, point: int, there: Any) -> None:
    assert meeting_point(Quantity(value), QUOTED, GRID) == ({"B": point}, Quantity(there))


@pytest.mark.parametrize("value", [4, Fraction(1, 2), Interval(1, 2)])
def test_a_value_without_points_stays_as_it_is(value: Any) -> None:
    quantity = Quantity(value)
    assert worst_point(quantity, QUOTED, GRID) == meeting_point(quantity, QUOTED, GRID) == ({}, quantity)
    assert worst_written(quantity, QUOTED, GRID)[:2] == ({}, quantity)


def test_a_point_of_a_value_that_varies_along_one_axis() -> None:
    value = RationalGrid([[1], [2]])
    assert [at(value, (i, j)) for i in (0, 1) for j in (0, 2)] == [1, 1, 2, 2]
    assert at(7, (1, 2)) == 7


HALF = Fraction(1, 2)
EQUAL = "the term equals its expression on the whole grid"
OVERLAP = "the term and its expression overlap, but are not equal for certain"


@pytest.mark.parametrize(("term", "value", "grid", "state", "reason"), [
    (along(1, 2, 4), along(1, 2, 4), GRID, "agrees", EQUAL), (4, 4, EMPTY, "agrees", EQUAL),
    (4, 5, EMPTY, "drifts", "the term is 4, its expression 5"),
    (5, 4, EMPTY, "drifts", "the term is 5, its expression 4"),
    (along(1, 2, 4), along(1, 2, 5), GRID, "drifts", "the term is 4, its expression 5 at B=4"),
    (along(1, HALF, 4), along(1, 0, 5), GRID, "drifts", "the term is 0.5, its expression 0 at B=2"),
    (4, along(4, 4, 3), GRID, "drifts", "the term is 4, its expression 3 at B=4"),
    (RationalGrid([[1], [2]]), RationalGrid([[1, 1, 1], [2, 3, 2]]), BOTH, "drifts",
     "the term is 2, its expression 3 at B=2, k=7"),
    (4, Interval(4, 5), EMPTY, "undecided", OVERLAP), (5, Interval(4, 5), EMPTY, "undecided", OVERLAP),
    (Interval(4, 5), Interval(4, 5), EMPTY, "undecided", OVERLAP), (Interval(4, 5), 4, EMPTY, "undecided", OVERLAP),
    (4, 4, GRID, "agrees", EQUAL), (4, 5, GRID, "drifts", "the term is 4, its expression 5 at B=1"),
    (Interval(4, 5), Interval(6, 7), EMPTY, "drifts", "the term is 4, its expression 6"),
])
def test_a_term_against_its_expression(term: Any, value: Any, grid: Grid, state: str, reason: str) -> None:
    assert agrees_with_term(Quantity(term), Quantity(value), grid) == (state, reason)
