"""Where names lead, and who uses them."""
from __future__ import annotations

import pytest

from specdil_records.editor.defining import definition, references
from tests.editor.desks import Desk

RIDGE = "The chip moves 2.00 TB/s and computes 400 TFLOP/s, so its ridge lies at 200 FLOP/byte"


def led(desk: Desk, words: str, name: str = "flop") -> list[tuple[str, str]]:
    """File name and marked text of each target."""
    found = definition(desk.workspace, desk.record(name), desk.at(name, words))
    return [(spot.file.stem, spot.file.read_text("utf-8")[spot.start:spot.end]) for spot in found]


@pytest.mark.parametrize(("words", "target"), [
    ("affected_by_hardware: [exam|ple-chip]", ("example-chip", "accelerators/example-chip")),
    ("chip: exam|ple-chip", ("example-chip", "accelerators/example-chip")),
    ("bench-re|port#fading", ("bench-report", "sources/bench-report")),
    ("bench-report#fa|ding", ("bench-report", "fading")),
    ("cited(\"bench-re|port\"", ("bench-report", "sources/bench-report")),
    ("\"table|-1\"", ("bench-report", "table-1")),
    ("    from |16: decode", ("example-stall", "from 16")),
    ("    gain of 2|5%: additive", ("example-stall", "gain of 25%")),
    ("decode.intensity(bat|ch)", ("example-stall", "batch")),
    ("moves 2.00 TB/s: chi|p.memory", ("example-stall", "chip")),
    ("quote: The chip| moves", ("example-stall", RIDGE)),
    ("a gain of 2|5%.", ("example-stall", "gain of 25%")),
    ("at 200 FL|OP/byte.", ("example-stall", "at 200 FLOP/byte")),
])
def test_a_name_leads_to_where_it_is_given(desk: Desk, words: str, target: tuple[str, str]) -> None:
    assert led(desk, words) == [target]


def test_an_input_leads_to_every_claim_that_reads_it(desk: Desk) -> None:
    assert led(desk, "At batch 1|6 a step") == [("example-stall", "batch")]


def test_an_anchor_leads_into_the_prose_and_not_to_itself(desk: Desk) -> None:
    (spot,) = definition(desk.workspace, desk.record("flop"), desk.at("flop", "    from |16: decode"))
    assert spot.end < desk.text("flop").index("scales_with")


def test_plain_words_lead_nowhere(desk: Desk) -> None:
    assert led(desk, "name: Draft|ing stalls") == []
    assert led(desk, "cited(\"bench-report\", \"table-1\", \"spee|dup\"") == []


def test_a_record_is_found_wherever_it_is_named(desk: Desk) -> None:
    offset = desk.at("chip", "id: accelerators/exam|ple-chip")
    found = references(desk.workspace, desk.record("chip"), offset, True)
    assert {spot.file.stem for spot in found} == {"example-chip", "example-stall", "bench-report"}
    assert len(found) == 5
    assert {spot.file.read_text("utf-8")[spot.start:spot.end] for spot in found} == {"example-chip"}
    assert len(references(desk.workspace, desk.record("chip"), offset, False)) == 4


def test_a_claim_is_found_where_a_dispute_or_another_claim_names_it(desk: Desk) -> None:
    desk.edit("flop", "history:\n", 'disputes:\n- {claim: ridge, figure: at 200 FLOP/byte, against: "2 * ridge(chip)", '
                                    'because: so}\nhistory:\n')
    offset = desk.at("flop", "id: rid|ge")
    assert [desk.marked("flop", spot.start, spot.end)
            for spot in references(desk.workspace, desk.record("flop"), offset, True)] == ["ridge", "ridge"]
