"""The catalogue: every closed form by its name, one dot at most, and how a person reads its signature.

A module of this room called `entries_of_...` brings the entries of its `ENTRIES`; nothing else has to name it.
"""
from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from specdil_records import roofline
from specdil_records.roofline.entry import Entry, Parameter


def _entries() -> Iterator[Entry]:
    for module in pkgutil.iter_modules(roofline.__path__):
        if module.name.startswith("entries_of_"):
            yield from importlib.import_module(f"{roofline.__name__}.{module.name}").ENTRIES


def _catalogue(entries: Iterator[Entry]) -> Mapping[str, Entry]:
    """The entries by name. Raises `ValueError` for a name that is there twice."""
    found: dict[str, Entry] = {}
    for entry in entries:
        if found.setdefault(entry.name, entry) is not entry:
            raise ValueError(f"two closed forms are called {entry.name!r}")
    return MappingProxyType(found)


CATALOGUE: Mapping[str, Entry] = _catalogue(_entries())
"""Every closed form by its name."""


def signature(entry: Entry) -> str:
    """How an entry is called, for people: `ridge(accelerator, dtype="bf16")`."""
    return f"{entry.name}({', '.join(_shown(each) for each in entry.parameters)})"


def _shown(parameter: Parameter) -> str:
    if parameter.many:
        return f"*{parameter.name}"
    if parameter.is_required:
        return parameter.name
    if parameter.name == "weight_dtype" and parameter.default is None:
        return "weight_dtype=dtype"
    if isinstance(parameter.default, str):
        return f'{parameter.name}="{parameter.default}"'
    return f"{parameter.name}={str(parameter.default).lower()}"
