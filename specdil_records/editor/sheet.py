"""A document as an editor points into it: which value or key stands at an offset."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from specdil_records.editor.positions import Positions
from specdil_records.findings import Place, Pointer, Span
from specdil_records.reading import Document

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar or a key: where it stands as written, and the pointer to it (for a key, to its value)."""

    start: int
    end: int
    pointer: Pointer
    key: bool


class Sheet:
    """One document with its places in offsets."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self._positions = Positions(document.text)

    def offsets(self, where: Place | Span) -> tuple[int, int]:
        """Where a place stands in the text."""
        return self._positions.offsets(self.document.span(where))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every key and every scalar; none where the text could not be read."""
        return () if self.document.data is None else tuple(self._walk(self.document.data, ()))

    def at(self, offset: int) -> Node | None:
        """The key or scalar that a cursor at an offset touches; of two, the one that begins there."""
        touched = [node for node in self.nodes if node.start <= offset <= node.end]
        return max(touched, key=lambda node: (node.start, -node.end), default=None)

    def word(self, offset: int) -> tuple[str, int, int] | None:
        """The name around an offset, dots included, as expressions write it."""
        begin = max(self.text.rfind("\n", 0, offset) + 1, offset - 200)
        for found in WORD.finditer(self.text, begin, offset + 200):
            if found.start() <= offset <= found.end():
                return found[0], found.start(), found.end()
        return None

    def _walk(self, data: Any, pointer: Pointer) -> Iterator[Node]:
        if isinstance(data, dict):
            for key, value in data.items():
                here = (*pointer, key)
                yield Node(*self.offsets(Place(here, key=True)), here, True)
                yield from self._walk(value, here)
        elif isinstance(data, list):
            for index, value in enumerate(data):
                yield from self._walk(value, (*pointer, index))
        else:
            yield Node(*self.offsets(Place(pointer)), pointer, False)
