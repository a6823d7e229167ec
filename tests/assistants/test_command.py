"""The command where its extra is missing, and where its folder is."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from specdil_records.cli.main import run
from specdil_records.extras import ExtraMissing


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [one for one in sys.modules if one.partition(".")[0] == "mcp"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "specdil_records.assistants.server", raising=False)
    assert run(["mcp"]) == 2
    said = capsys.readouterr()
    assert str(ExtraMissing("mcp", "the server for assistants")) in said.err
    assert said.out == ""


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", str(tmp_path / "nowhere")]) == 2
    assert "does not exist" in capsys.readouterr().err
