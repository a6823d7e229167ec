"""Findings as SARIF 2.1.0, the interchange format of static analysis."""
from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from specdil_records.checking import Report
from specdil_records.checking.baseline import without_lines
from specdil_records.findings import Edit, Finding, Span, pointer_text
from specdil_records.report.console import visible
from specdil_records.report.json_report import summary_data
from specdil_records.report.plain import clean, full_message
from specdil_records.rules import RULES, Rule
from specdil_records.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
"""The base that relative addresses declare; the name that code hosts resolve to the top of a checkout."""
FINGERPRINT = "recordFinding/v1"
ENDINGS = {0: "nothing worse than a warning", 1: "findings", 2: "the command is wrong", 3: "the tool itself failed",
           4: "nothing was checked"}

Data = dict[str, Any]


def write(report: Report, code: int = 0, prefix: str = "") -> str:
    """The report as JSON text in ASCII. `code` is the exit code; `prefix` leads from the base to the project."""
    return json.dumps(as_data(report, code, prefix), indent=2, ensure_ascii=True, allow_nan=False)


def as_data(report: Report, code: int = 0, prefix: str = "") -> Data:
    """The report as plain data: one run."""
    index = {rule.name: position for position, rule in enumerate(RULES)}
    seen: Counter[str] = Counter()
    base = "The top of the repository, or the folder that holds pyproject.toml where no repository is known."
    run = {
        "tool": {"driver": {
            "name": "records", "fullName": f"specdil-records {VERSION}", "version": VERSION, "semanticVersion": VERSION,
            "language": "en", "rules": [rule_data(rule) for rule in RULES]}},
        "invocations": [invocation(report, code, prefix, index)],
        "originalUriBaseIds": {BASE: {"description": {"text": base}}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [result(finding, index, prefix, seen) for finding in report.findings],
        "properties": {"summary": _cleaned(summary_data(report.summary))},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def rule_data(rule: Rule) -> Data:
    """A rule as its class describes it."""
    more = f"`records explain {rule.name}` shows an example."
    title = type(rule).__name__
    return {
        "id": rule.name,
        **({"name": title} if title.lower() != rule.name else {}),  # a name that only repeats the id says nothing
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {
            "text": f"{rule.what}\n\nWhy: {rule.why}\n\nHow to mend it: {rule.mend}\n\n{more.replace('`', '')}",
            "markdown": f"{rule.what}\n\n**Why:** {rule.why}\n\n**How to mend it:** {rule.mend}\n\n{more}",
        },
        "defaultConfiguration": {"level": str(rule.severity)},
        "properties": {"code": rule.code, "since": rule.since, "tags": [rule.family], "precision": "very-high",
                       "problem.severity": str(rule.severity)},
    }


def result(finding: Finding, index: dict[str, int], prefix: str, seen: Counter[str]) -> Data:
    """One finding. `seen` counts equal ones, so that each has a fingerprint of its own."""
    known = fingerprint(finding)
    seen[known] += 1
    location: Data = {"physicalLocation": {"artifactLocation": artifact(prefix + finding.path),
                                           "region": region(finding.span)}}
    if finding.record is not None:
        name = visible(finding.record + pointer_text(finding.pointer))
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    data: Data = {
        "ruleId": finding.name,
        "ruleIndex": index[finding.name],
        "level": str(finding.severity),
        "message": {"text": _unlinked(full_message(finding))},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: f"{known}:{seen[known]}"},
        "properties": {"code": finding.code, "help": clean(finding.help)},
    }
    if finding.fixes and (made := fix(finding.fixes, prefix + finding.path)) is not None:
        data["fixes"] = [made]
    return data


def fingerprint(finding: Finding) -> str:
    """What a finding is known by when lines move and items are put before it: no line, no index in a list."""
    keys = "/".join(part for part in finding.pointer if isinstance(part, str))
    message = without_lines(finding.message)
    text = "\0".join((finding.name, finding.path, keys, message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def region(span: Span) -> Data:
    """A stretch of a file; SARIF counts as `Span` does, its end is exclusive, too."""
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def artifact(path: str) -> Data:
    """A file as a relative, percent-encoded address below the declared base."""
    return {"uri": quote(path, safe="/", errors="surrogatepass"), "uriBaseId": BASE}


def fix(edits: tuple[Edit, ...], path: str) -> Data | None:
    """The edits of a finding, made together; None when one of them holds a character that JSON cannot carry."""
    if any("\ud800" <= ch <= "\udfff" for edit in edits for ch in edit.text):
        return None
    ordered = sorted(edits, key=lambda edit: (edit.span.line, edit.span.column))
    replacements = [{"deletedRegion": region(edit.span), "insertedContent": {"text": edit.text}} for edit in ordered]
    why = "; ".join(dict.fromkeys(clean(edit.why) for edit in edits))
    return {"description": {"text": why},
            "artifactChanges": [{"artifactLocation": artifact(path), "replacements": replacements}],
            "properties": {"safe": all(edit.safe for edit in edits)}}


def invocation(report: Report, code: int, prefix: str, index: dict[str, int]) -> Data:
    """How the run went: its exit code, and what broke or was left out."""
    data: Data = {"executionSuccessful": not report.summary.broken, "exitCode": int(code),
                  "exitCodeDescription": ENDINGS.get(int(code), "unknown")}
    if notes := list(_notifications(report, prefix, index)):
        data["toolExecutionNotifications"] = notes
    return data


def _notifications(report: Report, prefix: str, index: dict[str, int]) -> Iterator[Data]:
    for name, error in report.summary.broken.items():
        note: Data = {"level": "error", "message": {"text": _unlinked(visible(f"The rule {name} failed: {error}"))}}
        if name in index:
            note["associatedRule"] = {"id": name, "index": index[name]}
        yield note
    for path, count in report.summary.hidden.items():
        yield {"level": "warning", "message": {"text": f"{count} more findings are not shown."},
               "locations": [{"physicalLocation": {"artifactLocation": artifact(prefix + path)}}]}
    for name, path, pointer, _ in report.summary.gone:
        text = f"The baseline's {name} at {pointer or '/'} is found no longer: --write-baseline takes it out."
        yield {"level": "error", "message": {"text": visible(text)},
               "locations": [{"physicalLocation": {"artifactLocation": artifact(prefix + path)}}]}


def _unlinked(text: str) -> str:
    """Brackets before a parenthesis would be a link in a message; backslashes make them brackets again."""
    if "](" not in text:
        return text
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _cleaned(data: Any) -> Any:
    if isinstance(data, dict):
        return {clean(str(key)): _cleaned(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_cleaned(value) for value in data]
    return clean(data) if isinstance(data, str) else data
