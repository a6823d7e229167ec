"""What a corpus of 100,000 records costs, step by step, on this machine and on a Dask cluster; nothing is asserted.

    python benchmarks/scale.py [SIZE] [--workers N] [--corpus FOLDER]

Prints the figures of `docs/scale.md`: each step on its own in one process, then the whole command with worker processes
and on a local Dask cluster of as many, with the memory of all processes together (the cluster's workers included). The
processors' time is beside the clock's, as it says more on a busy machine.
"""
from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from corpus import records
from generate import write_corpus
from measuring import Time, environment, run, watching_memory

T = TypeVar("T")


def steps(folder: str) -> None:
    """The survey, the stretches that are sent, and the cross-record step, in this process."""
    from specdil_records.checking.dispatch import Errand
    from specdil_records.checking.elsewhere import pack
    from specdil_records.checking.pipeline import Options, check_records, chosen_rules
    from specdil_records.checking.results import Tally, Verdict
    from specdil_records.checking.surveying import survey
    from specdil_records.corpus import cards
    from specdil_records.corpus.files import contents_of, files_on_disk
    from specdil_records.corpus.loading import corpus_of
    from specdil_records.corpus.settings import find_settings

    def timed(name: str, action: Callable[[], T]) -> T:
        clock, work = time.perf_counter(), time.process_time()
        result = action()
        used = Time(time.perf_counter() - clock, time.process_time() - work)
        print(f"  {name:<44} {used.clock:9.1f} s {used.work:9.1f} s {used.work / count * 1000:9.3f} ms a record")
        return result

    count = sum(1 for _ in Path(folder).rglob("*.yaml"))
    settings = find_settings(Path(folder))
    files = timed("files found and hashed", lambda: contents_of(settings, files_on_disk(settings), again=True))
    texts = timed("surveyed: read, held against the schema",
                  lambda: {content: text for _, some in survey(files, {}, 1) for content, text in some.items()})
    corpus = timed("a corpus made of cards", lambda: corpus_of(
        settings, files, {content: cards.read(text) for content, text in texts.items()}))
    rules = chosen_rules(corpus, Options())
    across = [rule for rule in rules if rule.across or rule.outward]
    known = {record.path: Verdict(Tally(records=1), clean=False) for record in corpus.own}
    errand = timed("listed for the workers, by content", lambda: Errand(ThreadPoolExecutor(), corpus, (), 2))
    sent = timed("divided into stretches, with what they need",
                 lambda: sum(len(pack(stretch)) for stretch in errand.stretches(list(corpus.own))))
    timed("rules across records, over the whole corpus",
          lambda: check_records(corpus, corpus.own, across, None, known))
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {sent / count:.0f} bytes a record are sent; this process held {largest:.0f} MiB at most")


def main() -> int:
    """Every figure in one run."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("size", nargs="?", type=int, default=100_000, help="flop records; 100000 unless told")
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--corpus", metavar="FOLDER", help="a corpus that generate.py has written already")
    asked.add_argument("--steps", metavar="FOLDER", help=argparse.SUPPRESS)
    options = asked.parse_args()
    if options.steps:
        steps(options.steps)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.corpus or str(Path(scratch, "corpus"))
        if not options.corpus:
            write_corpus(Path(folder), options.size)
        env = environment(Path(scratch, "cache"))
        print(f"{options.size} flop records: clock, all processors' time", flush=True)
        subprocess.run([sys.executable, __file__, "--steps", folder], check=True)
        command = records("check", "-q", "--no-cache", folder)
        whole(f"{options.workers} worker processes", [*command, "-j", str(options.workers)], env, options.size)
        from distributed import LocalCluster

        with LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=":0") as cluster:
            whole(f"Dask, {options.workers} workers",
                  [*command, "--engine", "dask", "--scheduler", cluster.scheduler_address], env, options.size)
    return 0


def whole(name: str, command: list[str], env: dict[str, str], size: int) -> None:
    """One whole command: its time, and the memory of everything that runs meanwhile."""
    with watching_memory() as peak:
        used = run([command], env)
    print(f"  {name:<44} {used.clock:9.1f} s           {used.clock / size * 1000:9.3f} ms a record, "
          f"{peak[0] / 2**20:.0f} MiB", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
