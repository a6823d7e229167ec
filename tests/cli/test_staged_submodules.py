"""`records check --staged` where a part of the corpus is a submodule: read at the commit that git would record."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.repositories import git, records, repository
from tests.conftest import Build

FLOP = "records/flops/example-stall.yaml"
BENCH = "records/sources/bench-report.yaml"


@pytest.fixture
def folder(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus whose sources are a submodule."""
    other = tmp_path_factory.mktemp("shared")
    whole = build()
    for file in sorted((whole / "records/sources").iterdir()):
        file.rename(other / file.name)
    (whole / "records/sources").rmdir()
    repository(other)
    repository(whole)
    git(whole, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "records/sources")
    git(whole, "commit", "-q", "-m", "with sources")
    return whole


def report(folder: Path, **env: str) -> tuple[int, int, set[str]]:
    """Exit code, records that were judged, and what was found."""
    done = records(folder, "check", "--staged", "--format", "json", **env)
    data: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, data["summary"]["records"], {one["name"] for one in data["findings"]}


def change(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")


def test_records_of_a_submodule_are_there_for_those_that_rest_on_them(folder: Path) -> None:
    change(folder, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(folder, "add", "-A")
    assert report(folder) == (0, 1, set())


def test_a_submodule_is_read_at_the_commit_that_git_would_record(folder: Path) -> None:
    change(folder, BENCH, '"1.25"', '"1.35"')
    assert report(folder)[:2] == (0, 0), "what is changed in its work tree is in no commit of it"
    git(folder / "records/sources", "commit", "-q", "-a", "-m", "another figure")
    assert report(folder)[:2] == (0, 0), "that commit is not staged"
    git(folder, "add", "records/sources")
    change(folder, BENCH, '"1.35"', '"1.25"')
    assert report(folder) == (1, 4, {"figure-drift"})
    assert report(folder, GIT_DIR=str(folder / ".git"), GIT_INDEX_FILE=str(folder / ".git/index")) \
        == (1, 4, {"figure-drift"}), "as in a hook"


def test_a_revision_has_its_submodules(folder: Path) -> None:
    assert "nothing" in records(folder, "diff", "HEAD").stdout
    change(folder, BENCH, '"1.25"', '"1.35"')
    told = records(folder, "diff", "HEAD").stdout
    assert "1.25" in told
    assert "1.35" in told
    assert "bench-report" in told


def test_a_revision_is_one_of_the_repository_in_which_it_is_asked(build: Build,
                                                                   tmp_path_factory: pytest.TempPathFactory) -> None:
    """The whole corpus is a submodule here."""
    whole, other = build(), tmp_path_factory.mktemp("corpus")
    for file in sorted((whole / "records").iterdir()):
        file.rename(other / file.name)
    (whole / "records").rmdir()
    (whole / "pyproject.toml").write_text("[tool.records]\n", encoding="utf-8")
    repository(other)
    repository(whole)
    git(whole, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "records")
    git(whole, "commit", "-q", "-m", "with records")
    git(whole, "tag", "v1")
    change(whole, FLOP, "name: Drafting stalls", "name: Drafting stops")
    git(whole / "records", "commit", "-q", "-a", "-m", "another name")
    for revision in ("HEAD", "v1"):
        done = records(whole, "check", "--against", revision)
        assert (done.returncode, "history-missing" in done.stdout) == (1, True)
    assert records(whole / "records", "check", "--against", "HEAD").returncode == 0
    assert "history-missing" in records(whole / "records", "check", "--against", "HEAD~1").stdout
    git(whole, "commit", "-q", "-a", "-m", "the newer records")
    assert records(whole, "check", "--against", "HEAD").returncode == 0


def test_a_submodule_that_is_taken_away_is_missed(folder: Path) -> None:
    git(folder, "rm", "-q", "-f", "records/sources")
    assert report(folder) == (1, 2, {"unresolved-reference"})


def test_a_submodule_that_is_not_checked_out_has_no_records(folder: Path) -> None:
    git(folder, "submodule", "--quiet", "deinit", "-f", "records/sources")
    change(folder, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(folder, "add", FLOP)
    assert report(folder) == (1, 1, {"unresolved-reference"})


def test_a_commit_that_a_submodule_has_not_got_is_told(folder: Path) -> None:
    git(folder, "update-index", "--cacheinfo", f"160000,{'1' * 40},records/sources")
    done = records(folder, "check", "--staged")
    assert done.returncode == 2
    assert "the submodule records/sources has not got its commit 111111111111" in done.stderr


def test_a_submodule_is_no_record(build: Build) -> None:
    folder = repository(build())
    head = git(folder, "rev-parse", "HEAD").stdout.decode().strip()
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{head},records/flops/part.yaml")
    assert report(folder) == (0, 4, set())


def test_a_submodule_elsewhere_touches_no_record(build: Build) -> None:
    folder = repository(build())
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},elsewhere")
    assert report(folder) == (0, 0, set())
