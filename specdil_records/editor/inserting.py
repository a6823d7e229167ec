"""An entry put at the end of a list of a record, as text: nothing else in the file moves, and that is proved."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from specdil_records.authoring import yaml_text
from specdil_records.editor.sheet import Sheet
from specdil_records.findings import Place
from specdil_records.reading import read_document

ORDER = ("notes", "mentions", "claims", "disputes", "asides", "history")
"""A list that is not there yet is put behind the last of those that come before it."""


def appended(sheet: Sheet, key: str, entry: Mapping[str, Any]) -> tuple[int, int, str] | None:
    """The change [start, end) -> text that adds an entry to a list at the top; None where it cannot be proved.

    The list is written in block style, empty, or not there at all.
    """
    document = sheet.document
    data = document.data
    if document.broken or not isinstance(data, dict) or document.name.lower().endswith(".json"):
        return None
    if document.style(()) != "m":
        return None
    change = _change(sheet, key, entry)
    if change is None:
        return None
    start, end, text = change
    line_end = "\r\n" if "\r\n" in sheet.text else "\n"
    text = text.replace("\n", line_end)
    after = read_document((sheet.text[:start] + text + sheet.text[end:]).encode("utf-8", "surrogatepass"),
                          document.name)
    wanted = {**data, key: [*(data.get(key) or []), dict(entry)]}
    return (start, end, text) if not after.broken and after.data == wanted else None


def _change(sheet: Sheet, key: str, entry: Mapping[str, Any]) -> tuple[int, int, str] | None:
    document, data = sheet.document, sheet.document.data
    if data.get(key):
        if document.style((key,)) != "s":
            return None
        first = document.span(Place((key, 0)))
        line = document.line(first.line)
        indent = len(line) - len(line.lstrip(" "))
        return _below(sheet, sheet.offsets(Place((key,)))[1], yaml_text.block([dict(entry)], indent))
    block = yaml_text.block([dict(entry)])
    if key in data:
        start, end = sheet.offsets(Place((key,)))
        if sheet.text[start:end].strip() not in ("[]", "") or not isinstance(data[key], list):
            return None
        while sheet.text[start - 1:start] == " ":
            start -= 1
        return start, end, "\n" + block
    before = [one for one in ORDER[:ORDER.index(key)] if one in data] if key in ORDER else []
    last = before[-1] if before else list(data)[-1]
    return _below(sheet, sheet.offsets(Place((last,)))[1], f"{key}:\n{block}")


def _below(sheet: Sheet, offset: int, block: str) -> tuple[int, int, str]:
    """A block on lines of its own behind the line that an offset lies in."""
    end = sheet.text.find("\n", offset)
    if end < 0:
        return len(sheet.text), len(sheet.text), f"\n{block}\n"
    return end + 1, end + 1, f"{block}\n"
