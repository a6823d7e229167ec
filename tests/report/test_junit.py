"""The JUnit report is XML 1.0 whatever was found, with one test case a record."""
from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking.pipeline import check
from specdil_records.checking.results import Tally, make_report
from specdil_records.checking.selftest import sample_corpus
from specdil_records.findings import Finding, Severity, Span
from specdil_records.report import junit
from specdil_records.report.console import visible
from specdil_records.rules import Sample
from specdil_records.rules.samples import PATHS

DRIFT = Sample(edits=(("flop", "a gain of 25%.", "a gain of 52%."),))
WARNED = Sample(edits=(("flop", 'date: "2026-10-05"', "date: 2026-10-05"),))


def finding(severity: Severity = Severity.ERROR, path: str = "records/flops/a.yaml", message: str = "wrong",
            source: str = "") -> Finding:
    return Finding("schema", "S03", severity, message, path, "flops/a", Span(3, 1, 3, 2), (), source=source)


def suite(xml: str) -> ET.Element:
    """The one suite of a report; its counts are those of what it holds."""
    assert xml.isascii()
    top = ET.fromstring(xml)
    assert [child.tag for child in top] == ["testsuite"]
    for element in (top, top[0]):
        assert {name: int(element.attrib[name]) for name in ("tests", "failures", "errors")} == {
            "tests": len(list(top.iter("testcase"))), "failures": len(list(top.iter("failure"))),
            "errors": len(list(top.iter("error")))}
    return top[0]


def test_every_record_is_a_test_case_and_a_finding_its_failure() -> None:
    cases = {case.attrib["file"]: case for case in suite(junit.write(check(sample_corpus(DRIFT)), PATHS.values())).iter(
        "testcase")}
    assert sorted(cases) == sorted(PATHS.values())
    failures = {path: case.find("failure") for path, case in cases.items()}
    failed = failures.pop(PATHS["flop"])
    assert failed is not None
    assert failed.attrib["type"] == "figure-drift"
    assert "52%" in failed.attrib["message"]
    assert "^^" in str(failed.text), "the source line with its carets"
    assert set(failures.values()) == {None}
    assert cases[PATHS["chip"]].attrib["classname"] == "records.accelerators"


def test_a_warning_fails_in_strict_mode_only() -> None:
    report = check(sample_corpus(WARNED))
    lenient, strict = (suite(junit.write(report, PATHS.values(), strict=strict)) for strict in (False, True))
    assert lenient.attrib["failures"] == "0"
    said = next(case for case in lenient.iter("testcase") if case.attrib["name"] == PATHS["flop"]).find("system-out")
    assert said is not None
    assert "ambiguous-scalar" in str(said.text)
    assert strict.attrib["failures"] == "1"


def test_a_finding_outside_the_records_has_a_case_of_its_own() -> None:
    report = make_report([finding(path="pyproject.toml")], Tally())
    assert [case.attrib["name"] for case in suite(junit.write(report, ["records/flops/a.yaml"])).iter("testcase")] == [
        "pyproject.toml", "records/flops/a.yaml"]


def test_a_broken_rule_is_an_error_and_a_grown_baseline_a_failure() -> None:
    report = make_report([], Tally(broken={"formula": "no\x1b"}), (("schema", "records/flops/b.yaml", "/notes", "m"),))
    found = suite(junit.write(report, []))
    assert [case.attrib["classname"] for case in found.iter("testcase")] == ["records.rules", "records.baseline"]
    error = next(found.iter("error"))
    assert (error.attrib["message"], error.text) == ("no\\x1b", "no\\x1b")


def test_hidden_findings_fail_only_when_errors_are_among_them() -> None:
    warnings = [finding(Severity.WARNING, message=f"{number:03}") for number in range(201)]
    quiet = suite(junit.write(make_report(list(warnings), Tally()), []))
    assert quiet.attrib["failures"] == "0"
    assert "1 more findings are not shown" in "".join(quiet.itertext())
    hidden_error = [*warnings, finding(message="zzz")]
    assert suite(junit.write(make_report(hidden_error, Tally()), [])).attrib["failures"] == "1"


@given(st.text(max_size=40), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_any_text_is_well_formed_and_comes_back_as_on_a_console(message: str, path: str, source: str) -> None:
    xml = junit.write(make_report([finding(message=message + "]]>&#0;<", path=path, source=source)], Tally()), [path])
    case = next(suite(xml).iter("testcase"))
    assert case.attrib["name"] == visible(path)
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib["message"] == visible(message) + "]]>&#0;<"
    assert visible(message) + "]]>&#0;<" in str(failure.text)
    assert not re.search(r"&#(?!10;)\d\d?;", xml), "no reference to a control character but the line feed"
