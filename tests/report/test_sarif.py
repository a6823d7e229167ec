"""The SARIF report fits the standard's own schema, points at the right place, and knows a finding that moved."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking.pipeline import Options, check
from specdil_records.checking.results import Report, Tally, make_report
from specdil_records.checking.selftest import sample_corpus
from specdil_records.findings import Edit, Finding, Severity, Span
from specdil_records.report import sarif
from specdil_records.rules import RULES, Rule, Sample

SCHEMA = json.loads((Path(__file__).parent / "data/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
BAD = [rule for rule in RULES if getattr(rule.bad, "before", None) is None]
MOVED = "# a line\n# and another\n"


def run_of(report: Report, code: int = 1, prefix: str = "") -> dict[str, Any]:
    """The one run of a report, which is a valid log of strict JSON."""
    text = sarif.write(report, code, prefix)
    assert text.isascii()
    assert not re.search(r"\\ud[89ab]\w\w(?!\\ud[c-f])", text), "half a surrogate pair"
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    VALIDATOR.validate(data)
    assert len(data["runs"]) == 1
    return dict(data["runs"][0])


def drifted(*more: tuple[str, str, str]) -> Report:
    return check(sample_corpus(Sample(edits=(("flop", "a gain of 25%.", "a gain of 52%."), *more))))


def finding(**changes: Any) -> Finding:
    plain = Finding("schema", "S03", Severity.ERROR, "wrong", "records/flops/a.yaml", "flops/a", Span(3, 5, 3, 9), ())
    return replace(plain, **changes)


def report_of(*findings: Finding) -> Report:
    return make_report(list(findings), Tally())


def test_the_schema_that_is_kept_here_is_the_standards_own() -> None:
    assert SCHEMA["id"] == sarif.SCHEMA
    wrong = {"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}
    assert not VALIDATOR.is_valid(wrong), "a driver without a name is no driver"


@pytest.mark.parametrize("rule", BAD, ids=lambda rule: rule.name)
def test_the_bad_sample_of_every_rule_gives_a_valid_log(rule: Rule) -> None:
    report = check(sample_corpus(rule.bad), Options())
    run = run_of(report)
    assert [one["ruleId"] for one in run["results"]] == [one.name for one in report.findings] != []
    for one, shown in zip(report.findings, run["results"], strict=True):
        described = run["tool"]["driver"]["rules"][shown["ruleIndex"]]
        assert described["id"] == shown["ruleId"]
        assert shown["level"] == str(one.severity)
        assert one.message.split()[0] in shown["message"]["text"]
        assert len(shown.get("fixes", [])) == bool(one.fixes)


def test_every_rule_is_described_in_its_own_words() -> None:
    rules = run_of(drifted())["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.name for rule in RULES]
    for described, rule in zip(rules, RULES, strict=True):
        for kind in ("text", "markdown"):
            assert all(words in described["help"][kind] for words in (rule.what, rule.why, rule.mend))
        assert described["properties"]["code"] == rule.code


def test_columns_are_code_points_and_said_to_be() -> None:
    report = drifted(("flop", "  At batch 16 a step with k=4 drafts raises the intensity from 16 to 20, a",
                      "  🚀 At batch 16 a step with k=4 drafts raises the intensity from 16 to 20, a"))
    run = run_of(report)
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["newlineSequences"] == ["\r\n", "\n", "\r"]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    line = report.findings[0].source
    assert "🚀" in line[:region["startColumn"]]
    assert line[region["startColumn"] - 1:region["endColumn"] - 1] in ("52", "52%")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20))
def test_addresses_are_relative_and_decode_to_the_path(name: str) -> None:
    location = sarif.artifact(f"records/{name}.yaml")
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", location["uri"])
    assert unquote(location["uri"]) == f"records/{name}.yaml"
    assert location["uriBaseId"] == sarif.BASE


def test_the_base_of_every_address_is_declared() -> None:
    run = run_of(drifted(), prefix="part one/")
    where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where == {"uri": "part%20one/records/flops/example-stall.yaml", "uriBaseId": "%SRCROOT%"}
    assert where["uriBaseId"] in run["originalUriBaseIds"]


def prints(report: Report) -> list[str]:
    return [one["partialFingerprints"][sarif.FINGERPRINT] for one in run_of(report)["results"]]


@pytest.mark.parametrize("rule", BAD, ids=lambda rule: rule.name)
def test_a_finding_keeps_its_fingerprint_when_lines_move(rule: Rule) -> None:
    before = check(sample_corpus(rule.bad))
    heads = tuple((name, old, MOVED + old) for name, old in (
        ("flop", "id: flops/example-stall"), ("chip", "id: accelerators/example-chip"),
        ("sheet", "id: sources/chip-sheet"), ("bench", "id: sources/bench-report"))
        if not any(edit[0] == name and old.split("\n")[0] in edit[1] for edit in rule.bad.edits))
    after = check(sample_corpus(replace(rule.bad, edits=(*rule.bad.edits, *heads))))
    assert sorted(prints(before)) == sorted(prints(after))
    assert len(set(prints(before))) == len(before.findings)


def test_a_finding_keeps_its_fingerprint_when_a_claim_is_put_before_it() -> None:
    claim = ("claims:\n- id: first\n  in: notes\n  quote: More bandwidth lowers the ridge\n  basis: unverified\n")
    assert prints(drifted()) == prints(drifted(("flop", "claims:\n", claim)))


def test_different_findings_have_different_fingerprints() -> None:
    base = finding(message="m")
    others = [finding(message="n"), finding(message="m", path="records/flops/b.yaml"),
              finding(message="m", name="formula"), finding(message="m", pointer=("notes",)), base]
    assert len(set(prints(report_of(base, *others)))) == 6, "also the one that is there twice"


def test_a_fix_holds_all_edits_of_a_finding_in_the_order_of_the_file() -> None:
    edits = (Edit(Span(9, 1, 9, 3), "later", True, "follow the prose"),
             Edit(Span(2, 4, 2, 4), "first", True, "follow the prose"))
    fixes = run_of(report_of(finding(fixes=edits)))["results"][0]["fixes"]
    assert len(fixes) == 1
    change = fixes[0]["artifactChanges"][0]
    assert [one["insertedContent"]["text"] for one in change["replacements"]] == ["first", "later"]
    region = change["replacements"][0]["deletedRegion"]
    assert region == {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 4}
    assert fixes[0]["description"]["text"] == "follow the prose"
    assert fixes[0]["properties"]["safe"] is True
    lone = (Edit(Span(1, 1, 1, 2), "\ud800", True, "why"),)
    assert "fixes" not in run_of(report_of(finding(fixes=lone)))["results"][0]


def test_a_broken_rule_is_no_success_and_no_result() -> None:
    tally = Tally(broken={"formula": "records/flops/a.yaml: RuntimeError: on purpose", "evaluation": "the same"})
    run = run_of(make_report([], tally), code=3)
    ran = run["invocations"][0]
    assert run["results"] == []
    assert (ran["executionSuccessful"], ran["exitCode"]) == (False, 3)
    second, first = ran["toolExecutionNotifications"]
    assert "on purpose" in first["message"]["text"]
    assert run["tool"]["driver"]["rules"][first["associatedRule"]["index"]]["id"] == "formula"
    assert "associatedRule" not in second
    fine = run_of(report_of(), code=0)["invocations"][0]
    assert fine == {"executionSuccessful": True, "exitCode": 0, "exitCodeDescription": "nothing worse than a warning"}


def test_what_is_not_shown_is_told() -> None:
    many = [finding(message=str(number)) for number in range(203)]
    run = run_of(make_report(many, Tally(), (("schema", "records/flops/b c.yaml", "/notes", "gone"),)))
    assert len(run["results"]) == 200
    hidden, gone = run["invocations"][0]["toolExecutionNotifications"]
    assert hidden["message"]["text"].startswith("3 more")
    assert gone["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "records/flops/b%20c.yaml"


@given(st.text(max_size=30), st.text(max_size=10))
def test_any_text_gives_a_valid_log(message: str, key: str) -> None:
    """Surrogates, control characters and brackets included."""
    report = report_of(finding(message=message + "](1)", notes=(message,), help=message, pointer=("a", 3, key)))
    shown = run_of(report)["results"][0]
    plain = re.sub(r"\\(.)", r"\1", shown["message"]["text"])
    assert "](1)" in plain
    assert not re.search(r"(?<!\\)\](?=\()", shown["message"]["text"].replace("\\\\", "")), "no part is a link"


TOOL = shutil.which("sarif-multitool-linux")


@pytest.mark.skipif(TOOL is None or shutil.which("node") is None,
                    reason="npm's @microsoft/sarif-multitool-linux is not installed: its rules were NOT run")
def test_the_sarif_sdks_own_rules_have_no_objection(tmp_path: Path) -> None:
    findings = [one for rule in BAD for one in check(sample_corpus(rule.bad)).findings]
    tally = Tally(broken={"formula": "a: RuntimeError: no"})
    good = sarif.as_data(make_report(findings, tally), 3, "part one/")
    wrong = json.loads(json.dumps(good))
    wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"] |= {"endColumn": 1, "startColumn": 5}
    assert objections(tmp_path / "good.sarif", good) <= {"SARIF2005"}, "nothing but that the tool names no home page"
    assert objections(tmp_path / "wrong.sarif", wrong) - {"SARIF2005"}


def objections(file: Path, data: dict[str, Any]) -> set[str]:
    """The rules of the SARIF SDK that a log breaks."""
    file.write_text(json.dumps(data), encoding="utf-8")
    outcome = file.with_suffix(".out.sarif")
    done = subprocess.run([str(TOOL), "validate", str(file), "--output", str(outcome)], capture_output=True, text=True,
                          timeout=120, check=False,
                          env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"})
    assert outcome.exists(), done.stdout + done.stderr
    text = outcome.read_text(encoding="utf-8-sig")
    return {one["ruleId"] for run in json.loads(text)["runs"] for one in run["results"]}
