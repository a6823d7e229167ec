"""What of a record a schema pass may not touch, kind by kind: what is told, how it is named, where it stands."""
from __future__ import annotations

import pytest

from specdil_records.checking import check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.findings import Pointer
from specdil_records.rules import Sample
from specdil_records.rules.changed import touched
from specdil_records.rules.samples import BASE
from tests.claims.support import MODEL

Edit = tuple[str, str, str]
Told = list[tuple[str, Pointer]]

ROW = ("flop", "  basis: unverified\n  values_for: [example-chip]", ("  magnitude: 200 FLOP/byte\n  basis: derived\n"
       "  backed_by: ridge\n  values_for: [example-chip]"))
TREND = ("flop", "is: decreasing, over: {B: 1..64, k: 1..8}}", ("is: decreasing, over: {B: 1..64, k: 1..8}}\n"
         "  basis: derived\n  backed_by: gain-fades\n- parameter: draft_k\n  effect: Less with each draft"))
DISPUTE = ("flop", "history:", ("disputes:\n- {claim: ridge, words: moves, basis: measured, against: "
           "bench-report#fading, because: so}\nhistory:"))
CONFLICT = ("chip", "quantities:\n", ("conflicts:\n- {quantity: memory_bandwidth, value: 1.50 TB/s, source: "
                                      "bench-report, note: by a test}\nquantities:\n"))
TOTALS = 'basis: specified\nparameters: "210112"\nkv_bytes_per_token: 256 B\n'
"""What a model's record may say beside its shape."""


def after(edits: tuple[Edit, ...], edit: Edit) -> tuple[Edit, ...]:
    """The edits of the earlier state with one more change in the text that they make."""
    name, old, new = edit
    text = BASE[name]
    for one in edits:
        text = text.replace(one[1], one[2])
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return ((name, BASE[name], text.replace(old, new)),)


def told(edit: Edit, *before: Edit) -> Told:
    """What a pass with one edit would touch of an earlier state that has others."""
    return compared(Sample(before), Sample(after(before, edit)))


def compared(before: Sample, now: Sample) -> Told:
    """What is told of all records of two states."""
    then, found = sample_corpus(before), []
    for record in sample_corpus(now).own:
        assert record.sound, [problem.message for problem in record.problems]
        assert then.by_id[record.id].sound, [problem.message for problem in then.by_id[record.id].problems]
        found += [(str(one), one.where.pointer) for one in touched(then.by_id[record.id], record)]
    return found


def of_model(old: str, new: str) -> Told:
    """What a pass would touch that changes a model's record."""
    text = MODEL.replace("1000", "1000, window: 8") + TOTALS
    assert text.count(old) == 1
    path = "records/models/small.yaml"
    return compared(Sample(files={path: text}), Sample(files={path: text.replace(old, new)}))


# Flop records ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new", "message", "key"), [
    ("effect: More bandwidth lowers", "effect: Less bandwidth raises",
     "an effect, More bandwidth lowers the ridge -> Less bandwidth raises the ridge", "effect"),
    ("parameter: memory_bandwidth", "parameter: memory_capacity",
     "the parameter of an effect, memory_bandwidth -> memory_capacity", "parameter"),
    ("magnitude: 200", "magnitude: 201", "the magnitude of an effect, 200 FLOP/byte -> 201 FLOP/byte", "magnitude"),
    ("  magnitude: 200 FLOP/byte\n", "", "the magnitude of an effect, 200 FLOP/byte -> nothing", "magnitude"),
    ("basis: derived\n  backed_by: ridge", "basis: reported\n  backed_by: ridge",
     "the basis of an effect, derived -> reported", "basis"),
    ("backed_by: ridge", "backed_by: [ridge, gain-fades]",
     "the backed_by of an effect, ridge -> ridge, gain-fades", "backed_by"),
])
def test_what_a_hardware_row_says_may_not_change(old: str, new: str, message: str, key: str) -> None:
    assert told(("flop", old, new), ROW) == [(message, ("hardware_parameters", 0, key))]


def test_of_a_row_that_became_another_the_effect_is_told_alone() -> None:
    assert told(("flop", "parameter: memory_bandwidth\n  effect: More bandwidth lowers the ridge\n",
                 "parameter: memory_capacity\n  effect: The gain fades as the batch grows\n"), ROW) == [
        ("an effect, More bandwidth lowers the ridge -> The gain fades as the batch grows",
         ("hardware_parameters", 0, "effect"))]


def test_a_hardware_row_may_not_go() -> None:
    row = BASE["flop"].partition("hardware_parameters:")[2].partition("workarounds:")[0]
    assert told(("flop", f"hardware_parameters:{row}", "hardware_parameters: []\n")) == [
        ("an effect, More bandwidth lowers the ridge -> nothing", ("hardware_parameters",))]


@pytest.mark.parametrize("edit", [
    ("flop", "values_for: [example-chip]", "values_for: []"), ("flop", "backed_by: ridge", "backed_by: [ridge]"),
    ("flop", "hardware_parameters:\n", ("hardware_parameters:\n- {parameter: tdp, effect: The gain fades, "
                                       "basis: unverified, values_for: []}\n"))])
def test_rows_may_be_added_and_written_otherwise(edit: Edit) -> None:
    assert told(edit, ROW) == []


@pytest.mark.parametrize(("old", "new", "messages"), [
    ("  effect: The gain fades as", "  effect: The gain falls as",
     [("an effect, batch_size (The gain fades as the batch grows) -> batch_size (The gain falls as the batch grows)",
       ("scales_with", 0, "effect"))]),
    ("parameter: batch_size", "parameter: context_length",
     [(("an effect, batch_size (The gain fades as the batch grows) -> context_length (The gain fades as the batch "
      "grows)"),
       ("scales_with", 0, "effect")), ("what stands behind the effect of batch_size", ("scales_with",))]),
    ("over: {B: 1..64, k: 1..8}}\n", "over: {B: 1..64, k: 1..9}}\n",
     [("the trend of additive.gain(B, k)", ("scales_with",))]),
    ("basis: derived\n  backed_by: gain-fades", "basis: reported\n  backed_by: gain-fades",
     [("what stands behind the effect of batch_size", ("scales_with",))]),
    ("backed_by: gain-fades", "backed_by: ridge", [("what stands behind the effect of batch_size", ("scales_with",))]),
    ("- parameter: draft_k\n  effect: Less with each draft\n", "",
     [("an effect, draft_k (Less with each draft) -> nothing", ("scales_with",))]),
])
def test_what_a_scaling_row_says_and_rests_on_may_not_change(old: str, new: str, messages: Told) -> None:
    assert told(("flop", old, new), TREND) == messages


@pytest.mark.parametrize(("old", "new"), [
    ("k: 1..8}}\n", "k: 1..8}, because: so}\n"), ("k: 1..8}}\n", "k: 1..8}, x-mine: 1}\n"),
    ("backed_by: gain-fades", "backed_by: [gain-fades]"), ("each draft\n", "each draft\n  basis: unverified\n"),
    ("each draft\n", 'each draft\n  trend: {of: "additive.gain(4, k)", in: k, is: increasing, over: {k: 1..8}}\n')])
def test_a_scaling_row_may_gain_a_trend_a_basis_and_a_reason(old: str, new: str) -> None:
    assert told(("flop", old, new), TREND) == []


def earlier(version: str) -> Edit:
    """The example as a record of an older version, with its scaling rows as texts."""
    text = BASE["flop"].partition("claims:")[0].replace('"3.0"', f'"{version}"')
    text = text.replace("name: Drafting stalls\nstatus: active\n", "")
    row = text.partition("scales_with:\n")[2].partition("affected_by")[0]
    text = text.replace(row, "- batch_size (The gain fades as the batch grows)\n")
    rows = text.partition("hardware_parameters:")[2].partition("workarounds:")[0]
    return "flop", BASE["flop"], text.replace(f"hardware_parameters:{rows}", "") if version == "1.0" else text


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_record_may_be_taken_to_a_newer_version_and_not_be_changed_on_the_way(version: str) -> None:
    assert compared(Sample((earlier(version),)), Sample()) == []
    other = Sample((("flop", "  effect: The gain fades as", "  effect: The gain falls as"),))
    assert compared(Sample((earlier(version),)), other) == [
        ("an effect, batch_size (The gain fades as the batch grows) -> batch_size (The gain falls as the batch grows)",
         ("scales_with", 0, "effect"))]


@pytest.mark.parametrize(("old", "new", "message", "where"), [
    (", a gain of 25%.", ".", "a figure, 25% -> nothing", ("arithmetic_intensity",)),
    ("- Draft less when the batch is large.", "- Draft less from 24 on.", "a figure, nothing -> 24",
     ("workarounds", 0)),
])
def test_a_figure_may_neither_come_nor_go(old: str, new: str, message: str, where: Pointer) -> None:
    assert told(("flop", old, new)) == [(message, where)]


def test_a_status_may_not_change_and_active_is_what_unsaid_means() -> None:
    withdrawn = ("flop", "status: active", "status: withdrawn")
    assert told(("flop", "status: withdrawn", "status: active"), withdrawn) == [
        ("the status, withdrawn -> active", ("status",))]
    active, gone = ("chip", "name: E", "status: active\nname: E"), ("chip", "name: E", "status: withdrawn\nname: E")
    assert told(active) == []
    assert told(("chip", "status: active\n", ""), active) == []
    assert told(("chip", "status: withdrawn\n", ""), gone) == [("the status, withdrawn -> active", ("id",))]


# Claims and disputes --------------------------------------------------------------------------------------


def test_a_claim_may_not_go_nor_lose_what_it_says() -> None:
    fades = BASE["flop"].partition("- id: gain-fades")[2].partition("- id: ridge")[0]
    assert told(("flop", f"- id: gain-fades{fades}", "")) == [("the claim gain-fades, there -> gone", ("claims",))]
    assert told(("flop", "  of: {chip: example-chip}\n", "")) == [("the claim ridge (of)", ("claims", 2, "of"))]


def test_what_comes_behind_something_that_is_gone_is_compared_as_well() -> None:
    renamed = Sample((("flop", "id: gain-at-16\n", "id: gain-at-sixteen\n"),
                      ("flop", "  basis: derived\n  of:", "  basis: reported\n  of:"),
                      ("chip", '  memory_bandwidth: {value: "2.00 TB/s"', '  memory_capacity: {value: "80 GB"'),
                      ("chip", '"400 TFLOP/s"', '"500 TFLOP/s"')))
    assert [message for message, _ in compared(Sample(), renamed)] == [
        "the value of memory_bandwidth, 2.00 TB/s -> nothing",
        "the value of peak_bf16_dense, 400 TFLOP/s -> 500 TFLOP/s",
        "the claim gain-at-16, there -> gone", "the claim ridge (basis)"]


def test_a_claim_may_gain_a_reason_and_keys_of_its_author() -> None:
    assert told(("flop", "- id: ridge\n", "- id: ridge\n  because: so\n  x-mine: 1\n")) == []


def test_a_dispute_may_neither_go_nor_say_something_else() -> None:
    for old, new in (("words: moves", "words: computes"), (DISPUTE[2], "history:"),
                     ("basis: measured, against: bench-report#fading", "means: 1 < 0")):
        assert told(("flop", old, new), DISPUTE) == [("a dispute about the claim ridge", ("disputes",))]
    assert told(("flop", "because: so", "because: it is so"), DISPUTE) == []
    assert told(("flop", "disputes:\n", ("disputes:\n- {claim: ridge, figure: moves 2.00 TB/s, own_model: fails, "
                                        "because: so}\n")), DISPUTE) == []


# Evidence -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new", "message", "where"), [
    ('"2.00 TB/s"', '"2.00 TB/s", uncertainty: 0.1 TB/s', "the uncertainty of memory_bandwidth, nothing -> 0.1 TB/s",
     ("quantities", "memory_bandwidth")),
    ('"2.00 TB/s", basis: specified', '"2.00 TB/s", basis: measured',
     "the basis of memory_bandwidth, specified -> measured", ("quantities", "memory_bandwidth")),
    ('  memory_bandwidth: {value: "2.00 TB/s", basis: specified, source: chip-sheet, locator: page 1}\n', "",
     "the value of memory_bandwidth, 2.00 TB/s -> nothing", ("quantities",)),
    ("1.50 TB/s", "1.60 TB/s", "a conflicting value of memory_bandwidth, 1.50 TB/s -> gone", ("conflicts",)),
    ("{quantity: memory_bandwidth", "{quantity: tdp", "a conflicting value of memory_bandwidth, 1.50 TB/s -> gone",
     ("conflicts",)),
    (CONFLICT[2], "quantities:\n", "a conflicting value of memory_bandwidth, 1.50 TB/s -> gone", ("conflicts",)),
])
def test_values_of_an_accelerator_may_not_change(old: str, new: str, message: str, where: Pointer) -> None:
    assert told(("chip", old, new), CONFLICT) == [(message, where)]


def test_places_and_remarks_of_values_and_further_conflicts_may_change() -> None:
    assert told(("chip", 'locator: page 1}\n  peak', 'locator: page 2, seen: full-text}\n  peak')) == []
    assert told(("chip", "note: by a test", "locator: page 2"), CONFLICT) == []
    assert told(("chip", "conflicts:\n", "conflicts:\n- {quantity: tdp, value: 9 W, source: bench-report}\n"),
                CONFLICT) == []


@pytest.mark.parametrize(("old", "new", "message", "where"), [
    ("layers: 2", "layers: 3", "the value of layers, 2 -> 3", ("shape", "layers")),
    (", window: 8", "", "the value of window, 8 -> nothing", ("shape",)),
    ('"210112"', '"210113"', "the value of parameters, 210112 -> 210113", ("parameters",)),
    ("256 B", "512 B", "the value of kv_bytes_per_token, 256 B -> 512 B", ("kv_bytes_per_token",)),
    ("kv_bytes_per_token: 256 B\n", "", "the value of kv_bytes_per_token, 256 B -> nothing", ("id",)),
    ("basis: specified", "basis: measured", "the basis, specified -> measured", ("basis",)),
    ("basis: specified\n", "", "the basis, specified -> reported", ("id",)),
])
def test_the_shape_the_totals_and_the_basis_of_a_model_may_not_change(old: str, new: str, message: str,
                                                                     where: Pointer) -> None:
    assert of_model(old, new) == [(message, where)]


def test_a_model_may_gain_a_total_a_number_of_its_shape_and_remarks() -> None:
    assert of_model("parameters:", 'matmul_parameters: "146000"\nlocator: page 1\nnotes: Small.\nparameters:') == []
    assert of_model("layers: 2", "mtp_layers: 1, layers: 2") == []


@pytest.mark.parametrize(("old", "new", "message", "where"), [
    ('"1.25"]', '{value: "1.26", note: read off}]', "the table table-1 (columns/speedup/1)",
     ("tables", 0, "columns", "speedup", 1)),
    ('"1.25"]', '{value: "1.25", uncertainty: "0.1"}]', "the table table-1 (columns/speedup/1)",
     ("tables", 0, "columns", "speedup", 1)),
    ("basis: measured\n  seen", "basis: reported\n  seen", "the table table-1 (basis)", ("tables", 0, "basis")),
    ("accelerator: example-chip", "accelerator: other-chip", "the table table-1 (conditions/accelerator)",
     ("tables", 0, "conditions", "accelerator")),
    ("with every request", "with each request", "the quote fading (text)", ("quotes", 0, "text")),
    (BASE["bench"].partition("quotes:")[2], " []\n", "the quote fading, there -> gone", ("quotes",)),
])
def test_tables_and_quotes_of_a_source_may_not_change(old: str, new: str, message: str, where: Pointer) -> None:
    assert told(("bench", old, new)) == [(message, where)]


@pytest.mark.parametrize(("old", "new"), [
    ("locator: Table 1", "locator: Table 1, page 2"),
    ("  basis: measured\n  seen", "  notes: so\n  caption: Speed\n  basis: measured\n  seen"),
    ('"1.25"]', '{value: "1.25"}]'), ('"1.25"]', '{value: "1.25", note: read off}]'),
    ("Section 3,", "Section 4, notes: so,"), ("- id: table-1\n", "- id: table-1\n  x-mine: 1\n"),
])
def test_places_and_remarks_and_how_a_cell_is_written_may_change(old: str, new: str) -> None:
    assert told(("bench", old, new)) == []


def test_a_cell_may_lose_its_remark() -> None:
    long = ("bench", '"1.25"]', '{value: "1.25", note: read off}]')
    assert told(("bench", '{value: "1.25", note: read off}', '"1.25"'), long) == []
    assert told(("bench", ", note: read off", ", note: read"), long) == []


def test_a_single_cell_is_compared_as_those_of_a_column_are() -> None:
    single = ("bench", 'batch: ["1", "16"], speedup: ["2.10", "1.25"]', 'batch: "16", speedup: "1.25"')
    assert told(("bench", 'speedup: "1.25"', 'speedup: {value: "1.25", note: so}'), single) == []
    assert told(("bench", 'speedup: "1.25"', 'speedup: "1.3"'), single) == [
        ("the table table-1 (columns/speedup)", ("tables", 0, "columns", "speedup"))]


# In a check -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("history", ["5", "true", "{a: b}", "text", "[]"])
def test_an_earlier_history_that_is_none_has_no_entries(history: str) -> None:
    entry = 'history:\n- {date: "2026-10-05", change: first written, kind: created}\n'
    report = check(sample_corpus(Sample((("flop", "name: Drafting stalls", "name: Drafting stops"),),
                                        before=(("flop", entry, f"history: {history}\n"),))))
    assert report.summary.broken == {}
    assert [finding.name for finding in report.findings] == []


@pytest.mark.parametrize(("edit", "before", "message", "where"), [
    (("chip", "source: chip-sheet, locator: page 1}\n  peak", "source: bench-report, locator: page 1}\n  peak"), (),
     "the source of memory_bandwidth, chip-sheet -> bench-report", ("quantities", "memory_bandwidth")),
    (("chip", "locator: page 1, seen: excerpt}", "locator: page 1, seen: full-text}"),
     (("chip", "locator: page 1}\n  peak", "locator: page 1, seen: excerpt}\n  peak"),),
     "the seen of memory_bandwidth, excerpt -> full-text", ("quantities", "memory_bandwidth")),
    (("bench", "kind: benchmark\nseen: excerpt", "kind: benchmark\nseen: full-text"),
     (("bench", "kind: benchmark", "kind: benchmark\nseen: excerpt"),), "the seen, excerpt -> full-text", ("seen",)),
    (("bench", '"2503.01840"', '"2503.01841"'),
     (("bench", "kind: benchmark", 'kind: benchmark\nidentifiers: {arxiv: "2503.01840"}'),),
     "the value of arxiv, 2503.01840 -> 2503.01841", ("identifiers", "arxiv")),
])
def test_where_evidence_is_from_may_not_change(edit: Edit, before: tuple[Edit, ...], message: str,
                                               where: Pointer) -> None:
    assert told(edit, *before) == [(message, where)]


def test_where_evidence_is_from_may_be_said_where_it_was_not() -> None:
    more = 'kind: benchmark\nseen: full-text\nidentifiers: {arxiv: "2503.01840"}'
    assert told(("bench", "kind: benchmark", more)) == []
