"""How long a check takes, as ratios measured side by side in one run.

    python benchmarks/check.py

Prints, never asserts: machines differ. `one file` is a fresh process that checks one record of the shipped corpus,
beside a fresh process that only imports what every check needs. `1,000 records` is one process on a corpus of copies of
the shipped record on batch dilution, beside the YAML parser's events alone.
"""
from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from specdil_records.checking import check
from specdil_records.corpus import load_corpus
from specdil_records.shipped import shipped_folder

RECORD = "flops/sd-batch-dilution-problem.yaml"
ROUNDS = 7
COPIES = 1000


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def side_by_side(actions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median time of each action, taken in turns so that noise meets all of them alike."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return {name: statistics.median(values) for name, values in times.items()}


def one_file() -> None:
    root = shipped_folder("records")
    # An installed tool runs from compiled files; an environment that forbids them would measure the compiler.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    run = [sys.executable, "-m", "specdil_records", "check", str(root / RECORD)]
    bare = [sys.executable, "-c", "import yaml, jsonschema_rs, click"]
    times = side_by_side({
        "bare interpreter": lambda: subprocess.run([sys.executable, "-c", ""], check=True, env=environment),
        "imports alone": lambda: subprocess.run(bare, check=True, env=environment),
        "check one file": lambda: subprocess.run(run, stdout=subprocess.DEVNULL, check=False, env=environment),
    }, ROUNDS)
    for name, value in times.items():
        print(f"{name:<24} {value * 1000:8.1f} ms   {value / times['imports alone']:6.2f} x the imports")


def many_records() -> None:
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "records")
        shutil.copytree(shipped_folder("records"), corpus)
        text = (corpus / RECORD).read_text(encoding="utf-8")
        for number in range(COPIES):
            name = f"flops/copy-{number}"
            (corpus / f"{name}.yaml").write_text(text.replace(f"id: {RECORD[:-5]}", f"id: {name}"), encoding="utf-8")
        start = time.perf_counter()
        for _ in range(COPIES):
            for _event in yaml.parse(text, Loader=yaml.CSafeLoader):
                pass
        events = time.perf_counter() - start
        start = time.perf_counter()
        loaded = load_corpus(folder)
        read = time.perf_counter()
        report = check(loaded)
        done = time.perf_counter()
    print(f"{COPIES} records: read {read - start:.2f} s, judge {done - read:.2f} s, "
          f"together {(done - start) / events:.1f} x the parser's events alone ({events:.2f} s); "
          f"{report.summary.records} records, {report.summary.errors} errors")


if __name__ == "__main__":
    one_file()
    many_records()
