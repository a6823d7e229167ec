"""What a record says under names: the quantities of an accelerator, the shape of a model, what identifies a source."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def values_of(data: Mapping[str, Any], group: str) -> dict[str, Any]:
    """The values of a group by name, without the keys of the author's own, which may hold anything."""
    return {name: value for name, value in data.get(group, {}).items() if not name.startswith("x-")}
