"""Findings for the buffers that are open."""
from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from specdil_records.checking import Options, check
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Finding


def affected(workspace: Workspace, file: Path, before: frozenset[Path] = frozenset()) -> list[Path]:
    """The open files that a change of one may touch: itself first, then its dependents, before and after.

    `before` holds those that depended on it in its earlier state, whose references may now lead nowhere.
    """
    corpus = workspace.corpus
    record = workspace.record(file)
    paths = corpus.scope_of({record.path}) if record is not None else set()
    files = {workspace.file_at(path) for path in paths} | before
    others = sorted(one for one in workspace.buffers if one in files and one != file)
    return [file, *others] if file in workspace.buffers else others


def findings(workspace: Workspace, files: Iterable[Path],
             broken: dict[str, str] | None = None) -> dict[Path, list[Finding]]:
    """The findings of some files, each with an entry, also when it has none.

    `broken` takes the rules that failed, which is the tool's fault and no record's, each with what went wrong.
    """
    corpus = workspace.corpus
    found: dict[Path, list[Finding]] = {}
    paths: dict[str, Path] = {}
    for file in files:
        found[file] = []
        record = workspace.record(file)
        if record is not None:
            paths[record.path] = file
    if paths:
        report = check(corpus, Options(scope=frozenset(paths), jobs=1))
        if broken is not None:
            broken.update(report.summary.broken)
        for finding in report.findings:
            if finding.path in paths:
                found[paths[finding.path]].append(finding)
    return found


def words(finding: Finding) -> str:
    """A finding's message with how it was found out and how to mend it, as the terminal shows them."""
    notes = [f"  {note}" for note in finding.notes]
    return "\n".join([finding.message, *notes, *([f"help: {finding.help}"] if finding.help else [])])
