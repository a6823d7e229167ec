"""An id renamed is renamed everywhere, and the corpus is as good as before."""
from __future__ import annotations

import pytest

from specdil_records.checking import check
from specdil_records.corpus import load_corpus
from specdil_records.editor.renaming import CannotRename, Renaming, applied, renamable, renamed
from tests.editor.desks import Desk


def rename(desk: Desk, name: str, words: str, new: str) -> Renaming:
    return renamed(desk.workspace, desk.record(name), desk.at(name, words), new)


def carry_out(desk: Desk, found: Renaming) -> None:
    for file, text in applied(desk.workspace, found.changes).items():
        file.write_bytes(text.encode())
    if found.moved is not None:
        found.moved[1].parent.mkdir(exist_ok=True)
        found.moved[0].rename(found.moved[1])


@pytest.mark.parametrize(("name", "words", "new"), [
    ("flop", "affected_by_hardware: [exam|ple-chip]", "other-chip"),
    ("chip", "id: accelerators/exam|ple-chip", "better.chip-2"),
    ("flop", "bench-re|port#fading", "a-bench"),
    ("flop", "cited(\"bench-re|port", "a-bench"),
    ("bench", "id: sources/bench-rep|ort", "folder/bench"),
    ("bench", "id: table|-1", "table-2"),
    ("flop", "bench-report#fad|ing", "faded"),
    ("flop", "id: rid|ge", "the-ridge"),
    ("flop", "id: flops/example-|stall", "stall"),
])
def test_the_corpus_is_clean_after_a_renaming(desk: Desk, name: str, words: str, new: str) -> None:
    before = desk.record(name).id, len(desk.workspace.corpus.own)
    carry_out(desk, rename(desk, name, words, new))
    corpus = load_corpus(desk.folder)
    assert check(corpus).findings == ()
    assert len(corpus.own) == before[1]
    texts = "".join(record.document.text for record in corpus.own)
    assert new in texts


def test_a_record_takes_its_file_along(desk: Desk) -> None:
    found = rename(desk, "chip", "id: accelerators/exam|ple-chip", "other-chip")
    assert found.moved == (desk.file("chip"), desk.file("records/accelerators/other-chip.yaml"))
    assert rename(desk, "flop", "id: rid|ge", "other").moved is None


@pytest.mark.parametrize(("new", "why"), [
    ("Other Chip", "lower-case"), ("", "lower-case"), ("example-chip", "already"), ("a..b", "lower-case"),
    ("con", "no name that a file may have everywhere"),
    ("a" * 300, "so long"), ("nul.x", "no name that a file"), ("lpt1", "no name that a file"),
    ("../../x", "lower-case")])
def test_a_name_that_is_none(desk: Desk, new: str, why: str) -> None:
    with pytest.raises(CannotRename, match=why):
        rename(desk, "chip", "id: accelerators/exam|ple-chip", new)


def test_an_item_of_the_same_record_has_the_name_already(desk: Desk) -> None:
    with pytest.raises(CannotRename, match="already"):
        rename(desk, "flop", "id: rid|ge", "gain-at-16")


def test_a_name_that_yaml_reads_otherwise_is_refused(desk: Desk) -> None:
    with pytest.raises(CannotRename, match="would not read the same"):
        rename(desk, "chip", "id: accelerators/exam|ple-chip", "15.5")


def test_nothing_is_renamed_while_a_record_does_not_read(desk: Desk) -> None:
    desk.edit("sheet", "kind: data-sheet", "kind: [")
    with pytest.raises(CannotRename, match="does not read"):
        rename(desk, "chip", "id: accelerators/exam|ple-chip", "other-chip")


def test_where_a_renaming_may_begin(desk: Desk) -> None:
    spot = renamable(desk.workspace, desk.record("flop"), desk.at("flop", "affected_by_hardware: [exam|ple-chip]"))
    assert spot is not None
    assert desk.marked("flop", spot.start, spot.end) == "example-chip"
    assert renamable(desk.workspace, desk.record("flop"), desk.at("flop", "a gain of 2|5%")) is None
    with pytest.raises(CannotRename, match="stands here"):
        rename(desk, "flop", "a gain of 2|5%", "x")
