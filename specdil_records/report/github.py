"""Findings as GitHub workflow commands, which the runner shows as annotations in the changed files."""
from __future__ import annotations

from collections.abc import Iterator

from specdil_records.checking import Report
from specdil_records.findings import Finding, Severity
from specdil_records.report.console import visible
from specdil_records.report.plain import full_message
from specdil_records.report.text import summary_line

IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def write(report: Report, prefix: str = "") -> Iterator[str]:
    """One line an annotation, the worst first since GitHub shows ten of each level, then the summary.

    `prefix` is put before every path: where the project lies in the repository, with a slash at its end.
    """
    summary = report.summary
    for rule, error in summary.broken.items():
        yield command("error", {"title": f"the rule {rule} failed"}, visible(error))
    for finding in sorted(report.findings, key=lambda finding: finding.severity != Severity.ERROR):
        yield annotation(finding, prefix)
    for name, path, pointer, _ in summary.gone:
        yield command("error", {"file": prefix + path, "title": "the baseline has to shrink"},
                      f"{name} at {visible(pointer) or '/'} is found no longer: --write-baseline takes it out")
    for path, count in summary.hidden.items():
        yield command("notice", {"file": prefix + path}, f"{count} more findings are not shown")
    yield summary_line(summary)


def annotation(finding: Finding, prefix: str = "") -> str:
    """One finding. Columns only where it begins and ends on one line: GitHub refuses others."""
    span = finding.span
    properties = {"file": prefix + finding.path, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    properties["title"] = f"{finding.name} ({finding.code})"
    text = full_message(finding) + (f"\nhelp: {visible(finding.help)}" if finding.help else "")
    return command(str(finding.severity), properties, text)


def command(level: str, properties: dict[str, str], text: str) -> str:
    """A workflow command: one line, whatever its parts hold."""
    listed = ",".join(f"{key}={_kept(value).translate(IN_PROPERTY)}" for key, value in properties.items())
    return f"::{level} {listed}::{_kept(text).translate(IN_DATA)}"


def _kept(text: str) -> str:
    """Line breaks are written by the command's own escapes, so that a path stays the path; the rest as on a console."""
    return "".join(ch if ch in "\r\n" else visible(ch) for ch in text)
