"""Whether a rewritten text still says, word for word, what it said before.

Nothing here relies on the editor that made the new text: both texts are read with the project's own reader.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from specdil_records.findings import Pointer
from specdil_records.reading import Document
from specdil_records.reading.marks import BLOCK_MAP, FOLDED, LITERAL, MAPPINGS, SCALARS, Marks
from specdil_records.reading.yaml_events import read_yaml

_COMMENT = re.compile(r"#[^\r\n]*")
_BREAK = re.compile(r"\r\n|\r|\n")
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\r\n]*)")
_INDICATORS = re.compile(r"[ \t]*(?:[-?:][ \t]+)*")
Owner = Pointer | str
BLOCKS = (LITERAL, FOLDED)


@dataclass(slots=True)
class Layout:
    """What of a text is no value: how each scalar is written, which comments there are and what each stands at."""

    written: dict[tuple[Pointer, bool], str] = field(default_factory=dict)
    """Source of each key (True) and scalar value (False)."""
    comments: Counter[tuple[str, Owner]] = field(default_factory=Counter)
    top: Counter[str] = field(default_factory=Counter)
    """Comments before the first key: they belong to the file."""
    breaks: frozenset[str] = frozenset()

    @property
    def texts(self) -> Counter[str]:
        """The comments, wherever they stand."""
        found: Counter[str] = Counter()
        for (text, _), count in self.comments.items():
            found[text] += count
        return found


def _follows(text: str, at: int, marks: Marks, pointers: list[Pointer], node: int) -> Owner:
    """What a comment that ends at `at` stands above: an item when the item's dash comes after it, else a key."""
    if node >= len(marks.nodes):
        return "end"
    between = _COMMENT.sub("", text[at:marks.starts[node]])
    if marks.styles[node] == BLOCK_MAP and "-" not in between and node + 1 < len(marks.nodes):
        node += 1
    return pointers[node]


def same(a: Any, b: Any) -> bool:
    """Whether two trees are equal, types included; the order of keys says nothing."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def layout(text: str) -> Layout:
    """The layout of a YAML text that has been read without a fault."""
    marks = read_yaml(text).marks
    columns = marks.columns
    found = Layout(breaks=frozenset(_BREAK.findall(text)))
    pointers: list[Pointer] = []
    children = [0] * len(columns.styles)
    keys: dict[int, str] = {}
    scalars: list[tuple[int, int, Pointer]] = []
    for node, (style, start, parent) in enumerate(zip(columns.styles, columns.starts, columns.parents, strict=True)):
        pointer: Pointer = ()
        is_key = False
        if parent >= 0:
            position = children[parent]
            children[parent] += 1
            if columns.styles[parent] in MAPPINGS:
                is_key = position % 2 == 0
                if is_key:
                    keys[parent] = columns.texts[node] or ""
                pointer = (*pointers[parent], keys[parent])
            else:
                pointer = (*pointers[parent], position)
        pointers.append(pointer)
        if style in SCALARS:
            end = columns.ends[node] if style not in BLOCKS else marks.end_of(node, text)
            found.written[pointer, is_key] = text[start:end]
            if style in BLOCKS and (header := _HEADER.match(text, start)):
                found.comments[header[1], pointer] += 1
            scalars.append((start, end, pointer))
    _comments(text, scalars, marks, pointers, found)
    return found


def _comments(text: str, scalars: list[tuple[int, int, Pointer]], marks: Marks, pointers: list[Pointer],
              found: Layout) -> None:
    """The comments between scalars: one beside a value belongs to it, one on a line of its own to what follows."""
    at, following = 0, 1
    before: Pointer = ("start",)
    starts = marks.starts
    for start, end, pointer in [*scalars, (len(text), len(text), ())]:
        for comment in _COMMENT.finditer(text, at, max(at, start)):
            while following < len(starts) and starts[following] < comment.end():
                following += 1
            line = max(text.rfind("\n", at, comment.start()), text.rfind("\r", at, comment.start())) + 1
            alone = (line > at or at == 0) and bool(_INDICATORS.fullmatch(text, line, comment.start()))
            owner = _follows(text, comment.end(), marks, pointers, following) if alone else before
            found.comments[comment[0], owner] += 1
            if at == 0:
                found.top[comment[0]] += 1
        at, before = max(at, end), pointer


def rewriting_fault(before: Document, after: Document, changed: Collection[Pointer] = ()) -> str:
    """What a rewriting that should change no value has changed; empty if nothing.

    `changed` holds the pointers of scalars that may be written otherwise.
    """
    if after.broken:
        return "the new text cannot be read"
    if not same(before.data, after.data) or before.refused != after.refused:
        return "a value would change"
    return layout_fault(layout(before.text), layout(after.text), changed)


def layout_fault(old: Layout, new: Layout, changed: Collection[Pointer] = ()) -> str:
    """What of the layout is not as before; empty if nothing."""
    for place, source in old.written.items():
        if new.written.get(place) != source and place[0] not in changed:
            return "a value would be written otherwise"
    return comments_fault(old, new) or ("" if new.breaks <= old.breaks or not old.breaks else "line ends would change")


def comments_fault(old: Layout, new: Layout) -> str:
    """Whether a comment is lost or has come to stand at something else; empty if not."""
    if old.texts != new.texts:
        return "a comment would be lost"
    inside = Counter({place: count for place, count in old.comments.items() if place[0] not in old.top})
    if not (old.top <= new.top and inside <= new.comments):
        return "a comment would no longer stand at its key"
    return ""
