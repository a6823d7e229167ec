"""A document: plain data with, on demand, the exact place of everything in it."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from specdil_records.findings.values import Place, Pointer, Problem, Span
from specdil_records.reading import characters, fast_yaml, lost_text
from specdil_records.reading.align import Alignment, align
from specdil_records.reading.faults import BREAKING, Fault
from specdil_records.reading.json_scan import read_json
from specdil_records.reading.limits import MOST_BYTES, MOST_FAULTS
from specdil_records.reading.lines import Lines
from specdil_records.reading.marks import SCALARS, Marks
from specdil_records.reading.tree import Tree, repetition_faults

_WORKED_OUT = (
    "_aligned", "_is_json", "_known_marks", "_lines", "broken", "data", "problems", "refused", "text")


class Document:
    """One record as read: never an exception, whatever the bytes.

    `data` is made of dict, list, str, int, float, bool and None; it is None where no tree could be built. `broken` says
    that a fault leaves the tree in doubt, so that nothing more should be judged (`data` may still hold what was read).
    `refused` has the pointers of numbers that are not finite: `data` has None there, and a problem has been reported.
    """

    __slots__ = (*_WORKED_OUT, "_read", "name")
    _read: Callable[[], bytes] | None
    """Gives the bytes of a document that is read when it is asked for, and again when it was forgotten."""

    def __init__(self, name: str, lines: Lines, tree: Tree, faults: list[Fault], is_json: bool,
                 marks_known: bool = True) -> None:
        self.name = name
        self._read = None
        self.text = lines.whole
        self.data: Any = tree.data
        self._is_json = is_json
        self._aligned: dict[int, Alignment | None] = {}
        self._known_marks: Marks | None = tree.marks if marks_known else None
        self._lines = lines
        faults.sort(key=lambda fault: fault.start)
        self.broken = any(fault.name in BREAKING for fault in faults)
        self.problems: tuple[Problem, ...] = tuple(map(self._problem, _at_most(faults)))
        unread = [fault.node for fault in faults if fault.name == "wrong-type" and fault.node is not None]
        self.refused: frozenset[Pointer] = (
            frozenset(map(self._marks.pointer, unread[:MOST_FAULTS])) if unread else frozenset())

    @classmethod
    def later(cls, read: Callable[[], bytes], name: str) -> Document:
        """The document of the bytes that `read` gives, read when something of it is asked for."""
        document = cls.__new__(cls)
        document.name, document._read = name, read
        return document

    def forget(self) -> None:
        """Let go of everything that can be read again."""
        if self._read is not None:
            with suppress(AttributeError):  # it has not been read
                for slot in _WORKED_OUT:
                    delattr(self, slot)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """What is sent to another process is read before: the file may not be there."""
        return None, {slot: getattr(self, slot) for slot in (*_WORKED_OUT, "name")} | {"_read": None}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What has not been read yet: asked for only while a slot is empty."""
            if name not in _WORKED_OUT:
                raise AttributeError(name)
            read = read_document(self._read(), self.name)
            for slot in _WORKED_OUT:
                setattr(self, slot, getattr(read, slot))
            return getattr(self, name)

    @property
    def _marks(self) -> Marks:
        """The marks of the tree; of a text that was read without them, worked out when the first place is asked for."""
        if self._known_marks is None:
            self._known_marks = _read_yaml(self.text).marks
        return self._known_marks

    def exists(self, pointer: Pointer) -> bool:
        """Whether a value stands at the pointer."""
        node = self.data
        for part in pointer:
            if isinstance(node, list):
                known = isinstance(part, int) and 0 <= part < len(node)
            else:
                known = isinstance(node, dict) and part in node
            if not known:
                return False
            node = node[part]
        return True

    def span(self, where: Place | Span) -> Span:
        """The lines and columns of a place. A pointer that leads nowhere gives the deepest node on its way."""
        if isinstance(where, Span):
            return where
        if not self._marks.starts:
            return self._span(0, 0)
        node, key, found = self._marks.locate(where.pointer)
        if where.key and key is not None and found:
            node = key
        if not found or self._marks.styles[node] not in SCALARS or (where.start is None and where.end is None):
            return self._span(self._marks.starts[node], self._marks.end_of(node, self.text))
        return self._span(*self._inside(node, where.start, where.end))

    def written(self, pointer: Pointer) -> str:
        """A value exactly as it is written, quotes included; empty if there is none."""
        node = self._node(pointer)
        return "" if node is None else self.text[self._marks.starts[node] : self._marks.end_of(node, self.text)]

    def style(self, pointer: Pointer) -> str | None:
        """`'`, `"`, `|`, `>` or, for plain, an empty text; `{` and `[` for flow, `m` and `s` for block collections."""
        node = self._node(pointer)
        return None if node is None else self._marks.styles[node]

    def line(self, number: int) -> str:
        """Source line `number` (from 1) without its line end."""
        return self._lines.text(number)

    def _node(self, pointer: Pointer) -> int | None:
        if not self._marks.starts:
            return None
        node, _, found = self._marks.locate(pointer)
        return node if found else None

    def _inside(self, node: int, start: int | None, end: int | None) -> tuple[int, int]:
        marks = self._marks
        base, limit, value = marks.starts[node], marks.ends[node], marks.texts[node] or ""
        if node not in self._aligned:
            self._aligned[node] = align(self.text[base:limit], marks.styles[node], value, self._is_json)
        aligned = self._aligned[node]
        if aligned is None or not aligned.length:
            return base, marks.end_of(node, self.text)
        first, last = aligned.range(start or 0, len(value) if end is None else end)
        return base + first, base + last

    def _span(self, start: int, end: int) -> Span:
        return Span(*self._lines.position(start), *self._lines.position(max(start, end)))

    def _problem(self, fault: Fault) -> Problem:
        return Problem(fault.name, fault.message, self._span(fault.start, fault.end), help=fault.help, data=fault.data)


def read_document(raw: bytes, name: str) -> Document:
    """Read the bytes of a file; `name` only tells JSON (`.json`) from YAML. Never raises."""
    is_json = name.lower().endswith(".json")
    if len(raw) > MOST_BYTES:
        message = f"the file is larger than {MOST_BYTES // 1024 // 1024} MiB"
        fault = Fault("too-large", message, 0, 0, "split the record")
        return Document(name, Lines(""), Tree(), [fault], is_json)
    decoded = characters.decode(raw)
    faults = list(decoded.faults)
    lines = Lines(decoded.text)
    if not decoded.whole:
        return Document(name, lines, Tree(), faults, is_json)
    spoilt = any(fault.name == "bad-character" for fault in faults)
    if not faults and not is_json and (data := fast_yaml.tree_of(decoded.text)) is not None:
        return Document(name, lines, Tree(data), [], is_json, marks_known=False)
    text = characters.mended(decoded.text) if spoilt else decoded.text
    tree = read_json(text) if is_json else _read_yaml(text)
    # No forbidden character is a line end, so the lines of the mended text are those of the file.
    faults += _tree_faults(text, lines, tree, spoilt, is_json)
    return Document(name, lines, tree, faults, is_json)


def _read_yaml(text: str) -> Tree:
    # The slower reader takes part of the time of a short run to import, and most runs need the faster one alone.
    from specdil_records.reading.yaml_events import read_yaml

    return read_yaml(text)


def _tree_faults(text: str, lines: Lines, tree: Tree, spoilt: bool, is_json: bool) -> list[Fault]:
    """The faults of the tree, without those that are only consequences of others."""
    lost = [] if is_json else lost_text.lost_text(text, tree.marks, lines)
    found = [*tree.faults, *repetition_faults(tree, lines), *lost]
    if not tree.whole:
        return _of_broken_text(text, lines, found, spoilt, is_json)
    return found + _top_faults(text, tree, found)


def _of_broken_text(text: str, lines: Lines, found: list[Fault], spoilt: bool, is_json: bool) -> list[Fault]:
    stop = next(fault for fault in found if fault.name in ("not-yaml", "too-large"))
    errors = [fault for fault in found if fault.name in BREAKING and fault is not stop]
    if stop.name == "not-yaml":
        if spoilt or any(fault.name == "bad-character" for fault in errors):
            return errors
        if not is_json and (cause := lost_text.cause_of_failure(text, lines, stop.start)):
            known = {fault.start for fault in errors}
            return errors + [fault for fault in cause if fault.start not in known]
        near = [start for start, _ in lost_text.content_lines_before(text, lines, stop.start, 2)]
        if any(fault.start >= min(near, default=0) and fault.name in ("yaml-feature", "lost-text") for fault in errors):
            return errors
    return [*errors, stop]


def _top_faults(text: str, tree: Tree, found: list[Fault]) -> list[Fault]:
    marks = tree.marks
    if isinstance(tree.data, dict):
        return []
    if tree.data is None and any(fault.name in ("yaml-feature", "wrong-type") for fault in found):
        return []  # whatever stands at the top has been refused already
    if not marks.starts or (tree.data is None and marks.texts[0] == ""):
        return [Fault("schema", "the file is empty; a record is a mapping", 0, 0)]
    what = "a list" if isinstance(tree.data, list) else "a single value"
    start, end = marks.starts[0], marks.end_of(0, text)
    return [Fault("schema", f"the top of a record is a mapping, not {what}", start, end)]


def _at_most(faults: list[Fault]) -> list[Fault]:
    """At most so many faults of one name; the last one kept says how many are left out."""
    if len(faults) <= MOST_FAULTS:
        return faults
    counts: dict[str, int] = {}
    for fault in faults:
        counts[fault.name] = counts.get(fault.name, 0) + 1
    kept: list[Fault] = []
    seen: dict[str, int] = {}
    for fault in faults:
        seen[fault.name] = number = seen.get(fault.name, 0) + 1
        if number < MOST_FAULTS:
            kept.append(fault)
        elif number == MOST_FAULTS:
            more = counts[fault.name] - MOST_FAULTS
            message = fault.message + (f" (and {more} more)" if more else "")
            kept.append(Fault(fault.name, message, fault.start, fault.end, fault.help, fault.data, fault.node))
    return kept
