"""What a campaign begins with: the shipped records, so that it knows the format before it breaks it."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from specdil_records.reading import read_document

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("records", "tests/examples")


def files() -> list[Path]:
    """Every record and every example of a schema version, good and bad."""
    found = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")
                   if path.suffix in (".yaml", ".json"))
    assert found, "there are no records to begin with"
    return found


def values() -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every scalar of every file, with its pointer."""
    for path in files():
        yield from _below((), read_document(path.read_bytes(), path.name).data)


def _below(pointer: tuple[str | int, ...], node: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(node, dict):
        for key, inner in node.items():
            yield from _below((*pointer, key), inner)
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from _below((*pointer, index), inner)
    else:
        yield pointer, node


def decoded(data: bytes) -> str:
    """The text of an input; bytes that are no UTF-8 become lone surrogates, which may reach a text from JSON, too."""
    return data.decode("utf-8", "surrogateescape")
