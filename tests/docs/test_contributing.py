"""What CONTRIBUTING.md tells a newcomer to write works as it stands there: one file each, and its tests pass."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = ("specdil_records/roofline/entries_of_weights.py", "tests/roofline/test_weights.py",
         "specdil_records/rules/long_name.py")


def test_a_quantity_and_a_finding_are_one_file_each(tmp_path: Path) -> None:
    for name in ("specdil_records", "schema", "tests/rules", "tests/claims", "tests/roofline", "tests/examples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == len(FILES)
    for name, block in zip(FILES, blocks, strict=True):
        (tmp_path / name).write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-vv", "tests/rules",
         "tests/roofline/test_weights.py", "tests/roofline/test_catalogue.py",
         "tests/roofline/test_four_arithmetics.py", "-k", "long-name or weight"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    for part in ("test_the_bad_sample_is_found_and_nothing_else[long-name]", "test_the_good_sample_is_fine[long-name]",
                 "test_seven_billion_weights_on_an_h100", "[weight_time]"):
        assert part in done.stdout
