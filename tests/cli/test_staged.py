"""`records check --staged` judges what git would commit, and nothing else."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.repositories import environment, git, records, repository
from tests.conftest import Build

FLOP = "records/flops/example-stall.yaml"
CHIP = "records/accelerators/example-chip.yaml"
SHEET = "records/sources/chip-sheet.yaml"
BENCH = "records/sources/bench-report.yaml"


def edit(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")


def drift(folder: Path, path: str = FLOP) -> None:
    edit(folder, path, "a gain of 25%.", "a gain of 52%.")


def mend(folder: Path, path: str = FLOP) -> None:
    edit(folder, path, "a gain of 52%.", "a gain of 25%.")


def staged(folder: Path, *arguments: str, **env: str) -> dict[str, Any]:
    """The JSON report of a check of what is staged."""
    done = records(folder, "check", "--staged", "--format", "json", *arguments, **env)
    assert done.stdout, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (1 if data["summary"]["errors"] else 0), done.stderr
    return data


def found(folder: Path, *arguments: str, **env: str) -> set[tuple[str, str]]:
    return {(one["name"], one["path"]) for one in staged(folder, *arguments, **env)["findings"]}


def test_with_nothing_staged_one_line_says_so(build: Build) -> None:
    folder = repository(build())
    drift(folder)
    (folder / "remark.txt").write_text("no record")
    git(folder, "add", "remark.txt")
    done = records(folder, "check", "--staged")
    assert (done.returncode, done.stdout, done.stderr) == (0, "nothing to check: no record is staged\n", "")
    assert staged(folder)["summary"]["records"] == 0


@pytest.mark.parametrize("form", ["sarif", "junit", "github"])
def test_with_nothing_staged_every_format_is_still_written(build: Build, form: str) -> None:
    done = records(repository(build()), "check", "--staged", "--format", form)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_the_index_is_judged_and_not_the_work_tree(build: Build) -> None:
    folder = repository(build())
    drift(folder)
    git(folder, "add", FLOP)
    mend(folder)
    assert found(folder) == {("figure-drift", FLOP)}
    git(folder, "add", FLOP)
    drift(folder)
    assert found(folder) == set()


def test_a_part_of_a_file_may_be_staged(build: Build) -> None:
    folder = repository(build())
    edit(folder, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(folder, "add", FLOP)
    drift(folder)
    assert staged(folder)["summary"]["records"] == 1
    assert found(folder) == set()
    assert records(folder, "check").returncode == 1


def test_dependents_of_a_staged_record_are_judged_as_of_the_index(build: Build) -> None:
    folder = repository(build())
    edit(folder, CHIP, '"400 TFLOP/s"', '"300 TFLOP/s"')
    git(folder, "add", CHIP)
    edit(folder, FLOP, "computes 400 TFLOP/s", "computes 300 TFLOP/s")
    assert found(folder) == {("figure-drift", FLOP)}


def test_records_that_are_not_touched_are_not_reported(build: Build) -> None:
    folder = build()
    drift(folder)
    repository(folder)
    edit(folder, BENCH, "title: Bench report", "title: The bench report")
    edit(folder, SHEET, "title: Data sheet of", "title: The data sheet of")
    git(folder, "add", SHEET)
    assert staged(folder)["summary"]["records"] >= 2, "the sheet and what rests on it"
    git(folder, "reset", "-q", "--hard")
    other = 'schema_version: "3.0"\nid: sources/other\nkind: blog\ntitle: Another\n'
    (folder / "records/sources/other.yaml").write_text(other)
    git(folder, "add", "-A")
    assert ("figure-drift", FLOP) not in found(folder)


def test_a_deleted_record_is_not_read_and_its_dependents_are_judged(build: Build) -> None:
    folder = repository(build())
    git(folder, "rm", "-q", CHIP)
    assert ("unresolved-reference", FLOP) in found(folder)
    assert {path for _, path in found(folder)} == {FLOP, BENCH}


def test_a_file_deleted_from_the_work_tree_alone_is_still_judged(build: Build) -> None:
    folder = repository(build())
    drift(folder)
    git(folder, "add", FLOP)
    (folder / FLOP).unlink()
    (folder / CHIP).unlink()
    assert found(folder) == {("figure-drift", FLOP)}


def test_a_deletion_that_nothing_depends_on_leaves_nothing_to_check(build: Build) -> None:
    folder = repository(build())
    git(folder, "rm", "-q", FLOP)
    done = records(folder, "check", "--staged")
    assert (done.returncode, done.stdout) == (0, "nothing to check: no record depends on what is deleted\n")


def test_a_renamed_record_is_judged_under_its_new_name_and_missed_under_its_old(build: Build) -> None:
    folder = repository(build())
    git(folder, "mv", CHIP, "records/accelerators/other-chip.yaml")
    assert found(folder) == {("bad-id", "records/accelerators/other-chip.yaml")}, "the id still says the old name"
    edit(folder, "records/accelerators/other-chip.yaml", "id: accelerators/example-chip", "id: accelerators/other-chip")
    git(folder, "add", "-A")
    assert ("unresolved-reference", FLOP) in found(folder)


def test_what_is_only_intended_to_be_added_is_no_part_of_the_commit(build: Build) -> None:
    folder = repository(build())
    (folder / "records/flops/later.yaml").write_text("")
    git(folder, "add", "-N", "records/flops/later.yaml")
    assert staged(folder)["summary"]["records"] == 0
    edit(folder, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(folder, "add", FLOP)
    assert found(folder) == set()
    git(folder, "add", "records/flops/later.yaml")
    assert ("schema", "records/flops/later.yaml") in found(folder), "an empty file that is added is an empty record"


def test_a_repository_without_a_commit(build: Build) -> None:
    folder = build()
    git(folder, "init", "-q")
    assert staged(folder)["summary"]["records"] == 0
    drift(folder)
    git(folder, "add", "-A")
    assert found(folder) == {("figure-drift", FLOP)}


def test_another_index_is_honoured(build: Build) -> None:
    """As git itself makes one for `commit -a` and `commit FILE`."""
    folder = repository(build())
    other = str(folder / ".git/other-index")
    git(folder, "read-tree", "HEAD", env={"GIT_INDEX_FILE": other})
    drift(folder)
    git(folder, "add", FLOP, env={"GIT_INDEX_FILE": other})
    assert found(folder) == set()
    assert found(folder, GIT_INDEX_FILE=other) == {("figure-drift", FLOP)}
    assert found(folder / "records/flops", GIT_INDEX_FILE=".git/other-index") == {("figure-drift", FLOP)}, \
        "from the top, as git itself takes it"


def hook(folder: Path, command: str = "") -> None:
    """A hook of git's own that runs the check, as `records` would be run from one."""
    place = folder / ".git/hooks/pre-commit"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f'#!/bin/sh\n{command}exec "{sys.executable}" -m specdil_records check --staged\n')
    place.chmod(0o755)


def commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "commit", "-q", "-m", "change", *arguments], cwd=folder, env=environment(), text=True,
                          capture_output=True, timeout=120, check=False)


def test_as_a_hook_of_commit_all_and_of_a_commit_of_one_file(build: Build) -> None:
    folder = repository(build())
    hook(folder)
    drift(folder)
    edit(folder, SHEET, "title: Data sheet of", "title: The data sheet of")
    done = commit(folder, "-a")
    assert done.returncode == 1
    assert "figure-drift" in done.stdout + done.stderr
    assert commit(folder, SHEET).returncode == 0, "the drifted file is no part of this commit"
    git(folder, "add", FLOP)
    mend(folder)
    assert commit(folder).returncode == 1
    assert commit(folder, "-a", "--allow-empty").returncode == 0


@pytest.mark.parametrize("command", ["", "cd records/flops && "])
def test_as_a_hook_in_a_linked_work_tree(build: Build, tmp_path_factory: pytest.TempPathFactory, command: str) -> None:
    folder = repository(build())
    hook(folder, command)
    other = tmp_path_factory.mktemp("linked") / "tree"
    git(folder, "worktree", "add", "-q", str(other), "-b", "other")
    drift(other)
    assert commit(other, "-a").returncode == 1
    mend(other)
    edit(other, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    assert commit(other, "-a").returncode == 0
    drift(folder)
    assert found(other) == set()


@pytest.mark.parametrize("name", ["two\nlines.yaml", "tab\there.yaml", 'quo"te.yaml', "café.yaml", b"caf\xe9.yaml",
                                  "-dash.yaml", "sp ace .yaml"])
def test_odd_names(build: Build, name: str | bytes) -> None:
    folder = repository(build())
    text = (folder / FLOP).read_bytes()
    raw = os.fsencode(name)
    with open(os.path.join(os.fsencode(folder), b"records/flops", raw), "wb") as file:
        file.write(text.replace(b"id: flops/example-stall", b"id: flops/odd"))
    git(folder, "add", "-A")
    shown = raw.decode("utf-8", "backslashreplace")
    assert found(folder) == {("bad-id", f"records/flops/{shown}")}
    done = records(folder, "check", "--staged")
    assert done.returncode == 1
    assert all(ch.isprintable() for line in done.stdout.split("\n") for ch in line)


def test_only_record_files_of_the_corpus_count(build: Build) -> None:
    folder = build(files={"pyproject.toml": '[tool.records]\nexclude = ["drafts", "*.yml"]\n'})
    repository(folder)
    for path in ("records/drafts/flops/x.yaml", "records/.hidden.yaml", "records/.git2/x.yaml", "records/note.txt",
                 "records/x.yml", "elsewhere/x.yaml"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")
    git(folder, "add", "-A")
    assert staged(folder)["summary"]["records"] == 0


@pytest.mark.parametrize("name", ["STRAY.YAML", "stray.Yml", "stray.JSON"])
def test_an_ending_in_capitals_makes_a_record_as_on_disk(build: Build, name: str) -> None:
    folder = repository(build())
    (folder / "records/sources" / name).write_text("x")
    git(folder, "add", "-A")
    assert {path for _, path in found(folder)} == {f"records/sources/{name}"}
    git(folder, "commit", "-q", "-m", "there")
    git(folder, "rm", "-q", f"records/sources/{name}")
    assert "no record depends on what is deleted" in records(folder, "check", "--staged").stdout


def test_settings_are_those_of_the_index(build: Build) -> None:
    folder = build(files={"pyproject.toml": "[tool.records]\n"})
    drift(folder)
    repository(folder)
    (folder / "pyproject.toml").write_text('[tool.records]\nseverity = {figure-drift = "warning"}\n')
    edit(folder, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(folder, "add", FLOP)
    assert [one["severity"] for one in staged(folder)["findings"]] == ["error"]
    git(folder, "add", "pyproject.toml")
    assert [one["severity"] for one in staged(folder)["findings"]] == ["warning"]


def test_settings_that_name_no_folder_are_a_wrong_command(build: Build) -> None:
    folder = repository(build(files={"pyproject.toml": "[tool.records]\n"}))
    (folder / "pyproject.toml").write_text('[tool.records]\ncorpus = "recrods"\n')
    assert records(folder, "check", "--staged").returncode == 0, "the settings that count are those of the index"
    git(folder, "add", "pyproject.toml")
    for _ in range(2):
        wrong = records(folder, "check", "--staged")
        assert wrong.returncode == 2
        assert "recrods does not exist" in wrong.stderr
        git(folder, "commit", "-q", "--allow-empty", "-m", "as it is")
    (folder / "recrods").mkdir()
    assert records(folder, "check", "--staged").returncode == 0


def test_changed_settings_touch_every_record(build: Build) -> None:
    folder = build(files={"pyproject.toml": '[tool.records]\nseverity = {figure-drift = "off"}\n'})
    drift(folder)
    repository(folder)
    (folder / "pyproject.toml").write_text("[tool.records]\n[tool.other]\n")
    git(folder, "add", "pyproject.toml")
    assert staged(folder)["summary"]["records"] == 4
    assert found(folder) == {("figure-drift", FLOP)}
    git(folder, "commit", "-q", "-m", "on")
    (folder / "pyproject.toml").write_text("[tool.records]\n[tool.another]\n")
    git(folder, "add", "pyproject.toml")
    assert staged(folder)["summary"]["records"] == 0, "another tool's settings change no verdict"


def test_a_project_below_the_top_is_found_from_inside_or_by_its_folder(build: Build, tmp_path: Path) -> None:
    build(files={"pyproject.toml": "[tool.records]\n"})
    project = tmp_path / "knowledge"
    project.mkdir()
    for name in ("records", "pyproject.toml"):
        (tmp_path / name).rename(project / name)
    repository(tmp_path)
    drift(project)
    git(tmp_path, "add", "-A")
    assert found(project) == {("figure-drift", FLOP)}
    assert found(project / "records/flops") == found(tmp_path, "knowledge") == found(project)
    done = records(tmp_path, "check", "--staged", "--format", "github", "knowledge", GITHUB_WORKSPACE=str(tmp_path))
    assert f"file=knowledge/{FLOP}," in done.stdout


def test_links_are_followed_within_what_git_would_commit(build: Build) -> None:
    folder = build()
    (folder / "shared").mkdir()
    (folder / SHEET).rename(folder / "shared/sheet.yaml")
    (folder / SHEET).symlink_to("../../shared/sheet.yaml")
    repository(folder)
    edit(folder, "shared/sheet.yaml", "title: Data sheet", "titel: Data sheet")
    assert found(folder) == set()
    git(folder, "add", "-A")
    assert ("schema", SHEET) in found(folder)


@pytest.mark.parametrize(("target", "words"), [("/etc/hostname", "would not commit"), ("loop.yaml", "loop"),
                                               ("../../../outside", "would not commit")])
def test_a_link_that_leads_nowhere_is_a_wrong_command(build: Build, target: str, words: str) -> None:
    folder = repository(build())
    (folder / "records/sources/loop.yaml").symlink_to(target)
    git(folder, "add", "-A")
    done = records(folder, "check", "--staged")
    assert done.returncode == 2
    assert words in done.stderr


def test_an_unmerged_record_cannot_be_committed(build: Build) -> None:
    folder = repository(build())
    oid = git(folder, "rev-parse", f"HEAD:{FLOP}").stdout.decode().strip()
    lines = "".join(f"100644 {oid} {stage}\t{FLOP}\n" for stage in (1, 2, 3))
    git(folder, "rm", "-q", "--cached", FLOP)
    git(folder, "update-index", "--index-info", stdin=lines.encode())
    done = records(folder, "check", "--staged")
    assert done.returncode == 2
    assert "unmerged" in done.stderr


def test_nothing_of_the_repository_is_changed(build: Build) -> None:
    folder = repository(build())
    drift(folder)
    git(folder, "add", FLOP)

    def state() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    before = state()
    assert found(folder)
    assert state() == before


@pytest.mark.parametrize("arguments", [["-"], ["records", "records/flops"], [FLOP],
                                       ["--baseline", "b", "--write-baseline"]])
def test_what_cannot_go_with_staged(build: Build, arguments: list[str]) -> None:
    done = records(repository(build()), "check", "--staged", *arguments)
    assert done.returncode == 2
    assert "staged" in done.stderr or "whole corpus" in done.stderr


def test_outside_a_repository_and_without_git(build: Build, tmp_path: Path) -> None:
    folder = build()
    done = records(folder, "check", "--staged", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert done.returncode == 2
    assert "is in no git repository" in done.stderr
    repository(folder)
    (folder / "empty").mkdir()
    done = records(folder, "check", "--staged", PATH=str(folder / "empty"))
    assert done.returncode == 2
    assert "git is not installed" in done.stderr
    done = records(folder / ".git", "check", "--staged")
    assert done.returncode == 2
    assert "work tree" in done.stderr


def test_a_very_large_blob_is_cut_at_the_limit(build: Build) -> None:
    folder = repository(build())
    (folder / "records/flops/big.yaml").write_bytes(b"a: " + b"x" * (5 * 1024 * 1024))
    drift(folder)
    git(folder, "add", "-A")
    assert found(folder) == {("too-large", "records/flops/big.yaml"), ("figure-drift", FLOP)}
