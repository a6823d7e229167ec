"""What is offered where."""
from __future__ import annotations

import pytest

from specdil_records.editor.answers import Suggestion
from specdil_records.editor.completing import complete
from tests.editor.desks import Desk


def offered(desk: Desk, old: str, new: str, name: str = "flop") -> dict[str, Suggestion]:
    """What is offered at the mark after an edit."""
    desk.edit(name, old, new.replace("|", ""))
    offset = desk.text(name).index(new.replace("|", "")) + new.index("|")
    return {one.label: one for one in complete(desk.workspace, desk.file(name), desk.record(name), offset)}


@pytest.mark.parametrize(("old", "new", "wanted", "unwanted"), [
    ("affected_by_hardware: [example-chip]", "affected_by_hardware: [ex|]", {"example-chip"}, {"bench-report"}),
    ("affected_by_hardware: [example-chip]", "affected_by_hardware: [example-chip, |", {"example-chip"}, set()),
    ("of: {chip: example-chip}", "of: {chip: |}", {"example-chip"}, {"chip-sheet"}),
    ("- parameter: memory_bandwidth", "- parameter: mem|", {"memory_bandwidth", "tdp"}, {"batch_size"}),
    ("- parameter: batch_size", "- parameter: b|", {"batch_size", "draft_k"}, {"tdp"}),
    ("basis: reported", "basis: |", {"measured", "derived", "unverified"}, {"memory_bandwidth"}),
    ("status: active", "status: |", {"active", "withdrawn", "superseded"}, set()),
    ("gain of 25%: additive.gain(batch, draft_k)", "gain of 25%: add|", {"additive.gain", "batch", "draft_k", "min"},
     {"example-chip"}),
    ("moves 2.00 TB/s: chip.memory_bandwidth", "moves 2.00 TB/s: chip.|", {"chip.memory_bandwidth",
                                                                            "chip.peak_bf16_dense"}, {"ridge"}),
    ('cited("bench-report", "table-1", "speedup", batch=batch)', 'cited("be|', {"bench-report", "chip-sheet"},
     {"ridge"}),
    ('cited("bench-report", "table-1", "speedup", batch=batch)', 'cited("bench-report", "|', {"table-1"}, {"ridge"}),
    ('cited("bench-report", "table-1", "speedup", batch=batch)', 'cited("bench-report", "table-1", "|',
     {"batch", "speedup"}, {"table-1"}),
    ("every request: bench-report#fading}", "every request: bench|}",
     {"bench-report#fading", "bench-report#table-1"}, {"example-chip"}),
    ("    from 16: decode.intensity(batch)\n", "    fr|\n", {"from 16", "25%"}, {"quote"}),
    ("read: {batch: at batch 16}", "read: {batch: |}", {"1.25x"}, {"quote"}),
    ("history:\n", "disp|\nhistory:\n", {"disputes", "asides"}, {"claims", "notes"}),
    ("  in: notes\n  quote: The chip", "  in: |\n  quote: The chip",
     {"notes", "arithmetic_intensity", "/workarounds/0"}, {"claims"}),
    ("history:\n", "disputes:\n- claim: |\nhistory:\n", {"gain-at-16", "ridge"}, {"notes"}),
    ("history:\n", "disputes:\n- claim: ridge\n  figure: |\nhistory:\n", {"at 200 FLOP/byte"}, {"gain of 25%"}),
    ("history:\n", "disputes:\n- claim: ridge\n  against: ri|\nhistory:\n", {"ridge", "chip"}, {"batch"}),
])
def test_what_is_offered(desk: Desk, old: str, new: str, wanted: set[str], unwanted: set[str]) -> None:
    found = set(offered(desk, old, new))
    assert wanted <= found
    assert not unwanted & found


def test_what_is_typed_gives_way(desk: Desk) -> None:
    one = offered(desk, "gain of 25%: additive.gain(batch, draft_k)", "gain of 25%: 2 * addi|")["additive.gain"]
    assert desk.marked("flop", one.start, one.end) == "addi"
    assert one.detail.startswith("additive.gain(")


def test_an_anchor_is_offered_as_a_key_that_yaml_reads(desk: Desk) -> None:
    desk.edit("flop", "a gain of 25%.", "a gain: 25%.")
    one = offered(desk, "raises the intensity from 16 to 20, a gain of 25%\n",
                  "raises the intensity from 16 to 20, a \"gain: 25%\n  figures:\n    |\n")
    assert one  # the old figures follow as a second key; the offer comes all the same


def test_a_sentence_is_offered_as_a_quote(desk: Desk) -> None:
    found = offered(desk, "  quote: The gain fades as the batch grows\n", "  quote: |\n")
    assert "The gain fades as the batch grows." in found
    assert found["The gain fades as the batch grows."].text == "The gain fades as the batch grows"


def test_a_broken_document_still_completes_with_what_it_last_held(desk: Desk) -> None:
    desk.open("flop")
    assert desk.record("flop").sound
    found = offered(desk, "  figures:\n    from 16: decode.intensity(batch)\n",
                    "  figures: {\n    from 16: |\n")
    assert not desk.record("flop").sound
    assert {"batch", "draft_k", "decode.intensity"} <= set(found)


def test_json_has_no_completion(desk: Desk) -> None:
    desk.open("records/sources/other.json", '{"id": "sources/other"}')
    name = "records/sources/other.json"
    assert complete(desk.workspace, desk.file(name), desk.record(name), 5) == []
