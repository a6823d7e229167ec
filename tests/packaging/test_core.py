"""An installation without any extra: what needs none works, what needs one says which and ends with 2."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from specdil_records.extras import ExtraMissing
from specdil_records.rules.rule import Sample
from specdil_records.rules.samples import files_of
from tests.packaging.support import ROOT, installed, modules_of_extras, run

RECORD = "flops/example-stall"
WORKING = [
    ["check"], ["check", "--format", "json"], ["check", "--format", "sarif"], ["check", "--format", "junit"],
    ["check", "--format", "github"], ["why", RECORD, "25%"], ["ledger"], ["explain", "figure-drift"],
    ["quantities"], ["quantities", "ridge"], ["impact", RECORD], ["diff", "HEAD"],
    ["sweep", "decode.intensity", "--over", "batch=1..4"], ["new", "source", "another-source"],
    ["schema", "3.0", "flop"], ["selftest"], ["bind", RECORD], ["export", "--format", "csv"],
    ["export", "--format", "sqlite", "-o", "x.db"], ["export", "--format", "bibtex"], ["fmt", "--check"], ["--version"],
]
WANTING = [
    (["fmt"], "edit", "rewriting YAML"), (["migrate", "--to", "3.0"], "edit", "rewriting YAML"),
    (["lsp"], "lsp", "the language server"), (["site", "-o", "pages"], "site", "a page's picture"),
    (["export", "--format", "parquet", "-o", "x.parquet"], "query", "Parquet"),
    (["sweep", "decode.intensity", "--over", "batch=1..4", "--plot", "x.svg"], "plot", "--plot"),
]


@pytest.fixture(scope="module")
def records(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, tmp_path_factory.mktemp("core") / "env", modules_of_extras())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The base example in a repository of its own."""
    folder = tmp_path_factory.mktemp("corpus")
    for name, text in files_of(Sample()).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"],
                    ["-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def test_the_extras_are_hidden(records: Path, tmp_path: Path) -> None:
    for module in ("yaml_edit", "pygls", "matplotlib", "jinja2", "duckdb", "pyarrow"):
        assert module in modules_of_extras()
        assert "ModuleNotFoundError" in run(records.parent / "python", "-c", f"import {module}", cwd=tmp_path, code=1)
    assert not {"click", "jsonschema", "jsonschema_rs", "numpy", "yaml", "referencing"} & modules_of_extras()


@pytest.mark.parametrize("arguments", WORKING, ids=" ".join)
def test_a_command_that_needs_no_extra_works(records: Path, corpus: Path, arguments: list[str]) -> None:
    assert run(records, *arguments, cwd=corpus).strip() or arguments[-1] == "x.db"


@pytest.mark.parametrize(("arguments", "extra", "what"), WANTING, ids=lambda value: str(value))
def test_a_command_that_needs_an_extra_says_which(records: Path, corpus: Path, tmp_path: Path, arguments: list[str],
                                                  extra: str, what: str) -> None:
    folder = Path(shutil.copytree(corpus, tmp_path / "corpus"))
    old = folder / "records/flops/older.yaml"
    example = ROOT / "tests/examples/good/2.0/flop/draft-stall.yaml"
    old.write_text("notes: Nothing.\n" + example.read_text(encoding="utf-8").replace("notes:", "x-notes:")
                   .replace("flops/draft-stall", "flops/older"), encoding="utf-8")
    said = run(records, *arguments, cwd=folder, code=2)
    assert said == f"records: {ExtraMissing(extra, what)}\n"
