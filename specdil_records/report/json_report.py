"""The JSON report, for programs. Its schema ships as `report` among the schemas."""
from __future__ import annotations

import json
from typing import Any

from specdil_records.checking import Report, Summary
from specdil_records.findings import Edit, Finding, pointer_text
from specdil_records.shipped import shipped_folder
from specdil_records.version import VERSION

REPORT_VERSION = "1.0"


def report_schema() -> str:
    """The schema of the JSON report, as its file has it."""
    return (shipped_folder("schema") / "report" / f"{REPORT_VERSION}.json").read_text(encoding="utf-8")


def write(report: Report) -> str:
    """The report as JSON text: ASCII, so that every console and pipe can carry it."""
    return json.dumps(as_data(report), indent=2, ensure_ascii=True, allow_nan=False)


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "report_version": REPORT_VERSION,
        "tool": {"name": "specdil-records", "version": VERSION},
        "summary": summary_data(report.summary),
        "findings": [finding_data(finding) for finding in report.findings],
    }


def summary_data(summary: Summary) -> dict[str, Any]:
    """The counts; coverage is a fraction between 0 and 1."""
    return {
        "records": summary.records,
        "claims": dict(summary.claims),
        "numbers": dict(summary.numbers),
        "coverage": float(summary.coverage),
        "errors": summary.errors,
        "warnings": summary.warnings,
        "rules": {"run": summary.rules_run, "broken": dict(summary.broken)},
        "hidden": dict(summary.hidden),
        "baseline_gone": [{"name": name, "path": path, "pointer": pointer, "message": message}
                          for name, path, pointer, message in summary.gone],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding, with its place and what a program needs to act on it."""
    span = finding.span
    return {
        "name": finding.name,
        "code": finding.code,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": finding.path,
        "record": finding.record,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "pointer": pointer_text(finding.pointer),
        "help": finding.help,
        "notes": list(finding.notes),
        "fix": [edit_data(edit) for edit in finding.fixes] or None,
        "data": dict(finding.data),
    }


def edit_data(edit: Edit) -> dict[str, Any]:
    """One replacement."""
    return {
        "line": edit.span.line, "column": edit.span.column, "end_line": edit.span.end_line,
        "end_column": edit.span.end_column, "text": edit.text, "safe": edit.safe, "why": edit.why,
    }
