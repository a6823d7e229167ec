"""Corpora as an editor sees them: open buffers stand in for their files, everything else is read from disk.

Only what has changed since the last question is read again, so that judging while somebody types costs one record.
"""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from specdil_records.claims import Evaluation, evaluate
from specdil_records.corpus import (
    Corpus,
    NoCorpus,
    Record,
    Settings,
    SettingsError,
    SourceFile,
    build_corpus,
    find_settings,
)
from specdil_records.corpus.files import source_file
from specdil_records.corpus.loading import load_record
from specdil_records.editor.sheet import Sheet
from specdil_records.reading.files import UnreadableFile, find_records, has_suffix
from specdil_records.shipped import shipped_folder

Stamp = tuple[int, int] | str


class Workspace:
    """One corpus with the buffers that are open in it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.buffers: dict[Path, str] = {}
        self._kept: dict[Path, tuple[Stamp, Record]] = {}
        self._brought: tuple[Record, ...] | None = None
        self._corpus = Corpus(settings, ())
        self._files: dict[str, Path] = {}
        self._evaluations: dict[str, Evaluation] = {}
        self._readable: dict[Path, dict[str, Any]] = {}

    @property
    def corpus(self) -> Corpus:
        """The corpus as it is now."""
        before = {file: stamp for file, (stamp, _) in self._kept.items()}
        now = self._stamps()
        if now != before or self._brought is None:
            self._read(now)
        return self._corpus

    def record(self, file: Path) -> Record | None:
        """The record of a file of this corpus; None when the file does not belong to it."""
        _ = self.corpus
        kept = self._kept.get(file)
        return kept[1] if kept is not None else None

    def file(self, record: Record) -> Path:
        """The file of a record, also of one that ships with the tool."""
        return self._files[record.path] if record.own else shipped_folder("records").parent / record.path

    def file_at(self, path: str) -> Path | None:
        """The file that a report calls by this path."""
        return self._files.get(path)

    def evaluation(self, record: Record) -> Evaluation | None:
        """A record's claims, judged once for each state of the corpus; None for one that may not be judged."""
        corpus = self.corpus
        if not record.sound or record.kind not in ("flop", "source"):
            return None
        if record.path not in self._evaluations:
            self._evaluations[record.path] = evaluate(record, corpus)
        return self._evaluations[record.path]

    def readable(self, file: Path) -> dict[str, Any]:
        """The content of a file, or what it last held when it could be read: half a line breaks a document."""
        record = self.record(file)
        if record is not None and not record.document.broken and record.data:
            return record.data
        return self._readable.get(file, {})

    def sheet(self, record: Record) -> Sheet:
        """A record's document with places in offsets."""
        kept = record.notes.get("sheet")
        if not isinstance(kept, Sheet):
            kept = record.notes["sheet"] = Sheet(record.document)
        return kept

    def _stamps(self) -> dict[Path, Stamp]:
        stamps: dict[Path, Stamp] = {}
        try:
            found = find_records(self.settings.folder, self.settings.exclude)
        except UnreadableFile:
            found = []
        for file in found:
            if file in self.buffers:
                continue
            try:
                status = os.stat(file)
            except OSError:
                continue
            stamps[file] = (status.st_mtime_ns, status.st_size)
        on_disk = set(found)
        # A file that is there but was not found is one that the settings leave out.
        stamps.update({file: text for file, text in self.buffers.items() if file in on_disk or not file.exists()})
        return dict(sorted(stamps.items()))

    def _read(self, stamps: dict[Path, Stamp]) -> None:
        if self._brought is None:
            self._brought = tuple(build_corpus(self.settings, []).records)
        kept: dict[Path, tuple[Stamp, Record]] = {}
        for file, stamp in stamps.items():
            before = self._kept.get(file)
            if before is not None and before[0] == stamp:
                kept[file] = before
                continue
            try:
                record = load_record(self._source(file, stamp))
            except UnreadableFile:
                continue
            if not record.document.broken and record.data:
                self._readable[file] = record.data
            kept[file] = (stamp, record)
        self._kept = kept
        own = [record for _, record in kept.values()]
        for record in own:
            # What was worked out about a record may rest on others, so only what is its own alone is kept.
            for key in record.notes.keys() - {"sheet"}:
                del record.notes[key]
        self._files = {record.path: file for file, (_, record) in kept.items()}
        self._corpus = Corpus(self.settings, (*own, *self._brought))
        for record in self._corpus.records:
            record.home = self._corpus
        self._evaluations = {}

    def _source(self, file: Path, stamp: Stamp) -> SourceFile:
        source = source_file(self.settings, file)
        if not isinstance(stamp, str):
            return source
        raw = stamp.encode("utf-8", "surrogatepass")
        return SourceFile(source.path, source.inside, lambda: raw)


class Workspaces:
    """Every corpus that a file of the editor belongs to, each found as the commands find it."""

    def __init__(self) -> None:
        self._by_folder: dict[Path, Workspace] = {}
        self._open: dict[Path, str] = {}
        self.trouble = ""
        """Why the settings beside the file that was looked at last cannot be used."""

    def of(self, file: Path) -> Workspace | None:
        """The corpus of a file; None for a file that is no record of any."""
        if not has_suffix(file.name) or file.name.startswith("."):
            return None
        self.trouble = ""
        try:
            settings = find_settings(file)
        except NoCorpus:
            return None
        except SettingsError as error:  # somebody is just writing the settings: those before them still serve
            self.trouble = str(error)
            return next((one for folder, one in self._by_folder.items() if file.is_relative_to(folder)), None)
        if not file.is_relative_to(settings.folder):
            return None
        known = self._by_folder.get(settings.folder)
        if known is None or known.settings != settings:
            try:
                known = self._begun(settings)
            except SettingsError as error:
                self.trouble = str(error)
                return known
        return known

    def put(self, file: Path, text: str) -> Workspace | None:
        """A buffer's text, which stands in for the file from now on."""
        self._open[file] = text
        workspace = self.of(file)
        if workspace is not None:
            workspace.buffers[file] = text
        return workspace

    def drop(self, file: Path) -> Workspace | None:
        """A buffer is closed: the file counts again."""
        self._open.pop(file, None)
        workspace = self.of(file)
        if workspace is not None:
            workspace.buffers.pop(file, None)
        return workspace

    def _begun(self, settings: Settings) -> Workspace:
        workspace = Workspace(settings)
        build_corpus(settings, [])  # settings that name no corpus are found out here
        workspace.buffers = {file: text for file, text in self._open.items() if file.is_relative_to(settings.folder)}
        self._by_folder[settings.folder] = workspace
        return workspace
