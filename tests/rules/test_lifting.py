"""Effects of rows that are lifted from the prose: found there, followed where only numbers moved, or lost."""
from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.claims.support import judge

PROSE = "At batch 16 it is 16."
CLAIM: dict[str, Any] = {"read": {"batch": "At batch 16"}, "figures": {"is 16": "decode.intensity(batch)"}}


def lifted(effect: str, prose: str = PROSE, quote: str = PROSE, **fields: Any) -> list[tuple[str, tuple[str | int, ...],
                                                                                             str]]:
    """Name, place and message of what is found about a row that lifts some words."""
    row = {"parameter": "memory_bandwidth", "effect": effect, "basis": "unverified", "values_for": []}
    judged = judge(prose, {**CLAIM, "quote": quote}, hardware_parameters=[row], **fields)
    return [(one.name, one.pointer, one.message) for one in judged.report.findings
            if one.name in ("effect-not-verbatim", "typography-differs") and one.pointer[0] == "hardware_parameters"]


@pytest.mark.parametrize("effect", [PROSE, "At batch 16", "it is 16", "At  batch\u00a016 it"])
def test_words_of_the_prose_are_found(effect: str) -> None:
    assert lifted(effect) == []


def test_words_that_stand_twice_were_lifted_from_one_of_them() -> None:
    assert lifted("it is so", "At batch 16 it is 16. Here it is so, and there it is so.") == []


@pytest.mark.parametrize(("there", "here", "points"), [
    ("the so-called ridge", "the so\u2010called ridge", "U+2010"),
    ("the ridge's foot", "the ridge\u2019s foot", "U+2019"),
    ("the \u201cridge\u201d", 'the "ridge"', "U+201C")])
def test_other_typography_is_told_with_its_code_points(there: str, here: str, points: str) -> None:
    (one,) = lifted(here, f"{PROSE} Below is {there}.")
    assert one[:2] == ("typography-differs", ("hardware_parameters", 0, "effect"))
    assert points in one[2]


def test_words_follow_numbers_that_have_a_finding_of_their_own() -> None:
    edited = "At batch 32 it is 16."
    assert lifted("At batch 16 it is 16", edited) == []
    # Nothing is told of a number that no claim quotes, so the words are lost.
    free = "At batch 16 it is 16. Of 8 cards."
    assert [name for name, *_ in lifted("Of 9 cards", free)] == ["effect-not-verbatim"]


def test_words_that_could_follow_to_two_places_are_lost() -> None:
    edited = "At batch 32 it is 16."
    row = {"parameter": "memory_bandwidth", "effect": "At batch 16 it is 16", "basis": "unverified", "values_for": []}
    claims = [{"id": place.replace("_", "-"), "in": place, "quote": PROSE, **deepcopy(CLAIM)}
              for place in ("notes", "arithmetic_intensity")]
    for count, names in ((1, []), (2, ["effect-not-verbatim"])):
        judged = judge(edited, *claims[:count], hardware_parameters=[row], arithmetic_intensity=edited)
        assert [one.name for one in judged.report.findings if one.pointer[:1] == ("hardware_parameters",)] == names


def test_lost_words_are_told_with_what_differs_from_the_nearest_sentence() -> None:
    (one,) = lifted("More bandwidth raises the ridge", f"{PROSE} More bandwidth lowers the ridge.")
    assert one[2].startswith("the effect is not in the record's prose; the nearest sentence differs by ")
    assert "lowers" in one[2]
    assert "raises" in one[2]
    (far,) = lifted("Zyx wvu tsr")
    assert far[2] == "the effect is not in the record's prose"


def test_the_nearest_sentence_is_handed_on() -> None:
    row = {"parameter": "memory_bandwidth", "effect": "More bandwidth raises the ridge", "basis": "unverified",
           "values_for": []}
    judged = judge(f"{PROSE} More bandwidth lowers the ridge.", {**CLAIM, "quote": PROSE}, hardware_parameters=[row])
    (one,) = [one for one in judged.report.findings if one.name == "effect-not-verbatim"]
    assert one.data["nearest"].strip().startswith("More bandwidth lowers the ridge")
