"""Annotations decode to what was found; the problem matcher reads the text report."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking.pipeline import check
from specdil_records.checking.results import Report, Tally, make_report
from specdil_records.checking.selftest import sample_corpus
from specdil_records.findings import Finding, Severity, Span
from specdil_records.report import github, text
from specdil_records.report.console import visible
from specdil_records.rules import RULES, Rule

MATCHER = json.loads((Path(__file__).parents[2] / ".github/problem-matcher.json").read_text(encoding="utf-8"))
CODES = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
HERE = Span(3, 5, 3, 9)
BAD = [rule for rule in RULES if getattr(rule.bad, "before", None) is None]


def finding(severity: Severity = Severity.ERROR, path: str = "records/flops/a.yaml", message: str = "wrong",
            span: Span = HERE) -> Finding:
    return Finding("schema", "S03", severity, message, path, "flops/a", span, ())


def decoded(line: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner reads it: level, properties, text. Fails on anything that is not escaped."""
    found = re.fullmatch(r"::(error|warning|notice) ([^:\r\n]*)::([^\r\n]*)", line)
    assert found is not None, line

    def plain(part: str) -> str:
        assert not re.search("%(?!25|0D|0A|3A|2C)", part)
        return re.sub("%..", lambda code: CODES[code[0]], part)

    properties = dict(part.split("=", 1) for part in found[2].split(","))
    return found[1], {key: plain(value) for key, value in properties.items()}, plain(found[3])


@given(st.text(min_size=1, max_size=20), st.text(max_size=40))
def test_any_path_and_any_message_stay_one_line_that_decodes(path: str, message: str) -> None:
    *lines, _ = github.write(make_report([finding(path=path, message=message)], Tally()))
    assert len(lines) == 1
    assert len(lines[0].splitlines()) == 1
    _, properties, shown = decoded(lines[0])
    assert shown == visible(message)
    if all(ch.isprintable() or ch in "\r\n" for ch in path):
        assert properties["file"] == path


def test_errors_come_first_and_the_summary_last() -> None:
    levels = [Severity.WARNING, Severity.ERROR, Severity.WARNING, Severity.ERROR]
    report = make_report([finding(level, span=Span(line, 1, line, 2)) for line, level in enumerate(levels, 1)], Tally())
    *lines, last = github.write(report)
    assert [(decoded(line)[0], decoded(line)[1]["line"]) for line in lines] == [
        ("error", "2"), ("error", "4"), ("warning", "1"), ("warning", "3")]
    assert last == text.summary_line(report.summary)
    assert last.startswith("2 errors, 2 warnings")


def test_columns_are_given_for_one_line_only() -> None:
    one, several = (decoded(github.annotation(finding(span=span)))[1] for span in (Span(3, 5, 3, 9), Span(3, 5, 4, 2)))
    assert (one["col"], one["endColumn"], one["endLine"]) == ("5", "9", "3")
    assert (several["line"], several["endLine"]) == ("3", "4")
    assert "col" not in several
    assert "endColumn" not in several


def test_a_project_in_a_subfolder_is_found_from_the_top() -> None:
    assert decoded(github.annotation(finding(), "knowledge/"))[1]["file"] == "knowledge/records/flops/a.yaml"


def test_what_broke_is_an_error_and_what_is_left_out_is_told() -> None:
    report = make_report([finding(message=str(number)) for number in range(202)], Tally(broken={"formula": "x\ny"}),
                         (("schema", "records/flops/b.yaml", "/notes", "gone"),))
    *lines, _ = github.write(report)
    level, properties, shown = decoded(lines[0])
    assert (level, properties["title"], shown) == ("error", "the rule formula failed", "x\\x0ay")
    assert decoded(lines[-2])[:2] == ("error", {"file": "records/flops/b.yaml", "title": "the baseline has to shrink"})
    assert decoded(lines[-1]) == ("notice", {"file": "records/flops/a.yaml"}, "2 more findings are not shown")


def matched(report: Report, color: bool = False) -> list[dict[str, str]]:
    """What the runner makes of a text report: each pattern on a line of its own, one after the other."""
    patterns = MATCHER["problemMatcher"][0]["pattern"]
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.write(report, color)]
    problems = []
    for start in range(len(lines) - len(patterns) + 1):
        problem: dict[str, str] = {}
        for pattern, line in zip(patterns, lines[start:], strict=False):
            found = re.search(pattern["regexp"], line)
            if found is None:
                break
            problem |= {key: found[group] for key, group in pattern.items() if isinstance(group, int)}
        else:
            problems.append(problem)
    return problems


@pytest.mark.parametrize("rule", BAD, ids=lambda rule: rule.name)
@pytest.mark.parametrize("color", [False, True])
def test_the_problem_matcher_reads_every_finding_of_the_text_report(rule: Rule, color: bool) -> None:
    report = check(sample_corpus(rule.bad))
    assert matched(report, color) == [
        {"severity": str(one.severity), "code": one.name,
         "message": visible(one.message), "file": one.path, "line": str(one.span.line), "column": str(one.span.column)}
        for one in report.findings]


def test_the_problem_matcher_reads_odd_paths_and_nothing_else() -> None:
    report = make_report([finding(path="records/flops/we,ird 100%: a:3.yaml", message="a: b --> c:1:2")], Tally())
    assert [(one["file"], one["line"], one["message"]) for one in matched(report)] == [
        ("records/flops/we,ird 100%: a:3.yaml", "3", "a: b --> c:1:2")]
    assert matched(make_report([], Tally())) == []
