"""Corpora for benchmarks are what they say: sound but for the faults that are put in, and ever the same."""
from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from specdil_records import check, load_corpus

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("generate")


def test_one_record_in_so_many_is_at_fault_in_each_way_in_turn(generate: Any, tmp_path: Path,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "FAULTY", 10)
    generate.write_corpus(tmp_path, 70)
    report = check(load_corpus(tmp_path))
    assert {finding.path: finding.name for finding in report.findings} == {
        f"records/flops/record-{number}.yaml": name for number, name in zip(range(7, 70, 10), (
            "figure-drift", "unbound-figure", "schema", "unresolved-reference", "effect-not-verbatim", "duplicate-key",
            "quote-not-verbatim"), strict=True)}


def test_records_are_of_a_real_size_and_differ(generate: Any, tmp_path: Path) -> None:
    generate.write_corpus(tmp_path, 100)
    texts = [file.read_text() for file in sorted((tmp_path / "records/flops").iterdir())]
    assert 4500 < sum(map(len, texts)) / len(texts) < 5500
    records = [yaml.load(text, yaml.CSafeLoader) for text in texts]
    assert {len(record["claims"]) for record in records} == {3, 4, 5, 6}
    sentences = Counter(sentence for record in records for text in (record["arithmetic_intensity"], record["notes"])
                        for sentence in text.split(". "))
    alone = sum(count for count in sentences.values() if count == 1)
    assert alone > 0.6 * sentences.total()


def test_the_same_size_and_seed_give_the_same_bytes(generate: Any, tmp_path: Path) -> None:
    for name in ("one", "two"):
        generate.write_corpus(tmp_path / name, 5)
    one, two = ({file.relative_to(tmp_path / name): file.read_bytes() for file in (tmp_path / name).rglob("*.yaml")}
                for name in ("one", "two"))
    assert one == two
