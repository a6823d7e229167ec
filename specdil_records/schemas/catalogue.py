"""Which schemas ship, and their text."""
from __future__ import annotations

import json
from functools import cache
from typing import Any

from specdil_records.shipped import ShippedDataMissing, shipped_folder

_SHIPPED: dict[str, tuple[str, ...]] = {
    "flop": ("1.0", "2.0", "3.0"),
    "accelerator": ("3.0",),
    "model": ("3.0",),
    "source": ("3.0",),
}


class UnknownSchema(LookupError):
    """No schema of that version and kind is shipped."""

    def __init__(self, version: str, kind: str) -> None:
        super().__init__(f"no schema {version!r} for the kind {kind!r} is shipped")
        self.version = version
        self.kind = kind

    def __reduce__(self) -> tuple[type[UnknownSchema], tuple[str, str]]:
        return (UnknownSchema, (self.version, self.kind))


def kinds() -> tuple[str, ...]:
    """The kinds of record: flop, accelerator, model, source."""
    return tuple(_SHIPPED)


def versions(kind: str) -> tuple[str, ...]:
    """The versions shipped for a kind, oldest first; none for a kind that there is not."""
    return _SHIPPED.get(kind, ())


@cache
def schema_text(version: str, kind: str) -> str:
    """A shipped schema as its file has it.

    Raises `UnknownSchema` if no such schema exists, `ShippedDataMissing` if the installation lost its file.
    """
    if version not in versions(kind):
        raise UnknownSchema(version, kind)
    path = shipped_folder("schema") / version / f"{kind}.json"
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ShippedDataMissing(path) from error


@cache
def schema_data(version: str, kind: str) -> dict[str, Any]:
    """A shipped schema as plain data, not to be changed by its readers; raises as `schema_text` does."""
    try:
        loaded = json.loads(schema_text(version, kind))
    except ValueError as error:
        raise ShippedDataMissing(shipped_folder("schema") / version / f"{kind}.json") from error
    if not isinstance(loaded, dict):
        raise ShippedDataMissing(shipped_folder("schema") / version / f"{kind}.json")
    return loaded
