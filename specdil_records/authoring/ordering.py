"""The order of keys that a record's own schema gives."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from specdil_records.findings import Pointer
from specdil_records.schemas.catalogue import schema_data

Schema = Mapping[str, Any]


def orders(data: Any, kind: str, version: str) -> Iterator[tuple[Pointer, tuple[str, ...]]]:
    """Every mapping whose keys stand in another order than in its schema, the inner ones first.

    Gives its pointer and the keys that the schema knows, in the schema's order. Raises `UnknownSchema`.
    """
    root = schema_data(version, kind)
    yield from _walk(data, root, root, ())


def _walk(data: Any, schema: Schema, root: Schema, pointer: Pointer) -> Iterator[tuple[Pointer, tuple[str, ...]]]:
    parts = list(_parts(schema, data, root))
    if isinstance(data, list):
        of_items: list[Schema] = [part["items"] for part in parts if isinstance(part.get("items"), dict)]
        for i, item in enumerate(data) if of_items else ():
            yield from _walk(item, of_items[0], root, (*pointer, i))
    elif isinstance(data, dict):
        for key, value in data.items():
            inner = _of_key(parts, key)
            if inner is not None:
                yield from _walk(value, inner, root, (*pointer, key))
        known = dict.fromkeys(key for part in parts for key in part.get("properties", ()) if key in data)
        wanted = (*known, *(key for key in data if key not in known))
        if wanted != tuple(data):
            yield pointer, tuple(known)


def _of_key(parts: list[Schema], key: str) -> Schema | None:
    for part in parts:
        inner = part.get("properties", {}).get(key)
        if isinstance(inner, dict):
            return inner
    for part in parts:
        if isinstance(part.get("additionalProperties"), dict) and not key.startswith("x-"):
            found: Schema = part["additionalProperties"]
            return found
    return None


def _parts(schema: Schema, data: Any, root: Schema) -> Iterator[Schema]:
    """A schema and all that it takes in for this value: what it refers to and the branch that applies."""
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        yield from _parts(root["$defs"][reference.removeprefix("#/$defs/")], data, root)
    if "if" in schema:
        branch = schema.get("then" if _holds(schema["if"], data) else "else")
        if isinstance(branch, dict):
            yield from _parts(branch, data, root)
    for part in schema.get("allOf", ()):
        yield from _parts(part, data, root)


def _holds(condition: Schema, data: Any) -> bool:
    """Whether a condition applies: the few keywords that the schemas' own conditions use."""
    if condition.get("type") == "object" and not isinstance(data, dict):
        return False
    if "not" in condition:
        return not _holds(condition["not"], data)
    if not isinstance(data, dict):
        return True
    if any(key not in data for key in condition.get("required", ())):
        return False
    for key, wanted in condition.get("properties", {}).items():
        if key in data and (("const" in wanted and data[key] != wanted["const"])
                            or ("enum" in wanted and data[key] not in wanted["enum"])):
            return False
    return True
