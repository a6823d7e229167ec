"""What a check keeps between runs: whatever happens to a corpus, its answer is that of a check without a cache."""
from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from specdil_records.checking import kept
from specdil_records.cli.main import run
from specdil_records.rules import RULES, Sample
from specdil_records.rules.samples import files_of
from tests.cli.test_check import run as run_apart
from tests.conftest import Build

FORMATS = ("json", "text", "sarif", "junit", "github")


def write(folder: Path, sample: Sample) -> None:
    """Put the files of a sample, and no others, into a folder."""
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, text in files_of(sample).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["check", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(corpus)
    return corpus


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many records the pipeline was given, each time that it was asked."""
    from specdil_records.checking import pipeline

    asked: list[int] = []
    real = pipeline.check

    def spy(corpus, options):  # type: ignore[no-untyped-def]
        asked.append(len(corpus.own))
        return real(corpus, options)

    monkeypatch.setattr("specdil_records.checking.check", spy)
    return asked


@pytest.mark.parametrize("seed", range(3))
def test_no_answer_is_stale_whatever_came_before(folder: Path, capsys: pytest.CaptureFixture[str], seed: int) -> None:
    """Every rule's examples follow each other in one folder, in another order each time."""
    choice = random.Random(seed)
    samples = [sample for rule in RULES for sample in (rule.bad, rule.good) if sample.before is None]
    choice.shuffle(samples)
    for sample in samples[:60]:
        write(folder, sample)
        words = ["--format", choice.choice(FORMATS)]
        if choice.random() < 0.4:
            words.append(choice.choice([str(file) for file in sorted(folder.glob("records/*/*"))]))
        fresh = answer(capsys, *words, "--no-cache")
        assert answer(capsys, *words) == fresh
        assert answer(capsys, *words) == fresh, "kept as a whole"


@pytest.mark.parametrize("form", FORMATS)
def test_a_kept_report_reads_like_a_fresh_one_in_every_format(folder: Path, capsys: pytest.CaptureFixture[str],
                                                              judged: list[int], form: str) -> None:
    write(folder, Sample((("flop", "a gain of 25%.", "a gain of 52%."), ("flop", "name:", "nom:"))))
    first = answer(capsys, "--format", form)
    assert first[0] == 1
    assert answer(capsys, "--format", form) == first == answer(capsys, "--format", form, "--no-cache")
    assert len(judged) == 2, "the second run asked nobody"


@pytest.mark.parametrize("words", [
    ("--select", "figure-drift"), ("--ignore", "figure-drift"), ("--strict",), ("records/flops",), ("--quiet",),
    ("--baseline", "known.json"), ("--min-coverage", "100"), ("--exit-zero",), ("--verbose",),
    ("--today", "2031-01-01"),
])
def test_what_is_asked_is_a_part_of_what_is_kept(folder: Path, capsys: pytest.CaptureFixture[str],
                                                 words: tuple[str, ...]) -> None:
    write(folder, Sample((("flop", "a gain of 25%.", "a gain of 52%."), ("bench", "title:", "\ntitle:")), {
        "pyproject.toml": '[tool.records]\n[[tool.records.suppress]]\nname = "unused-source"\npath = "records/*"\n'
                          'because = "later"\nuntil = "2030-01-01"\n'}))
    answer(capsys, "--write-baseline", "--baseline", "known.json", "--no-cache")
    plain = answer(capsys)
    fresh = answer(capsys, *words, "--no-cache")
    assert answer(capsys, *words) == fresh
    assert answer(capsys) == plain
    (folder / "known.json").write_text("[]")
    assert answer(capsys, *words) == answer(capsys, *words, "--no-cache")


def test_a_suppression_that_ends_is_seen_on_its_day(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends = date(2030, 1, 1)
    write(folder, Sample((("flop", "a gain of 25%.", "a gain of 52%."),), {
        "pyproject.toml": '[tool.records]\n[[tool.records.suppress]]\nname = "figure-drift"\npath = "records/*"\n'
                          f'because = "later"\nuntil = "{ends}"\n'}))
    for day in (ends, ends + timedelta(1), ends):
        code = answer(capsys, "--today", str(day))[0]
        assert code == (1 if day > ends else 0)


def test_a_report_with_a_broken_rule_is_not_kept(folder: Path, capsys: pytest.CaptureFixture[str],
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, Sample())
    rule = RULES[0]
    with monkeypatch.context() as broken:
        broken.setattr(type(rule), "check", lambda self, view: 1 / 0)
        assert answer(capsys)[0] == 3
    assert answer(capsys)[0] == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": 3}', "null", '{"records": "x"}'])
def test_a_report_that_cannot_be_read_is_worked_out(text: str) -> None:
    assert kept.read_report(text) is None


def test_a_run_in_which_nothing_changed_imports_nothing_that_judges(build: Build, tmp_path: Path) -> None:
    folder = build()
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run_apart(folder, "check", **environment).returncode == 0
    program = ("import sys; from specdil_records.cli.main import run; code = run(['check']); "
               "print(code, sorted({'numpy', 'yaml', 'jsonschema_rs', 'specdil_records.rules'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, text=True, capture_output=True, check=True,
                          env={**os.environ, **environment})
    assert done.stdout.endswith("0 []\n")
