"""The canonical form of a record's file: keys in the order of its schema, ambiguous scalars in quotes, and no more."""
from __future__ import annotations

from dataclasses import dataclass

from specdil_records.authoring.lossless import Lossless, NotEditable, way_of
from specdil_records.authoring.ordering import orders
from specdil_records.authoring.proof import rewriting_fault
from specdil_records.findings import Pointer, pointer_text
from specdil_records.reading import Document, read_document
from specdil_records.reading.scalars import resolve
from specdil_records.reading.yaml_events import read_yaml

ROUNDS = 3
"""So often a text is formatted again before it is given up as one that does not settle."""

MOST_MAPPINGS = 1000
"""The editor's time grows with the square of this number; at the limit it takes some seconds."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formatted text, where scalars were put in quotes, and what was left as it was, with the reason."""

    text: str
    quoted: frozenset[Pointer] = frozenset()
    left: tuple[str, ...] = ()


def formatted(document: Document, kind: str | None, version: str | None) -> Formatted:
    """The canonical form of a YAML document that can be read. Raises `ExtraMissing`."""
    text, quoted = quote_ambiguous(document.text)
    left: tuple[str, ...] = ()
    if text != document.text and rewriting_fault(document, _read(text), quoted):
        text, quoted, left = document.text, frozenset(), ("scalars could not be put in quotes safely",)
    if kind is None or version is None:
        return Formatted(text, quoted, left)
    for _ in range(ROUNDS):
        new, said = _ordered(text, kind, version)
        if new == text:
            return Formatted(text, quoted, (*left, *said))
        text = new
    return Formatted(document.text, frozenset(), ("the order of its keys does not settle",))


def quote_ambiguous(text: str) -> tuple[str, frozenset[Pointer]]:
    """Put text that YAML 1.1 would read as something else in quotes, and say where.

    A number that YAML 1.1 takes for text stays: in quotes it would no longer be a number.
    """
    tree = read_yaml(text)
    marks = tree.marks
    edits: list[tuple[int, int, str]] = []
    quoted: set[Pointer] = set()
    for fault in tree.faults:
        value = (marks.texts[fault.node] or "") if fault.name == "ambiguous-scalar" and fault.node is not None else ""
        if fault.node is not None and value and isinstance(resolve(value).value, str):
            edits.append((marks.starts[fault.node], marks.ends[fault.node], f'"{value}"'))
            quoted.add(marks.pointer(fault.node))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, frozenset(quoted)


def _ordered(text: str, kind: str, version: str) -> tuple[str, tuple[str, ...]]:
    """The text with all keys in order, save where that cannot be proved to change nothing else."""
    document = _read(text)
    wanted = list(orders(document.data, kind, version))
    if len(wanted) > MOST_MAPPINGS:
        return text, (f"the keys keep their order: {len(wanted)} mappings are out of order, more than {MOST_MAPPINGS}",)
    if not wanted:
        return text, ()
    document, left = _in_parts(document, wanted)
    return document.text, tuple(left)


def _in_parts(document: Document, wanted: list[tuple[Pointer, tuple[str, ...]]]) -> tuple[Document, list[str]]:
    """All of these mappings at once; if that is not proved to be safe, each half of them by itself."""
    try:
        return _read(_reordered(document, wanted)), []
    except NotEditable as error:
        if len(wanted) == 1:
            return document, [_said(wanted[0][0], error)]
    half = len(wanted) // 2
    document, left = _in_parts(document, wanted[:half])
    document, more = _in_parts(document, wanted[half:])
    return document, left + more


def _said(pointer: Pointer, error: NotEditable) -> str:
    return f"the keys of {pointer_text(pointer) or '/'} keep their order: {error}"


def _reordered(document: Document, wanted: list[tuple[Pointer, tuple[str, ...]]]) -> str:
    """The text with the keys of these mappings in order. Raises `NotEditable` unless everything else is as before."""
    editor = Lossless(document.text)
    for pointer, known in wanted:
        mapping = document.data
        for part in pointer:
            mapping = mapping[part]
        editor.reorder(way_of(document.data, pointer), known, len(mapping))
    text = editor.text
    after = _read(text)
    if fault := rewriting_fault(document, after):
        raise NotEditable(fault)
    for pointer, known in wanted:
        mapping = after.data
        for part in pointer:
            mapping = mapping[part]
        if tuple(mapping)[:len(known)] != known:
            raise NotEditable("the editor gives another order")
    return text


def _read(text: str) -> Document:
    return read_document(text.encode("utf-8"), "record.yaml")
