"""Names of records and of what stands in them, and every place of a corpus that uses one."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from specdil_records.corpus import Corpus, Record, Reference
from specdil_records.corpus.references import CITED
from specdil_records.editor.answers import Spot
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Place, Pointer

ITEMS = ("claims", "tables", "quotes")
"""The lists of a record whose entries have ids of their own."""


@dataclass(frozen=True, slots=True)
class Name:
    """A record by its id or, with `item`, a claim, table or quote in it."""

    record: str
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """A place in a record where a name stands; `defines` marks the one that gives it."""

    name: Name
    place: Place
    defines: bool = False


def uses(record: Record, corpus: Corpus) -> Iterator[Use]:
    """Every use of a name in a record that fits its schema; names that lead nowhere are used as they are written."""
    if not record.sound:
        return
    yield from _own(record)
    seen: set[Pointer] = set()
    for reference in record.references:
        if reference.pointer in seen:
            continue
        seen.add(reference.pointer)
        text = _text(record, reference.pointer)
        if reference.inside:
            yield from _cited(text, reference, corpus)
        else:
            yield from _written(text, reference, corpus)


def _own(record: Record) -> Iterator[Use]:
    data = record.data
    if record.id == data.get("id"):
        yield Use(Name(record.id), Place(("id",), len(record.id) - len(record.tail), len(record.id)), True)
    for part in ITEMS:
        for i, entry in enumerate(data.get(part, [])):
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                yield Use(Name(record.id, entry["id"]), Place((part, i, "id")), True)
    local: list[tuple[Pointer, object]] = []
    for i, claim in enumerate(data.get("claims", [])):
        local += [(("claims", i, "same_as"), claim.get("same_as")), *_backing(claim, ("claims", i))]
    for i, dispute in enumerate(data.get("disputes", [])):
        local.append((("disputes", i, "claim"), dispute.get("claim")))
    for part in ("hardware_parameters", "scales_with"):
        for i, row in enumerate(data.get(part, [])):
            local += _backing(row, (part, i)) if isinstance(row, dict) else []
    for pointer, text in local:
        if isinstance(text, str):
            yield Use(Name(record.id, text), Place(pointer))


def _backing(row: dict[str, object], at: Pointer) -> list[tuple[Pointer, object]]:
    """The claims of its own record that a row names as what backs it."""
    backing = row.get("backed_by")
    listed = [((*at, "backed_by", j), text) for j, text in enumerate(backing)] if isinstance(backing, list) else [
        ((*at, "backed_by"), backing)]
    return [(pointer, text) for pointer, text in listed if isinstance(text, str) and not set("#.") & set(text)]


def _text(record: Record, pointer: Pointer) -> str:
    node = record.data
    for part in pointer:
        node = node[part]  # type: ignore[index]
    return str(node)


def _written(text: str, reference: Reference, corpus: Corpus) -> Iterator[Use]:
    """A reference that stands by itself: NAME, NAME#ITEM or NAME.QUANTITY."""
    whole, _, item = text.partition("#")
    written = whole if "#" in text else reference.name
    target = corpus.resolve(Reference(reference.pointer, written, reference.kinds))
    identity = target.id if target is not None else written
    begin = len(written) - len(written.rpartition("/")[2]) if target is None or written != target.id \
        else len(target.id) - len(target.tail)
    yield Use(Name(identity), Place(reference.pointer, begin, len(written)))
    if item:
        yield Use(Name(identity, item), Place(reference.pointer, len(whole) + 1, len(text)))


def _cited(text: str, reference: Reference, corpus: Corpus) -> Iterator[Use]:
    """The sources and tables that an expression cites."""
    for found in CITED.finditer(text):
        target = corpus.find("source", found["source"])
        identity = target.id if target is not None else found["source"]
        start, end = found.span("source")
        yield Use(Name(identity), Place(reference.pointer, start + found["source"].rfind("/") + 1, end))
        if found["item"] is not None:
            yield Use(Name(identity, found["item"]), Place(reference.pointer, *found.span("item")))


def name_at(workspace: Workspace, record: Record, offset: int) -> tuple[Name, int, int] | None:
    """The name that a cursor touches, and where it stands."""
    sheet = workspace.sheet(record)
    node = sheet.at(offset)
    if node is None or node.key:
        return None
    for use in uses(record, workspace.corpus):
        if use.place.pointer == node.pointer:
            start, end = sheet.offsets(use.place)
            if start <= offset <= end:
                return use.name, start, end
    return None


def spots(workspace: Workspace, name: Name, with_definition: bool = True) -> list[Spot]:
    """Every place of the corpus that uses a name, file by file in the order of their paths."""
    found: list[Spot] = []
    corpus = workspace.corpus
    for record in corpus.own:
        mine = [use for use in uses(record, corpus) if use.name == name and (with_definition or not use.defines)]
        if mine:
            sheet, file = workspace.sheet(record), workspace.file(record)
            found += [Spot(file, *ends) for ends in sorted({sheet.offsets(use.place) for use in mine})]
    return found


def named(workspace: Workspace, name: Name) -> Record | None:
    """The record that a name means, or that holds what it means."""
    return workspace.corpus.by_id.get(name.record)


def item_pointer(record: Record, item: str) -> Pointer | None:
    """Where a claim, table or quote of a record stands."""
    for part in ITEMS:
        for i, entry in enumerate(record.data.get(part, []) if record.sound else []):
            if isinstance(entry, dict) and entry.get("id") == item:
                return (part, i)
    return None
