"""The value types of a finding. Frozen, comparable, and safe to send between processes."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Pointer = tuple[str | int, ...]
"""The way from the top of a document to one of its nodes: keys and list indexes."""


class Severity(StrEnum):
    """How much a finding weighs: an error fails a check, a warning fails it only in strict mode."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: 1-based lines and columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Place:
    """A node of a document and, for text, a range of code points in its decoded value.

    `key` names the key of the entry instead of its value.
    """

    pointer: Pointer
    start: int | None = None
    end: int | None = None
    key: bool = False

    def holds(self, other: Place) -> bool:
        """Whether another range of the same text lies in this one."""
        return (self.pointer == other.pointer and self.start is not None and other.start is not None
                and self.start <= other.start and (other.end or 0) <= (self.end or 0))


@dataclass(frozen=True, slots=True)
class Splice:
    """One replacement: [start, end) of the decoded text of a value, or of a key, becomes `text`."""

    pointer: Pointer
    start: int
    end: int
    text: str
    key: bool = False

    @property
    def place(self) -> Place:
        """What is replaced."""
        return Place(self.pointer, self.start, self.end, self.key)


@dataclass(frozen=True, slots=True)
class Fix:
    """One replacement that a program may make: the text at `where` becomes `text`."""

    where: Place
    text: str
    safe: bool
    why: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A fix with its place in the file."""

    span: Span
    text: str
    safe: bool
    why: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a room found: the finding's name, its words and its place in the document at hand.

    `notes` say how it was found out, line by line; `help` how to mend it, where the rule's own words are too general.
    `related` is for rules across records: paths of other files that take part, a check of which shows it as well.
    """

    name: str
    message: str
    where: Place | Span
    help: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()
    related: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem as it is reported: with code, severity, file, record and exact position."""

    name: str
    code: str
    severity: Severity
    message: str
    path: str
    record: str | None
    span: Span
    pointer: Pointer
    help: str = ""
    notes: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    fixes: tuple[Edit, ...] = ()
    source: str = ""
    """The source line at which it begins, for showing it."""

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Path, line, column, code: the order of every report, whatever found it first."""
        return (self.path, self.span.line, self.span.column, self.code, self.message)


def pointer_text(pointer: Pointer) -> str:
    """A pointer as RFC 6901 writes it: `/claims/0/quote`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)
