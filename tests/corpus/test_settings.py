"""Which corpus a path belongs to, and what its settings may say."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.corpus import SettingsError, find_settings


def make(root: Path, *paths: str, toml: str | None = None, at: str = ".") -> Path:
    for path in paths:
        (root / path).mkdir(parents=True, exist_ok=True)
    if toml is not None:
        (root / at / "pyproject.toml").write_text(toml, encoding="utf-8")
    return root


@pytest.mark.parametrize("start", [".", "records", "records/flops", "records/flops/nosuch.yaml"])
def test_a_records_folder_is_a_corpus_from_everywhere_in_it(tmp_path: Path, start: str) -> None:
    root = make(tmp_path, "records/flops")
    settings = find_settings(root / start)
    assert (settings.project, settings.folder) == (root, root / "records")


@pytest.mark.parametrize("start", [".", "docs", "data/knowledge", "data/knowledge/flops/deep"])
def test_the_settings_of_a_project_hold_for_its_corpus_wherever_it_lies(tmp_path: Path, start: str) -> None:
    root = make(tmp_path, "data/knowledge/flops/deep", "docs", toml='[tool.records]\ncorpus = "data/knowledge"\n')
    settings = find_settings(root / start)
    assert (settings.project, settings.folder) == (root, root / "data/knowledge")


def test_a_folder_beside_the_corpus_has_the_projects_settings(tmp_path: Path) -> None:
    root = make(tmp_path, "data/records", toml='[tool.records]\ncorpus = "data/records"\nexclude = ["x"]\n')
    assert find_settings(root / "data").exclude == ("x",)


def test_a_corpus_inside_a_project_with_another_one_stands_alone(tmp_path: Path) -> None:
    root = make(tmp_path, "records", "tests/case/records/flops", toml="[tool.records]\n")
    assert find_settings(root / "tests/case").folder == root / "tests/case/records"
    assert find_settings(root / "tests/case/records/flops").project == root / "tests/case"


def test_a_folder_of_kinds_is_a_corpus_whatever_its_name(tmp_path: Path) -> None:
    root = make(tmp_path, "lore/flops")
    assert find_settings(root / "lore").folder == root / "lore"


def test_nothing_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no corpus"):
        find_settings(make(tmp_path, "docs") / "docs")


@pytest.mark.parametrize(("toml", "words"), [
    ("[tool.records]\ncorpse = 'records'\n", "no setting corpse"),
    ("[tool.records]\ncorpus = 3\n", "name of a folder"),
    ("[tool.records]\nextends = 'specdil'\n", "list of texts"),
    ("[tool.records]\n[tool.records.severity]\nschema = 'loud'\n", "error, warning or off"),
    ("[tool.records]\n[[tool.records.suppress]]\nname = 'schema'\n", "suppression 1"),
    ("[tool.records]\n[[tool.records.suppress]]\nname = 'schema'\npath = 'x'\nwhy = 'y'\n", "suppression 1"),
    ("tool.records = 3\n", "no table"),
    ("[tool.records\n", "cannot be read"),
])
def test_a_setting_that_cannot_be_used_is_named(tmp_path: Path, toml: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        find_settings(make(tmp_path, "records", toml=toml))
