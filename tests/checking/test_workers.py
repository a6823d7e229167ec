"""Workers: the same report for every number of them, nothing lost, and a dead one is the tool's failure."""
from __future__ import annotations

import os
from concurrent.futures.process import BrokenProcessPool

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking import Options, check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.checking.workers import batches, in_batches, jobs_for
from specdil_records.corpus import Corpus
from specdil_records.report import json_report
from specdil_records.rules import RULES, Sample
from specdil_records.rules.samples import BASE


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    files = {}
    for number in range(150):
        text = BASE["flop"].replace("flops/example-stall", f"flops/copy-{number}")
        if number % 7 == 3:
            text = text.replace("a gain of 25%.", "a gain of 52%.")
            text = text.replace("status: active", "status: asleep", number % 2)
        files[f"records/flops/copy-{number}.yaml"] = text
    return sample_corpus(Sample((), files))


def test_the_report_is_the_same_for_every_number_of_workers(corpus: Corpus) -> None:
    one, two, eight = (json_report.write(check(corpus, Options(jobs=jobs))) for jobs in (1, 2, 8))
    assert one == two == eight
    assert '"errors": 21' in one


@given(st.integers(0, 5000), st.integers(1, 64))
def test_batches_cover_every_record_once_in_order(count: int, jobs: int) -> None:
    covered = [i for start, end in batches(count, jobs) for i in range(start, end)]
    assert covered == list(range(count))


def test_a_worker_that_dies_is_not_silence() -> None:
    with pytest.raises(BrokenProcessPool):
        list(in_batches(lambda start, end: os._exit(9) if start else (start, end), 100, 2))  # type: ignore[arg-type,return-value]


def test_few_records_are_not_worth_a_worker() -> None:
    assert jobs_for(3, None) == 1
    assert jobs_for(3, 4) == 4
    assert jobs_for(10_000, None) == (os.cpu_count() or 1)


def test_a_rule_that_cannot_be_prepared_is_asked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object, __: object) -> None:
        raise ZeroDivisionError

    corpus = sample_corpus(Sample((("flop", "a gain of 25%.", "a gain of 52%."),)))
    before = check(corpus)
    assert before.summary.errors == 1
    for rule in RULES:
        monkeypatch.setattr(type(rule), "prepare", broken)
    assert check(sample_corpus(Sample((("flop", "a gain of 25%.", "a gain of 52%."),)))) == before
