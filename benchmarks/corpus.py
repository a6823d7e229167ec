"""A whole corpus beside what peers do with it, as ratios in one run; nothing is asserted.

    python benchmarks/corpus.py [RECORDS ...]

`records check` does the whole job; the peers check the JSON Schema only. Peers that are not installed are named, not
left out silently: `pip install check-jsonschema yamllint`, `npm install @sourcemeta/jsonschema`.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generate import write_corpus

from specdil_records.shipped import shipped_folder

SIZES = (1, 1000, 10_000)


def commands(folder: Path, size: int) -> dict[str, list[str] | None]:
    """Every competitor's command; None for one that is not installed."""
    schema = str(shipped_folder("schema") / "3.0" / "flop.json")
    flops = folder / "records" / "flops"
    files = sorted(map(str, flops.glob("*.yaml")))[:2000]
    jsonschema = shutil.which("jsonschema-cli") or shutil.which("jsonschema")
    found: dict[str, list[str] | None] = {
        "records check": [sys.executable, "-m", "specdil_records", "check", "-q", str(folder)],
        "records check, one worker": [sys.executable, "-m", "specdil_records", "check", "-q", "-j", "1", str(folder)],
        "yamllint (syntax)": None, "check-jsonschema": None, "@sourcemeta/jsonschema": None,
    }
    if shutil.which("yamllint"):
        found["yamllint (syntax)"] = ["yamllint", "-d", "{rules: {}}", str(flops)]
    if shutil.which("check-jsonschema") and size <= 2000:
        found["check-jsonschema"] = ["check-jsonschema", "--schemafile", schema, *files]
    if jsonschema:
        found["@sourcemeta/jsonschema"] = [jsonschema, "validate", schema, str(flops), "--extension", ".yaml", "--fast"]
    return found


def measure(command: list[str]) -> tuple[float, int]:
    """Seconds of wall-clock time, the better of two runs, and the exit code."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    best, code = float("inf"), 0
    for _ in range(2):
        start = time.perf_counter()
        code = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode
        best = min(best, time.perf_counter() - start)
    return best, code


def main() -> int:
    for size in [int(text) for text in sys.argv[1:]] or SIZES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            write_corpus(folder, size)
            print(f"{size} records")
            base = 0.0
            for name, command in commands(folder, size).items():
                if command is None:
                    print(f"  {name:<28} not measured (not installed, or too slow for this size)")
                    continue
                seconds, code = measure(command)
                base = base or seconds
                print(f"  {name:<28} {seconds:8.3f} s  {seconds / size * 1000:8.3f} ms a record  "
                      f"{seconds / base:6.2f} x  exit {code}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
