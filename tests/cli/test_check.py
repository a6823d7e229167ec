"""`records check` as its users meet it: exit codes, streams, formats, paths."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Build

DRIFT = ("flop", "a gain of 25%.", "a gain of 52%.")


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a user runs it."""
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run([sys.executable, "-m", "specdil_records", *arguments], cwd=folder, text=True, timeout=120,
                          capture_output=True, env={**env, **environment}, stdin=subprocess.DEVNULL, check=False)


def report(folder: Path, *arguments: str) -> dict[str, Any]:
    done = run(folder, "check", *arguments, "--format", "json")
    assert done.stderr == ""
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_a_good_corpus_passes_with_one_summary_line(build: Build) -> None:
    done = run(build(), "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert "4 records" in done.stdout
    assert "coverage 100%" in done.stdout


def test_a_drifted_figure_is_shown_with_a_caret_under_its_digits(build: Build) -> None:
    folder = build(DRIFT)
    done = run(folder, "check")
    assert done.returncode == 1
    written = (folder / "records/flops/example-stall.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(written, 1) if "52%." in text)
    column = written[line - 1].index("52%.") + 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("error[C01] figure-drift: the prose says 52%, its expression gives 25%")
    assert lines[1].strip() == f"--> records/flops/example-stall.yaml:{line}:{column}"
    source, carets = lines[3], lines[4]
    assert carets.strip(" |") == "^^"
    assert source[carets.index("^"):][:2] == "52"


def test_the_caret_stays_under_the_digits_on_a_console_that_escapes(build: Build) -> None:
    folder = build(DRIFT, ("flop", "  At batch 16 a step with", "  \u2192 \U0001f680: At batch 16 a step with"))
    lines = run(folder, "check", PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout.splitlines()
    source, carets = next((lines[i - 1], line) for i, line in enumerate(lines) if "^" in line)
    assert source[carets.index("^"):][:2] == "52"
    assert "\\u2192" in source


def test_a_check_without_a_rule_has_checked_nothing(build: Build) -> None:
    folder = build(DRIFT)
    assert run(folder, "check", "--select", "schema", "--ignore", "schema").returncode == 4
    assert run(folder, "check", "--select", "").returncode == 4


@pytest.mark.parametrize(("arguments", "code", "words"), [
    (["check", "nosuch"], 2, "nosuch"),
    (["check", "records", "nosuch/*.yaml"], 2, "nosuch/*.yaml"),
    (["check", "--select", "figure-drifts"], 2, "did you mean figure-drift"),
    (["check", "--format", "xml"], 2, "no report format"),
    (["check", "-"], 2, "--stdin-filename"),
    (["check", "pyproject.toml"], 2, "pyproject.toml"),
    (["nonsense"], 2, "No such command"),
    (["why", "flops/exampel-stall"], 2, "did you mean flops/example-stall"),
    (["why", "flops/example-stall", "99%"], 2, "99%"),
    (["explain", "figure-drfit"], 2, "did you mean figure-drift"),
    (["schema", "9.9"], 2, "9.9"),
    (["quantities", "rigde"], 2, "did you mean ridge"),
])
def test_a_wrong_command_says_what_is_wrong(build: Build, arguments: list[str], code: int, words: str) -> None:
    done = run(build(), *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_checked_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    assert run(tmp_path, "check").returncode == 4
    assert run(tmp_path, "check", "--allow-empty").returncode == 0


def test_no_corpus_is_a_wrong_command(tmp_path: Path) -> None:
    done = run(tmp_path, "check")
    assert done.returncode == 2
    assert "no corpus" in done.stderr


def test_strict_fails_on_warnings_and_exit_zero_on_nothing(build: Build) -> None:
    folder = build(("flop", 'date: "2026-10-05"', "date: 2026-10-05"))
    assert run(folder, "check").returncode == 0
    assert run(folder, "check", "--strict").returncode == 1
    assert run(folder, "check", "--strict", "--exit-zero").returncode == 0


def test_select_and_ignore_choose_rules_by_name_or_code(build: Build) -> None:
    folder = build(DRIFT)
    assert run(folder, "check", "--select", "schema").returncode == 0
    assert run(folder, "check", "--ignore", "C01").returncode == 0
    assert run(folder, "check", "--select", "C01,schema").returncode == 1


def test_a_named_accelerator_judges_the_records_that_rest_on_it(build: Build) -> None:
    folder = build(("chip", '"400 TFLOP/s"', '"300 TFLOP/s"'))
    found = report(folder, "records/accelerators/example-chip.yaml")
    assert [(one["name"], one["path"]) for one in found["findings"]] == [
        ("figure-drift", "records/flops/example-stall.yaml")] * 2
    assert found["summary"]["records"] == 3  # the chip, the record, and the source whose table names the chip
    only_sheet = report(folder, "records/sources/chip-sheet.yaml")
    assert only_sheet["summary"]["errors"] == 2, "the sheet's dependents, however far, are judged"


@pytest.mark.parametrize("fault", [
    ("chip", '"2.00 TB/s"', '"2.00 tb/s"'), ("chip", "name: Example chip", "nam: Example"),
    ("chip", "id: acc", "id: acc\nid: acc"),
])
def test_a_fault_that_a_named_record_rests_on_is_never_silent(build: Build, fault: tuple[str, str, str]) -> None:
    found = report(build(fault), "records/flops/example-stall.yaml")
    assert found["summary"]["claims"]["undecided"] >= 1
    assert {one["path"] for one in found["findings"]} == {"records/accelerators/example-chip.yaml"}


def test_a_record_is_read_from_standard_input_in_place_of_its_file(build: Build) -> None:
    folder = build()
    text = (folder / "records/flops/example-stall.yaml").read_text().replace("a gain of 25%.", "a gain of 52%.")
    done = subprocess.run(
        [sys.executable, "-m", "specdil_records", "check", "-", "--stdin-filename",
         "records/flops/example-stall.yaml", "--format", "json"],
        cwd=folder, input=text, text=True, capture_output=True, timeout=120, check=False)
    assert done.returncode == 1
    assert [one["name"] for one in json.loads(done.stdout)["findings"]] == ["figure-drift"]


def test_a_report_goes_to_a_file_beside_another_on_the_console(build: Build) -> None:
    folder = build(DRIFT)
    done = run(folder, "check", "--format", "json:report.json", "--format", "text")
    assert done.returncode == 1
    assert "figure-drift" in done.stdout
    assert json.loads((folder / "report.json").read_text())["summary"]["errors"] == 1
    assert run(folder, "check", "--format", "json", "--format", "text").returncode == 2
    assert run(folder, "check", "--output", "nosuch/report").returncode == 2


def test_colour_follows_the_flags_and_the_environment(build: Build) -> None:
    folder = build(DRIFT)
    assert "\x1b[" not in run(folder, "check").stdout
    assert "\x1b[" in run(folder, "check", "--color").stdout
    assert "\x1b[" in run(folder, "check", FORCE_COLOR="1").stdout
    assert "\x1b[" not in run(folder, "check", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" not in run(folder, "check", "--no-color", FORCE_COLOR="1").stdout


def test_why_shows_the_derivation_and_ledger_every_number(build: Build) -> None:
    folder = build()
    why = run(folder, "why", "example-stall", "25%")
    assert why.returncode == 0
    assert "additive.gain(batch, draft_k)" in why.stdout
    assert "batch = 16" in why.stdout
    ledger = run(folder, "ledger", "example-stall")
    assert ledger.returncode == 0
    assert "recomputed" in ledger.stdout
    assert ledger.stdout.splitlines()[-1].endswith("; coverage 100%")


def test_every_command_has_help_with_an_example(build: Build) -> None:
    folder = build()
    names = [line.split()[0] for line in run(folder, "--help").stdout.partition("Commands:")[2].splitlines()
             if line.strip()]
    assert "check" in names
    for name in names:
        shown = run(folder, name, "--help")
        assert shown.returncode == 0
        assert f"Example: records {name}" in " ".join(shown.stdout.split())


def test_the_tools_own_failure_is_told_as_such(build: Build, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    from specdil_records.cli.main import run as run_here
    from specdil_records.rules import by_name

    folder = build()
    rule = by_name("schema")

    def fail(view: object) -> list[object]:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(rule, "check", fail)
    monkeypatch.chdir(folder)
    assert run_here(["check", "--format", "json"]) == 3
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["errors"] == 0
    assert "on purpose" in summary["rules"]["broken"]["schema"]


def test_a_baseline_silences_what_is_known_and_may_only_shrink(build: Build) -> None:
    folder = build(DRIFT)
    assert run(folder, "check", "--baseline", "known.json", "--write-baseline").returncode == 0
    assert run(folder, "check", "--baseline", "known.json").returncode == 0
    record = folder / "records/flops/example-stall.yaml"
    drifted = record.read_text()
    record.write_text(drifted.replace("from 16 to 20", "from 16 to 21", 1))
    done = run(folder, "check", "--baseline", "known.json", "--format", "json")
    assert [one["data"]["quoted"] for one in json.loads(done.stdout)["findings"]] == ["21"]
    grown = run(folder, "check", "--baseline", "known.json", "--write-baseline")
    assert grown.returncode == 2
    assert "only shrink" in grown.stderr
    record.write_text(drifted.replace("a gain of 52%.", "a gain of 25%."))
    mended = run(folder, "check", "--baseline", "known.json")
    assert mended.returncode == 1
    assert "is found no longer" in mended.stdout
    assert run(folder, "check", "--baseline", "known.json", "--write-baseline").returncode == 0
    assert run(folder, "check", "--baseline", "known.json").returncode == 0
    assert json.loads((folder / "known.json").read_text()) == {"findings": []}
    assert run(folder, "check", "--baseline", "nosuch.json").returncode == 2


def test_a_baseline_is_held_against_the_findings_that_were_looked_for(build: Build) -> None:
    folder = build(DRIFT)
    assert run(folder, "check", "--baseline", "known.json", "--write-baseline").returncode == 0
    assert run(folder, "check", "--baseline", "known.json", "--select", "bad-id").returncode == 0
    for option in (["--select", "bad-id"], ["--ignore", "figure-drift"]):
        assert run(folder, "check", "--baseline", "known.json", "--write-baseline", *option).returncode == 2
    assert run(folder, "check", "--baseline", "known.json").returncode == 0


def test_a_baseline_knows_a_finding_whose_message_names_a_line_that_moved(build: Build) -> None:
    folder = build(("flop", "status: active\n", "status: active\nstatus: active\n"))
    assert run(folder, "check", "--baseline", "known.json", "--write-baseline").returncode == 0
    record = folder / "records/flops/example-stall.yaml"
    record.write_text("# a line on top\n" + record.read_text())
    assert run(folder, "check", "--baseline", "known.json").returncode == 0


@pytest.mark.parametrize("text", ["{}", "[]", "null", '{"findings": [3]}', '{"findings": 3}'])
def test_what_is_no_baseline_is_called_so(build: Build, text: str) -> None:
    folder = build()
    (folder / "known.json").write_text(text)
    done = run(folder, "check", "--baseline", "known.json")
    assert (done.returncode, done.stderr) == (2, "records: known.json is no baseline: --write-baseline makes one\n")


def test_findings_selected_twice_are_all_looked_for(build: Build) -> None:
    folder = build(DRIFT)
    for options in (["--select", "figure-drift", "--select", "bad-id"], ["--select", "bad-id,figure-drift"]):
        done = run(folder, "check", "-q", *options)
        assert (done.returncode, "2 rules run" in done.stdout) == (1, True)
    assert run(folder, "check", "--ignore", "figure-drift", "--ignore", "bad-id").returncode == 0


@pytest.mark.parametrize(("options", "words"), [
    (["--min-coverage", "nan"], "--min-coverage is a percentage"), (["--stdin-filename", "x.yaml"], "- is not there"),
    (["--format", "json:a.json", "--output", "b.json"], "--output has nothing to take"),
    (["--output", "pyproject.toml"], "name another file"),
    (["--format", "json:records/flops/example-stall.yaml"], "name another file"),
])
def test_options_that_would_do_nothing_or_harm_are_refused(build: Build, options: list[str], words: str) -> None:
    folder = build()
    (folder / "pyproject.toml").write_text("[tool.records]\ncorpus = 'records'\n")
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    done = run(folder, "check", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(("exclude", "idle"), [
    (["flops/*.yaml"], []), (["flops"], []), (["records/flops/*"], ["records/flops/*"]),
    (["sources", "drafts/**"], ["drafts/**"]), ([""], [""])])
def test_a_pattern_that_excludes_nothing_is_told(build: Build, exclude: list[str], idle: list[str]) -> None:
    folder = build()
    (folder / "pyproject.toml").write_text(f"[tool.records]\nexclude = {exclude}\n")
    done = run(folder, "check", "-q")
    assert done.stderr.splitlines() == [f"records: exclude has {one!r}, which fits nothing in records" for one in idle]


@pytest.mark.parametrize(("command", "code"), [
    (["ledger"], 1), (["fix"], 1), (["export", "--format", "csv"], 0), (["site", "-o", "pages"], 0)])
def test_a_record_that_does_not_read_is_never_left_out_in_silence(build: Build, command: list[str], code: int) -> None:
    folder = build()
    (folder / "records/flops/broken.yaml").write_text("a: [")
    done = run(folder, *command)
    assert done.returncode == code
    assert "records/flops/broken.yaml is left" in done.stderr


@pytest.mark.parametrize("command", [
    ["export", "--format", "csv", "-o"], ["export", "--format", "sqlite", "-o"],
    ["sweep", "decode.intensity", "--over", "batch=1..4", "--plot"],
    ["check", "--format", "json:report.json", "--format", "sarif", "--output"]])
def test_no_record_is_overwritten_by_what_a_command_gives(build: Build, command: list[str]) -> None:
    folder = build()
    record = folder / "records/flops/example-stall.yaml"
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    done = run(folder, *command, str(record))
    assert done.returncode == 2
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("times", [1, 2])
def test_an_interruption_ends_the_workers_and_says_nothing(build: Build, times: int) -> None:
    folder = build()
    record = folder / "records/flops/example-stall.yaml"
    for number in range(400):
        text = record.read_text().replace("id: flops/example-stall", f"id: flops/copy-{number}")
        (folder / f"records/flops/copy-{number}.yaml").write_text(text)
    for wait in (0.4, 0.8, 1.2):
        started = subprocess.Popen([sys.executable, "-m", "specdil_records", "check", "--no-cache", "-j", "2", "-q"],
                                   cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(wait)
        for _ in range(times):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGINT)
            time.sleep(0.1)
        _, said = started.communicate(timeout=60)
        assert started.returncode in (0, 130, -signal.SIGINT)
        assert b"Fork" not in said  # the traceback of a worker


def test_a_coverage_below_the_wanted_one_fails(build: Build) -> None:
    bound = ("  basis: derived\n  read: {batch: At batch 16, draft_k: with k=4 drafts}\n  figures:\n"
             "    from 16: decode.intensity(batch)\n    to 20: additive.intensity(batch, draft_k)\n"
             "    gain of 25%: additive.gain(batch, draft_k)\n")
    folder = build(("flop", bound, "  basis: unverified\n"))
    assert run(folder, "check", "--min-coverage", "40").returncode == 0
    done = run(folder, "check", "--min-coverage", "90")
    assert done.returncode == 1
    assert "below 90%" in done.stderr


@pytest.mark.parametrize(("paths", "code"), [
    (["empty"], 4), (["empty", "--allow-empty"], 0), (["empty", "records/flops"], 0), (["mixed"], 2),
    (["empty", "no"], 2)])
def test_a_folder_without_records_that_belongs_to_no_corpus(build: Build, paths: list[str], code: int) -> None:
    folder = build()
    (folder / "pyproject.toml").unlink(missing_ok=True)
    (folder / "empty").mkdir()
    (folder / "mixed").mkdir()
    (folder / "mixed" / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    assert run(folder, "check", *paths).returncode == code


def test_all_schemas_are_written_where_none_is_named(tmp_path: Path) -> None:
    assert run(tmp_path, "schema", "-o", "schemas").returncode == 0
    listed = run(tmp_path, "schema").stdout.split("\n")
    assert sorted(f"{one.parent.name} {one.stem}" for one in (tmp_path / "schemas").rglob("*.json")) == sorted(
        filter(None, listed))


@pytest.mark.parametrize(("name", "fine"), [
    ("figure-drift", "in records/flops/example-stall.yaml:\n        a gain of 25%."),
    ("duplicate-id", "without records/sources/chip-sheet.json"), ("new-figure", "+   magnitude: 2.00 TB/s")])
def test_a_finding_is_explained_with_a_passing_example(tmp_path: Path, name: str, fine: str) -> None:
    text = run(tmp_path, "explain", name).stdout
    assert fine in text.partition("Fine:\n")[2]


@pytest.mark.parametrize("name", ["", " ", "figure-drift,schema"])
def test_one_finding_is_explained_at_a_time(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, "explain", name)
    assert (done.returncode, done.stderr) == (2, "records: name one finding, or none for a list of them\n")
