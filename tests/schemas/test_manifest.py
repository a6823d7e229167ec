"""A published schema never changes; a draft changes by one command, and is published by another."""
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
    "3.0/accelerator.json": "90af44dab3804c5330c083e1c3adae484b3909c6128675d438315b52eb44a1bf",
    "3.0/flop.json": "08cd8d089379481897b107abbd20f09857e96a61ad82b38c2f285d8e93186c7f",
    "3.0/model.json": "91e499a2f174e191e110f87e64a5375e18817966bd3c8999c3fa59f5c54e47c3",
    "3.0/source.json": "3691031386128fa8d030b929fb6e5ab4ad68fbc5bd4129a71da2b199a67ef053",
    "report/1.0.json": "417a3257adda67c3aaba9e2b183543b72413116e9e99df9633e7bfd5fa588112",
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


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_changed_schema_is_named(copy: Path, name: str) -> None:
    touch(copy / name)
    assert [name in sentence for sentence in manifest.differences(copy)] == [True]


def test_a_missing_schema_is_named(copy: Path) -> None:
    (copy / "3.0" / "model.json").unlink()
    assert ["missing" in sentence for sentence in manifest.differences(copy)] == [True]


def drafted(folder: Path) -> Path:
    """A schema of a version to come, which the manifest does not know yet."""
    path = folder / "9.0" / "model.json"
    path.parent.mkdir()
    path.write_text("{}", encoding="utf-8")
    return path


def test_a_file_that_the_manifest_does_not_know_is_named(copy: Path) -> None:
    drafted(copy)
    assert manifest.differences(copy) == ["9.0/model.json is not in the manifest"]


def test_remaking_takes_over_drafts_and_logs_why(copy: Path) -> None:
    before = (copy / "CHANGES.md").read_text(encoding="utf-8")
    draft = drafted(copy)
    assert manifest.remake_drafts("a draft of 9.0", copy) == ["9.0/model.json"]
    touch(draft)
    assert len(manifest.differences(copy)) == 1
    assert manifest.remake_drafts("one more key\nfor models", copy) == ["9.0/model.json"]
    assert manifest.differences(copy) == []
    assert (copy / "CHANGES.md").read_text(encoding="utf-8") == (
        before + "- 9.0/model.json: a draft of 9.0\n- 9.0/model.json: one more key for models\n")
    assert manifest.remake_drafts("nothing", copy) == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_remaking_never_touches_what_is_published(copy: Path, name: str) -> None:
    touch(copy / name)
    assert manifest.remake_drafts("by mistake", copy) == []
    assert len(manifest.differences(copy)) == 1


def test_publishing_freezes_drafts_for_ever(copy: Path) -> None:
    draft = drafted(copy)
    manifest.remake_drafts("a draft of 9.0", copy)
    assert manifest.publish("9.0", copy) == ["9.0/model.json"]
    touch(draft)
    assert manifest.remake_drafts("by mistake", copy) == []
    assert [("frozen" in sentence) for sentence in manifest.differences(copy)] == [True]
    assert manifest.publish("9.0", copy) == []


def test_a_draft_that_is_not_what_its_hash_says_is_not_published(copy: Path) -> None:
    touch(drafted(copy))
    assert manifest.publish("9.0", copy) == [], "the manifest does not know it"
    manifest.remake_drafts("a draft of 9.0", copy)
    touch(copy / "9.0" / "model.json")
    assert manifest.publish("9.0", copy) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schemas": '])
def test_a_damaged_manifest_is_a_fault_of_the_installation(copy: Path, text: str) -> None:
    (copy / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ShippedDataMissing):
        manifest.differences(copy)


def test_every_schema_of_the_release_is_frozen() -> None:
    entries = json.loads((shipped_folder("schema") / "manifest.json").read_text(encoding="utf-8"))["schemas"]
    assert {name for name, entry in entries.items() if entry["status"] == "frozen"} >= set(PUBLISHED)
    assert {entry["status"] for entry in entries.values()} <= {"frozen", "draft"}
