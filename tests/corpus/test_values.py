"""A key of one's own among the quantities of an accelerator, the shape of a model or what identifies a source."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.checking import check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.editor.hovering import summary
from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of
from tests.claims.support import MODEL
from tests.history.repository import Repository

SMALL = "records/models/small.yaml"
FREE = ["text", "5", "true", "null", "[1, 2]", "{source: nobody, value: 5, uncertainty: 3}", "a source of .5 GB/s"]


def sample(free: str) -> Sample:
    """The example with a model, and with a key of one's own wherever values stand under names."""
    key = f"x-mine: {free}" if free else ""
    return Sample((
        ("chip", "quantities:\n", f"quantities:\n  {key}\n"),
        ("sheet", "kind: data-sheet\n", f"kind: data-sheet\nidentifiers:\n  {key}\n  doi: 10.1145/1498765.1498785\n"),
    ), {SMALL: MODEL.replace("{layers", f"{{{key}, layers" if key else "{layers")})


@pytest.mark.parametrize("free", FREE)
def test_a_key_of_ones_own_may_hold_anything(free: str) -> None:
    report = check(sample_corpus(sample(free)))
    assert (report.findings, report.summary.broken) == (check(sample_corpus(sample(""))).findings, {})


def test_a_key_of_ones_own_is_not_proposed_for_a_name_that_is_not_there() -> None:
    row = ("flop", "  basis: unverified\n  values_for", ("  basis: specified\n  backed_by: example-chip.x_mine\n"
                                                        "  values_for"))
    own = sample("{value: 2.00 TB/s, basis: specified}")
    found = check(sample_corpus(Sample((*own.edits, row), own.files))).findings
    assert [(one.name, one.message) for one in found if one.record == "flops/example-stall"] == [
        ("unresolved-reference", "example-chip has no 'x_mine'")]


def test_a_summary_leaves_keys_of_ones_own_out() -> None:
    records = sample_corpus(sample("text")).by_id
    assert summary(records["accelerators/example-chip"]) == "memory_bandwidth 2.00 TB/s, peak_bf16_dense 400 TFLOP/s"
    assert summary(records["models/small"]) == ("layers 2, hidden_size 64, heads 4, kv_heads 2, head_size 16, "
                                                "ffn_size 128, vocabulary 1000")
    assert summary(records["sources/chip-sheet"]) == "data-sheet; doi 10.1145/1498765.1498785"


def written(folder: Path, free: str) -> Repository:
    made = Repository(folder / f"with {free}")
    for path, text in files_of(sample(free)).items():
        made.add(path, text)
    return made


@pytest.mark.parametrize("command", [
    ("export", "--format", "csv", "--table", "values"), ("export", "--format", "bibtex"),
    ("selftest", "--mutate", "--format", "json"), ("bind", "flops/example-stall"), ("impact", "example-chip"),
])
def test_commands_say_the_same_with_a_key_of_ones_own_and_without(tmp_path: Path, command: tuple[str, ...]) -> None:
    one, two = (written(tmp_path, free).records(*command) for free in ("", "text"))
    assert one.out != ""
    assert (one.code, one.out, one.err) == (two.code, two.out, two.err)


def test_a_key_of_ones_own_is_a_remark_beside_changes_of_meaning(tmp_path: Path) -> None:
    repository = written(tmp_path, "old")
    repository.git("init", "--quiet")
    repository.commit()
    for path in (SMALL, "chip", "sheet"):
        repository.edit(path, "x-mine: old", "x-mine: new")
    assert repository.records("diff", "HEAD").out == (
        "accelerators/example-chip\n  wording     1 passage\n\nmodels/small\n  wording     1 passage\n\n"
        "sources/chip-sheet\n  wording     1 passage\n\n3 of 5 records changed: 3 rewordings\n")
