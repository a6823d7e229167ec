"""What the README shows of a failing check is what the command says."""
from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from specdil_records.cli.main import run
from specdil_records.shipped import shipped_folder

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(shipped_folder("records"), tmp_path / "records")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "records"


def shown(command: str) -> str:
    (text,) = re.findall(rf"```console\n\$ {re.escape(command)}\n(.*?)\n```", README, re.DOTALL)
    return str(text)


def test_the_failing_check(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = corpus / "flops" / "sd-batch-dilution-problem.yaml"
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept.replace("only 12.5% improvement", "only 12.6% improvement", 1), encoding="utf-8")
    assert run(["check"]) == 1
    assert capsys.readouterr().out.strip() == shown("records check")


@pytest.mark.usefixtures("corpus")
def test_the_derivation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["why", "flops/sd-batch-dilution-problem", "12.5%"]) == 0
    assert capsys.readouterr().out.strip() == shown("records why flops/sd-batch-dilution-problem 12.5%")
