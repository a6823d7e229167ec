"""The outline of a record: its claims, disputes, rows, tables, quotes and quantities."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from specdil_records.corpus import Record
from specdil_records.editor.answers import Symbol, SymbolKind
from specdil_records.editor.sheet import Sheet
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Place, Pointer

Describe = Callable[[dict[str, Any]], tuple[str, str]]

LISTS: dict[str, tuple[SymbolKind, Describe]] = {
    "claims": ("claim", lambda one: (str(one.get("id", "?")), str(one.get("basis", one.get("same_as", ""))))),
    "disputes": ("dispute", lambda one: (str(one.get("claim", "?")),
                                         str(one.get("figure") or one.get("words") or one.get("basis") or ""))),
    "scales_with": ("row", lambda one: (str(one.get("parameter", "?")), str(one.get("effect", "")))),
    "hardware_parameters": ("row", lambda one: (str(one.get("parameter", "?")), str(one.get("basis", "")))),
    "tables": ("table", lambda one: (str(one.get("id", "?")), str(one.get("locator", "")))),
    "quotes": ("quote", lambda one: (str(one.get("id", "?")), str(one.get("locator", "")))),
    "conflicts": ("row", lambda one: (str(one.get("quantity", "?")), str(one.get("value", "")))),
}


def outline(workspace: Workspace, record: Record) -> list[Symbol]:
    """The symbols of a record, field by field in the order of the file."""
    sheet = workspace.sheet(record)
    if not isinstance(sheet.document.data, dict):
        return []
    evaluation = workspace.evaluation(record)
    verdicts = {claim.pointer: str(claim.verdict) for claim in evaluation.claims} if evaluation is not None else {}
    return [_field(sheet, key, value, verdicts) for key, value in sheet.document.data.items()]


def _field(sheet: Sheet, key: str, value: Any, verdicts: dict[Pointer, str]) -> Symbol:
    children: list[Symbol] = []
    if key in LISTS and isinstance(value, list):
        kind, describe = LISTS[key]
        for index, entry in enumerate(value):
            if isinstance(entry, dict):
                name, detail = describe(entry)
                detail = ", ".join(part for part in (detail, verdicts.get((key, index), "")) if part)
                children.append(_symbol(sheet, name, kind, detail, (key, index), _named_at(entry, (key, index))))
    elif key in ("quantities", "shape") and isinstance(value, dict):
        for name, entry in value.items():
            shown = entry.get("value", "") if isinstance(entry, dict) else entry
            children.append(_symbol(sheet, name, "quantity", str(shown), (key, name), Place((key, name), key=True)))
    shown = "" if isinstance(value, list | dict) else " ".join(str(value).split())[:80]
    return _symbol(sheet, key, "field", shown, (key,), Place((key,), key=True), tuple(children))


def _named_at(entry: dict[str, Any], pointer: Pointer) -> Place:
    """What is marked when an entry is chosen: its first value."""
    return Place((*pointer, next(iter(entry)))) if entry else Place(pointer)


def _symbol(sheet: Sheet, name: str, kind: SymbolKind, detail: str, pointer: Pointer, named: Place,
            children: tuple[Symbol, ...] = ()) -> Symbol:
    start, end = sheet.offsets(Place(pointer))
    name_start, name_end = sheet.offsets(named)
    # The protocol wants the name inside the whole, and a key stands before its value.
    start, end = min(start, name_start), max(end, name_end)
    return Symbol(name or "?", kind, detail, start, end, name_start, name_end, children)
