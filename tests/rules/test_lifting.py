"""Effects of rows that are lifted from the prose: found there, followed where only numbers moved, or lost."""
from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from specdil_records.checking import check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.rules import Sample
from specdil_records.rules.samples import BASE, PATHS
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


def test_words_follow_a_figure_that_drifts() -> None:
    # At batch 16 the intensity is 16, whatever the sentence says: the figure is told, and its row is no second fault.
    row = {"parameter": "memory_bandwidth", "effect": "it is 16", "basis": "unverified", "values_for": []}
    judged = judge("At batch 16 it is 17.", {**CLAIM, "quote": PROSE}, hardware_parameters=[row])
    assert judged.found == [("figure-drift", "17")]


def test_a_row_is_judged_anew_beside_other_records() -> None:
    # The prose says 2.00 TB/s and the row 3.00 TB/s: that is another row, until the chip itself has 3.00 TB/s; then the
    # figure of the prose drifts, and the row follows it.
    edits = (("flop", "effect: More bandwidth lowers the ridge", "effect: The chip moves 3.00 TB/s"),)
    corpus = sample_corpus(Sample(edits))
    later = sample_corpus(Sample((*edits, ("chip", "2.00 TB/s", "3.00 TB/s"))))
    shared = corpus.by_id["flops/example-stall"]
    mixed = replace(later, records=tuple(shared if one.id == shared.id else one for one in later.records))
    told = [{one.name for one in check(each).findings if one.record == shared.id} for each in (corpus, mixed, corpus)]
    assert told == [{"effect-not-verbatim"}, {"figure-drift"}, {"effect-not-verbatim"}]


# Words of a source ----------------------------------------------------------------------------------------

SAYS = "gains fade with every request"


def cited(words: str, there: str = SAYS) -> list[tuple[str, str, dict[str, Any]]]:
    """What is found about words that cite the bench report's quote: name, message and data. It sits at their key."""
    files = {PATHS["bench"]: BASE["bench"].replace(SAYS, there)}
    claim = {"basis": "reported", "cites": {words: "bench-report#fading"}}
    judged = judge(f"It says that {words}, and no more.", claim, files=files)
    found = [one for one in judged.report.findings if one.record == "flops/short"]
    assert all(one.pointer == ("claims", 0, "cites", words) for one in found)
    return [(one.name, one.message, dict(one.data)) for one in found]


@pytest.mark.parametrize(("words", "there"), [
    (SAYS, SAYS), ("gains  fade with\u00a0every request", SAYS), (SAYS, f"In batches {SAYS}."),
    (SAYS, f"{SAYS}, and again: {SAYS}")])
def test_words_that_the_source_says_are_fine_once_or_twice(words: str, there: str) -> None:
    assert cited(words, there) == []


def test_cited_words_in_other_typography_are_told_with_its_code_points() -> None:
    assert cited("the ridge\u2019s foot is low", "the ridge's foot is low") == [
        ("typography-differs", "the cited words and bench-report#fading differ in typography: U+2019",
         {"code_points": ["U+2019"]})]


@pytest.mark.parametrize(("words", "there", "difference"), [
    ("gains grow with every request", SAYS, "-fade +grow"),
    ("gains fade with 9 more requests", "gains fade with 8 more requests", "-8 +9")])
def test_cited_words_that_the_source_does_not_say(words: str, there: str, difference: str) -> None:
    assert cited(words, there) == [("cited-quote-differs", f"bench-report#fading does not say this: {difference}",
                                    {"source": "bench-report#fading", "difference": difference})]


def test_words_are_looked_for_behind_a_citation_that_leads_nowhere() -> None:
    cites = "  cites: {gains fade with every request: bench-report#fading}"
    more = "  cites: {gains fade with every request: bench-report#nothing, and says that gains: bench-report#fading}"
    report = check(sample_corpus(Sample((("flop", cites, more),))))
    assert sorted((one.name, one.pointer) for one in report.findings) == [
        ("cited-quote-differs", ("claims", 3, "cites", "and says that gains")),
        ("unresolved-reference", ("claims", 3, "cites", "gains fade with every request"))]
