"""kill -9 in the middle of every writing command: each file is the old one or the new one, and the next run works."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trust.killing import wrong
from tests.trust.writers import WRITERS, Writer

ROOT = Path(__file__).parents[2]
LEAST_KILLS = 4


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_a_killed_command_leaves_old_or_new_and_the_next_run_works(writer: Writer, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.trust.killing", writer.name, str(tmp_path)], cwd=ROOT,
                          capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["faults"] == []
    assert outcome["killed"] >= LEAST_KILLS, outcome
    assert outcome["states"] >= (1 if writer.silent else 2), outcome


def test_a_kill_in_the_middle_of_a_plain_write_would_be_noticed() -> None:
    before, after = {"a": b"old"}, {"a": b"new", "b": b"more"}
    assert wrong({"a": b"old", ".b.x.tmp": b""}, before, after) == []
    assert wrong({"a": b""}, before, after) == ["a is neither old nor new: 0 bytes"]
    assert wrong({}, before, after) == ["a is gone"]
    assert wrong({"a": b"new", "b": b"more", "c": b""}, before, after) == ["c is left beside"]
