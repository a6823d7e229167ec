"""Whether the two validators agree: the quick one decides alone on valid documents, so they must."""
from __future__ import annotations

from typing import Any

from specdil_records.schemas.catalogue import kinds, versions
from specdil_records.schemas.engines import is_valid, wordy


def agree(data: Any) -> bool:
    """True if both validators give the same verdict on plain data under every shipped schema."""
    for kind in kinds():
        for version in versions(kind):
            quick = is_valid(data, version, kind)
            if quick is not None and quick != wordy(version, kind).is_valid(data):
                return False
    return True
