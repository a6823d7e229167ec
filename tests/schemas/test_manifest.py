"""A published schema never changes; a draft changes by one command."""
from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from specdil_records.schemas import manifest
from specdil_records.shipped import ShippedDataMissing, shipped_folder

PUBLISHED = {
    "1.0/flop.json": "a36451999dbb8d99f60c33ad7c652eab4275b8d48969989162d4f466b147864e",
    "2.0/flop.json": "d7b0b0d3e7ad1d9140d7d0f9c2973c180cc9ae15085b6369a7a8ab4f8fbc863f",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_folder("schema"), tmp_path / "schema"))


def touch(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")


def test_the_shipped_schemas_are_those_of_the_manifest() -> None:
    assert manifest.differences() == []
    assert manifest.main([]) == 0


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_schema_never_changes(name: str) -> None:
    # the hash stands here as well, so that no command can move file and manifest together
    assert hashlib.sha256((shipped_folder("schema") / name).read_bytes()).hexdigest() == PUBLISHED[name]


@pytest.mark.parametrize("name", ["1.0/flop.json", "3.0/source.json"])
def test_a_changed_schema_is_named(copy: Path, name: str) -> None:
    touch(copy / name)
    assert [name in sentence for sentence in manifest.differences(copy)] == [True]


def test_a_missing_schema_is_named(copy: Path) -> None:
    (copy / "3.0" / "model.json").unlink()
    assert ["missing" in sentence for sentence in manifest.differences(copy)] == [True]


def test_remaking_takes_over_drafts_and_logs_why(copy: Path) -> None:
    before = (copy / "CHANGES.md").read_text(encoding="utf-8")
    touch(copy / "3.0" / "model.json")
    assert manifest.remake_drafts("one more key\nfor models", copy) == ["3.0/model.json"]
    assert manifest.differences(copy) == []
    assert (copy / "CHANGES.md").read_text(encoding="utf-8") == before + "- 3.0/model.json: one more key for models\n"
    assert manifest.remake_drafts("nothing", copy) == []


def test_remaking_never_touches_what_is_published(copy: Path) -> None:
    touch(copy / "2.0" / "flop.json")
    assert manifest.remake_drafts("by mistake", copy) == []
    assert len(manifest.differences(copy)) == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schemas": '])
def test_a_damaged_manifest_is_a_fault_of_the_installation(copy: Path, text: str) -> None:
    (copy / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ShippedDataMissing):
        manifest.differences(copy)


def test_the_manifest_says_which_versions_are_drafts() -> None:
    entries = json.loads((shipped_folder("schema") / "manifest.json").read_text(encoding="utf-8"))["schemas"]
    assert {name for name, entry in entries.items() if entry["status"] == "draft"} == {
        f"3.0/{kind}.json" for kind in ("flop", "accelerator", "model", "source")
    }
    assert {name for name, entry in entries.items() if entry["status"] == "frozen"} == set(PUBLISHED)
