"""`check --against`: content that changed has an entry of its own, and a schema pass changes no content."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.history.repository import Done, Repository, example

SCHEMA = "kind: created}\n- {date: \"2026-11-02\", change: rows added, kind: schema}\n"
CONTENT = SCHEMA.replace("schema", "content")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return example(tmp_path)


def names(done: Done) -> list[tuple[str, str, int]]:
    report = json.loads(done.out)
    return [(finding["name"], finding["path"], finding["line"]) for finding in report["findings"]]


def against(repository: Repository, revision: str = "HEAD") -> list[tuple[str, str, int]]:
    return names(repository.records("check", "--against", revision, "--format", "json"))


FLOP = "records/flops/example-stall.yaml"


def test_content_that_changed_needs_an_entry(repository: Repository) -> None:
    assert against(repository) == []
    repository.edit("flop", "- Draft less when", "- Draft a little less when")
    assert against(repository) == [("history-missing", FLOP, 57)]
    assert names(repository.records("check", "--format", "json")) == []
    repository.edit("flop", "kind: created}\n", CONTENT)
    assert against(repository) == []


def test_a_comment_is_no_content_and_a_revision_further_back_may_be_named(repository: Repository) -> None:
    repository.edit("flop", "status: active", "status: active  # for now")
    assert against(repository) == []
    repository.edit("flop", "- Draft less when", "- Draft a little less when")
    repository.commit()
    assert against(repository) == []
    assert [name for name, *_ in against(repository, "HEAD~1")] == ["history-missing"]


def test_evidence_has_a_history_as_well(repository: Repository) -> None:
    repository.edit("bench", '"2.10"', '"2.20"')
    assert against(repository) == [("history-missing", "records/sources/bench-report.yaml", 2)]


def test_a_schema_pass_that_changes_an_effect_is_found_at_the_effect(repository: Repository) -> None:
    repository.edit("flop", "kind: created}\n", SCHEMA)
    assert against(repository) == []
    repository.edit("flop", "effect: More bandwidth lowers the ridge", "effect: The gain fades as the batch grows")
    assert against(repository) == [("schema-pass-changed-content", FLOP, 15)]
    repository.edit("flop", "kind: schema}\n", "kind: schema}\n- {date: \"2026-11-03\", change: b, kind: correction}\n")
    assert against(repository) == []


def test_a_new_record_and_one_of_an_older_version_need_no_entry(repository: Repository) -> None:
    old = ('schema_version: "1.0"\nid: flops/older\narithmetic_intensity: Nothing.\nscales_with: []\n'
           "affected_by_hardware: []\nworkarounds: []\nnotes: Nothing.\n")
    repository.add("records/flops/older.yaml", old)
    assert against(repository) == []
    repository.commit()
    repository.add("records/flops/older.yaml", old.replace("notes: Nothing", "notes: Something"))
    assert against(repository) == []


def test_a_migration_is_a_schema_pass(repository: Repository) -> None:
    pytest.importorskip("yaml_edit")
    old = ('schema_version: "2.0"\nid: flops/older\narithmetic_intensity: It takes 5 GB.\nscales_with:\n'
           "- batch_size (more of 3 requests)\naffected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\n"
           "notes: Nothing.\n")
    repository.add("records/flops/older.yaml", old)
    repository.commit()
    assert repository.records("migrate", "records/flops/older.yaml", "--to", "3.0").code == 0
    assert against(repository) == []
    repository.edit("records/flops/older.yaml", "It takes 5 GB.", "It takes 6 GB.")
    assert "schema-pass-changed-content" in [name for name, *_ in against(repository)]


@pytest.mark.parametrize("revision", ["nothing-of-the-kind", "--all", "", "HEAD..HEAD"])
def test_a_revision_that_is_none_ends_the_command(repository: Repository, revision: str) -> None:
    done = repository.records("check", f"--against={revision}")
    assert (done.code, done.out) == (2, "")
    assert f"git knows no revision {revision!r}" in done.err


def test_outside_a_repository_there_is_no_revision(tmp_path: Path, build: object) -> None:
    folder = build()  # type: ignore[operator]
    done = Repository(folder).records("check", "--against", "HEAD")
    assert done.code == 2
    assert "in no work tree of git" in done.err


def test_a_record_that_did_not_read_then_is_named(repository: Repository) -> None:
    repository.edit("flop", "status: active", "status: [active")
    repository.commit()
    repository.edit("flop", "status: [active", "status: active")
    done = repository.records("check", "--against", "HEAD")
    assert done.err == f"{FLOP} did not read at HEAD: what has changed in it cannot be told\n"
    assert repository.records("check", "--against", "HEAD~1").err == ""
