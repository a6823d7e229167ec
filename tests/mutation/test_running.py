"""Whole runs: nothing survives in a good corpus, and much does where a rule is switched off."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specdil_records.checking import Options
from specdil_records.checking.selftest import sample_corpus
from specdil_records.corpus import Corpus, Settings, SourceFile, build_corpus, load_corpus
from specdil_records.corpus.records import FOLDERS
from specdil_records.mutation import Report, Result, mutate
from specdil_records.mutation.kinds import KINDS
from specdil_records.mutation.running import sample
from specdil_records.mutation.telling import data, lines
from specdil_records.rules import Sample
from tests.conftest import Build
from tests.mutation.corpora import RICH

ROOT = Path(__file__).parents[2]
STRICT = {"digit", "comparison", "reference", "basis", "weaker basis", "word"}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return sample_corpus(Sample(RICH))


@pytest.fixture(scope="module")
def whole(corpus: Corpus) -> Report:
    return mutate(corpus)


def without(corpus: Corpus, *rules: str) -> Report:
    return mutate(corpus, options=Options(ignore=frozenset(rules)))


def survivors(report: Report) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for outcome in report.those(Result.SURVIVED):
        found.setdefault(outcome.mutant.kind, set()).add(outcome.mutant.what)
    return found


def test_nothing_survives_in_the_base_example(whole: Report) -> None:
    assert survivors(whole) == {}
    assert whole.score == 1
    assert whole.failures == ()
    assert len(whole.outcomes) == whole.drawn == whole.possible


def test_every_kind_is_tried_and_strict_ones_are_killed_to_the_last(whole: Report) -> None:
    counts = {count.kind: count for count in whole.counts}
    assert list(counts) == [kind.name for kind in KINDS]
    assert all(count.generated for count in whole.counts)
    assert all(counts[name].generated == counts[name].results[Result.KILLED] for name in STRICT)
    assert all(count.generated == sum(count.results.values()) for count in whole.counts)


def test_places_that_nothing_rests_on_are_counted_apart(whole: Report) -> None:
    (evidence,) = (count for count in whole.counts if count.kind == "evidence")
    # Of the table's six cells the speedup at batch 2 and those of another column are never read.
    assert evidence.places == 3
    told = {(one.mutant.claim, one.mutant.what.partition(" ")[0]): one.result for one in whole.outcomes
            if one.mutant.kind == "evidence"}
    assert ("table-1 speedup", "2.10") not in told
    assert told["table-1 batch", "16"] == Result.KILLED


@pytest.mark.parametrize(("rule", "kind", "change"), [
    ("figure-drift", "digit", "25% becomes 26%"),
    ("figure-drift", "value", "25% becomes 27%, wherever it is quoted"),
    ("conclusion-false", "comparison", "decreasing becomes increasing"),
    ("basis-unbacked", "basis", "unverified becomes measured"),
    ("basis-too-strong", "basis", "derived becomes measured"),
    ("basis-too-strong", "weaker basis", "measured becomes unverified"),
    ("cited-quote-differs", "word", "fade becomes seldom in gains fade with every request"),
    ("effect-not-verbatim", "word", "lowers becomes seldom in More bandwidth lowers the ridge"),
    ("unresolved-reference", "reference", "chip-sheet becomes chip-sheet-of-nothing"),
])
def test_with_a_rule_switched_off_mutants_survive(corpus: Corpus, rule: str, kind: str, change: str) -> None:
    report = without(corpus, rule)
    assert change in survivors(report)[kind]
    assert report.score < 1


def test_a_value_of_a_record_that_moves_a_figure_has_to_be_found(corpus: Corpus) -> None:
    report = without(corpus, "figure-drift")
    assert "2.00 TB/s becomes 4.00 TB/s" in survivors(report)["evidence"]
    assert "1.25 becomes 2.50" in survivors(report)["evidence"]


def test_a_number_that_is_only_used_survives_when_no_change_of_it_is_found(corpus: Corpus) -> None:
    drifting = without(corpus, "figure-drift", "unresolved-reference", "undecided")
    assert any(what.startswith("4 becomes 5") for what in survivors(drifting)["value"])


def test_claims_with_a_fault_of_their_own_are_not_mutated() -> None:
    faulty = sample_corpus(Sample((("flop", "a gain of 25%.", "a gain of 52%."),)))
    report = mutate(faulty)
    assert survivors(report) == {}
    assert "gain-at-16" not in {one.mutant.claim for one in report.outcomes if one.mutant.kind in ("operator", "basis")}


def test_only_the_named_paths_are_changed(corpus: Corpus) -> None:
    report = mutate(corpus, frozenset({"records/accelerators/example-chip.yaml"}))
    assert {one.mutant.record for one in report.outcomes} == {"accelerators/example-chip"}
    assert report.records == 1


def test_a_sample_is_the_same_every_time_and_has_some_of_every_kind(whole: Report, corpus: Corpus) -> None:
    few, again = (mutate(corpus, limit=60) for _ in range(2))
    assert few.outcomes == again.outcomes
    assert len(few.outcomes) < 100 < few.possible == whole.possible
    assert {one.mutant.kind for one in few.outcomes} == {one.mutant.kind for one in whole.outcomes}
    assert set(few.outcomes) < set(whole.outcomes)
    assert "(a sample of" in list(lines(few))[-1]
    assert "(a sample of" not in list(lines(whole))[-1]


def test_mutants_of_one_place_stay_together_in_a_sample(whole: Report) -> None:
    made = [one.mutant for one in whole.outcomes]
    drawn = sample(made, 40)
    for mutant in drawn:
        if mutant.group:
            alike = [one for one in made if (one.kind, one.group) == (mutant.kind, mutant.group)]
            assert all(one in drawn for one in alike)
    assert any(mutant.group for mutant in drawn)


def test_nothing_is_changed_when_a_worker_does_the_work(corpus: Corpus, whole: Report) -> None:
    assert mutate(corpus, options=Options(jobs=2)).outcomes == whole.outcomes


def test_the_data_of_a_run_adds_up(whole: Report) -> None:
    told = data(whole)
    summary = told["summary"]
    assert summary["mutants"] == sum(kind["generated"] for kind in told["kinds"])
    assert summary["killed"] + summary["narrower"] + summary["unused"] + summary["survived"] == summary["mutants"]
    assert len(told["narrower"]) == summary["narrower"]
    assert all(one["record"] and one["pointer"].startswith("/") for one in told["narrower"])


def test_the_shipped_flop_records_stand_a_sample() -> None:
    corpus = load_corpus(ROOT)
    paths = frozenset(f"records/flops/{name}.yaml" for name in ("sd-batch-dilution-problem",
                                                                 "speculative-decoding-bandwidth-trade-at-batch"))
    report = mutate(corpus, paths, limit=150)
    assert survivors(report) == {}
    assert report.records == 2
    assert len(report.outcomes) >= 120


def examples(version: str) -> Corpus:
    """The good examples of a version as one corpus, with 3.0's accelerators, models and sources beside them."""
    sources = []
    for path in sorted((ROOT / "tests" / "examples" / "good").rglob("*.*")):
        of, kind, name = path.parts[-3:]
        if of == version or (of == "3.0" and kind != "flop"):
            inside = f"{FOLDERS[kind]}/{name}"
            sources.append(SourceFile(f"records/{inside}", inside, path.read_bytes))
    return build_corpus(Settings(project=Path("/example"), folder=Path("/example/records")), sources)


@pytest.mark.parametrize(("version", "least"), [("1.0", 30), ("2.0", 100), ("3.0", 170)])
def test_nothing_survives_in_the_good_examples_of_a_version(version: str, least: int) -> None:
    corpus = examples(version)
    flops = {record.version for record in corpus.own if record.kind == "flop"}
    report = mutate(corpus)
    assert flops == {version}
    assert survivors(report) == {}
    assert report.failures == ()
    assert len(report.outcomes) >= least
    assert {one.mutant.record.partition("/")[0] for one in report.outcomes} >= {"flops", "accelerators"}


# The command ------------------------------------------------------------------------------------------------


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "specdil_records", "selftest", *arguments], cwd=folder, text=True,
                          capture_output=True, timeout=120, stdin=subprocess.DEVNULL, check=False)


def written(folder: Path, *arguments: str) -> dict[str, Any]:
    done = run(folder, "--mutate", "--format", "json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_good_corpus_passes_with_a_table_and_a_summary(build: Build) -> None:
    done = run(build(), "--mutate", "--limit", "80")
    assert (done.returncode, done.stderr) == (0, "")
    listed = done.stdout.splitlines()
    heads = next(line for line in listed if line.startswith("kind "))
    assert heads.split() == ["kind", "generated", "killed", "narrower", "unused", "survived"]
    assert listed[-1].endswith("score 100.0%")
    assert "0 survived" in listed[-1]


def test_survivors_are_named_and_fail_the_command(build: Build) -> None:
    folder = build(files={"pyproject.toml": '[tool.records]\n[tool.records.severity]\nfigure-drift = "off"\n'})
    done = run(folder, "--mutate", "records/flops")
    assert done.returncode == 1
    assert "survived: flops/example-stall gain-at-16: digit: 25% becomes 26% (it has to be found)" in done.stdout


def test_paths_and_json(build: Build) -> None:
    told = written(build(), "records/sources/bench-report.yaml")
    assert told["summary"]["records"] == 1
    assert {kind["kind"] for kind in told["kinds"] if kind["generated"]} == {"reference", "weaker basis", "word",
                                                                             "evidence"}


@pytest.mark.parametrize("arguments", [("records",), ("--limit", "5"), ("--format", "json"),
                                       ("--mutate", "no-such-file"), ("--mutate", "--limit", "0")])
def test_wrong_arguments_are_the_users_fault(build: Build, arguments: tuple[str, ...]) -> None:
    done = run(build(), *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_nothing_to_change_is_a_failure(build: Build) -> None:
    done = run(build(), "--mutate", "records/sources/chip-sheet.yaml")
    assert done.returncode == 4
    assert "nothing was changed" in done.stderr
