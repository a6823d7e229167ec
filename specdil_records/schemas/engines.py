"""The two validators: one that is quick to say yes or no, one that is slow and says what is wrong and where.

Each is built once for a schema. The slow one is imported only when a document was found wanting.
"""
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from specdil_records.schemas.catalogue import schema_data

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema.protocols import Validator


@cache
def _quick(version: str, kind: str) -> jsonschema_rs.Draft202012Validator:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(schema_data(version, kind), validate_formats=True, offline=True)


@cache
def wordy(version: str, kind: str) -> Validator:
    """The validator that lists errors; its registry is empty, so that no reference is ever fetched."""
    from jsonschema import Draft202012Validator, FormatChecker
    from referencing import Registry

    empty: Registry[Any] = Registry()
    return Draft202012Validator(schema_data(version, kind), registry=empty, format_checker=FormatChecker(["date"]))


def is_valid(data: Any, version: str, kind: str) -> bool | None:
    """The quick verdict, or None where the quick validator cannot take the data (an infinite number, say)."""
    validator = _quick(version, kind)  # outside: a validator that cannot be built is no verdict on the data
    try:
        return bool(validator.is_valid(data))
    except (ValueError, OverflowError, RecursionError, TypeError):
        return None
