"""What the features give back: plain values in offsets, which the server turns into the protocol's own."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch [start, end) of a file, in code points of its text."""

    file: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a file that becomes another text."""

    file: Path
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about a stretch of the file at hand."""

    text: str
    start: int
    end: int


SuggestionKind = Literal["record", "value", "key", "function", "name", "text"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion: what is shown, what takes the place of [start, end), and what there is to say about it."""

    label: str
    kind: SuggestionKind
    text: str
    start: int
    end: int
    detail: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the editor offers to do. `mends` is the code of the finding that it takes away."""

    title: str
    changes: tuple[Change, ...]
    mends: str | None = None
    preferred: bool = False


SymbolKind = Literal["field", "claim", "dispute", "row", "table", "quote", "quantity"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """An entry of a file's outline; [start, end) is all of it, [name_start, name_end) what is marked when chosen."""

    name: str
    kind: SymbolKind
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Symbol, ...] = ()
