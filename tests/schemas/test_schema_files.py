"""The shipped schemas themselves: standard, closed, described, and free of what validators read differently."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from specdil_records.schemas import UnknownSchema, kinds, schema_data, schema_text, versions

SHIPPED = [(version, kind) for kind in kinds() for version in versions(kind)]
KEYWORDS = {
    "$schema", "$id", "$ref", "$defs", "title", "description", "type", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "required", "dependentRequired", "items", "minItems", "minProperties",
    "minimum", "maximum", "enum", "const", "pattern", "format", "if", "then", "else", "not", "anyOf", "allOf",
    "x-says", "x-finding",
}  # fmt: skip
MAPS = {"properties", "patternProperties", "$defs"}
SUBSCHEMAS = {"additionalProperties", "propertyNames", "items", "if", "then", "else", "not"}
LISTS = {"anyOf", "allOf"}


def walk(schema: Any, way: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every subschema with the way to it."""
    if not isinstance(schema, dict):
        return
    yield way, schema
    for key, value in schema.items():
        if key in MAPS:
            for name, inner in value.items():
                yield from walk(inner, f"{way}/{key}/{name}")
        elif key in SUBSCHEMAS:
            yield from walk(value, f"{way}/{key}")
        elif key in LISTS:
            for number, inner in enumerate(value):
                yield from walk(inner, f"{way}/{key}/{number}")


def patterns(schema: dict[str, Any]) -> Iterator[str]:
    for _, inner in walk(schema):
        if "pattern" in inner:
            yield inner["pattern"]
        yield from inner.get("patternProperties", {})


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_a_schema_is_one(version: str, kind: str) -> None:
    schema = schema_data(version, kind)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:specdil:records:{version}:{kind}"
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(schema_text(version, kind)) == schema


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_only_known_keywords_occur(version: str, kind: str) -> None:
    # what is not in the list (uniqueItems, unevaluatedProperties, multipleOf, oneOf) has no words of its own here
    for way, schema in walk(schema_data(version, kind)):
        assert set(schema) <= KEYWORDS, way
        assert schema.get("format", "date") == "date", way


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_no_pattern_means_different_things_to_different_validators(version: str, kind: str) -> None:
    for pattern in patterns(schema_data(version, kind)):
        assert not re.search(r"\\[dDwWsSpPbB]", pattern), pattern
        assert "." not in re.sub(r"\[[^\]]*\]", "", pattern), f"a bare dot: {pattern}"
        assert all(rest.startswith(r"(?!\n)") for rest in pattern.split("$")[1:]), pattern
        assert pattern.isascii()
        assert pattern.startswith("^")


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_every_mapping_is_closed_and_every_key_described(version: str, kind: str) -> None:
    schema = schema_data(version, kind)
    for way, inner in walk(schema):
        if inner.get("type") == "object" and "if" not in way.split("/") and not way.endswith("/$defs/dispute"):
            assert "additionalProperties" in inner, way
            assert inner["additionalProperties"] is not True, way
        if inner.get("additionalProperties") is False:
            assert inner["patternProperties"] == {"^x-": {}}, way
            assert "title" in inner, way
            assert set(inner.get("required", ())) <= set(inner["properties"]), way
            for name, value in inner["properties"].items():
                described = value if "description" in value else schema["$defs"][value["$ref"].removeprefix("#/$defs/")]
                assert described["description"].strip().endswith("."), f"{way}/{name}"


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_every_reference_leads_to_a_definition_and_every_definition_is_used(version: str, kind: str) -> None:
    schema = schema_data(version, kind)
    used = {inner["$ref"] for _, inner in walk(schema) if "$ref" in inner}
    assert used == {f"#/$defs/{name}" for name in schema["$defs"]}


@pytest.mark.parametrize(("version", "kind"), SHIPPED)
def test_a_figure_is_never_a_number(version: str, kind: str) -> None:
    for way, inner in walk(schema_data(version, kind)):
        wanted = inner.get("type", [])
        assert "number" not in ([wanted] if isinstance(wanted, str) else wanted), way


def test_definitions_of_one_name_are_the_same_in_all_schemas_of_a_version() -> None:
    seen: dict[str, Any] = {}
    for kind in kinds():
        for name, definition in schema_data("3.0", kind)["$defs"].items():
            if name != "record_id":
                assert seen.setdefault(name, definition) == definition, name


def test_quantities_are_one_vocabulary() -> None:
    rows = schema_data("3.0", "flop")["$defs"]["hardware_row"]["properties"]["parameter"]["enum"]
    accelerator = schema_data("3.0", "accelerator")
    assert list(accelerator["properties"]["quantities"]["properties"]) == rows
    assert accelerator["$defs"]["conflict"]["properties"]["quantity"]["enum"] == rows


NOT_SHIPPED = [("9.9", "flop"), ("1.0", "model"), ("3.0", "flops"), ("", ""), ("..", "flop")]


@pytest.mark.parametrize(("version", "kind"), NOT_SHIPPED)
def test_a_schema_that_is_not_shipped_is_refused(version: str, kind: str) -> None:
    with pytest.raises(UnknownSchema):
        schema_text(version, kind)


def test_no_schema_file_is_left_out() -> None:
    folder = Path(__file__).parents[2] / "schema"
    on_disk = {path.relative_to(folder).as_posix() for path in folder.glob("[0-9]*/*.json")}
    assert on_disk == {f"{version}/{kind}.json" for version, kind in SHIPPED}
