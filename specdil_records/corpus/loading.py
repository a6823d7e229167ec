"""Files to a corpus: every record read, its version settled, its shape checked."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from specdil_records.corpus.records import Corpus, Record
from specdil_records.corpus.settings import KINDS, Settings, SettingsError, find_settings
from specdil_records.findings import Place, Problem
from specdil_records.reading import Document, read_document
from specdil_records.reading.files import UnreadableFile, display_path, find_records, read_file
from specdil_records.schemas import validate, versions
from specdil_records.shipped import shipped_folder

VERSION: tuple[str] = ("schema_version",)
HARMLESS = {"bad-id", "ambiguous-scalar", "byte-order-mark"}
"""Findings that leave a record's content fit to be judged."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A record file before it is read: the path to show, its place in the corpus, and its bytes when asked for."""

    path: str
    inside: str
    read: Callable[[], bytes]


def files_on_disk(settings: Settings) -> list[SourceFile]:
    """Every record file of a corpus folder, in the order of their paths."""
    return [source_file(settings, file) for file in find_records(settings.folder, settings.exclude)]


def source_file(settings: Settings, file: Path) -> SourceFile:
    """One record file on disk."""
    return SourceFile(
        path=display_path(_relative(file, settings.project)),
        inside=display_path(_relative(file, settings.folder)),
        read=lambda: read_file(file),
    )


def _relative(file: Path, folder: Path) -> Path:
    return file.relative_to(folder) if file.is_relative_to(folder) else file


def load_corpus(path: str | Path) -> Corpus:
    """The corpus at a path, a project folder or a records folder.

    Raises `SettingsError` when there is none, `UnreadableFile` when a file cannot be read.
    """
    settings = find_settings(Path(path))
    return build_corpus(settings, files_on_disk(settings))


def build_corpus(settings: Settings, files: Iterable[SourceFile]) -> Corpus:
    """A corpus of these files and of what the settings bring in."""
    records = [load_record(file) for file in files]
    corpus = Corpus(settings, tuple(records) + tuple(_brought_in(settings)))
    for record in corpus.records:
        record.home = corpus
    return corpus


def _brought_in(settings: Settings) -> Iterable[Record]:
    for name in settings.extends:
        if name != "specdil":
            raise SettingsError(f"extends names {name!r}; the one corpus that ships is 'specdil'")
        folder = shipped_folder("records")
        shared = Settings(project=folder.parent, folder=folder)
        for file in files_on_disk(shared):
            if not file.inside.startswith("flops/"):
                yield load_record(file, own=False)


def load_record(file: SourceFile, own: bool = True) -> Record:
    """Read one file and check its shape. Raises `UnreadableFile`."""
    document = read_document(file.read(), file.path)
    return make_record(document, file.path, file.inside, own)


def make_record(document: Document, path: str, inside: str, own: bool = True) -> Record:
    """A record of a document: its kind from its folder, its version as it says, its faults as its schema says."""
    path_id = str(PurePosixPath(inside).with_suffix(""))
    data = document.data if isinstance(document.data, dict) else {}
    named = data.get("id")
    identity = named if isinstance(named, str) else path_id
    kind = KINDS.get(inside.partition("/")[0]) or KINDS.get(identity.partition("/")[0])
    problems = list(document.problems)
    version: str | None = None
    if not document.broken:
        version, faults = _version(document, kind)
        problems += faults
        if version is not None and kind is not None:
            problems += [problem for problem in validate(document, kind, version) if not _about_version(problem)]
    spoilt = any(problem.name not in HARMLESS and not _about_version(problem) for problem in problems)
    sound = version is not None and kind is not None and not document.broken and not spoilt
    return Record(path, path_id, identity, kind, version, document, tuple(problems), sound, own)


def _about_version(problem: Problem) -> bool:
    return isinstance(problem.where, Place) and problem.where.pointer == VERSION and problem.name != "unknown-version"


def _version(document: Document, kind: str | None) -> tuple[str | None, list[Problem]]:
    """The version that a record is judged by, and what is wrong with how it says so."""
    data = document.data
    if kind is None:
        return None, []
    shipped = versions(kind)
    listed = ", ".join(f'"{version}"' for version in shipped)
    if "schema_version" not in data:
        return None, [Problem("unknown-version", f"the record does not say its schema_version; there are {listed}",
                              Place(()), help=f'add the line schema_version: "{shipped[-1]}"')]
    said, faults = data["schema_version"], []
    if not isinstance(said, str):
        written = document.written(VERSION).strip()
        faults.append(Problem("wrong-type", f"schema_version is text; write it in quotes: \"{written[:40]}\"",
                              Place(VERSION), data={"written": written[:80]}))
        if isinstance(said, bool | list | dict) or said is None:
            return None, faults
        said = written
    if said in shipped:
        return said, faults
    faults.append(Problem("unknown-version", f"version \"{said[:40]}\" of a {kind} record is not shipped; "
                          f"there are {listed}", Place(VERSION), data={"version": said[:80], "shipped": list(shipped)}))
    return None, faults


__all__ = ["SourceFile", "UnreadableFile", "build_corpus", "files_on_disk", "load_corpus", "load_record",
           "make_record", "source_file"]
