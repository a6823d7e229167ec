"""Grids by value: the points of an axis, and what is no axis."""
from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import RationalGrid
from specdil_records.claims.grids import EMPTY, read_grid
from specdil_records.claims.language import FormulaError


@pytest.mark.parametrize(("axis", "values"), [
    ("1..4", [1, 2, 3, 4]), ("0..2", [0, 1, 2]), ("3..3", [3]), (" 1..2 ", [1, 2]), ("1..9*2", [1, 2, 4, 8]),
    ("1..8*2", [1, 2, 4, 8]), ("1..7*2", [1, 2, 4]), ("3..100*3", [3, 9, 27, 81]), ("2..2*2", [2]), ("2..3*2", [2]),
    (["1", "2.5", 3, 4.5], [1, Fraction(5, 2), 3, Fraction(9, 2)]), (["-1", "0"], [-1, 0]), (["8", "1"], [1, 8]),
    (["0.125"], [Fraction(1, 8)]), ([1000.0], [1000]), (["1", "1.5"], [1, Fraction(3, 2)]),
    ("999999999999999999..999999999999999999", [10**18 - 1]),
])
def test_the_values_of_an_axis(axis: Any, values: list[Any]) -> None:
    grid = read_grid({"B": axis})
    assert list(grid.axes["B"]) == values
    assert len(grid) == len(values)
    assert [grid.quantities()["B"].value.at(i) for i in range(len(values))] == values
    assert [grid.point((i,)) for i in range(len(values))] == [{"B": value} for value in values]


@pytest.mark.parametrize(("over", "words"), [
    ({"B": "4..1"}, "axis B: 4..1 does not ascend"), ({"B": "5..1*2"}, "axis B: 5..1*2 does not ascend"),
    ({"B": "0..8*2"}, "axis B: a geometric range starts at 1 or more and multiplies by 2 or more"),
    ({"B": "1..8*1"}, "a geometric range"), ({"B": "1..8*0"}, "a geometric range"), ({"B": "1..8*"}, "is no range"),
    ({"B": "1...8"}, "is no range; write a..b or a..b*2"), ({"B": "-1..8"}, "is no range"),
    ({"B": "1..8 x"}, "is no range"),
    ({"B": "\uff11..\uff14"}, "is no range"), ({"B": "1.5..2"}, "is no range"), ({"B": ""}, "is no range"),
    ({"B": []}, "axis B is a range such as 1..64 or a list of numbers"), ({"B": 5}, "or a list of numbers"),
    ({"B": {"a": 1}}, "or a list of numbers"), ({"B": ["x"]}, "axis B: 'x' is no number"),
    ({"B": ["1e3"]}, "'1e3' is no number"), ({"B": [True]}, "True is no number"), ({"B": [None]}, "None is no number"),
    ({"B": ["\uff11"]}, "is no number"), ({"B": ["1."]}, "is no number"), ({"B": [" 1"]}, "is no number"),
    ({"B": ["1", "1.0"]}, "axis B names a value twice"), ({"B": [2, "2"]}, "axis B names a value twice"),
    ({"B": "1..100001"}, "axis B has 100001 points; at most 100000 are checked"),
    ({"B": "0..100000"}, "axis B has 100001 points"),
    ({"A": "1..100", "B": "1..1001"}, "the grid has 100100 points; at most 100000 are checked"),
])
def test_what_is_no_grid(over: dict[str, Any], words: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(words)):
        read_grid(over)


@pytest.mark.parametrize("over", [{"B": "1..100000"}, {"A": "1..100", "B": "1..1000"}])
def test_the_largest_grid(over: dict[str, Any]) -> None:
    assert len(read_grid(over)) == 100_000


def test_axes_vary_along_dimensions_of_their_own() -> None:
    grid = read_grid({"B": "1..3", "k": ["5", "7.5"]})
    b, k = (grid.quantities()[name].value for name in ("B", "k"))
    assert isinstance(b, RationalGrid)
    assert (b.shape, k.shape) == ((3, 1), (1, 2))
    assert [[(b + k).at(i, j) for j in range(2)] for i in range(3)] == [
        [6, Fraction(17, 2)], [7, Fraction(19, 2)], [8, Fraction(21, 2)]]
    assert (grid.position("B"), grid.position("k")) == (0, 1)
    assert grid.point((2, 1)) == {"B": 3, "k": Fraction(15, 2)}
    assert grid.point((9, 9)) == {"B": 3, "k": Fraction(15, 2)}
    with pytest.raises(FormulaError, match=r"q is no axis of the grid \(B, k\)"):
        grid.position("q")
    with pytest.raises(FormulaError, match=r"B is no axis of the grid \(there is none\)"):
        EMPTY.position("B")
    assert (len(EMPTY), EMPTY.quantities()) == (1, {})


def test_a_grid_is_looked_up_by_its_axes_in_their_order() -> None:
    assert read_grid({"B": "1..3", "k": ["5"]}).key == read_grid({"B": "1..3", "k": [5]}).key
    assert read_grid({"B": "1..3", "k": ["5"]}).key != read_grid({"k": ["5"], "B": "1..3"}).key
    assert read_grid({"B": "1..3"}).key != read_grid({"B": "1..2"}).key
