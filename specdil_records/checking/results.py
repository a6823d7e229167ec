"""What a check gives: findings in their order, and a summary that says how much was looked at."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from specdil_records.findings import ClaimVerdict, Finding, Severity, Status, coverage

MOST_SHOWN = 200
"""Findings of one file that are shown; the rest are counted."""


@dataclass(slots=True)
class Tally:
    """Counts over records; tallies of parts add up to the tally of the whole."""

    records: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    rules_run: int = 0
    broken: dict[str, str] = field(default_factory=dict)
    leaning: set[str] = field(default_factory=set)
    """Paths of records on which claims rest that could not be judged because of a fault elsewhere."""

    def add(self, other: Tally) -> None:
        """Take the counts of another part in."""
        self.records += other.records
        if other.claims or other.numbers:  # to look into an empty one takes as long as to add a full one
            self.claims.update(other.claims)
            self.numbers.update(other.numbers)
        self.rules_run = max(self.rules_run, other.rules_run)
        self.broken.update(other.broken)
        self.leaning.update(other.leaning)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one record gave: its counts, and what was found by the rules that look no further than what it names."""

    tally: Tally
    findings: tuple[Finding, ...] = ()
    clean: bool = True
    """Whether no rule at all found anything."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a report."""

    records: int
    claims: Mapping[str, int]
    numbers: Mapping[str, int]
    coverage: Fraction
    errors: int
    warnings: int
    rules_run: int
    broken: Mapping[str, str]
    hidden: Mapping[str, int]
    """For a file with very many findings, how many are not shown."""
    gone: tuple[tuple[str, str, str, str], ...] = ()
    """Entries of the baseline that are found no longer and have to leave it."""


@dataclass(frozen=True, slots=True)
class Report:
    """Findings, sorted, and the summary."""

    findings: tuple[Finding, ...]
    summary: Summary


def make_report(findings: list[Finding], tally: Tally,
                gone: tuple[tuple[str, str, str, str], ...] = ()) -> Report:
    """Sort, cap the findings of each file, and count."""
    findings.sort(key=lambda finding: finding.order)
    shown: list[Finding] = []
    per_file: Counter[str] = Counter()
    for finding in findings:
        per_file[finding.path] += 1
        if per_file[finding.path] <= MOST_SHOWN:
            shown.append(finding)
    numbers = {str(status): tally.numbers[status] for status in Status}
    summary = Summary(
        records=tally.records,
        claims={str(verdict): tally.claims[verdict] for verdict in ClaimVerdict},
        numbers=numbers,
        coverage=coverage(numbers),
        errors=sum(finding.severity == Severity.ERROR for finding in findings),
        warnings=sum(finding.severity == Severity.WARNING for finding in findings),
        rules_run=tally.rules_run,
        broken=dict(sorted(tally.broken.items())),
        hidden={path: count - MOST_SHOWN for path, count in sorted(per_file.items()) if count > MOST_SHOWN},
        gone=gone,
    )
    return Report(tuple(shown), summary)
