"""A campaign: `python -m fuzz reader --runs 20000`. Needs atheris; ends with a failure at the first broken promise."""
from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

TARGETS = ("reader", "fast_yaml", "numbers", "expressions", "quotes")


def main() -> None:
    """Fuzz one target: a number of inputs, or until a time is up; nothing is kept but the input that failed."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--runs", type=int, default=20_000, help="inputs to judge; -1 for no end")
    parser.add_argument("--seconds", type=int, default=0, help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--keep", type=Path, help="a folder for inputs that reach new code, to go on from")
    given = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["specdil_records"]):
        target = importlib.import_module(f"fuzz.{given.target}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        seeds = Path(folder)
        count = sow(target, seeds)
        print(f"{given.target}: {count} seeds", file=sys.stderr)
        kept = [str(given.keep)] if given.keep else []
        options = [f"-runs={given.runs}", f"-max_total_time={given.seconds}", f"-seed={given.seed}",
                   f"-max_len={target.LONGEST_INPUT}", "-timeout=60", "-report_slow_units=60", "-rss_limit_mb=2048",
                   "-print_final_stats=1", f"-artifact_prefix=fuzz-{given.target}-"]
        atheris.Setup(["fuzz", *kept, folder, *options], target.judge, enable_python_coverage=True)
        atheris.Fuzz()


def sow(target: Any, folder: Path) -> int:
    """Write the seeds of a target as files; how many they are."""
    count = 0
    for count, seed in enumerate(target.seeds(), 1):
        (folder / f"{count:05}").write_bytes(seed)
    assert count, "a campaign without seeds finds nothing"
    return count


if __name__ == "__main__":
    main()
