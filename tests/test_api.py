"""The public interface: importable without the command line, and roofline on its own."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import specdil_records
from specdil_records import check, evaluate, load_corpus

ROOT = Path(__file__).parents[1]


def test_a_corpus_is_loaded_checked_and_evaluated() -> None:
    corpus = load_corpus(ROOT)
    record = corpus.by_id["flops/sd-batch-dilution-problem"]
    assert check(corpus).summary.records == len(corpus.own)
    assert evaluate(record).claims
    record.sound = False
    with pytest.raises(ValueError, match="does not read"):
        evaluate(record)


def test_a_name_that_is_not_there_is_missing() -> None:
    with pytest.raises(AttributeError):
        specdil_records.nonsense  # noqa: B018 (asking for it is the test)


def test_the_roofline_core_needs_nothing_above_it() -> None:
    program = ("import sys, specdil_records.roofline as r; print(r.call(r.CATALOGUE['verify.intensity'], 32, 4));"
               "print(sorted(m for m in sys.modules if m.split('.')[0] in ('yaml', 'click', 'jsonschema', "
               "'jsonschema_rs') or m.startswith('specdil_records.claims')))")
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    assert done.stdout.split("\n")[:2] == ["160", "[]"]
