"""A whole corpus beside what peers do with it, as ratios of one run; nothing is asserted.

    python benchmarks/corpus.py [SIZE ...] [--rounds N] [--cluster WORKERS]

`records check` does the whole job; the peers (see `peers.py` for how they are installed) check syntax or the JSON
Schema of the flop records only. Times are the least of some rounds taken in turns: on the clock, and of all processors
together (`work`), which says more on a busy machine; `ms` is milliseconds on the clock a flop record.
"""
from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from generate import write_corpus
from measuring import Time, environment, in_turns, run, watching_memory
from peers import check_jsonschema, peers

from specdil_records.corpus import load_corpus
from specdil_records.shipped import shipped_folder

SIZES = (1, 1000, 10_000)
ONE_FILE = "flops/sd-batch-dilution-problem.yaml"
COLD, SOURCEMETA = "records check, cold", "@sourcemeta/jsonschema"
CHIP = "accelerators/chip-1.yaml"


def records(*arguments: str) -> list[str]:
    """The installed command, as a user calls it."""
    program = Path(sys.executable).with_name("records")
    return [str(program), *arguments] if program.exists() else [sys.executable, "-m", "specdil_records", *arguments]


class Bench:
    """One corpus, and a cache of its own."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        self.project, self.cache = folder / "corpus", folder / "cache"
        self.env = environment(self.cache)
        self.check = records("check", "-q", str(self.project))
        self.choice = random.Random(5)
        write_corpus(self.project, size)

    def cold(self, *more: str) -> Time:
        shutil.rmtree(self.cache, ignore_errors=True)
        return run([[*self.check, *more]], self.env)

    def warm(self) -> Time:
        return run([self.check], self.env)

    def some_changed(self) -> Time:
        """One record in a hundred, but at least one, gets another name."""
        flops = sorted((self.project / "records/flops").iterdir())
        for file in self.choice.sample(flops, max(1, len(flops) // 100)):
            edited(file)
        return self.warm()

    def chip_changed(self) -> Time:
        edited(self.project / "records" / CHIP)
        return self.warm()

    def kept(self) -> int:
        """How many verdicts the cache holds."""
        total = 0
        for file in (self.cache / "specdil-records").glob("*.sqlite"):
            with closing(sqlite3.connect(file)) as base:
                total += base.execute("SELECT count(*) FROM verdicts").fetchone()[0]
        return total


def edited(file: Path, key: str = "name:") -> None:
    """Change a record in a way that changes no verdict: a word more in its name each time."""
    lines = [line + " again" if line.startswith(key) else line for line in file.read_text("utf-8").splitlines()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def compare(bench: Bench, rounds: int) -> None:
    """`records check` in every state of its cache, and the peers, in turns."""
    others, absent = peers(bench.project / "records/flops", bench.folder)
    ours: dict[str, Callable[[], Time]] = {
        COLD: bench.cold,
        "  nothing changed": bench.warm,
        "  1 % of the files changed": bench.some_changed,
        "  one accelerator changed": bench.chip_changed,
        "  cold, one worker": lambda: bench.cold("-j", "1"),
    }
    theirs = {peer.name: (lambda peer=peer: run(peer.commands, bench.env)) for peer in others}
    best = in_turns({**ours, **theirs}, rounds)
    files = {peer.name: peer.files for peer in others}
    does = {peer.name: f"{peer.does}, {peer.files} files" for peer in others}
    each = {name: time.clock / files.get(name, bench.size) for name, time in best.items()}
    work = {name: time.work / files.get(name, bench.size) for name, time in best.items()}
    print(f"\n{bench.size} flop records ({bench.size // 20 or 1} papers and their chips, models, sheets beside them)")
    print(f"  {'':<30} {'clock':>9} {'work':>11} {'a record':>12} {'clock':>7}     {'work':>6}     of the cold check")
    for name, time in best.items():
        print(f"  {name:<30} {time.clock:9.3f} s {time.work:9.3f} s {each[name] * 1000:9.3f} ms "
              f"{each[name] / each[COLD]:7.2f} x {work[name] / work[COLD]:8.2f} x  {does.get(name, '')}")
    for name in absent:
        print(f"  {name:<30} NOT INSTALLED, or does not look at its files: see benchmarks/peers.py")
    for peer in (SOURCEMETA, SOURCEMETA + ", two", "check-jsonschema"):
        if peer in each:
            ratios = [f"{name.removeprefix('records check,').strip()} {each[name] / each[peer]:.3f} "
                      f"{work[name] / work[peer]:.3f}" for name in ours]
            print(f"  in units of {peer} (clock, work): {'; '.join(ratios)}")


def judged_again(bench: Bench) -> None:
    """How many verdicts are made anew after one accelerator has changed, beside how many records rest on it."""
    bench.warm()
    corpus = load_corpus(bench.project)
    scope = corpus.scope_of({f"records/{CHIP}"})
    clean = sum(1 for record in corpus.own if record.path in scope and record.sound)
    before = bench.kept()
    bench.chip_changed()
    print(f"  one accelerator changed: {bench.kept() - before} verdicts made anew; {len(scope)} records of "
          f"{len(corpus.own)} rest on it, {clean} of them sound (one with a finding is never kept)")


def one_file(rounds: int) -> None:
    """One record of the shipped corpus, as an editor or a hook has it judged, start included."""
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch, "project")
        shutil.copytree(shipped_folder("records"), project / "records")
        file = str(project / "records" / ONE_FILE)
        env = environment(Path(scratch, "cache"))
        commit = ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "b"]
        for command in (["init", "-q"], ["add", "-A"], commit):
            subprocess.run(["git", "-C", str(project), *command], check=True)
        edited(Path(file))
        subprocess.run(["git", "-C", str(project), "add", "-A"], check=True)

        def cold() -> Time:
            shutil.rmtree(Path(scratch, "cache"), ignore_errors=True)
            return run([records("check", "-q", file)], env)

        def changed(*arguments: str) -> Time:
            edited(Path(file))
            subprocess.run(["git", "-C", str(project), "add", "-A"], check=True)
            return run([records("check", "-q", *arguments)], env, project)

        actions: dict[str, Callable[[], Time]] = {
            "a bare interpreter": lambda: run([[sys.executable, "-c", ""]], env),
            "records check FILE, cold": cold,
            "records check FILE, edited": lambda: changed(file),
            "records check FILE, again": lambda: run([records("check", "-q", file)], env, project),
            "records check --staged, edited": lambda: changed("--staged"),
        }
        if peer_command := check_jsonschema([file]):
            actions["check-jsonschema FILE"] = lambda: run([peer_command], env)
        else:
            print("check-jsonschema NOT INSTALLED, or does not look at its files: see benchmarks/peers.py")
        best = in_turns(actions, rounds)
    print("\none file of the shipped corpus")
    peer = best.get("check-jsonschema FILE")
    for name, time in best.items():
        ratio = f"{time.clock / peer.clock:7.2f} x {time.work / peer.work:7.2f} x check-jsonschema" if peer else ""
        print(f"  {name:<30} {time.clock * 1000:9.1f} ms {time.work * 1000:9.1f} ms {ratio}")


def on_cluster(bench: Bench, workers: int) -> None:
    """The same corpus on a local Dask cluster of so many processes: what each way costs beyond the other."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster:
        engine = ["--engine", "dask", "--scheduler", cluster.scheduler_address, "--no-cache"]
        actions = {"processes": lambda: bench.cold("--no-cache", "-j", str(workers)),
                   f"dask, {workers} workers": lambda: run([[*bench.check, *engine]], bench.env)}
        for name, time in in_turns(actions, 1).items():
            print(f"  {name:<30} {time.clock:9.3f} s on the clock {time.clock / bench.size * 1000:9.3f} ms")


def main() -> int:
    """Everything in one run."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("sizes", nargs="*", type=int, metavar="SIZE", help="flop records; 1, 1000 and 10000 unless told")
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--cluster", type=int, default=0, metavar="WORKERS")
    options = asked.parse_args()
    peaks: dict[int, int] = {}
    one_file(max(5, options.rounds))
    for size in options.sizes or SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            bench = Bench(Path(scratch), size)
            compare(bench, options.rounds)
            judged_again(bench)
            with watching_memory() as peak:
                run([[*bench.check, "--no-cache"]], bench.env)
            peaks[size] = peak[0]
            print(f"  peak memory, children included {peak[0] / 2**20:9.1f} MiB")
            if options.cluster:
                on_cluster(bench, options.cluster)
    sizes = sorted(size for size in peaks if size >= 1000)
    if len(sizes) > 1:
        low, high = sizes[0], sizes[-1]
        growth = (peaks[high] - peaks[low]) / (high - low)
        print(f"\nmemory grows by {growth / 1024:.2f} KiB a flop record from {low} to {high}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
