"""A corpus on disk, open in an editor that has no server."""
from __future__ import annotations

from pathlib import Path

from specdil_records.corpus import Record
from specdil_records.editor.answers import Change
from specdil_records.editor.workspace import Workspace, Workspaces
from specdil_records.rules.samples import PATHS


class Desk:
    """The base example in a folder, with shortcuts by the short names of its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.desk = Workspaces()

    def file(self, name: str) -> Path:
        return self.folder / PATHS.get(name, name)

    def text(self, name: str) -> str:
        record = self.record(name)
        return record.document.text

    @property
    def workspace(self) -> Workspace:
        found = self.desk.of(self.file("flop"))
        assert found is not None
        return found

    def record(self, name: str) -> Record:
        found = self.workspace.record(self.file(name))
        assert found is not None
        return found

    def open(self, name: str, text: str | None = None) -> Record:
        self.desk.put(self.file(name), self.file(name).read_text("utf-8") if text is None else text)
        return self.record(name)

    def edit(self, name: str, old: str, new: str) -> Record:
        text = self.text(name)
        assert old in text, old
        return self.open(name, text.replace(old, new, 1))

    def at(self, name: str, words: str, mark: str = "|") -> int:
        """The offset of the mark in words of a file, where they stand first."""
        text, plain = self.text(name), words.replace(mark, "")
        return text.index(plain) + words.index(mark)

    def marked(self, name: str, start: int, end: int) -> str:
        return self.text(name)[start:end]

    def apply(self, changes: tuple[Change, ...]) -> None:
        """Make changes in buffers, the last of a file first."""
        for change in sorted(changes, key=lambda one: -one.start):
            record = self.workspace.record(change.file)
            assert record is not None
            text = record.document.text
            self.desk.put(change.file, text[:change.start] + change.text + text[change.end:])
