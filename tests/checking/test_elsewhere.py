"""Any executor gives the report of a plain run, byte for byte, and one that fails is never silence."""
from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from specdil_records.checking import Options, check, dispatch, elsewhere
from specdil_records.checking.cache import Cache
from specdil_records.checking.dispatch import EngineError, Watched
from specdil_records.checking.selftest import sample_corpus
from specdil_records.corpus import Corpus, load_corpus
from specdil_records.report import json_report
from specdil_records.rules import RULES, Sample
from specdil_records.rules.samples import BASE, files_of

FAULTS = (
    ("a gain of 25%.", "a gain of 52%."),
    ("status: active", "status: asleep"),
    ("affected_by_hardware: [example-chip]", "affected_by_hardware: [exmaple-chip]"),
    ("status: active", "status: active\nmentions: [copy-41]"),  # a near miss of a record in another stretch
    ("status: active", "status: active\nstatus: active"),
)


def faulty_files(count: int) -> dict[str, str]:
    """Copies of the base flop, one in seven at fault, each kind of fault in turn."""
    files = files_of(Sample())
    for number in range(count):
        text = BASE["flop"].replace("flops/example-stall", f"flops/copy-{number}00")
        if number % 7 == 3:
            text = text.replace(*FAULTS[number // 7 % len(FAULTS)])
        files[f"records/flops/copy-{number}00.yaml"] = text
    return files


def written(files: dict[str, str], folder: Path) -> Corpus:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return load_corpus(folder)


@pytest.fixture(scope="module")
def spawned() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def report(corpus: Corpus, **options: Any) -> str:
    return json_report.write(check(corpus, Options(**options)))


def test_threads_give_the_report_of_a_plain_run(tmp_path: Path) -> None:
    corpus = written(faulty_files(120), tmp_path)
    plain = report(corpus, jobs=1)
    assert '"errors": 0' not in plain
    assert "did you mean copy-4100" in plain
    for jobs in (1, 2, 7):
        with ThreadPoolExecutor(jobs) as pool:
            assert report(corpus, jobs=jobs, executor=pool) == plain


def test_processes_that_share_nothing_read_for_themselves(tmp_path: Path, spawned: Executor,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = written(faulty_files(120), tmp_path)
    monkeypatch.setattr(dispatch.Errand, "_sendable", lambda self, numbers: {} if not numbers else pytest.fail("sent"))
    assert report(corpus, jobs=2, executor=spawned) == report(corpus, jobs=1)


def test_processes_are_sent_what_they_cannot_read(spawned: Executor) -> None:
    corpus = sample_corpus(Sample((), faulty_files(120)))
    assert report(corpus, jobs=2, executor=spawned) == report(corpus, jobs=1)


def test_a_file_that_changed_since_it_was_read_is_sent_as_it_was(tmp_path: Path, spawned: Executor) -> None:
    corpus = written(faulty_files(60), tmp_path)
    plain = report(corpus, jobs=1)
    for name in ("records/flops/copy-300.yaml", "records/accelerators/example-chip.yaml"):
        (tmp_path / name).write_text("schema_version: 9\n")
    (tmp_path / "records/flops/copy-400.yaml").unlink()
    assert report(corpus, jobs=2, executor=spawned) == plain


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_every_finding_is_the_same_elsewhere(rule: str) -> None:
    bad = next(one for one in RULES if one.name == rule).bad
    corpus = sample_corpus(bad)
    with ThreadPoolExecutor(2) as pool:
        assert report(corpus, executor=pool) == report(corpus, jobs=1)


def test_a_scope_sees_the_whole_corpus(tmp_path: Path) -> None:
    corpus = written(faulty_files(40), tmp_path)
    scope = frozenset(corpus.scope_of({"records/accelerators/example-chip.yaml"}))
    with ThreadPoolExecutor(2) as pool:
        assert report(corpus, scope=scope, executor=pool) == report(corpus, scope=scope, jobs=1)


def test_verdicts_from_elsewhere_are_kept(tmp_path: Path) -> None:
    corpus = written(faulty_files(40), tmp_path / "corpus")
    with ThreadPoolExecutor(2) as pool, Cache(tmp_path / "cache") as cache:
        first = report(corpus, cache=cache, executor=pool)
        known = cache.verdicts(corpus, [rule for rule in RULES if not rule.historic]).known()
        assert len(known) >= 40
        assert {verdict.clean for verdict in known.values()} == {True, False}
        assert report(corpus, cache=cache, jobs=1) == first == report(corpus, jobs=1)


class Deadly(Executor):
    """Hands its tasks to processes, and kills the one that gets the third."""

    def __init__(self, pool: Executor) -> None:
        self.pool, self.count = pool, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        return self.pool.submit(os._exit, 9) if self.count == 3 else self.pool.submit(fn, *args, **kwargs)


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    corpus = written(faulty_files(200), tmp_path)
    with (ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool,
          pytest.raises(EngineError, match="a worker failed: BrokenProcessPool")):
        report(corpus, jobs=2, executor=Deadly(pool))


def test_a_worker_with_another_tool_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = written(faulty_files(3), tmp_path)
    monkeypatch.setattr(dispatch, "identity", lambda: "0.0.9 abc")
    with (ThreadPoolExecutor(1) as pool,
          pytest.raises(EngineError, match=r"a worker has version .* of the tool, this is 0\.0\.9")):
        report(corpus, executor=pool)


def test_a_worker_that_fails_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise MemoryError("no room")

    corpus = written(faulty_files(3), tmp_path)
    monkeypatch.setattr(elsewhere, "check_records", fail)
    with ThreadPoolExecutor(1) as pool, pytest.raises(EngineError, match="a worker failed: MemoryError: no room"):
        report(corpus, executor=pool)


class Stuck(Watched):
    """Never does anything, and knows it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()

    def trouble(self) -> str:
        return "nobody is left"


def test_an_executor_that_knows_it_is_stuck_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "LOOK", 0.01)
    with pytest.raises(EngineError, match="nobody is left"):
        report(written(faulty_files(3), tmp_path), executor=Stuck())


def test_what_is_sent_is_small(tmp_path: Path) -> None:
    sizes: list[int] = []

    class Weighing(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            with threading.Lock():
                sizes.append(sum(len(arg) for arg in args))
            return super().submit(fn, *args, **kwargs)

    corpus = written(faulty_files(400), tmp_path)
    with Weighing(2) as pool:
        report(corpus, jobs=2, executor=pool)
    assert sum(sizes) < 100 * len(corpus.records)
