"""Findings as JUnit XML, which every continuous integration shows: one test case a record.

Written by hand: the standard library's ElementTree writes control characters that XML 1.0 forbids. Everything beyond
ASCII is a character reference, so that no console can spoil the encoding.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from specdil_records.checking import Report
from specdil_records.findings import Finding, Severity
from specdil_records.report.console import visible
from specdil_records.report.plain import clean
from specdil_records.report.text import counted, frame, summary_line

ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;"})
IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, slots=True)
class Case:
    """One test case: what makes it fail, what makes it an error, what else there is to say."""

    group: str
    name: str
    failure: tuple[str, str, str] | None = None
    """Type, message and text."""
    error: str = ""
    remarks: str = ""
    is_file: bool = False


def write(report: Report, judged: Iterable[str], strict: bool = False) -> str:
    """The report as XML text. `judged` holds the paths of the judged records; `strict` makes warnings fail."""
    cases = list(_cases(report, judged, strict))
    failures = sum(case.failure is not None for case in cases)
    errors = sum(bool(case.error) for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<testsuites name="records" {counts}>',
             f'  <testsuite name="records check" {counts}>',
             *(line for case in cases for line in _written(case)),
             f"    <system-out>{_text(summary_line(report.summary))}</system-out>",
             "  </testsuite>",
             "</testsuites>"]
    return "\n".join(lines)


def _cases(report: Report, judged: Iterable[str], strict: bool) -> Iterator[Case]:
    summary = report.summary
    by_path: dict[str, list[Finding]] = {path: [] for path in judged}
    for finding in report.findings:
        by_path.setdefault(finding.path, []).append(finding)
    shown_errors = sum(finding.severity == Severity.ERROR for finding in report.findings)
    hidden_fail = strict or summary.errors > shown_errors
    for path, findings in sorted(by_path.items()):
        hidden = summary.hidden.get(path, 0)
        yield _of_file(path, findings, hidden, hidden > 0 and hidden_fail, strict)
    for rule, error in summary.broken.items():
        yield Case("records.rules", rule, error=error)
    for name, path, pointer, _ in summary.gone:
        message = f"{name} at {pointer or '/'} is found no longer: --write-baseline takes it out"
        yield Case("records.baseline", f"{name} in {path}", ("baseline", message, message))


def _of_file(path: str, findings: list[Finding], hidden: int, hidden_fail: bool, strict: bool) -> Case:
    failing = [finding for finding in findings if strict or finding.severity == Severity.ERROR]
    others = [finding for finding in findings if finding not in failing]
    more = [f"{hidden} more findings are not shown"] if hidden else []
    failure = None
    if failing or hidden_fail:
        first = failing[0] if failing else findings[0]
        count = len(failing) + (hidden if hidden_fail else 0)
        message = first.message if count == 1 else f"{counted(count, 'finding')}, first {first.name}: {first.message}"
        failure = (first.name, message, "\n".join([*_frames(failing), *more]))
        more = []
    return Case("records." + "".join(path.split("/")[-2:-1]), path, failure,
                remarks="\n".join([*_frames(others), *more]), is_file=True)


def _frames(findings: list[Finding]) -> Iterator[str]:
    for finding in findings:
        yield from frame(finding, color=False)
        yield ""


def _written(case: Case) -> Iterator[str]:
    head = f'    <testcase classname="{_attribute(case.group)}" name="{_attribute(case.name)}"'
    head += f' file="{_attribute(case.name)}"' if case.is_file else ""
    inside = []
    if case.failure is not None:
        kind, message, text = case.failure
        inside.append(f'<failure type="{_attribute(kind)}" message="{_attribute(message)}">{_text(text)}</failure>')
    if case.error:
        inside.append(f'<error type="rule-failed" message="{_attribute(case.error)}">{_text(case.error)}</error>')
    if case.remarks:
        inside.append(f"<system-out>{_text(case.remarks)}</system-out>")
    if not inside:
        yield head + "/>"
        return
    yield head + ">"
    yield from (f"      {element}" for element in inside)
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return _ascii(visible(text).translate(ENTITIES))


def _text(text: str) -> str:
    return _ascii(clean(text).translate(IN_TEXT))


def _ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")
