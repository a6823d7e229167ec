"""What a release promises of its findings: names and codes stay, no warning turns into an error, nothing is unheard."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import specdil_records
from specdil_records.findings import Severity
from specdil_records.rules import NAMES, RULES

RELEASED = [line.split() for line in (Path(__file__).parent / "released.txt").read_text(encoding="utf-8").splitlines()
            if not line.startswith("#")]
SEVERITIES = ("warning", "error")


def test_released_findings_keep_name_and_code() -> None:
    assert len(RELEASED) > 40
    now = {rule.code: rule for rule in RULES}
    for code, name, severity in RELEASED:
        assert code in now, f"{code} {name} was released: it may be silent, it may not be taken away"
        assert now[code].name == name
        assert SEVERITIES.index(str(now[code].severity)) <= SEVERITIES.index(severity), f"{name} was a {severity}"


def test_a_new_finding_is_a_warning() -> None:
    released = {name for _, name, _ in RELEASED}
    assert [rule.name for rule in RULES if rule.name not in released and rule.severity != Severity.WARNING] == [], (
        "within a schema version only warnings are new; an error comes with a new version")


def named() -> Iterator[tuple[str, str]]:
    """Where the code names a finding that it has met: `Problem("name", ...)` and its kin, with the file."""
    for path in sorted(Path(specdil_records.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in ("Problem", "NotLocated", "fault") and isinstance(node.args[0].value, str):
                    yield path.name, node.args[0].value


def test_no_room_meets_a_fault_that_no_rule_would_tell() -> None:
    found = list(named())
    assert len(found) > 20
    assert {(file, name) for file, name in found if name and name not in NAMES} == set()
