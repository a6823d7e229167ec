"""The generated references are as the code says, and name everything."""
from __future__ import annotations

import importlib.util
from types import ModuleType

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
        kept = (DOCS / "reference" / name).read_text(encoding="utf-8")
        assert kept == text, f"python docs/generate.py  # writes {name} anew"


def test_every_quantity_and_every_key_is_named() -> None:
    pages = generator().pages()
    for name in roofline.CATALOGUE:
        assert f"## `{name}`" in pages["quantities.md"]
    for kind in kinds():
        for version in versions(kind):
            assert f"## {kind} {version}" in pages["schema-keys.md"]
            for key in schema_data(version, kind)["properties"]:
                assert f"| `{key}` |" in pages["schema-keys.md"]
