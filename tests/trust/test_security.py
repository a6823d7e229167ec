"""SECURITY.md: each promise names its tests, and each test that it names is there."""
from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"^- `(tests/\S+\.py)::(\w+)`$", re.MULTILINE)


def promises() -> list[str]:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promised = text.split("## What is promised")[1].split("## What is not promised")[0]
    return re.split(r"\n(?=\*\*)", promised)[1:]


def test_every_promise_names_tests() -> None:
    assert len(promises()) >= 7
    assert [promise[:60] for promise in promises() if not TEST.search(promise)] == []


def test_every_test_that_is_named_is_there() -> None:
    named = [pair for promise in promises() for pair in TEST.findall(promise)]
    assert len(named) == "".join(promises()).count("\n- ")
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{name}"
