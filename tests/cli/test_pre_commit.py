"""The hooks that this repository offers, run by pre-commit itself on commits of a real repository."""
from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.repositories import environment, git, repository
from tests.conftest import Build

TOP = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
FLOP = "records/flops/example-stall.yaml"
CHIP = "records/accelerators/example-chip.yaml"

needs_pre_commit = pytest.mark.skipif(
    importlib.util.find_spec("pre_commit") is None,
    reason="pre-commit (the extra `hooks`) is not installed: the hooks were NOT run")


def local(hook: dict[str, Any]) -> dict[str, Any]:
    """A hook as offered, but run by the Python at hand: making its own environment would need a network."""
    kept = {key: value for key, value in hook.items()
            if key not in ("language", "additional_dependencies", "minimum_pre_commit_version")}
    command, _, arguments = hook["entry"].partition(" ")
    assert command == "records"
    return {**kept, "language": "system", "entry": f'"{sys.executable}" -m specdil_records {arguments}'}


@pytest.fixture
def project(build: Build, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The base example in a repository with the hooks installed."""
    folder = build()
    config = {"repos": [{"repo": "local", "hooks": [local(hook) for hook in HOOKS.values()]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config, width=1000))
    repository(folder)
    done = subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=folder, capture_output=True, text=True,
                          env=home(folder), timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def home(folder: Path) -> dict[str, str]:
    return environment(PRE_COMMIT_HOME=str(folder / ".git/pre-commit-home"), HOME=str(folder / ".git"))


def commit(folder: Path, *arguments: str, top: Path | None = None) -> tuple[int, str]:
    """A commit with the hooks, and what was said."""
    done = subprocess.run(["git", "commit", "-m", "change", *arguments], cwd=folder, env=home(top or folder), text=True,
                          capture_output=True, timeout=240, check=False)
    return done.returncode, done.stdout + done.stderr


def edit(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")


def test_the_fmt_hook_brings_what_the_extra_brings() -> None:
    extras = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert HOOKS["records-fmt"]["additional_dependencies"] == extras["edit"]


def test_the_check_hook_always_runs_and_finds_the_files_itself() -> None:
    hook = HOOKS["records-check"]
    assert (hook["always_run"], hook["pass_filenames"], hook["entry"]) == (True, False, "records check --staged")


@needs_pre_commit
def test_the_manifest_is_one() -> None:
    manifest = str(TOP / ".pre-commit-hooks.yaml")
    done = subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", manifest], capture_output=True,
                          text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_pre_commit
def test_a_drifted_record_is_not_committed_and_a_mended_one_is(project: Path) -> None:
    edit(project, FLOP, "a gain of 25%.", "a gain of 52%.")
    code, said = commit(project, "-a")
    assert code == 1
    assert "figure-drift" in said
    edit(project, FLOP, "a gain of 52%.", "a gain of 25%.")
    edit(project, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    code, said = commit(project, "-a")
    assert code == 0, said
    assert "Passed" in said


@needs_pre_commit
def test_only_the_staged_part_of_a_file_counts(project: Path) -> None:
    edit(project, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    git(project, "add", FLOP)
    edit(project, FLOP, "a gain of 25%.", "a gain of 52%.")
    code, said = commit(project)
    assert code == 0, said
    assert "52%" in (project / FLOP).read_text(), "the rest of the file is still there, not committed"
    git(project, "add", FLOP)
    edit(project, FLOP, "a gain of 52%.", "a gain of 25%.")
    code, said = commit(project)
    assert code == 1
    assert "figure-drift" in said


@needs_pre_commit
def test_a_deletion_is_judged_by_what_depends_on_it(project: Path) -> None:
    git(project, "rm", "-q", CHIP)
    code, said = commit(project)
    assert code == 1
    assert "unresolved-reference" in said
    git(project, "reset", "-q", "--hard")
    git(project, "rm", "-q", FLOP)
    code, said = commit(project)
    assert code == 0, said


@needs_pre_commit
def test_in_a_linked_work_tree(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("linked") / "tree"
    git(project, "worktree", "add", "-q", str(other), "-b", "other")
    edit(other, FLOP, "a gain of 25%.", "a gain of 52%.")
    code, said = commit(other, "-a", top=project)
    assert code == 1
    assert "figure-drift" in said
    edit(other, FLOP, "a gain of 52%.", "a gain of 25%.")
    edit(other, FLOP, "name: Drafting stalls", "name: Drafting stalls at times")
    code, said = commit(other, "-a", top=project)
    assert code == 0, said


@needs_pre_commit
def test_a_staged_record_is_put_into_canonical_form(project: Path) -> None:
    lines = ("id: flops/example-stall\n", "name: Drafting stalls\n")
    edit(project, FLOP, "".join(lines), "".join(reversed(lines)))
    git(project, "add", FLOP)
    code, said = commit(project)
    assert code == 1
    assert "files were modified by this hook" in said
    assert git(project, "diff", "--name-only").stdout.decode().split() == [FLOP], "and git add is left to the author"


@needs_pre_commit
def test_a_commit_of_something_else_passes(project: Path) -> None:
    (project / "remark.txt").write_text("no record\n")
    git(project, "add", "remark.txt")
    code, said = commit(project)
    assert code == 0, said
