"""The unit belongs to its number: in terms, citations, lifted effects, asides, lists, differences and tolerances."""
from __future__ import annotations

from typing import Any

import pytest

from tests.claims.support import Judged, judge

LAB = """\
schema_version: "3.0"
id: sources/lab
kind: paper
title: Lab
tables:
- id: times
  locator: Table 1
  basis: measured
  seen: full-text
  columns: {batch: ["2", "64"], latency: ["12.5", "40"], share: ["40%", "12.5%"], rate: ["1.2K", "900"]}
  unit: {latency: ms, rate: tok/s}
quotes:
- {id: exceeds, locator: Section 2, basis: simulated, seen: full-text, text: when the batch size exceeds 32 it falls}
- {id: share, locator: Section 3, basis: simulated, seen: full-text, text: here the share was 40.5% in sum}
"""


def judged(prose: str, claim: dict[str, Any], **fields: Any) -> Judged:
    return judge(prose, claim, files={"records/sources/lab.yaml": LAB}, **fields)


def cited(column: str, batch: str) -> str:
    return f'cited("lab", "times", "{column}", batch={batch})'


@pytest.mark.parametrize(("prose", "claim", "found"), [
    ("A ratio of 2 at batch 64 gives 64x more", {"read": {"b": "at batch 64", "x": "ratio of 2"}, "figures": {
        "64x": "b * x"}}, [("figure-drift", "64")]),
    ("A ratio of 2 at batch 64 gives 128x more", {"read": {"b": "at batch 64", "x": "ratio of 2"}, "figures": {
        "128x": "b * x"}}, []),
    ("With k=4 an 8k context yields 32k tokens", {"read": {"k": "With k=4", "c": "an 8k context"}, "figures": {
        "yields 32k": "c * k"}}, []),
    ("At any B it takes 2B FLOP/byte", {"figures": {"takes 2B": 'decode.intensity(B, weight_dtype="fp8")'},
                                        "over": {"B": "1..4"}}, []),
    ("It has 7.5B parameters", {"figures": {"7.5B parameters": "additive.gain(B, 4)"}, "over": {"B": "1..4"}},
     [("figure-drift", "7.5")]),
    ("Of k drafts it takes 2 * k", {"figures": {"takes 2 * k": "additive.intensity(k, k)"}, "over": {"k": "1..4"}}, []),
])
def test_a_number_with_its_unit_is_no_term_whatever_the_names_are(prose: str, claim: dict[str, Any],
                                                                  found: list[tuple[str, str]]) -> None:
    assert judged(prose, claim).found == found


@pytest.mark.parametrize(("prose", "words", "target", "found"), [
    ("Seen when the batch size exceeds 32 of it", "the batch size exceeds 32", "exceeds", []),
    ("Seen when the batch size exceeds 32% of it", "the batch size exceeds 32", "exceeds", ["formula"]),
    ("Seen when the batch size exceeds 32 GB of it", "the batch size exceeds 32", "exceeds", ["formula"]),
    ("Seen: here the share was 40.5", "here the share was 40.5", "share", ["cited-quote-differs"]),
    ("Seen: here the share was 40.5%", "here the share was 40.5%", "share", []),
    ("Seen: here the share was 40.5 percentage points", "here the share was 40.5", "share", ["formula"]),
])
def test_a_citation_takes_the_unit_along(prose: str, words: str, target: str, found: list[str]) -> None:
    claim = {"basis": "simulated", "cites": {words: f"lab#{target}"}}
    assert judged(prose, claim).names == found


@pytest.mark.parametrize(("effect", "found"), [
    ("The cache takes 5 GB", []), ("The cache takes 5", ["effect-not-verbatim"]), ("The cache takes", []),
])
@pytest.mark.parametrize("prose", ["The cache takes 5 GB here", "The cache takes 5 GB. Yes: The cache takes 5 GB!"])
def test_an_effect_takes_the_unit_along(prose: str, effect: str, found: list[str]) -> None:
    row = {"parameter": "memory_capacity", "effect": effect, "basis": "unverified", "values_for": []}
    assert judged(prose, {"basis": "unverified"}, hardware_parameters=[row]).names == found


@pytest.mark.parametrize(("text", "found"), [("of 5 GB", []), ("of 5", [("formula", '"of 5"')])])
def test_an_aside_takes_the_unit_along(text: str, found: list[tuple[str, str]]) -> None:
    aside = {"in": "notes", "text": text, "kind": "name"}
    assert judged("A card of 5 GB", {"basis": "unverified"}, asides=[aside]).found == found


@pytest.mark.parametrize(("prose", "figures", "found"), [
    ("It takes 12.5 and 40 ms", {"takes 12.5": cited("latency", "2"), "40 ms": cited("latency", "64")}, []),
    ("It takes 0.0125 there", {"takes 0.0125": cited("latency", "2")}, [("figure-drift", "0.0125")]),
    ("It takes 12.6 there", {"takes 12.6": cited("latency", "2")}, [("figure-drift", "12.6")]),
    ("It moves 2.00 there", {"moves 2.00": "chip.memory_bandwidth"}, []),
    ("It moves 2 there", {"moves 2": "chip.memory_bandwidth * 1.0"}, [("formula", '"chip.memory_bandwidth * 1.0"')]),
    ("It has 1.2K tokens/s here", {"1.2K tokens/s": cited("rate", "2")}, []),
    ("It has 1200 here", {"has 1200": cited("rate", "2")}, []),
    ("It has 1.2K here", {"has 1.2K": cited("rate", "2")}, []),
    ("It has 1.2 here", {"has 1.2": cited("rate", "2")}, [("figure-drift", "1.2")]),
    ("It has 900 tokens/s here", {"900 tokens/s": cited("rate", "64")}, []),
    ("It has 0.9K tokens/s here", {"0.9K tokens/s": cited("rate", "64")}, []),
])
def test_a_figure_without_a_unit_has_that_in_which_it_is_written_where_it_is_from(
        prose: str, figures: dict[str, str], found: list[tuple[str, str]]) -> None:
    named = {"of": {"chip": "example-chip"}} if "chip" in str(figures) else {}
    assert judged(prose, {"figures": figures, **named}).found == found


@pytest.mark.parametrize(("tolerance", "found"), [("0.1", []), ("0.05", ["figure-drift"]), ("1%", []), ("0.1 ms", [])])
def test_a_tolerance_is_in_the_unit_that_the_figure_takes_over(tolerance: str, found: list[str]) -> None:
    prose = "It takes 12.6 ms" if "ms" in tolerance else "It takes 12.6"
    claim = {"figures": {"takes 12.6": cited("latency", "2")}, "tolerance": {"takes 12.6": tolerance}, "because": "so"}
    assert judged(prose, claim).names == found


@pytest.mark.parametrize("difference", ["a - b", "-b + a", "a + -b"])
def test_the_difference_of_two_shares_is_in_points_however_it_is_spelt(difference: str) -> None:
    read = {"a": "from 40.0%", "b": "to 12.0%"}
    points = judged("It fell from 40.0% to 12.0%, by 28 points", {"read": read, "figures": {"28 points": difference}})
    assert points.found == []
    share = judged("It fell from 40.0% to 12.0%, by 28%", {"read": read, "figures": {"by 28%": difference}})
    assert share.found == [("formula", f'"{difference}"')]


def test_minus_a_negative_is_a_sum() -> None:
    read = {"a": "With 40.0%", "b": "of 12.0%"}
    sums = judged("With 40.0% and one of 12.0% it is 52%", {"read": read, "figures": {"is 52%": "a - -b"}})
    assert sums.found == []
