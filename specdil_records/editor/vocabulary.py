"""What a schema allows at a place: the keys of a mapping, and the words of a closed list."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdil_records.findings import Pointer
from specdil_records.schemas.catalogue import schema_data, versions

JOINED = ("allOf", "anyOf", "oneOf")
BRANCHES = ("then", "else", "if")


def version_of(kind: str, data: dict[str, Any]) -> str:
    """The version that a record says, if it ships, else the newest."""
    said = data.get("schema_version")
    return said if isinstance(said, str) and said in versions(kind) else versions(kind)[-1]


def keys_at(version: str, kind: str, pointer: Pointer) -> dict[str, str]:
    """The keys that a mapping at a pointer may have, each with its description."""
    found: dict[str, str] = {}
    for schema in _schemas_at(version, kind, pointer):
        for key, value in schema.get("properties", {}).items():
            found.setdefault(key, _description(value, schema_data(version, kind)))
    return found


def words_at(version: str, kind: str, pointer: Pointer) -> list[str]:
    """The words that a value at a pointer is chosen from; none where it is free."""
    found: list[str] = []
    for schema in _schemas_at(version, kind, pointer):
        found += [word for word in schema.get("enum", []) if isinstance(word, str)]
        found += [schema["const"]] if isinstance(schema.get("const"), str) else []
    return list(dict.fromkeys(found))


def _schemas_at(version: str, kind: str, pointer: Pointer) -> list[dict[str, Any]]:
    root = schema_data(version, kind)
    level = list(_alternatives(root, root))
    for part in pointer:
        below = [child for schema in level for child in _children(schema, part)]
        level = [one for child in below for one in _alternatives(child, root)]
    return level


def _children(schema: dict[str, Any], part: str | int) -> Iterator[Any]:
    if isinstance(part, int):
        yield schema.get("items")
    elif part in schema.get("properties", {}):
        yield schema["properties"][part]
    else:
        yield schema.get("additionalProperties")


def _alternatives(schema: Any, root: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """A schema and all that it refers to, joins or branches into."""
    if not isinstance(schema, dict) or depth > 12:
        return
    yield schema
    inside = [schema.get(key) for key in BRANCHES]
    inside += [one for key in JOINED for one in schema.get(key, [])]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        inside.append(root["$defs"].get(reference.removeprefix("#/$defs/")))
    for one in inside:
        yield from _alternatives(one, root, depth + 1)


def _description(schema: Any, root: dict[str, Any]) -> str:
    return next((str(one["description"]) for one in _alternatives(schema, root) if "description" in one), "")
