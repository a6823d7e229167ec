"""`records diff`: what changed in meaning, record by record."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.history.repository import Repository, example

FLOP = "records/flops/example-stall.yaml"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return example(tmp_path)


def diff(repository: Repository, *revisions: str) -> dict[str, Any]:
    done = repository.records("diff", *(revisions or ("HEAD",)), "--format", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def changes(repository: Repository, *revisions: str) -> list[tuple[str, str, str, str, str]]:
    return [(change["category"], change["what"], change["old"], change["new"], change["note"])
            for record in diff(repository, *revisions)["records"] for change in record["changes"]]


def test_nothing_changed_is_one_line(repository: Repository) -> None:
    assert repository.records("diff", "HEAD").out == "nothing changed: 4 records compared\n"
    repository.edit("flop", "status: active", "status: active  # still")
    assert repository.records("diff", "HEAD", "--format", "text").out == "nothing changed: 4 records compared\n"


def test_a_figure_is_told_with_its_place_and_the_verdict_that_it_turns(repository: Repository) -> None:
    repository.edit("flop", "a gain of 25%.", "a gain of 26%.")
    found = diff(repository)
    assert changes(repository) == [
        ("figure", "arithmetic_intensity", "25%", "26%", ""),
        ("verdict", "claim gain-at-16", "recomputed", "drifted", "")]
    assert found["records"][0]["changes"][0]["place"] == f"{FLOP}:6:84"
    assert found["counts"] == {"figure": 1, "verdict": 1}


def test_a_value_turns_the_verdicts_of_records_that_did_not_change(repository: Repository) -> None:
    repository.edit("chip", '"2.00 TB/s"', '"1.50 TB/s"')
    assert ("value", "memory_bandwidth", "2.00 TB/s", "1.50 TB/s", "") in changes(repository)
    assert ("verdict", "claim ridge", "recomputed", "drifted", "") in changes(repository)
    assert [record["record"] for record in diff(repository)["records"]] == ["accelerators/example-chip",
                                                                           "flops/example-stall"]


def test_bases_conclusions_references_and_disputes_are_told_apart(repository: Repository) -> None:
    repository.edit("flop", "basis: reported", "basis: unverified")
    repository.edit("flop", 'holds: ["decreasing(', 'holds: ["constant(')
    repository.edit("flop", "history:", "disputes:\n- {claim: ridge, words: moves, basis: measured, against: "
                                        "bench-report#fading, because: so}\nmentions: []\nhistory:")
    repository.edit("flop", "affected_by_hardware: [example-chip]", "affected_by_hardware: []")
    repository.edit("bench", "basis: measured\n  seen", "basis: reported\n  seen")
    found = changes(repository)
    assert ("basis", "claim measured-gain", "reported", "unverified", "weakened") in found
    assert ("basis", "#table-1", "measured", "reported", "weakened") in found
    assert ("conclusion", "claim gain-fades: decreasing(additive.gain(B, k), B)", "", "", "removed") in found
    assert ("conclusion", "claim gain-fades: constant(additive.gain(B, k), B)", "", "", "added") in found
    assert ("reference", "affects example-chip", "", "", "removed") in found
    assert any(change[0] == "dispute" and change[4] == "added" for change in found)
    assert ("verdict", "claim gain-fades", "held", "drifted", "") in found


def test_a_cell_is_named_by_its_row_whatever_rows_come_before_it(repository: Repository) -> None:
    repository.edit("bench", 'batch: ["1", "16"], speedup: ["2.10", "1.25"]',
                    'batch: ["1", "8", "16"], speedup: ["2.10", "1.60", "1.24"]')
    assert [change for change in changes(repository) if change[0] == "cell"] == [
        ("cell", "#table-1, batch at batch=8", "", "8", "added"),
        ("cell", "#table-1, speedup at batch=8", "", "1.60", "added"),
        ("cell", "#table-1, speedup at batch=16", "1.25", "1.24", "")]


def test_other_words_are_counted_and_nothing_else(repository: Repository) -> None:
    repository.edit("flop", "- Draft less when the batch is large.", "- When the batch is large, draft less.")
    repository.edit("flop", "name: Drafting stalls", "name: Drafts stall")
    found = diff(repository)
    assert found["counts"] == {"wording": 2}
    assert repository.records("diff", "HEAD").out.endswith("1 of 4 records changed: 2 rewordings\n")


def test_workarounds_that_come_and_go_are_meaning(repository: Repository) -> None:
    repository.edit("flop", "- Draft less when", "- Wait.\n- Draft less when")
    assert changes(repository) == [("workaround", "workaround", "", "Wait.", "added")]


def test_records_come_go_are_withdrawn_and_renamed(repository: Repository) -> None:
    lonely = 'schema_version: "3.0"\nid: sources/{}\nkind: paper\ntitle: A paper\n'
    repository.add("records/sources/gone.yaml", lonely.format("gone").replace("A paper", "Gone"))
    repository.add("records/sources/moved.yaml", lonely.format("moved"))
    repository.commit()
    for name in ("gone", "moved"):
        (repository.folder / f"records/sources/{name}.yaml").unlink()
    repository.add("records/sources/elsewhere.yaml", lonely.format("elsewhere"))
    repository.add("records/sources/come.yaml", lonely.format("come").replace("A paper", "Come"))
    repository.edit("flop", "status: active", "status: withdrawn")
    assert sorted(changes(repository)) == [
        ("record", "Come", "", "there", "added"), ("record", "Gone", "there", "", "removed"),
        ("record", "id", "sources/moved", "sources/elsewhere", "renamed"),
        ("record", "status", "active", "withdrawn", "")]


def test_a_whole_table_that_comes_is_told_once_and_history_entries_are_told(repository: Repository) -> None:
    repository.edit("bench", "quotes:\n", "- id: more\n  locator: Table 2\n  basis: measured\n  columns: {a: [\"1\", "
                                          "\"2\"]}\nquotes:\n")
    repository.edit("flop", "kind: created}\n", "kind: created}\n- {date: \"2026-11-02\", change: more, kind: "
                                                "evidence}\n")
    assert changes(repository) == [
        ("history", "entry", "", "2026-11-02 evidence: more", "added"),
        ("table", "#more", "", "1 column of 2 cells", "added")]


def test_an_entry_of_the_history_that_is_reworded_is_told(repository: Repository) -> None:
    repository.edit("flop", "change: first written", "change: written first")
    assert changes(repository) == [
        ("history", "entry", "", "2026-10-05 created: written first", "added"),
        ("history", "entry", "2026-10-05 created: first written", "", "removed")]


def test_two_revisions_may_be_compared_and_backwards(repository: Repository) -> None:
    repository.edit("flop", "a gain of 25%.", "a gain of 26%.")
    repository.commit()
    repository.edit("flop", "a gain of 26%.", "a gain of 27%.")
    assert changes(repository, "HEAD~1", "HEAD")[0] == ("figure", "arithmetic_intensity", "25%", "26%", "")
    assert changes(repository, "HEAD", "HEAD~1")[0] == ("figure", "arithmetic_intensity", "26%", "25%", "")
    assert changes(repository)[0] == ("figure", "arithmetic_intensity", "26%", "27%", "")
    assert changes(repository, "HEAD", "HEAD") == []


def test_a_record_that_can_no_longer_be_read_is_told(repository: Repository) -> None:
    repository.edit("flop", "status: active", "status: [")
    assert changes(repository) == [("record", "the whole record", "fits its schema", "does not read or fit its schema",
                                    "")]


def test_markdown_lets_no_text_of_a_record_be_markup(repository: Repository) -> None:
    wild = "Ask @someone about <b>#a</b> | `x` [y](http://z)."
    repository.edit("flop", "- Draft less when", f"- {wild}\n- Draft less when")
    done = repository.records("diff", "HEAD", "--format", "markdown")
    row = next(line for line in done.out.splitlines() if "@someone" in line)
    assert row.startswith("| workaround, added | `workaround` |  | ``" + wild.replace("|", "\\|") + "`` |")
    assert done.out.startswith("### Changes of meaning, `HEAD` to the work tree\n\n"
                               "1 of 4 records changed: 1 workaround.\n")


def test_text_for_people(repository: Repository) -> None:
    repository.edit("flop", "a gain of 25%.", "a gain of 26%.")
    assert repository.records("diff", "HEAD").out == (
        "flops/example-stall\n"
        "  figure      arithmetic_intensity: 25% -> 26%\n"
        f"                {FLOP}:6:84\n"
        "  verdict     claim gain-at-16: recomputed -> drifted\n"
        f"                {FLOP}:25:3\n"
        "\n"
        "1 of 4 records changed: 1 figure, 1 verdict\n")


def test_the_corpus_of_a_revision_is_found_by_the_settings_of_that_revision(repository: Repository) -> None:
    repository.add("pyproject.toml", '[tool.records]\ncorpus = "records"\n')
    repository.commit()
    (repository.folder / "records").rename(repository.folder / "knowledge")
    repository.add("pyproject.toml", '[tool.records]\ncorpus = "knowledge"\n')
    assert changes(repository) == []


def test_a_revision_that_is_none_ends_the_command(repository: Repository) -> None:
    done = repository.records("diff", "HEAD", "no-such")
    assert (done.code, done.out, done.err) == (2, "", "records: git knows no revision 'no-such'\n")
