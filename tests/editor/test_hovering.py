"""What a hover says is what the commands say."""
from __future__ import annotations

import pytest

from specdil_records.claims import evaluate
from specdil_records.claims.answers import matching
from specdil_records.claims.derivations import claim_lines
from specdil_records.editor.hovering import fenced, hover
from tests.editor.desks import Desk


def said(desk: Desk, words: str, name: str = "flop") -> tuple[str, str]:
    found = hover(desk.workspace, desk.record(name), desk.at(name, words))
    assert found is not None, words
    return desk.marked(name, found.start, found.end), found.text


def test_a_number_of_the_prose_has_its_status_and_the_words_of_why(desk: Desk) -> None:
    marked, text = said(desk, "a gain of 2|5%.")
    evaluation = evaluate(desk.record("flop"), desk.workspace.corpus)
    ((claim, figures),) = matching(evaluation, "25%")
    assert marked == "25%"
    assert text == fenced(["25%: recomputed (gain-at-16)", "", *claim_lines(claim, figures)])


def test_every_claim_is_told_in_the_words_of_why(desk: Desk) -> None:
    for claim in evaluate(desk.record("flop"), desk.workspace.corpus).claims:
        assert said(desk, f"id: {claim.id[:2]}|{claim.id[2:]}")[1].endswith(fenced(claim_lines(claim, claim.figures)))


@pytest.mark.parametrize(("words", "marked", "parts"), [
    ("At batch 1|6 a step", "16", ["16: input (gain-at-16)", "read      batch = 16"]),
    ("gain of 25%: addi|tive.gain", "additive.gain", ["additive.gain(batch, draft_k)", "formula", "unit", "source"]),
    ("moves 2.00 TB/s: ch|ip.memory", "chip.memory_bandwidth", ["2.00 TB/s", "specified", "chip-sheet"]),
    ("affected_by_hardware: [exam|ple-chip]", "example-chip", ["Example chip", "accelerators/example-chip",
                                                               "400 TFLOP/s"]),
    ("of: {chip: exam|ple-chip}", "example-chip", ["Example chip"]),
    ("bench-report#fad|ing", "fading", ["gains fade with every request", "Section 3"]),
    ("cited(\"bench-re|port", "bench-report", ["Bench report", "benchmark"]),
    ("\"tab|le-1\"", "table-1", ["Table 1", "columns batch, speedup"]),
    ("id: gain-a|t-16", "gain-at-16", ["claim gain-at-16: recomputed", "figure    from 16"]),
    ("gain of 2|5%: additive", "gain of 25%", ["figure    gain of 25%", "verdict   agrees"]),
    ("additive.gain(bat|ch, draft_k)", "batch", ["read from the prose: At batch 16"]),
])
def test_other_things(desk: Desk, words: str, marked: str, parts: list[str]) -> None:
    here, text = said(desk, words)
    assert here == marked
    for part in parts:
        assert part in text.replace("\\", ""), text


def test_a_number_that_nothing_accounts_for(desk: Desk) -> None:
    desk.edit("flop", "- Draft less when the batch is large.", "- Draft at most 7 when the batch is large.")
    assert "7: unbound (nothing accounts for it)" in said(desk, "at most 7|")[1]


def test_numbers_after_wide_characters_are_found(desk: Desk) -> None:
    desk.edit("flop", "At batch 16 a step", "😀 𝔸 At batch 16 a step")
    assert said(desk, "a gain of 2|5%.")[0] == "25%"


def test_a_document_that_does_not_read_still_knows_the_catalogue(desk: Desk) -> None:
    desk.edit("flop", "history:\n", "history: [\n")
    assert not desk.record("flop").sound
    assert "formula" in said(desk, "gain of 25%: addi|tive.gain")[1]
    assert hover(desk.workspace, desk.record("flop"), desk.at("flop", "a gain of 2|5%.")) is None


def test_a_name_of_a_record_that_does_not_read_is_told_so(desk: Desk) -> None:
    desk.edit("chip", "quantities:", "quantities: [")
    assert said(desk, "affected_by_hardware: [exam|ple-chip]")[1].endswith("does not read or does not fit its schema")


def test_a_name_without_a_record_is_told_so(desk: Desk) -> None:
    desk.edit("flop", "affected_by_hardware: [example-chip]", "affected_by_hardware: [other-chip]")
    assert said(desk, "affected_by_hardware: [oth|er-chip]")[1] == "there is no record `other-chip`"


def test_nothing_is_said_of_plain_words(desk: Desk) -> None:
    assert hover(desk.workspace, desk.record("flop"), desk.at("flop", "name: Draft|ing stalls")) is None
