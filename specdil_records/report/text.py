"""Findings for people: each with its source line and a caret under the digits, then one summary line."""
from __future__ import annotations

from collections.abc import Iterator

from specdil_records.checking import Report, Summary
from specdil_records.findings import Finding, coverage_words
from specdil_records.report.console import paint, visible, width

WINDOW = 96
"""Characters of a source line that are shown around the place."""


def write(report: Report, color: bool = False, quiet: bool = False, encoding: str = "utf-8") -> Iterator[str]:
    """Lines of the text report, without line ends. What the console's encoding lacks is shown as an escape."""
    if not quiet:
        for finding in report.findings:
            yield from frame(finding, color, encoding)
            yield ""
    for path, count in report.summary.hidden.items():
        yield f"{visible(path)}: {count} more findings are not shown"
    for name, path, pointer, _ in report.summary.gone:
        yield f"the baseline's {name} in {visible(path)} {pointer} is found no longer: --write-baseline takes it out"
    for name, error in report.summary.broken.items():
        yield paint(f"broken rule {name}: {visible(error)}", "error", color)
    yield summary_line(report.summary, color)


def frame(finding: Finding, color: bool, encoding: str = "utf-8") -> Iterator[str]:
    """One finding: head, place, source line with carets, notes, help."""
    style = str(finding.severity)
    head = paint(f"{finding.severity}[{finding.code}] {finding.name}", style, color)
    yield f"{head}: {paint(visible(finding.message), 'bold', color)}"
    span = finding.span
    margin = " " * len(str(span.line))
    yield f"{margin}{paint('-->', 'place', color)} {visible(finding.path)}:{span.line}:{span.column}"
    if finding.source.strip():
        bar = paint("|", "place", color)
        shown, start, stop = window(finding, encoding)
        yield f"{margin} {bar}"
        yield f"{paint(str(span.line), 'place', color)} {bar} {shown}"
        yield f"{margin} {bar} {' ' * start}{paint('^' * max(stop - start, 1), style, color)}"
    for note in finding.notes:
        yield f"{margin} {paint('=', 'place', color)} {visible(note)}"
    if finding.help:
        yield f"{margin} {paint('=', 'place', color)} help: {visible(finding.help)}"
    yield from ()


def window(finding: Finding, encoding: str) -> tuple[str, int, int]:
    """The part of the source line around the place, and the columns at which the carets begin and end."""
    line, span = finding.source, finding.span
    first = min(span.column - 1, len(line))
    last = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    left = 0 if len(line) <= WINDOW else max(0, min(first - WINDOW // 3, len(line) - WINDOW))
    right = min(len(line), left + WINDOW)
    def seen(text: str) -> str:
        return visible(text).encode(encoding, "backslashreplace").decode(encoding)

    before, marked = seen(line[left:first]), seen(line[first:min(last, right)])
    head = seen("…") if left else ""
    shown = head + before + marked + seen(line[min(last, right):right]) + (seen("…") if right < len(line) else "")
    start = width(head + before)
    return shown, start, start + width(marked)


def summary_line(summary: Summary, color: bool = False) -> str:
    """One line that counts records, claims by verdict, numbers by status, and what was found."""
    records = counted(summary.records, "record")
    claims = listed(summary.claims) or "none"
    numbers = listed(summary.numbers) or "none"
    broken = f"{counted(len(summary.broken), 'rule')} broken, " if summary.broken else ""
    state = paint(broken, "error", color)
    errors = paint(counted(summary.errors, "error"), "error" if summary.errors else "good", color)
    warnings = paint(counted(summary.warnings, "warning"), "warning" if summary.warnings else "good", color)
    return (f"{state}{errors}, {warnings}: {records}; claims: {claims}; numbers: {numbers}; "
            f"{summary.rules_run} rules run; {coverage_words(summary.numbers)}")


def counted(count: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(counts: object) -> str:
    """`3 recomputed, 1 held`, without what there is none of."""
    assert isinstance(counts, dict)
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)
