"""Where the thing under the cursor is defined, and every place that uses it."""
from __future__ import annotations

from collections.abc import Iterator

from specdil_records.claims import ClaimResult
from specdil_records.corpus import Record
from specdil_records.editor.answers import Spot
from specdil_records.editor.expressions import claim_of, is_expression
from specdil_records.editor.names import Name, item_pointer, name_at, named, spots
from specdil_records.editor.sheet import Node, Sheet
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Place, Pointer


def definition(workspace: Workspace, record: Record, offset: int) -> list[Spot]:
    """Where a name leads: to a record, its claim, table or quote; from an anchor to its number in the prose, and from
    a number of the prose to the claims that account for it; from a name in an expression to the entry that gives it.
    """
    sheet = workspace.sheet(record)
    node = sheet.at(offset)
    if node is None:
        return []
    if (name := name_at(workspace, record, offset)) is not None:
        return _target(workspace, name[0])
    if not node.key and is_expression(node.pointer):
        return _in_expression(workspace, record, sheet, node, offset)
    evaluation = workspace.evaluation(record)
    if evaluation is None:
        return []
    file = workspace.file(record)
    if node.pointer[:1] == ("claims",):
        claims = [one for one in evaluation.claims if one.pointer == node.pointer[:2]]
        return [Spot(file, *sheet.offsets(place)) for claim in claims for place in _in_prose(claim, node)]
    return [Spot(file, *sheet.offsets(place)) for claim in evaluation.claims
            for place in _accounting(claim, sheet, node, offset)]


def references(workspace: Workspace, record: Record, offset: int, with_definition: bool) -> list[Spot]:
    """Every place of the corpus that uses the name under the cursor."""
    name = name_at(workspace, record, offset)
    return spots(workspace, name[0], with_definition) if name is not None else []


def _target(workspace: Workspace, name: Name) -> list[Spot]:
    record = named(workspace, name)
    if record is None:
        return []
    sheet, file = workspace.sheet(record), workspace.file(record)
    pointer: Pointer | None = ("id",)
    if name.item is not None:
        pointer = item_pointer(record, name.item)
        pointer = (*pointer, "id") if pointer is not None else None
    return [] if pointer is None else [Spot(file, *sheet.offsets(Place(pointer)))]


def _in_expression(workspace: Workspace, record: Record, sheet: Sheet, node: Node, offset: int) -> list[Spot]:
    found = sheet.word(offset)
    if found is None:
        return []
    alias = found[0].partition(".")[0]
    claim = claim_of(record.data, node.pointer)
    at = _claim_pointer(record, claim, node.pointer)
    for part in ("read", "assume", "over", "of"):
        if at and isinstance(claim.get(part), dict) and alias in claim[part]:
            return [Spot(workspace.file(record), *sheet.offsets(Place((*at, part, alias), key=True)))]
    return []


def _claim_pointer(record: Record, claim: object, pointer: Pointer) -> Pointer:
    if pointer[0] == "scales_with":
        return (*pointer[:2], "trend")
    return next((("claims", i) for i, one in enumerate(record.data.get("claims", [])) if one is claim), ())


def _in_prose(claim: ClaimResult, node: Node) -> Iterator[Place]:
    """Where a quote or an anchor of a claim stands in the prose."""
    passage = claim.passage
    match node.pointer[2:]:
        case ("quote",) if passage is not None:
            yield Place(passage.field.pointer, passage.start, passage.end)
        case ("figures", str(anchor)) if node.key:
            for figure in claim.figures:
                if figure.anchor == anchor:
                    yield Place(figure.field.pointer, figure.anchored.start, figure.anchored.end)
                    return
        case ("held", str(anchor)) if passage is not None and anchor in claim.held:
            place = claim.held[anchor][1]
            yield Place(passage.field.pointer, place.start, place.end)
        case ("read", str(name), *_) if name in claim.inputs:
            field, place = claim.inputs[name]
            yield Place(field.pointer, place.start, place.end)


def _accounting(claim: ClaimResult, sheet: Sheet, node: Node, offset: int) -> Iterator[Place]:
    """The entries of a claim that account for the number of the prose under the cursor."""
    def holds(pointer: Pointer, start: int, end: int) -> bool:
        if pointer != node.pointer:
            return False
        first, last = sheet.offsets(Place(pointer, start, end))
        return first <= offset <= last

    for figure in claim.figures:
        if holds(figure.field.pointer, figure.anchored.start, figure.anchored.end):
            yield Place(figure.pointer, key=True)
    for name, (field, place) in claim.inputs.items():
        if any(holds(field.pointer, field.numbers[i].start, field.numbers[i].end) for i in place.numbers):
            yield Place((*claim.pointer, "read", name), key=True)
