"""What two results say together: numbers, intervals, words, and answers with or without a crossing."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import NEVER, Answer, Undecided
from specdil_records.roofline.answers import hull, joined

HALF = Fraction(1, 2)
ALWAYS = Answer("always", ((1, 9),), None, 9)


def crossing(place: Any, *ranges: tuple[int, int], beyond: bool = False, most: int = 9) -> Answer:
    return Answer("batches", ranges, place, most, beyond)


def test_an_answer_in_words() -> None:
    assert [str(each) for each in (NEVER, ALWAYS)] == ["never", "always"]
    assert str(crossing(HALF, (2, 3), (5, 9))) == "2-3, 5-9"
    assert str(crossing(HALF)) == "at no batch up to 9"
    assert (crossing(HALF).value, crossing(None, (1, 2)).value) == (HALF, crossing(None, (1, 2)))
    assert Answer("never", (), None, None, False) == NEVER


@pytest.mark.parametrize("both", [hull, joined])
@pytest.mark.parametrize(("low", "high", "together"), [
    (2, 3, Interval(2, 3)),
    (2, 2, 2),
    (2, Fraction(2), 2),
    (Interval(1, 2), Interval(2, 5), Interval(1, 5)),
    (Interval(1, 2), 4, Interval(1, 4)),
    (1, Interval(2, 4), Interval(1, 4)),
    ("memory", "memory", "memory"),
    (NEVER, NEVER, NEVER),
    (ALWAYS, ALWAYS, ALWAYS),
    (crossing(None, (1, 2)), crossing(None, (1, 2)), crossing(None, (1, 2))),
    (crossing(2, (1, 2)), crossing(Interval(3, 4), (1, 4)), crossing(Interval(2, 4), (1, 2))),
    (crossing(Interval(2, 5), (1, 2)), crossing(4, (1, 4)), crossing(Interval(2, 5), (1, 2))),
    (crossing(5, (5, 9), beyond=True), crossing(3, (5, 9), beyond=True), crossing(Interval(3, 5), (5, 9), beyond=True)),
])
def test_together(both: Any, low: Any, high: Any, together: Any) -> None:
    assert both(low, high) == together


@pytest.mark.parametrize("both", [hull, joined])
@pytest.mark.parametrize(("low", "high", "words"), [
    ("memory", "compute", "the inputs' intervals allow both memory and compute"),
    ("memory", 3, "allow both memory and 3"),
    (3, NEVER, "allow both 3 and never"),
    (NEVER, ALWAYS, "allow both never and always"),
    (ALWAYS, crossing(2, (1, 2)), "allow both always and 1-2"),
    (crossing(2, (1, 2)), crossing(None, (1, 2), (4, 5)), "allow both 1-2 and 1-2, 4-5"),
    (crossing(None, (1, 2), (4, 5)), crossing(2, (1, 2)), "allow both 1-2, 4-5 and 1-2"),
    (crossing(2, (1, 2)), crossing(4, (4, 9), beyond=True), "allow both 1-2 and 4-9"),
    (crossing(2, (1, 2)), 2, "allow both 1-2 and 2"),
])
def test_results_of_two_kinds_are_undecided(both: Any, low: Any, high: Any, words: str) -> None:
    with pytest.raises(Undecided, match=f"{words}$"):
        both(low, high)


def test_corners_come_in_order_and_lengths_do_not() -> None:
    assert joined(3, 2) == joined(Interval(2, 3), 2) == Interval(2, 3)
    assert joined(Interval(1, 4), Interval(2, 3)) == Interval(1, 4)
    with pytest.raises(ValueError, match="ends below its beginning"):
        hull(3, 2)
    # The lower corner is no more than the upper one, so what is left of its interval is the one point.
    assert hull(Interval(2, 3), 2) == Interval(2, 2)
    sharp = Interval(2, 3)
    assert hull(sharp, sharp) is sharp
    grid = RationalGrid.of([1, 2])
    assert hull(grid, grid) is grid
    found = hull(grid, RationalGrid.of([1, 3]))
    assert (list(found.lo), list(found.hi)) == ([1, 2], [1, 3])


def test_batches_that_pay_at_every_length() -> None:
    few, many = crossing(6, (1, 5), (8, 9)), crossing(4, (2, 3), (5, 8), most=9)
    assert joined(few, many) == crossing(Interval(4, 6), (2, 3), (5, 5), (8, 8))
    assert joined(crossing(2, (1, 2)), crossing(8, (4, 8))) == crossing(Interval(2, 8))
    # At a lower corner speculation gains least: what pays there pays everywhere.
    assert hull(crossing(2, (1, 2)), crossing(8, (1, 8))) == crossing(Interval(2, 8), (1, 2))
    assert joined(crossing(2, (1, 2), most=7), crossing(3, (1, 3))).batch_max == 7
