"""Answers as the text that a cache keeps: the verdict on a record, a whole report."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Any

from specdil_records.checking.results import Report, Summary, Tally, Verdict
from specdil_records.findings import Edit, Finding, Severity, Span, coverage


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report, and the paths that it is about; None for the whole corpus."""

    report: Report
    scope: frozenset[str] | None


def verdict_text(verdict: Verdict, beside: str) -> str:
    """The verdict on one record; where something was found, with what else of the corpus its words may rest on."""
    counts = {"claims": verdict.tally.claims, "numbers": verdict.tally.numbers}
    if verdict.clean:
        return json.dumps(counts)
    return json.dumps({**counts, "beside": beside, "findings": [_finding_data(one) for one in verdict.findings]})


def read_verdict(text: str, beside: str) -> Verdict | None:
    """A kept verdict; None when it cannot be read, or its findings could be put into other words now."""
    try:
        data = json.loads(text)
        tally = Tally(records=1, claims=Counter(_counts(data["claims"])), numbers=Counter(_counts(data["numbers"])))
        if "findings" not in data:
            return Verdict(tally)
        if data["beside"] != beside:
            return None
        return Verdict(tally, tuple(map(_finding, data["findings"])), clean=False)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def report_text(kept: KeptReport) -> str:
    """A report. What is worked out from its counts is not kept."""
    summary = kept.report.summary
    return json.dumps({
        "scope": None if kept.scope is None else sorted(kept.scope),
        "records": summary.records, "claims": dict(summary.claims), "numbers": dict(summary.numbers),
        "errors": summary.errors, "warnings": summary.warnings, "rules": summary.rules_run,
        "hidden": dict(summary.hidden), "gone": summary.gone,
        "findings": [_finding_data(one) for one in kept.report.findings],
    })


def read_report(text: str) -> KeptReport | None:
    """A kept report; None when it cannot be read."""
    try:
        data = json.loads(text)
        numbers = _counts(data["numbers"])
        summary = Summary(int(data["records"]), _counts(data["claims"]), numbers, coverage(numbers),
                          int(data["errors"]), int(data["warnings"]), int(data["rules"]), {}, _counts(data["hidden"]),
                          tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in data["gone"]))
        scope = data["scope"]
        return KeptReport(Report(tuple(map(_finding, data["findings"])), summary),
                          None if scope is None else frozenset(map(str, scope)))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _counts(data: Mapping[str, int]) -> dict[str, int]:
    return {str(name): int(count) for name, count in data.items()}


def _finding_data(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name, "code": finding.code, "severity": finding.severity, "message": finding.message,
        "path": finding.path, "record": finding.record, "span": astuple(finding.span), "pointer": finding.pointer,
        "help": finding.help, "notes": finding.notes, "data": dict(finding.data), "source": finding.source,
        "fixes": [(astuple(fix.span), fix.text, fix.safe, fix.why) for fix in finding.fixes],
    }


def _finding(data: Mapping[str, Any]) -> Finding:
    listed: Iterable[Any] = data["fixes"]
    return Finding(
        data["name"], data["code"], Severity(data["severity"]), data["message"], data["path"], data["record"],
        Span(*data["span"]), tuple(data["pointer"]), data["help"], tuple(data["notes"]), data["data"],
        tuple(Edit(Span(*span), text, safe, why) for span, text, safe, why in listed), data["source"])
