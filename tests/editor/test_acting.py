"""What the editor offers to do leaves a record that says just that much more."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.checking import check
from specdil_records.editor.acting import TO_SAY, actions
from specdil_records.editor.answers import Action
from specdil_records.editor.diagnostics import findings
from tests.editor.desks import Desk

EXAMPLES = Path(__file__).parents[1] / "examples"
UNVERIFIED = "Mark the numbers of this sentence unverified"
LIFT = "Lift this sentence into a hardware row"


def offered(desk: Desk, words: str) -> dict[str, Action]:
    offset = desk.at("flop", words)
    record = desk.record("flop")
    sheet = desk.workspace.sheet(record)
    shown = [one for one in findings(desk.workspace, [desk.file("flop")])[desk.file("flop")]
             if sheet.offsets(one.span)[0] <= offset <= sheet.offsets(one.span)[1]]
    return {one.title: one for one in actions(desk.workspace, record, offset, offset, shown)}


def names(desk: Desk) -> set[str]:
    return {finding.name for finding in check(desk.workspace.corpus).findings}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_numbers_of_a_sentence_are_marked_unverified(desk: Desk, line_end: str) -> None:
    text = desk.text("flop").replace("- Draft less when the batch is large.",
                                     "- Draft at most 7 when the batch is large. \U0001f600 Never 9.")
    desk.open("flop", text.replace("\n", line_end))
    assert names(desk) == {"unbound-figure"}
    desk.apply(offered(desk, "at mo|st 7")[UNVERIFIED].changes)
    assert desk.record("flop").data["claims"][-1] == {
        "id": "unverified-1", "in": "/workarounds/0", "quote": "Draft at most 7 when the batch is large",
        "basis": "unverified"}
    desk.apply(offered(desk, "Never |9")[UNVERIFIED].changes)
    assert names(desk) == set()
    assert line_end == "\n" or "\n" not in desk.text("flop").replace("\r\n", "")


def test_the_first_claim_of_a_record(desk: Desk) -> None:
    text = desk.text("flop")
    begin, end = text.index("claims:\n"), text.index("history:\n")
    desk.open("flop", text[:begin] + text[end:])
    desk.apply(offered(desk, "a gain of 2|5%.")[UNVERIFIED].changes)
    assert [claim["id"] for claim in desk.record("flop").data["claims"]] == ["unverified-1"]
    assert desk.record("flop").sound
    desk.open("flop", text[:begin] + "claims: []\n" + text[end:])
    desk.apply(offered(desk, "a gain of 2|5%.")[UNVERIFIED].changes)
    assert desk.record("flop").sound
    assert len(desk.record("flop").data["claims"]) == 1


def test_a_number_is_bound_to_what_gives_its_digits(desk: Desk) -> None:
    desk.edit("flop", "  The gain fades as the batch grows.\n", "  The gain fades as the batch grows.\n"
              "  At batch 64 a step with k=4 drafts gains only 6.25%.\n")
    assert names(desk) == {"unbound-figure"}
    here = offered(desk, "gains only 6|.25%.")
    assert next(iter(here)) == "Bind 6.25% to additive.gain(batch, draft_k)"
    desk.apply(here["Bind 6.25% to additive.gain(batch, draft_k)"].changes)
    assert desk.record("flop").data["claims"][-1]["figures"] == {"6.25%": "additive.gain(batch, draft_k)"}
    assert names(desk) == set()
    assert not [title for title in offered(desk, "gains only 6|.25%.") if title.startswith("Bind")]


def test_a_number_that_is_only_called_unverified_is_bound_too(desk: Desk) -> None:
    desk.edit("flop", "  The gain fades as the batch grows.\n", "  The gain fades as the batch grows.\n"
              "  At batch 64 a step with k=4 drafts gains only 6.25%.\n")
    desk.apply(offered(desk, "gains only 6|.25%.")[UNVERIFIED].changes)
    desk.apply(offered(desk, "gains only 6|.25%.")["Bind 6.25% to additive.gain(batch, draft_k)"].changes)
    assert names(desk) == set()


@pytest.mark.parametrize(("version", "wanted"), [("1.0", []), ("2.0", [LIFT])])
def test_a_record_of_an_older_version_is_offered_what_that_has(desk: Desk, version: str, wanted: list[str]) -> None:
    example = EXAMPLES / "good" / version / "flop/draft-stall.yaml"
    text = example.read_text("utf-8").replace("A draft", "With 4 drafts a draft", 1)
    path = "records/flops/draft-stall.yaml"
    (desk.folder / path).write_text(text, "utf-8")
    record = desk.open(path)
    assert record.sound
    offset = desk.at(path, "With| 4")
    found = actions(desk.workspace, record, offset, offset)
    assert [one.title for one in found] == wanted
    for one in found:
        desk.apply(one.changes)
        assert desk.record(path).sound


def test_a_sentence_is_lifted_into_a_row(desk: Desk) -> None:
    desk.apply(offered(desk, "so its rid|ge lies at")[LIFT].changes)
    row = desk.record("flop").data["hardware_parameters"][-1]
    assert row == {"parameter": "memory_bandwidth", "basis": "unverified", "values_for": ["example-chip"], "effect":
                   "The chip moves 2.00 TB/s and computes 400 TFLOP/s, so its ridge lies at 200 FLOP/byte"}
    assert names(desk) == set()


def test_a_figure_is_disputed(desk: Desk) -> None:
    desk.apply(offered(desk, "a gain of 2|5%.")["Dispute 25% of gain-at-16"].changes)
    assert desk.record("flop").data["disputes"] == [{
        "claim": "gain-at-16", "figure": "gain of 25%", "against": "additive.gain(batch, draft_k)", "because": TO_SAY}]
    assert desk.record("flop").sound
    assert "stale-dispute" in names(desk)  # until its author says what speaks against the figure
    assert "Dispute 25% of gain-at-16" not in offered(desk, "a gain of 2|5%.")


def test_a_figure_that_drifts_is_disputed_as_it_stands(desk: Desk) -> None:
    text = desk.text("flop").replace("a gain of 25%", "a gain of 52%").replace("gain of 25%:", "gain of 52%:")
    desk.open("flop", text)
    desk.apply(offered(desk, "gain of 5|2%: additive")["Dispute 52% of gain-at-16"].changes)
    assert desk.record("flop").data["disputes"][0]["own_model"] == "fails"


def test_a_changed_number_is_followed_by_what_quotes_it(desk: Desk) -> None:
    desk.edit("flop", "The bench report gives 1.25x at batch 16, and says", "The bench report gives 1.25x at batch 16, "
              "or 17, and says")
    desk.edit("flop", "quote: The bench report gives 1.25x at batch 16, and", "quote: The bench report gives 1.25x at "
              "batch 16, or 18, and")
    assert "quote-not-verbatim" in names(desk)
    (fix,) = [one for one in offered(desk, "or |17").values() if one.mends]
    assert (fix.mends, fix.preferred) == ("P08", True)
    desk.apply(fix.changes)
    assert "or 18" not in desk.text("flop")
    assert "quote-not-verbatim" not in names(desk)


def test_a_repair_that_might_make_the_sentence_false_is_not_offered(desk: Desk) -> None:
    desk.edit("flop", "a gain of 25%.\n", "a gain of 52%.\n")
    assert not [one for one in offered(desk, "a gain of 5|2%.").values() if one.mends]


def test_an_ambiguous_scalar_is_quoted(desk: Desk) -> None:
    desk.edit("flop", "- Draft less when the batch is large.", "- no")
    fixes = [one for one in offered(desk, "- n|o\n").values() if one.mends]
    assert ["'no'" in change.text or '"no"' in change.text or '"' in change.text
            for one in fixes for change in one.changes] == [True]
    desk.apply(fixes[0].changes)
    assert "ambiguous-scalar" not in names(desk)


def test_no_repair_is_offered_away_from_its_finding(desk: Desk) -> None:
    desk.edit("flop", "a gain of 25%.\n", "a gain of 52%.\n")
    offset = desk.at("flop", "More band|width lowers the ridge.\nclaims")
    assert not [one for one in actions(desk.workspace, desk.record("flop"), offset, offset) if one.mends]


def test_nothing_is_offered_outside_prose(desk: Desk) -> None:
    assert offered(desk, "name: Draft|ing stalls") == {}


def test_a_list_in_brackets_is_left_alone(desk: Desk) -> None:
    text = desk.text("flop")
    begin, end = text.index("claims:\n"), text.index("history:\n")
    desk.open("flop", text[:begin] + "claims: [{id: a, in: notes, quote: More bandwidth, basis: unverified}]\n"
              + text[end:])
    assert UNVERIFIED not in offered(desk, "a gain of 2|5%.")
