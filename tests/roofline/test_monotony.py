"""What the catalogue declares as monotone is so, and on intervals of it alone the hull is exact."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import Interval, lower, upper
from specdil_records.roofline import CATALOGUE, Accelerator, Answer, Entry, answer, declared_monotony
from tests.roofline.samples import CHIPS
from tests.roofline.strategies import Arguments, arguments_of, evaluated

QUICK = settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
DECLARED = [
    (entry.name, argument, direction, ideal)
    for entry in CATALOGUE.values()
    for ideal, mapping in ((False, entry.monotone), (True, entry.monotone_when_ideal))
    for argument, direction in mapping.items()
]


def test_declarations_name_arguments_that_exist() -> None:
    for name, argument, direction, ideal in DECLARED:
        entry, (head, _, field) = CATALOGUE[name], argument.partition(".")
        assert direction in ("rising", "falling")
        assert entry.parameter(head) is not None, (name, argument)
        assert not field or field in Accelerator.__slots__, (name, argument)
        assert not (ideal and argument in entry.monotone), (name, argument)
        assert all(entry.parameter(each) is not None for each in entry.ideal_without)


@pytest.mark.parametrize(("name", "argument", "direction", "ideal"), DECLARED)
@QUICK
@given(data=st.data())
def test_a_declared_direction_is_kept(
    name: str, argument: str, direction: str, ideal: bool, data: st.DataObject
) -> None:
    entry = CATALOGUE[name]
    low = data.draw(arguments_of(entry, ideal=ideal))
    assert argument in declared_monotony(entry, low)
    high = raised(entry, low, argument, data)
    ends = evaluated(entry, low, answer), evaluated(entry, high, answer)
    if direction == "falling":
        ends = ends[::-1]
    assert not_above(*ends)


def raised(entry: Entry, arguments: Arguments, argument: str, data: st.DataObject) -> Arguments:
    """The same arguments with one of them larger (or the same)."""
    head, _, field = argument.partition(".")
    value, growth = arguments[head], data.draw(st.fractions(1, 4, max_denominator=20))
    if isinstance(value, Accelerator):
        inside = getattr(value, field)
        larger = {key: each * growth for key, each in inside.items()} if isinstance(inside, dict) else inside * growth
        return arguments | {head: value.with_values({field: larger})}
    if isinstance(value, list):
        return arguments | {head: [min(1, each * growth) for each in value]}
    if head in ("draft_parameters", "pairs"):
        assume(value is not None)
    parameter = entry.parameter(head)
    assert parameter is not None
    if parameter.kind == "count":
        # Trees are drawn for their number of nodes.
        assume(not (head == "new_tokens" and arguments.get("pairs") is not None))
        return arguments | {head: value + data.draw(st.integers(0, 40))}
    most = most_of(entry, head, arguments)
    grown = value * growth + (data.draw(st.fractions(0, Fraction(1, 4), max_denominator=100)) if not value else 0)
    if head == "draft_cost" and (arguments.get("draft") or arguments.get("draft_parameters") is not None):
        return arguments
    return arguments | {head: grown if most is None else min(most, grown)}


def most_of(entry: Entry, head: str, arguments: Arguments) -> Any:
    if head == "mean_accepted_length":
        return arguments["draft_k"] + 1 if "draft_k" in arguments else arguments["new_tokens"]
    parameter = entry.parameter(head)
    assert parameter is not None
    return parameter.most


def not_above(low: Any, high: Any) -> bool:
    """Whether a result is at most another; an answer by the batches that pay, a context by its size."""
    if isinstance(low, Answer) and isinstance(high, Answer) and (low.batch_max or high.batch_max):
        return paying(low) <= paying(high) and crossings_in_order(low, high)
    if isinstance(low, Answer) or isinstance(high, Answer):
        return as_size(low) <= as_size(high)
    if isinstance(low, Interval) or isinstance(high, Interval):
        # Enclosures: only a reversal beyond their width would be a fault.
        return bool(lower(low) <= upper(high))
    return bool(low <= high)


def paying(found: Answer) -> set[int]:
    return {batch for first, last in found.ranges for batch in range(first, last + 1)}


def crossings_in_order(low: Answer, high: Answer) -> bool:
    if low.crossing is None or high.crossing is None:
        return True
    if low.beyond != high.beyond:
        return False
    return bool(low.crossing >= high.crossing if low.beyond else low.crossing <= high.crossing)


def as_size(found: Any) -> Any:
    if isinstance(found, Answer):
        return {"never": math.inf, "always": math.inf}[found.kind]
    return found


@pytest.mark.parametrize("name", ["ridge", "ridge_tokens", "compute_bound_batch", "expected_tokens", "step.time",
                                  "throughput", "tpot", "speedup", "break_even_batch", "critical_context"])
@QUICK
@given(data=st.data())
def test_on_monotone_intervals_the_hull_is_exact(name: str, data: st.DataObject) -> None:
    """Both ends of the result are values at corners of the box, so it cannot be narrower."""
    entry = CATALOGUE[name]
    arguments = data.draw(arguments_of(entry, ideal=True, dense=True))
    chip = CHIPS["h100"]
    wide = chip.with_values({
        "memory_bandwidth": Interval(chip.memory_bandwidth, 2 * chip.memory_bandwidth),
        "peaks": {dtype: Interval(peak, 2 * peak) for dtype, peak in chip.peaks.items()},
    })
    if "accelerator" in arguments:
        arguments["accelerator"] = wide
    if "acceptance" in arguments:
        arguments["acceptance"] = Interval(Fraction(1, 2), Fraction(3, 5))
    corners = [
        evaluated(entry, point)
        for bandwidth in (1, 2)
        for peak in (1, 2)
        for rate in (Fraction(1, 2), Fraction(3, 5))
        for point in [arguments | at_corner(arguments, chip, bandwidth, peak, rate)]
    ]
    numbers = [each for each in corners if not isinstance(each, Answer)]
    assume(len(numbers) == len(corners))
    found = evaluated(entry, arguments)
    assert (lower(found), upper(found)) == (min(numbers), max(numbers))


def at_corner(arguments: Arguments, chip: Accelerator, bandwidth: int, peak: int, rate: Fraction) -> Arguments:
    moved = chip.with_values({
        "memory_bandwidth": bandwidth * chip.memory_bandwidth,
        "peaks": {dtype: peak * each for dtype, each in chip.peaks.items()},
    })
    return {name: value for name, value in (("accelerator", moved), ("acceptance", rate)) if name in arguments}
