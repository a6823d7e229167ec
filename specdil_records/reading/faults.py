"""A fault while its place is still an offset into the text; it becomes a `Problem` when the document is whole."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BREAKING = frozenset({"not-yaml", "duplicate-key", "yaml-feature", "bad-character", "lost-text", "too-large", "schema"})
"""Faults that leave the tree in doubt: a record that has one is judged no further."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault at the half-open range [start, end) of code point offsets.

    `node` is the number of the node in the tree of marks, where the fault is about a whole value.
    """

    name: str
    message: str
    start: int
    end: int
    help: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    node: int | None = None


class TooLargeError(Exception):
    """Reading stopped at the first thing beyond a limit."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.fault = Fault("too-large", message, start, end)
