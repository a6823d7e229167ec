"""The generated references are as the code says, and name everything."""
from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from specdil_records import roofline
from specdil_records.schemas.catalogue import kinds, schema_data, versions
from tests.docs.tutorial import DOCS


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_current() -> None:
    for name, text in generator().pages().items():
        kept = (DOCS / name).read_text(encoding="utf-8")
        assert kept == text, f"python docs/generate.py  # writes {name} anew"


def test_every_quantity_and_every_key_is_named() -> None:
    pages = generator().pages()
    for name in roofline.CATALOGUE:
        assert f"## `{name}`" in pages["reference/quantities.md"]
    for kind in kinds():
        for version in versions(kind):
            assert f"## {kind} {version}" in pages["reference/schema-keys.md"]
            for key in schema_data(version, kind)["properties"]:
                assert f"| `{key}` |" in pages["reference/schema-keys.md"]


def test_the_rooms_are_drawn_as_they_import_each_other() -> None:
    made = generator()
    drawn = set(re.findall(r"^    (\w+) --> (\w+)$", made.pages()["architecture.md"], re.MULTILINE))
    real = made.imports()
    assert set(real) == {room for edge in drawn for room in edge}
    assert all(two in real[one] for one, two in drawn)
    assert {("claims", "corpus"), ("schemas", "findings"), ("roofline", "arithmetic")} <= drawn
    assert ("cli", "findings") not in drawn, "what a longer way implies is left out"


def test_rooms_in_a_ring_are_refused() -> None:
    with pytest.raises(ValueError, match="a ring: a b a"):
        list(generator().reduced({"a": {"b"}, "b": {"a"}}))
