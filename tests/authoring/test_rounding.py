"""The digits that a figure should have, by value."""
from __future__ import annotations

from typing import Any

import pytest

from specdil_records.authoring.rounding import NoDigits, right_digits
from tests.claims.support import judge

CELL = 'cited("bench-report", "table-1", "speedup", batch={})'


@pytest.mark.parametrize(("figure", "claim", "digits"), [
    ("1.38x", {"figures": {"is 1.38x": CELL.format(16)}}, "1.25"),
    ("1.4x", {"figures": {"is 1.4x": CELL.format(16)}}, "1.3"),
    ("1.38x", {"figures": {"is 1.38x": CELL.format("B")}, "over": {"B": ["16"]}}, "a value for each point of the grid"),
    ("1.38x", {"figures": {"is 1.38x": CELL.format("B")}, "over": {"B": ["1", "16"]}}, "a value for each point"),
    ("21", {"figures": {"is 21": "b + 4"}, "assume": {"b": "16"}}, "20"),
    ("+21", {"figures": {"is +21": "b + 4"}, "assume": {"b": "16"}}, "+20"),
    ("1,021", {"figures": {"is 1,021": "b * 64"}, "assume": {"b": "16"}}, "1,024"),
    ("99", {"figures": {"is 99": "b / 3 * 20"}, "assume": {"b": "16"}}, "107 has not as many digits as 99"),
    ("99", {"figures": {"is 99": "b * 20"}, "assume": {"b": "16"}}, "320"),
    ("99.0", {"figures": {"is 99.0": "b * 20"}, "assume": {"b": "16.0"}}, "too coarse: anything from 319.0 to 321.0"),
    ("0.01", {"figures": {"is 0.01": "7 / b / 1000"}, "assume": {"b": "1024"}}, "0.00 would say nothing of what"),
    ("0.01", {"figures": {"is 0.01": "b - 1024"}, "assume": {"b": "1024"}}, "0.00"),
    ("-3", {"figures": {"is -3": "b - 20"}, "assume": {"b": "16"}}, "-4"),
    ("12.4%", {"figures": {"is 12.4%": "b / 128"}, "assume": {"b": "16"}}, "12.5"),
])
def test_the_digits_of_a_figure_that_drifts(figure: str, claim: dict[str, Any], digits: str) -> None:
    judged = judge(f"It is {figure} at most.", {"because": "of a test", "basis": "reported", **claim})
    (result,) = judged.evaluation.claims[0].figures
    written = result.field.digits(result.numbers[0])
    try:
        found = right_digits(result, written)
    except NoDigits as error:
        found = str(error)
        assert digits in found
    else:
        assert found == digits
