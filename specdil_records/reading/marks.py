"""The tree of marks: where each node of a document stands, in flat lists beside the plain data."""
from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from specdil_records.findings.values import Pointer

PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED = "", "'", '"', "|", ">"
FLOW_MAP, FLOW_LIST, BLOCK_MAP, BLOCK_LIST, ALIAS = "{", "[", "m", "s", "*"
SCALARS = frozenset({PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED})
MAPPINGS = frozenset({FLOW_MAP, BLOCK_MAP})


@dataclass(frozen=True, slots=True)
class _Columns:
    styles: list[str]
    starts: list[int]
    ends: list[int]
    parents: list[int]
    texts: list[str | None]


Node = tuple[str, int, int, int, str | None]
"""Style, start, end, number of the collection that holds it (-1 for the top), decoded text (None for collections)."""


class Marks:
    """All nodes in the order of the source, keys included; node 0 is the top.

    A pass appends to `nodes` and notes in `closed` where a flow collection ends; columns are made of them when someone
    asks, so the marks of a record without findings cost one tuple a node. The range of a node is half-open, in offsets;
    that of a block collection is empty and its end worked out by `end_of`.
    """

    __slots__ = ("_children", "_columns", "_entries", "closed", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.closed: dict[int, int] = {}
        self._columns: _Columns | None = None
        self._children: list[list[int]] | None = None
        self._entries: dict[int, dict[str, int]] = {}

    def add(self, style: str, start: int, end: int, parent: int, text: str | None) -> int:
        """Append a node and return its number."""
        self.nodes.append((style, start, end, parent, text))
        return len(self.nodes) - 1

    @property
    def columns(self) -> _Columns:
        """The nodes turned on their side; nothing may be added any more."""
        if self._columns is None:
            ends = [node[2] for node in self.nodes]
            for node, end in self.closed.items():
                ends[node] = end
            styles, starts, parents, texts = ([node[at] for node in self.nodes] for at in (0, 1, 3, 4))
            self._columns = _Columns(styles, starts, ends, parents, texts)  # type: ignore[arg-type]
        return self._columns

    @property
    def styles(self) -> list[str]:
        """The style of each node."""
        return self.columns.styles

    @property
    def starts(self) -> list[int]:
        """Where each node begins; never descending."""
        return self.columns.starts

    @property
    def ends(self) -> list[int]:
        """Where each node ends, save block collections."""
        return self.columns.ends

    @property
    def parents(self) -> list[int]:
        """The collection that holds each node, -1 for the top."""
        return self.columns.parents

    @property
    def texts(self) -> list[str | None]:
        """The decoded text of each scalar, None for the others."""
        return self.columns.texts

    def children(self, node: int) -> list[int]:
        """The nodes directly inside a collection, in order; in a mapping keys and values take turns."""
        if self._children is None:
            self._children = [[] for _ in self.nodes]
            for child, parent in enumerate(self.parents):
                if parent >= 0:
                    self._children[parent].append(child)
        return self._children[node]

    def entries(self, mapping: int) -> dict[str, int]:
        """The key node of each key of a mapping: the first one where a key is repeated."""
        known = self._entries.get(mapping)
        if known is None:
            known = {}
            for key in self.children(mapping)[::2]:
                text = self.texts[key]
                if text is not None:
                    known.setdefault(text, key)
            self._entries[mapping] = known
        return known

    def value_of(self, key: int) -> int:
        """The value node that belongs to a key node (the key itself when the source broke off before its value)."""
        siblings = self.children(self.parents[key])
        at = _find(siblings, key)
        return siblings[at + 1] if at + 1 < len(siblings) else key

    def locate(self, pointer: Pointer) -> tuple[int, int | None, bool]:
        """The node at a pointer, its key node if it has one, and whether all of the pointer was there.

        Where the pointer leads nowhere, the deepest node on its way is given. Raises IndexError for an empty tree.
        """
        node, key = 0, None
        if not self.starts:
            raise IndexError("an empty tree has no nodes")
        for part in pointer:
            if self.styles[node] in MAPPINGS:
                found = self.entries(node).get(str(part))
                if found is None:
                    return node, key, False
                node, key = self.value_of(found), found
            else:
                inside = self.children(node)
                if not isinstance(part, int) or isinstance(part, bool) or not 0 <= part < len(inside):
                    return node, key, False
                node, key = inside[part], None
        return node, key, True

    def pointer(self, node: int) -> Pointer:
        """The way from the top to a node; for a key node the way to its value."""
        parts: list[str | int] = []
        while (parent := self.parents[node]) >= 0:
            at = _find(self.children(parent), node)
            if self.styles[parent] in MAPPINGS:
                parts.append(self.texts[self.children(parent)[at - at % 2]] or "")
            else:
                parts.append(at)
            node = parent
        return tuple(reversed(parts))

    def end_of(self, node: int, text: str) -> int:
        """Where a node ends: just past its last source character, without the blank lines that follow."""
        while self.styles[node] in (BLOCK_MAP, BLOCK_LIST) and (inside := self.children(node)):
            node = inside[-1]
        start, end = self.starts[node], self.ends[node]
        if self.styles[node] in (LITERAL, FOLDED):
            while end > start + 1 and text[end - 1] in " \t\r\n":
                end -= 1
        return max(start, end)


def _find(ascending: list[int], wanted: int) -> int:
    return bisect_left(ascending, wanted)
