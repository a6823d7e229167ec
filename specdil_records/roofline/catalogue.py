"""The catalogue: every closed form by its name, one dot at most, and how a person reads its signature."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from specdil_records.roofline import entries_of_speculation, entries_of_steps
from specdil_records.roofline.entry import Entry, Parameter

_ALL = (
    *entries_of_steps.INTENSITIES,
    *entries_of_steps.SHAPES,
    *entries_of_steps.STEPS,
    *entries_of_speculation.ACCEPTANCE,
    *entries_of_speculation.STEPS,
    *entries_of_speculation.THRESHOLDS,
)

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in _ALL})
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
