"""Findings that the settings silence, in the open: with a reason, for a time, and only while there are any."""
from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fnmatch import fnmatchcase

from specdil_records.corpus import Corpus, SettingsError, Suppression
from specdil_records.findings import Finding, Severity, Span, pointer_text
from specdil_records.rules import NAMES, Rule, by_name


def suppress(corpus: Corpus, rules: Iterable[Rule], findings: list[Finding], scope: frozenset[str] | None,
             today: date) -> list[Finding]:
    """The findings that are left, with one for each suppression that has no reason or nothing to silence."""
    settings = corpus.settings
    if not settings.suppressions:
        return findings
    run = {rule.name for rule in rules}
    own = settings.file.name if settings.file is not None else "pyproject.toml"
    kept = list(findings)
    for entry in settings.suppressions:
        if entry.name not in NAMES:
            raise SettingsError(f"{settings.file}: no finding is called {entry.name}")
        if not any(map(str.isalnum, entry.because)):  # blanks and signs that are not seen are no reason
            kept += _about(own, entry, "suppression-without-reason", run,
                           f"the suppression of {entry.name} for {entry.path} does not say why")
            continue
        expired = entry.until is not None and today > date.fromisoformat(entry.until)
        hit = [] if expired else [finding for finding in kept if _matches(entry, finding)]
        kept = [finding for finding in kept if finding not in hit]
        judged = entry.name in run and (scope is None or any(fnmatchcase(path, entry.path) for path in scope))
        if expired:
            kept += _about(own, entry, "unused-suppression", run,
                           f"the suppression of {entry.name} for {entry.path} ended on {entry.until}")
        elif not hit and judged:
            kept += _about(own, entry, "unused-suppression", run,
                           f"the suppression of {entry.name} for {entry.path} silences nothing")
    return kept


def _matches(entry: Suppression, finding: Finding) -> bool:
    return (finding.name == entry.name and fnmatchcase(finding.path, entry.path)
            and (entry.pointer is None or (pointer_text(finding.pointer) + "/").startswith(entry.pointer + "/")))


def _about(path: str, entry: Suppression, name: str, run: set[str], message: str) -> list[Finding]:
    rule = by_name(name)
    if rule is None or name not in run:
        return []
    line = entry.line
    return [Finding(name=name, code=rule.code, severity=Severity(rule.severity), message=message, path=path,
                    record=None, span=Span(line, 1, line, 1), pointer=(), help=rule.mend,
                    data={"name": entry.name, "path": entry.path})]
