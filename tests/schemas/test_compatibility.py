"""A newer schema takes every record of the older one, but for the changes that docs/versioning.md declares.

Containment of schemas is decided by jsonschema-rs (`covers`): YES is a proof, everything else is not. The declared
changes are taken back in the newer schema, which must then contain the older one; with any one of them left standing
it must not, so that nothing is declared that is no change.
"""
from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import pytest

from specdil_records.authoring.migrating import migrated
from specdil_records.reading import Document, read_document
from specdil_records.schemas import kinds, schema_data, validate, versions

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests/examples/good"
ROW = re.compile(r"\| (\w+) \| ([\d.]+) \| ([\d.]+) \| `(\w+)` \| (required|narrowed|gone) \| .+ \|")


class Change(NamedTuple):
    """What breaks, as the table declares it."""

    kind: str
    old: str
    new: str
    key: str
    what: str


DECLARED = [Change(*row) for row in ROW.findall((ROOT / "docs/versioning.md").read_text(encoding="utf-8"))]
STEPS = [(kind, old, new) for kind in kinds() for old, new in zip(versions(kind), versions(kind)[1:], strict=False)]
OLD_EXAMPLES = [(path, new) for kind, old, new in STEPS for path in sorted((EXAMPLES / old / kind).iterdir())]


def any_version(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that does not mind which version a record names."""
    schema = copy.deepcopy(schema)
    schema["properties"]["schema_version"] = {"type": "string"}
    return schema


def taken_back(kind: str, old: str, new: str, changes: list[Change]) -> dict[str, Any]:
    """The newer schema without some of its changes."""
    before, after = schema_data(old, kind), any_version(schema_data(new, kind))
    for change in changes:
        if change.what == "required":
            after["required"].remove(change.key)
        else:
            after["properties"][change.key] = before["properties"][change.key]
    after["$defs"] = {**before.get("$defs", {}), **after.get("$defs", {})}
    return after


def contains(larger: dict[str, Any], smaller: dict[str, Any]) -> bool:
    verdict = jsonschema_rs.canonicalize(larger).covers(jsonschema_rs.canonicalize(smaller))
    return bool(verdict == jsonschema_rs.canonical.Containment.YES)


def found(kind: str, old: str, new: str) -> Iterator[Change]:
    """What breaks, key by key, as the schemas themselves say."""
    before, after = schema_data(old, kind), schema_data(new, kind)
    for key in set(after["required"]) - set(before["required"]):
        yield Change(kind, old, new, key, "required")
    for key, value in before["properties"].items():
        if key not in after["properties"]:
            yield Change(kind, old, new, key, "gone")
        elif key != "schema_version" and not contains(
                {**after["properties"][key], "$defs": after["$defs"]}, {**value, "$defs": before["$defs"]}):
            yield Change(kind, old, new, key, "narrowed")


def test_there_are_steps_to_judge() -> None:
    assert ("flop", "2.0", "3.0") in STEPS
    assert {change[:3] for change in DECLARED} <= set(STEPS)


@pytest.mark.parametrize(("kind", "old", "new"), STEPS)
def test_the_declared_changes_are_the_changes(kind: str, old: str, new: str) -> None:
    assert set(found(kind, old, new)) == {change for change in DECLARED if change[:3] == (kind, old, new)}


@pytest.mark.parametrize(("kind", "old", "new"), STEPS)
def test_without_them_the_newer_schema_contains_the_older(kind: str, old: str, new: str) -> None:
    older = any_version(schema_data(old, kind))
    changes = [change for change in DECLARED if change[:3] == (kind, old, new)]
    assert contains(taken_back(kind, old, new, changes), older)
    for left in changes:
        assert not contains(taken_back(kind, old, new, [one for one in changes if one != left]), older), left


@pytest.mark.parametrize(("kind", "old", "new"), STEPS)
def test_a_minor_version_breaks_nothing(kind: str, old: str, new: str) -> None:
    assert old.partition(".")[0] != new.partition(".")[0] or list(found(kind, old, new)) == []


@pytest.mark.parametrize(("path", "new"), OLD_EXAMPLES, ids=lambda value: getattr(value, "stem", value))
def test_every_good_example_is_good_in_the_next_version(path: Path, new: str) -> None:
    pytest.importorskip("yaml_edit", reason="NOT RUN: the extra `edit` is not installed")
    kind, old = path.parent.name, path.parent.parent.name
    document = read_document(path.read_bytes(), path.name)
    assert validate(document, kind, old) == []
    after = read_document(migrated(document, old, new, date(2026, 12, 1)).text.encode("utf-8"), path.name)
    assert after.data["schema_version"] == new
    assert validate(after, kind, new) == []
    declared = {change.key for change in DECLARED if change[:3] == (kind, old, new)}
    assert faulty_keys(document, kind, old, new) <= declared


def faulty_keys(document: Document, kind: str, old: str, new: str) -> set[str]:
    """The keys at fault when nothing but the version line is changed."""
    text = re.sub(rf"""(schema_version["']?:\s*["']){re.escape(old)}""", rf"\g<1>{new}", document.text, count=1)
    after = read_document(text.encode("utf-8"), document.name)
    assert after.data["schema_version"] == new
    errors = jsonschema_rs.Draft202012Validator(schema_data(new, kind)).iter_errors(after.data)
    return {str(error.instance_path[0]) if error.instance_path else re.findall(r'"(\w+)"', error.message)[-1]
            for error in errors}
