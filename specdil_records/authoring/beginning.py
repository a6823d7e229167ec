"""The file of a new record, composed and looked at before anybody writes it."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from specdil_records.authoring.skeleton import FOLDERS, CannotBegin, from_text, skeleton, text_of
from specdil_records.authoring.trial import with_record
from specdil_records.checking import Options, check
from specdil_records.corpus import KINDS, Corpus
from specdil_records.reading import display_path

REFUSED = {"bad-id", "duplicate-id", "schema", "wrong-type", "unknown-version", "not-yaml", "bad-character",
           "lost-text", "yaml-feature", "too-large"}
"""Findings that a record must not be born with; that it names what is still missing is no fault of its beginning."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A record that is not there yet: its id, its file and how reports call that, its content, and how many rows and
    claims were proposed for it."""

    id: str
    file: Path
    path: str
    content: str
    rows: int
    claims: int


def begin(corpus: Corpus, kind: str, identity: str, text: str | None = None) -> Beginning:
    """The beginning of a record of a kind (`flop` or its folder, `flops`), from a text of prose if there is one.

    Writes nothing. Raises `CannotBegin`.
    """
    kind = KINDS.get(kind, kind)
    if kind not in FOLDERS:
        raise CannotBegin(f"no kind of record is called {kind!r}; there are {', '.join(FOLDERS)}")
    if text is not None and kind != "flop":
        raise CannotBegin(f"only a flop record is made of prose; {kind} is none")
    identity = identity if identity.startswith(FOLDERS[kind] + "/") else f"{FOLDERS[kind]}/{identity}"
    settings = corpus.settings
    if (there := corpus.by_id.get(identity)) is not None and there.own:
        raise CannotBegin(f"{there.path} is there already; nothing was written")
    data = skeleton(kind, identity) if text is None else from_text(identity, text, corpus)
    file = settings.folder / f"{identity}.yaml"
    content = text_of(data, kind, file, settings.project)
    path = display_path(file.relative_to(settings.project) if file.is_relative_to(settings.project) else file)
    _refuse(corpus, path, f"{identity}.yaml", content.encode("utf-8", "surrogatepass"))
    return Beginning(identity, file, path, content, len(data.get("scales_with", []))
                     + len(data.get("hardware_parameters", [])), len(data.get("claims", [])))


def _refuse(corpus: Corpus, path: str, inside: str, content: bytes) -> None:
    """Raises `CannotBegin` for a record that would not read, fit its schema or bear its id."""
    trial = with_record(corpus, path, inside, content)
    for finding in check(trial, Options(scope=frozenset({path}))).findings:
        if finding.name in REFUSED:
            raise CannotBegin(f"nothing was written; the record would have {finding.name}: {finding.message}")
