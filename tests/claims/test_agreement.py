"""When a written number agrees with a computed one: at the ends of the intervals, to the last unit."""
from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Dimension, Interval, RationalGrid
from specdil_records.claims.agreement import check_kind, compare, show, show_interval
from specdil_records.claims.grids import read_grid
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import (
    Quantity,
    all_whole,
    ends,
    kind_of_product,
    kind_of_sum,
    tidy,
    within_bounds,
)
from specdil_records.claims.representative import meeting_point, worst_point
from specdil_records.claims.statements import compare_values, decimal
from specdil_records.figures import read_figure
from tests.claims.support import judge

RATE = Dimension(byte=1, second=-1)


def between(low: str, high: str) -> Interval:
    return Interval(Fraction(low), Fraction(high))


@pytest.mark.parametrize(("written", "computed", "state"), [
    # 1.25 stands for [1.245, 1.255], both ends included
    ("1.25", Fraction("1.255"), "agrees"), ("1.25", Fraction("1.25500001"), "drifts"),
    ("1.25", Fraction("1.245"), "agrees"), ("1.25", Fraction("1.24499999"), "drifts"),
    ("1.25", between("1", "1.245"), "undecided"), ("1.25", between("1.2", "1.245"), "agrees"),
    ("1.25", between("1.2", "1.2449"), "drifts"), ("1.25", between("1.255", "1.3"), "agrees"),
    ("1.25", between("1.2551", "1.3"), "drifts"),
    # eight times as wide as the figure's interval, and a little more
    ("1.25", between("1.2", "1.28"), "agrees"), ("1.25", between("1.2", "1.2800001"), "undecided"),
    ("-1.25", Fraction("-1.255"), "agrees"), ("-1.25", Fraction("-1.256"), "drifts"),
    ("4 \u00b1 1", Fraction(5), "agrees"), ("4 \u00b1 1", Fraction("5.1"), "drifts"),
    ("20", 20, "agrees"), ("20", 21, "drifts"), ("20", between("18.9", "20.2"), "agrees"),
])
def test_a_figure_agrees_with_what_its_interval_meets(written: str, computed: object, state: str) -> None:
    verdict = compare(read_figure(written), Quantity(computed), None, None)
    assert verdict.state == state
    assert verdict.why


@pytest.mark.parametrize(("written", "low", "high", "state"), [
    ("20", "20", "21", "undecided"), ("20", "19.6", "20.4", "agrees"), ("20", "20", "20", "agrees"),
    ("20", "19.4", "20.6", "agrees"), ("20", "19", "20", "undecided"), ("20", "19", "21", "undecided"),
    ("20 \u00b1 2", "18", "22", "agrees"), ("20 \u00b1 2", "18", "23", "undecided"), ("20", "21", "22", "drifts"),
    ("16 \u00b1 6", "20", "25", "undecided"), ("20.5 \u00b1 1", "19", "20", "undecided"),
])
def test_a_set_of_whole_numbers_agrees_with_all_of_them_or_is_undecided(written: str, low: str, high: str,
                                                                        state: str) -> None:
    assert compare(read_figure(written), Quantity(between(low, high), whole=True), None, None).state == state


@pytest.mark.parametrize(("written", "bare", "tolerance", "state"), [
    ("1.25", "1.255", None, "agrees"), ("1.25", "1.2551", None, "drifts"), ("1.25", "1.245", None, "agrees"),
    ("1.25", "1.2449", None, "drifts"), ("1.25", "1.35", "0.1", "agrees"), ("1.25", "1.36", "0.1", "drifts"),
    ("1.25", "1.15", "0.1", "agrees"), ("1.25", "1.14", "0.1", "drifts"),
])
def test_a_repeated_number_lies_in_the_figures_interval(written: str, bare: str, tolerance: str | None,
                                                        state: str) -> None:
    wide = Quantity(between("0", "9"))
    verdict = compare(read_figure(written), wide, Fraction(bare), None if tolerance is None else Fraction(tolerance))
    assert (verdict.state, verdict.computed) == (state, between("0", "9"))
    assert verdict.why == f"the source has {bare}"


@pytest.mark.parametrize(("written", "value", "roundings"), [
    ("1.25", "1.2576", ("truncated",)), ("1.25", "1.26", ()), ("1.25", "1.2599", ("truncated",)),
    ("1.25", "1.2424", ("ceiled",)), ("1.25", "1.2401", ("ceiled",)), ("1.25", "1.24", ()),
    ("-1.25", "-1.2576", ()), ("-1.25", "-1.2424", ()), ("0.1", "0.199", ("truncated",)),
    ("0.1", "0.02", ("ceiled",)),
])
def test_a_figure_that_drifts_may_be_rounded_otherwise(written: str, value: str, roundings: tuple[str, ...]) -> None:
    verdict = compare(read_figure(written), Quantity(Fraction(value)), None, None)
    assert (verdict.state, verdict.roundings) == ("drifts", roundings)
    assert compare(read_figure(written), Quantity(0), Fraction(value), None).roundings == roundings


def test_the_interval_of_an_agreement_is_the_figures_own() -> None:
    verdict = compare(read_figure("1.25x"), Quantity(Fraction("1.25")), None, None)
    assert (verdict.quoted, verdict.computed) == (between("1.245", "1.255"), between("1.25", "1.25"))
    assert compare(read_figure("1.25x"), Quantity(2), None, Fraction(1)).quoted == between("0.25", "2.25")
    assert compare(read_figure("1.25x"), Quantity(2), None, None).quoted == between("1.245", "1.255")


@pytest.mark.parametrize(("written", "quantity", "node", "fits"), [
    ("4", Quantity(4, RATE), None, True), ("4K", Quantity(4000, RATE), None, True),
    ("4 GB/s", Quantity(4, RATE), None, True), ("4 GB", Quantity(4, RATE), None, False),
    ("4%", Quantity(1, RATE), None, False), ("4 GB/s", Quantity(4), None, False),
    ("4%", Quantity(1, kind="percent"), None, True), ("4%", Quantity(1, kind="points"), None, False),
    ("4 points", Quantity(1, kind="points"), None, True), ("4 points", Quantity(1, kind="percent"), None, False),
    ("4%", Quantity(1), None, True), ("4x", Quantity(1, kind="percent"), None, True),
    ("4 points", Quantity(1), "a - b", True), ("4 points", Quantity(1), "a - 1", False),
    ("4 points", Quantity(1), "1 - a", False), ("4 points", Quantity(1), "a + b", False),
    ("4 points", Quantity(1), "a", False), ("4 points", Quantity(1, kind="points"), "a", True),
    ("4%", Quantity(1), "a", True), ("4 points", Quantity(1), None, True),
])
def test_the_kind_of_a_figure_fits_its_expression(written: str, quantity: Quantity, node: str | None,
                                                  fits: bool) -> None:
    tree = None if node is None else ast.parse(node, mode="eval").body
    if fits:
        check_kind(read_figure(written), quantity, tree)
    else:
        with pytest.raises(FormulaError, match=read_figure(written).text):
            check_kind(read_figure(written), quantity, tree)


@pytest.mark.parametrize(("written", "value", "shown"), [
    ("4", "4.5", "4.5"), ("4%", "0.045", "4.5%"), ("4 percent", "0.045", "4.5percent"), ("4x", "4.5", "4.5x"),
    ("4 GB/s", "4500000000", "4.5 GB/s"), ("4K", "4500", "4.5K"), ("4 points", "0.045", "4.5 points"),
    ("2-fold", "3", "3-fold"), ("4-bit", "1", "8 bit"), ("4 times", "4.5", "4.5times"),
    ("4-percentage-points", "0.045", "4.5-percentage-points"),
])
def test_a_value_is_shown_in_the_figures_unit(written: str, value: str, shown: str) -> None:
    assert show(Fraction(value), read_figure(written)) == shown
    assert show_interval(between(value, value), read_figure(written)) == shown


@pytest.mark.parametrize(("written", "shown"), [
    ("4", "[0.25, 0.5]"), ("4%", "[25, 50]%"), ("4 B", "[0.25, 0.5] B"), ("4x", "[0.25, 0.5]x"),
    ("4 kB", "[0.00025, 0.0005] kB"), ("4 pp", "[25, 50] pp"), ("4K", "[0.00025, 0.0005]K"),
])
def test_an_interval_is_shown_with_one_unit(written: str, shown: str) -> None:
    assert show_interval(between("0.25", "0.5"), read_figure(written)) == shown


def test_the_ends_of_an_interval_are_shown_to_seven_digits() -> None:
    assert show_interval(Interval(Fraction(1, 3), Fraction(2, 3)), read_figure("1")) == (
        "[0.3333333\u2026, 0.6666667\u2026]")


@pytest.mark.parametrize(("value", "shown"), [
    (20, "20"), (Fraction(1, 3), "0.333333\u2026"), (Fraction(1, 8), "0.125"), (Fraction(-5, 4), "-1.25"),
    (2**49 - 1, str(2**49 - 1)), (2**49, "5.6295e+14"), (1 - 2**49, str(1 - 2**49)),
    (Fraction(1, 10**5), "0.00001"), (Fraction(1, 10**6), "1e-6"), (Fraction(2**60 + 1, 2), "5.76461e+17"),
    (Fraction(123456789, 100), "1.23457e+6"), ("fp8", "fp8"),
])
def test_exact_numbers_in_decimals(value: object, shown: str) -> None:
    assert decimal(value) == shown


@pytest.mark.parametrize(("operator", "left", "right", "verdict"), [
    ("<", between("1", "2"), 3, "true"), ("<", between("1", "2"), 2, "undecided"), ("<", between("1", "2"), 1, "false"),
    ("<=", between("1", "2"), 2, "true"), ("<=", between("1", "2"), 1, "undecided"),
    ("<=", between("1", "2"), Fraction(1, 2), "false"),
    (">", between("1", "2"), Fraction(1, 2), "true"), (">", between("1", "2"), 1, "undecided"),
    (">", between("1", "2"), 2, "false"), (">=", between("1", "2"), 1, "true"),
    (">=", between("1", "2"), 2, "undecided"),
    (">=", between("1", "2"), 3, "false"), ("==", 2, 2, "true"), ("==", 2, 3, "false"),
    ("==", between("1", "2"), 2, "undecided"), ("==", between("1", "2"), between("1", "2"), "undecided"),
    ("==", between("1", "2"), 3, "false"), ("==", 3, between("1", "2"), "false"),
    ("==", 0, between("1", "2"), "false"), ("!=", 2, 2, "false"), ("!=", 2, 3, "true"), ("!=", 3, 2, "true"),
    ("!=", between("1", "2"), 2, "undecided"), ("!=", 0, between("1", "2"), "true"),
])
def test_a_comparison_holds_when_it_holds_for_every_value(operator: str, left: object, right: object,
                                                          verdict: str) -> None:
    assert compare_values(operator, Quantity(left), Quantity(right)) == verdict


def test_only_what_is_measured_alike_is_compared() -> None:
    with pytest.raises(FormulaError, match="a bare number"):
        compare_values("<", Quantity(1, RATE), Quantity(1))


@pytest.mark.parametrize(("operator", "left", "right", "kind"), [
    ("-", "percent", "percent", "points"), ("+", "percent", "percent", "percent"), ("-", "points", "points", "points"),
    ("+", "points", "points", "points"), ("+", "percent", "points", "percent"), ("-", "points", "percent", "percent"),
    ("+", "percent", "", ""), ("-", "", "points", ""), ("-", "", "", ""),
])
def test_kinds_of_sums(operator: str, left: str, right: str, kind: str) -> None:
    assert kind_of_sum(operator, left, right) == kind  # type: ignore[arg-type]


@pytest.mark.parametrize(("operator", "left", "right", "kind"), [
    ("*", "percent", "", "percent"), ("*", "", "percent", "percent"), ("/", "percent", "", "percent"),
    ("/", "", "percent", ""), ("*", "percent", "percent", ""), ("/", "percent", "percent", ""), ("*", "", "", ""),
    ("*", "points", "", "points"), ("*", "", "points", "points"),
])
def test_kinds_of_products(operator: str, left: str, right: str, kind: str) -> None:
    assert kind_of_product(operator, left, right) == kind  # type: ignore[arg-type]


def test_exact_numbers_have_a_size_limit() -> None:
    largest = 2**(2**17) - 1
    for small in (largest, Fraction(1, largest), Interval(0, largest), Interval(-largest, 0)):
        assert within_bounds(small)
    for large in (largest + 1, Fraction(1, largest + 1), Interval(0, largest + 1), Interval(-largest - 1, 0)):
        assert not within_bounds(large)


def test_numbers_over_a_grid_have_a_size_limit_together() -> None:
    points, bits = 2**13, 2**15
    assert within_bounds(RationalGrid.of([2**bits - 1] * points))
    assert not within_bounds(RationalGrid.of([2**bits] * points))
    assert not within_bounds(Interval(1, RationalGrid.of([2**bits] * points)))


@pytest.mark.parametrize(("value", "whole"), [
    (4, True), (Fraction(1, 2), False), (Fraction(4), False), (Interval(1, 2), False), (RationalGrid([1, 2]), True),
    (RationalGrid.of([1, Fraction(1, 2)]), False),
])
def test_counts_are_whole(value: Any, whole: bool) -> None:
    assert all_whole(Quantity(value)) is all_whole(Quantity(1), Quantity(value)) is whole
    assert all_whole(Quantity(value, whole=True))


def test_a_whole_fraction_becomes_a_count() -> None:
    assert type(tidy(Fraction(4))) is int
    assert tidy(Fraction(1, 2)) == Fraction(1, 2)


X = {"x": "times 3.35", "pair": "of 2"}


@pytest.mark.parametrize(("expression", "figure", "agrees"), [
    # 200 times [3.345, 3.355] is one of 669, 670 and 671
    ("ceil(200 * x)", "670", False), ("floor(200 * x) + 1", "671", False), ("1 + ceil(200 * x)", "671", False),
    ("ceil(200 * x) - pair", "668", False), ("pair * ceil(200 * x)", "1340", False),
    ("abs(ceil(200 * x))", "670", False),
    ("max(1, ceil(200 * x))", "670", False), ("max(ceil(200 * x), 1)", "670", False),
    ("min(9000, ceil(200 * x))", "670", False), ("ceil(200 * x)", "670 \u00b1 1", True),
    ("pair * ceil(200 * x)", "1340 \u00b1 2", True), ("ceil(2 * x)", "7", True), ("ceil(2 * x) ** 2", "49", True),
    ("200 * x", "670", True), ("ceil(200 * x) + x", "673", True), ("max(200 * x, 1)", "670", True),
    ("max(200 * x, ceil(x))", "670", True), ("floor(x) ** -1", "0.33", True), ("(2.985 * x) ** 2", "100", True),
    ("ceil(2.985 * x) ** 2", "110 \u00b1 10.5", False),
])
def test_whole_numbers_stay_whole_in_sums_products_and_choices(expression: str, figure: str, agrees: bool) -> None:
    judged = judge(f"A rack times 3.35 of 2 holds {figure} of them.", {
        "read": {name: anchor for name, anchor in X.items() if name in expression},
        "figures": {f"holds {figure}": expression}}, {"basis": "unverified"})
    assert judged.names == ([] if agrees else ["undecided"])


@pytest.mark.parametrize(("lows", "highs", "whole", "point"), [
    ((20, 20, 20), (20, 20, 20), True, 1), ((20, 20, 20), (20, 21, 20), True, 2),
    ((20, 19, 20), (20, 20, 20), True, 2), ((20, 20, 22), (20, 21, 22), True, 3),
    ((20, 20, 20), (20, 21, 20), False, 1), ((20, 20, 20), (20, 29, 20), False, 2),
    ((20, 20, 20), (20, 28, 20), False, 1), ((20, 21, 30), (20, 28, 30), False, 2),
])
def test_the_point_that_decides_is_the_worst_one(lows: tuple[int, ...], highs: tuple[int, ...], whole: bool,
                                                 point: int) -> None:
    grid = read_grid({"B": "1..3"})
    value = Interval(RationalGrid.of(lows), RationalGrid.of(highs))
    at, here = worst_point(Quantity(value, whole=whole), between("19.5", "20.5"), grid)
    assert at == {"B": point}
    assert ends(here.value) == (lows[point - 1], highs[point - 1])
    assert here.whole is whole


@pytest.mark.parametrize(("lows", "highs", "point"), [
    ((20, 30), (20, 30), 1), ((30, 20), (30, 20), 2), ((30, 10), (40, 19), 1), ((30, 10), (40, 20), 2),
])
def test_the_point_at_which_a_dispute_ends_is_the_first_that_meets(lows: tuple[int, ...], highs: tuple[int, ...],
                                                                  point: int) -> None:
    grid = read_grid({"B": "1..2"})
    value = Interval(RationalGrid.of(lows), RationalGrid.of(highs))
    at, _ = meeting_point(Quantity(value), between("19.5", "20.5"), grid)
    assert at == {"B": point}
