"""No place of a record, whole or half written, is one that a feature cannot stand on."""
from __future__ import annotations

from specdil_records.editor.acting import actions
from specdil_records.editor.completing import complete
from specdil_records.editor.defining import definition, references
from specdil_records.editor.diagnostics import findings
from specdil_records.editor.hovering import hover
from specdil_records.editor.outlining import outline
from specdil_records.editor.renaming import renamable
from specdil_records.rules.samples import BASE
from tests.editor.desks import Desk


def stand_on(desk: Desk, name: str, offset: int) -> None:
    workspace, record, file = desk.workspace, desk.record(name), desk.file(name)
    said = hover(workspace, record, offset)
    assert said is None or said.start <= offset <= said.end
    for spot in (*definition(workspace, record, offset), *references(workspace, record, offset, True)):
        assert spot.start <= spot.end
    for one in complete(workspace, file, record, offset):
        assert one.start <= offset == one.end
    renamable(workspace, record, offset)
    for action in actions(workspace, record, offset, offset):
        assert action.changes


def test_every_place_of_the_example(desk: Desk) -> None:
    for name, text in BASE.items():
        desk.open(name)
        for offset in range(0, len(text) + 1, 5):
            stand_on(desk, name, offset)


def test_every_place_of_a_record_that_ends_early(desk: Desk) -> None:
    text = BASE["flop"]
    for length in range(0, len(text), 61):
        desk.open("flop", text[:length])
        findings(desk.workspace, [desk.file("flop")])
        outline(desk.workspace, desk.record("flop"))
        for offset in (length, length // 2):
            stand_on(desk, "flop", offset)


def test_every_place_of_a_record_with_a_line_too_many(desk: Desk) -> None:
    lines = BASE["flop"].splitlines(keepends=True)
    for at in range(0, len(lines), 4):
        for more in ("  - \n", "x: {\n", "- [\n", ": 5\n", "\t\n", "? a\n", "claims: 5\n", "   \U0001f600: \"\n"):
            text = "".join([*lines[:at], more, *lines[at:]])
            desk.open("flop", text)
            stand_on(desk, "flop", text.index(more) + len(more) - 1)
