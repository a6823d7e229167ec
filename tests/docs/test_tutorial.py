"""The tutorial does what it says: its commands are run, its outputs compared."""
from __future__ import annotations

import re
from pathlib import Path

from tests.docs.tutorial import DOCS, Typed, Written, is_shown, steps


def test_every_output_is_as_the_tutorial_shows_it(finished: tuple[Path, list[tuple[Typed, str]]]) -> None:
    _, said = finished
    assert len(said) > 10
    for step, output in said:
        assert is_shown(step.shown, output), f"$ {step.command}\n{output}\n--- the page has\n{step.shown}"


def test_the_tutorial_is_taken_apart_whole() -> None:
    found = list(steps((DOCS / "tutorial.md").read_text(encoding="utf-8")))
    assert [step.path for step in found if isinstance(step, Written)] == [
        "pyproject.toml", "records/flops/ridge-before-batch.yaml", "records/flops/ridge-before-batch.yaml",
        ".git/hooks/pre-commit"]
    assert any(isinstance(step, Typed) and step.command == "records check" for step in found)


def test_the_text_names_every_file_that_is_written() -> None:
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    written = re.findall(r"([^\n]*(?:\n[^\n]+)*)\n\n<!-- (file|append): (\S+) -->\n", page)
    assert len(written) == 4
    for before, what, path in written:
        assert f"`{path}`" in before or (what == "append" and "the same file" in before), path


def test_a_wrong_output_is_noticed() -> None:
    assert is_shown("1 record; ... rules run\n", "1 record; 40 rules run\n")
    assert not is_shown("1 record\n", "2 records\n")
    assert not is_shown("", "records: no\n")
    assert not is_shown("error[C01]: x\n", "error[C01]: x\nmore\n")
