"""Open buffers stand in for files; findings follow what is typed."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from specdil_records.checking import check
from specdil_records.corpus import load_corpus
from specdil_records.editor.diagnostics import affected, findings, words
from specdil_records.editor.outlining import outline
from specdil_records.editor.workspace import Workspaces
from specdil_records.findings import Problem
from specdil_records.rules import by_name
from tests.editor.desks import Desk


def found(desk: Desk, name: str) -> list[str]:
    return [one.name for one in findings(desk.workspace, [desk.file(name)])[desk.file(name)]]


def test_a_buffer_stands_in_for_its_file_until_it_is_closed(desk: Desk) -> None:
    desk.open("flop")
    assert found(desk, "flop") == []
    desk.edit("flop", "a gain of 25%.", "a gain of 52%.")
    assert found(desk, "flop") == ["figure-drift"]
    desk.desk.drop(desk.file("flop"))
    assert found(desk, "flop") == []


def test_the_findings_are_those_of_a_check(desk: Desk) -> None:
    desk.edit("flop", "a gain of 25%.", "a gain of 52%.")
    mine = findings(desk.workspace, [desk.file("flop")])[desk.file("flop")]
    desk.file("flop").write_text(desk.text("flop"), "utf-8")
    assert tuple(mine) == check(load_corpus(desk.folder)).findings
    assert words(mine[0]).startswith("the prose says 52%, its expression gives 25%")
    assert "help: " in words(mine[0])


def test_a_broken_buffer_has_findings_and_mends_when_it_reads_again(desk: Desk) -> None:
    desk.edit("flop", "history:\n", "history: [\n")
    assert found(desk, "flop") == ["not-yaml"]
    desk.edit("flop", "history: [\n", "history:\n")
    assert found(desk, "flop") == []


def test_every_prefix_of_a_record_is_judged(desk: Desk) -> None:
    text = desk.text("flop")
    for length in range(0, len(text), 97):
        desk.open("flop", text[:length])
        findings(desk.workspace, [desk.file("flop")])
        outline(desk.workspace, desk.record("flop"))
    desk.open("flop", "\ud800")
    assert found(desk, "flop") == ["bad-character"]


def test_open_dependents_are_judged_again(desk: Desk) -> None:
    desk.open("flop")
    desk.open("sheet")
    desk.edit("chip", 'value: "400 TFLOP/s"', 'value: "500 TFLOP/s"')
    files = affected(desk.workspace, desk.file("chip"))
    assert files == [desk.file("chip"), desk.file("flop")]
    assert "figure-drift" in {one.name for one in findings(desk.workspace, files)[desk.file("flop")]}


def test_files_on_disk_are_read_again_when_they_change(desk: Desk) -> None:
    desk.open("flop")
    assert found(desk, "flop") == []
    chip = desk.file("chip")
    chip.write_text(chip.read_text("utf-8").replace("400 TFLOP/s", "4000 TFLOP/s"), "utf-8")
    assert "figure-drift" in found(desk, "flop")
    chip.unlink()
    assert "unresolved-reference" in found(desk, "flop")


def test_only_what_changed_is_read_again(desk: Desk) -> None:
    desk.open("flop")
    before = {record.path: record for record in desk.workspace.corpus.own}
    desk.edit("flop", "a gain of 25%.", "a gain of 52%.")
    after = {record.path: record for record in desk.workspace.corpus.own}
    assert [path for path in after if after[path] is not before[path]] == ["records/flops/example-stall.yaml"]
    assert desk.workspace.corpus is desk.workspace.corpus


def test_a_new_buffer_without_a_file_is_a_record(desk: Desk) -> None:
    record = desk.open("records/sources/new.yaml", 'schema_version: "3.0"\nid: sources/new\nkind: blog\ntitle: New\n')
    assert record.sound
    assert found(desk, "records/sources/new.yaml") == ["unused-source"]


def test_files_that_are_no_records(desk: Desk) -> None:
    for name in ("README.md", "records/flops/.hidden.yaml", "mkdocs.yaml"):
        assert desk.desk.of(desk.folder / name) is None
    assert Workspaces().of(Path(os.sep) / "no-such-folder" / "a.yaml") is None


def test_what_the_settings_exclude_is_no_record(desk: Desk) -> None:
    (desk.folder / "pyproject.toml").write_text('[tool.records]\nexclude = ["flops/*"]\n', "utf-8")
    assert desk.workspace.record(desk.file("flop")) is None
    desk.desk.put(desk.file("flop"), "x")
    assert desk.workspace.record(desk.file("flop")) is None
    assert findings(desk.workspace, [desk.file("flop")]) == {desk.file("flop"): []}


def test_settings_that_are_just_being_written_do_no_harm(desk: Desk) -> None:
    settings = desk.folder / "pyproject.toml"
    settings.write_text("[tool.records]\n", "utf-8")
    desk.open("flop")
    for text in ("[tool.rec", '[tool.records]\nextends = ["other"]\n', '[tool.records]\nseverity = 1\n'):
        settings.write_text(text, "utf-8")
        assert found(desk, "flop") == []
    settings.write_text('[tool.records]\n[tool.records.severity]\nfigure-drift = "off"\n', "utf-8")
    desk.edit("flop", "a gain of 25%.", "a gain of 52%.")
    assert found(desk, "flop") == []


def test_the_shipped_records_stand_behind_a_corpus_that_extends_them(desk: Desk) -> None:
    (desk.folder / "pyproject.toml").write_text('[tool.records]\nextends = ["specdil"]\n', "utf-8")
    desk.edit("flop", "affected_by_hardware: [example-chip]", "affected_by_hardware: [example-chip, nvidia-h100-sxm]")
    assert found(desk, "flop") == []
    shipped = desk.workspace.corpus.find("accelerator", "nvidia-h100-sxm")
    assert shipped is not None
    assert desk.workspace.file(shipped).is_file()


def test_an_outline_names_claims_rows_and_tables(desk: Desk) -> None:
    flop = {one.name: one for one in outline(desk.workspace, desk.record("flop"))}
    assert [one.name for one in flop["claims"].children] == ["gain-at-16", "gain-fades", "ridge", "measured-gain"]
    assert flop["claims"].children[0].detail == "derived, recomputed"
    assert flop["hardware_parameters"].children[0].name == "memory_bandwidth"
    bench = {one.name: one for one in outline(desk.workspace, desk.record("bench"))}
    assert [one.kind for one in (*bench["tables"].children, *bench["quotes"].children)] == ["table", "quote"]
    chip = {one.name: one for one in outline(desk.workspace, desk.record("chip"))}
    assert chip["quantities"].children[1].detail == "400 TFLOP/s"
    for top in flop.values():
        for one in (top, *top.children):
            assert one.start <= one.name_start <= one.name_end <= one.end


def test_a_rule_that_fails_is_told_and_nothing_else_is_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> list[Problem]:
        raise RuntimeError("no")

    desk.edit("flop", "a gain of 25%.", "a gain of 52%.")
    monkeypatch.setattr(by_name("unused-source"), "check", fail)
    broken: dict[str, str] = {}
    assert [one.name for one in findings(desk.workspace, [desk.file("flop")], broken)[desk.file("flop")]] == [
        "figure-drift"]
    assert list(broken) == ["unused-source"]
