"""Files whose id does not say where they lie: found where they lie, and nowhere as what they are not."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.checking import check
from specdil_records.corpus.loading import load_corpus
from tests.conftest import Build

CHIP, FLOP, REPORT = ("accelerators/example-chip", "flops/example-stall", "sources/bench-report")


def stray(folder: Path, file: str, identity: str) -> None:
    path = folder / f"records/{file}.yaml"
    path.write_text(path.read_text().replace(f"id: {file}\n", f"id: {identity}\n"))


def found(folder: Path) -> list[tuple[str, str]]:
    report = check(load_corpus(folder))
    assert report.summary.broken == {}
    return [(one.name, one.message) for one in report.findings if one.name != "bad-id"]


@pytest.mark.parametrize("file", [FLOP, REPORT])
def test_an_id_of_another_kind_makes_no_record_of_that_kind(build: Build, file: str) -> None:
    folder = build(("flop", "of: {chip: example-chip}", "of: {chip: other}"))
    stray(folder, file, "accelerators/other")
    assert found(folder) == [("unresolved-reference", "there is no accelerator or model 'other'")]


def test_an_id_of_another_kind_takes_no_record_from_where_it_lies(build: Build) -> None:
    folder = build()
    stray(folder, CHIP, FLOP)
    stray(folder, FLOP, CHIP)
    assert found(folder) == []


def test_a_name_is_not_proposed_for_itself(build: Build) -> None:
    folder = build(("flop", "of: {chip: example-chip}", "of: {chip: example-chap}"))
    stray(folder, CHIP, "models/example-chap")
    ((name, message),) = found(folder)
    assert name == "unresolved-reference"
    assert message == "there is no accelerator or model 'example-chap'; did you mean example-chip?"


def test_whoever_names_a_stray_by_its_path_depends_on_it(build: Build) -> None:
    folder = build()
    stray(folder, CHIP, "accelerators/chap")
    corpus = load_corpus(folder)
    assert "records/flops/example-stall.yaml" in corpus.scope_of({"records/accelerators/example-chip.yaml"})
