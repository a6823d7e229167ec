"""Where a cursor stands, read from the text alone, is where the reader puts it."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.editor.context import context_at
from specdil_records.editor.sheet import Sheet
from specdil_records.findings import Pointer
from specdil_records.reading import read_document
from specdil_records.rules.samples import BASE

SHIPPED = sorted((Path(__file__).parents[2] / "records").glob("*/*.yaml"))


def agrees(text: str) -> int:
    sheet = Sheet(read_document(text.encode(), "a.yaml"))
    seen = 0
    for node in sheet.nodes:
        if node.end > node.start and sheet.text[node.start] not in "|>":
            middle = (node.start + node.end + 1) // 2
            if node.key:
                if "\n" in text[node.start:node.end]:
                    continue
                found = context_at(text, middle)
                assert found.may_be_key, (node, found)
                assert found.pointer == node.pointer[:-1], (node, found)
            else:
                assert context_at(text, middle).pointer == node.pointer, (text[node.start:node.end], node)
            seen += 1
    return seen


@pytest.mark.parametrize("name", BASE)
def test_every_key_and_value_of_the_example(name: str) -> None:
    assert agrees(BASE[name]) > 5


@pytest.mark.parametrize("file", SHIPPED[::9], ids=lambda file: file.stem)
def test_every_key_and_value_of_shipped_records(file: Path) -> None:
    assert agrees(file.read_text("utf-8")) > 5


@pytest.mark.parametrize(("text", "pointer", "typed"), [
    ("affected_by_hardware: [nvi|", ("affected_by_hardware", 0), "nvi"),
    ("affected_by_hardware: [a, nvi|", ("affected_by_hardware", 1), "nvi"),
    ("affected_by_hardware:\n- a\n- nvi|", ("affected_by_hardware", 1), "nvi"),
    ("claims:\n- id: a\n- id: b\n  of: {chip: exa|", ("claims", 1, "of", "chip"), "exa"),
    ("claims:\n  - id: a\n    figures:\n      from 16: decode.in|", ("claims", 0, "figures", "from 16"), "decode.in"),
    ("claims:\n- figures: {12.5%: 'cited(\"ben|", ("claims", 0, "figures", "12.5%"), 'cited("ben'),
    ("claims:\n- holds: [\"ridge(|", ("claims", 0, "holds", 0), "ridge("),
    ("claims:\n- figures:\n    \"12.5%\": add|", ("claims", 0, "figures", "12.5%"), "add"),
    ("claims:\n- figures:\n    'it''s 3': add|", ("claims", 0, "figures", "it's 3"), "add"),
    ("notes: >-\n  id: so|", ("notes",), "id: so"),
    ("claims:\n# - id: no\n- basis: der|", ("claims", 0, "basis"), "der"),
    ("basis: |", ("basis",), ""),
    ("a: {b: [1, {c: x|", ("a", "b", 1, "c"), "x"),
    ("a: {b: 1,\n    c: x|", ("a", "c"), "x"),
])
def test_half_a_line(text: str, pointer: Pointer, typed: str) -> None:
    offset = text.rindex("|")
    found = context_at(text.replace("|", ""), offset)
    assert (found.pointer, found.typed) == (pointer, typed)


@pytest.mark.parametrize(("text", "pointer"), [
    ("id: x\nna|", ()), ("claims:\n- id: x\n  fi|", ("claims", 0)), ("claims:\n- i|", ("claims", 0)),
    ("claims:\n- figures:\n    fr|", ("claims", 0, "figures")), ("a: {b: 1, c|", ("a",)), ("|", ()),
])
def test_half_a_key(text: str, pointer: Pointer) -> None:
    found = context_at(text.replace("|", ""), text.rindex("|"))
    assert found.may_be_key
    assert found.pointer == pointer


def test_every_cursor_of_a_text_has_a_context() -> None:
    for text in BASE.values():
        for offset in range(0, len(text) + 1, 3):
            context_at(text, offset)
