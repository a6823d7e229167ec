"""Formats, verbosity and progress of `records check` as they reach a user, and the action that runs it."""
from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from specdil_records.cli.progress import MANY, Progress
from tests.cli.repositories import environment, records
from tests.conftest import Build

DRIFT = ("flop", "a gain of 25%.", "a gain of 52%.")
WARNED = ("flop", 'date: "2026-10-05"', "date: 2026-10-05")
FLOP = "records/flops/example-stall.yaml"
TOP = Path(__file__).parents[2]


def test_one_run_writes_every_format_that_is_asked_for(build: Build) -> None:
    folder = build(DRIFT)
    done = records(folder, "check", "--format", "json:out.json", "--format", "sarif:out.sarif",
                   "--format", "junit:out.xml", "--format", "github:out.txt", "--format", "text")
    assert (done.returncode, done.stderr) == (1, "")
    assert "figure-drift" in done.stdout
    found = json.loads((folder / "out.json").read_text())["findings"][0]
    run = json.loads((folder / "out.sarif").read_text())["runs"][0]
    assert [one["ruleId"] for one in run["results"]] == [found["name"]] == ["figure-drift"]
    assert run["invocations"][0]["exitCode"] == 1
    assert [case.attrib["name"] for case in ET.parse(folder / "out.xml").getroot().iter("testcase")
            if case.find("failure") is not None] == [found["path"]]
    assert f"::error file={FLOP},line={found['line']}," in (folder / "out.txt").read_text()


@pytest.mark.parametrize("formats", [("sarif", "junit"), ("sarif:a", "junit:./a"), ("text", "json")])
def test_two_formats_never_share_a_place(build: Build, formats: tuple[str, str]) -> None:
    done = records(build(), "check", "--format", formats[0], "--format", formats[1])
    assert done.returncode == 2
    assert "same place" in done.stderr


@pytest.mark.parametrize("form", ["sarif", "junit", "github", "json", "text"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_console_can_carry_every_format(build: Build, form: str, encoding: str) -> None:
    folder = build(("flop", "name: Drafting stalls", "name: [Drafting 🚀 é stalls]"))
    done = records(folder, "check", "--format", form, encoding=encoding)
    assert done.returncode == 1
    assert done.stderr == ""
    if form in ("sarif", "json"):
        json.loads(done.stdout)
    if form == "junit":
        ET.fromstring(done.stdout)


def test_strict_makes_a_warning_a_failure_in_junit_too(build: Build) -> None:
    folder = build(WARNED)
    assert 'failures="0"' in records(folder, "check", "--format", "junit").stdout
    strict = records(folder, "check", "--format", "junit", "--strict")
    assert strict.returncode == 1
    assert 'failures="1"' in strict.stdout


def test_only_judged_records_are_test_cases(build: Build) -> None:
    done = records(build(), "check", "--format", "junit", FLOP)
    assert [case.attrib["name"] for case in ET.fromstring(done.stdout).iter("testcase")] == [FLOP]


def test_exit_zero_says_so_in_sarif(build: Build) -> None:
    done = records(build(DRIFT), "check", "--format", "sarif", "--exit-zero")
    run = json.loads(done.stdout)["runs"][0]
    assert done.returncode == run["invocations"][0]["exitCode"] == 0
    assert len(run["results"]) == 1


def test_paths_lead_from_the_top_of_a_github_checkout(build: Build, tmp_path: Path) -> None:
    folder = build(DRIFT)
    above = records(folder, "check", "--format", "github", GITHUB_WORKSPACE=str(tmp_path.parent))
    assert f"file={tmp_path.name}/{FLOP}," in above.stdout
    for workspace in (str(tmp_path), str(tmp_path / "records"), ""):
        done = records(folder, "check", "--format", "github", GITHUB_WORKSPACE=workspace)
        assert f"file={FLOP}," in done.stdout


def test_verbose_tells_each_records_claims_by_verdict(build: Build) -> None:
    folder = build(DRIFT)
    lines = records(folder, "check", "-v").stdout.splitlines()
    assert lines[:5] == ["records/accelerators/example-chip.yaml: no claims",
                         f"{FLOP}: 1 drifted, 1 recomputed, 1 held, 1 cited",
                         "records/sources/bench-report.yaml: no claims",
                         "records/sources/chip-sheet.yaml: no claims", ""]
    assert lines[5].startswith("error[C01]")
    broken = build(("flop", "status: active", "status: odd"))
    assert f"{FLOP}: not judged" in records(broken, "check", "-v").stdout
    assert records(folder, "check", "-v", "-q").returncode == 2


def test_today_decides_about_suppressions(build: Build) -> None:
    entry = (f'[tool.records]\n[[tool.records.suppress]]\nname = "figure-drift"\npath = "{FLOP}"\nbecause = "asked"\n'
             'until = "2030-01-31"\n')
    folder = build(DRIFT, files={"pyproject.toml": entry})
    assert records(folder, "check", "--today", "2030-01-31").returncode == 0
    ended = records(folder, "check", "--today", "2030-02-01")
    assert ended.returncode == 1
    assert "ended on 2030-01-31" in ended.stdout
    assert records(folder, "check", "--today", "tomorrow").returncode == 2


def test_whether_a_suppression_is_unused_can_be_asked_alone(build: Build) -> None:
    entry = (f'[tool.records]\n[[tool.records.suppress]]\nname = "{{}}"\npath = "{FLOP}"\nbecause = "asked"\n')
    used = build(DRIFT, files={"pyproject.toml": entry.format("figure-drift")})
    assert records(used, "check", "--strict", "--select", "unused-suppression").returncode == 0
    unused = build(DRIFT, files={"pyproject.toml": entry.format("formula")})
    for chosen in (("--select", "unused-suppression"), ("--select", "X01"), ("--ignore", "figure-drift,formula")):
        told = records(unused, "check", "--strict", *chosen)
        assert "the suppression of formula" in told.stdout
        assert told.stdout.count("warning[") == 1
        assert "error[" not in told.stdout


@pytest.mark.parametrize(("because", "code"), [
    ("false", 2), ("[]", 2), ("1", 2), ('"\\u200b "', 1), ('"..."', 1), ('"so"', 0)])
def test_a_reason_is_one_in_words(build: Build, because: str, code: int) -> None:
    entry = f'[tool.records]\n[[tool.records.suppress]]\nname = "figure-drift"\npath = "{FLOP}"\nbecause = {because}\n'
    done = records(build(DRIFT, files={"pyproject.toml": entry}), "check")
    assert done.returncode == code
    assert ("because is a reason in words" in done.stderr) == (code == 2)
    assert ("suppression-without-reason" in done.stdout) == (code == 1)


def test_what_no_file_can_be_called_and_a_full_disk_are_no_fault_of_the_tool(build: Build) -> None:
    folder, long = build(), "a" * 300
    for arguments in (("sweep", "ridge", "--of", f"accelerator={long}"), ("export", "--format", "csv", "-o", long)):
        done = records(folder, *arguments)
        assert (done.returncode, done.stderr.endswith("File name too long\n")) == (2, True)
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full, which takes nothing")
    for arguments in (("check", "--format", "json"), ("check", "-q"), ("ledger",)):
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, "-m", "specdil_records", *arguments], cwd=folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (
            2, "records: the output cannot be written: No space left on device\n")


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def said(stream: io.StringIO, count: int) -> str:
    with Progress(stream) as progress:
        progress.say(f"read 20 of {count} records", count)
        progress.say(f"judging {count} records", count)
    return stream.getvalue()


def test_progress_is_shown_on_a_terminal_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = said(Terminal(), MANY + 1)
    assert f"read 20 of {MANY + 1} records" in shown
    assert f"judging {MANY + 1} records" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown
    assert said(Terminal(), MANY) == "", "too few to wait for"
    assert said(io.StringIO(), MANY + 1) == "", "nobody looks at a file"
    monkeypatch.setenv("CI", "true")
    assert said(Terminal(), MANY + 1) == ""
    monkeypatch.delenv("CI")
    monkeypatch.setenv("TERM", "dumb")
    assert said(Terminal(), MANY + 1) == ""


ACTION = yaml.safe_load((TOP / "action.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("arguments", "paths", "code"), [
    ("", "", 1), ("--exit-zero\n--strict", "", 0), ("", "records/sources", 1), ("", FLOP + "\nno such\n", 2),
    ("--ignore\nfigure-drift", FLOP, 0), ("", "--exit-zero", 2), ("$(touch made)", "`touch made`", 2)])
def test_the_action_runs_the_check_with_one_argument_a_line(build: Build, tmp_path: Path, arguments: str, paths: str,
                                                            code: int) -> None:
    folder = build(DRIFT)
    command = tmp_path / "temp/records-venv/bin/records"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m specdil_records "$@"\n')
    command.chmod(0o755)
    step = ACTION["runs"]["steps"][-1]
    assert "${{" not in step["run"], "what a user writes reaches the shell as a variable only"
    done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder,
                          env=environment(RUNNER_TEMP=str(tmp_path / "temp"), ARGUMENTS=arguments, PATHS=paths),
                          text=True, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("::error file=" in done.stdout) == ("figure-drift" not in arguments and code != 2)
    assert not os.path.exists(folder / "made")
