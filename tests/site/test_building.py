"""A whole build: the same bytes every time, by however many workers, and only what changed."""
from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from specdil_records.cli.main import run
from specdil_records.corpus import load_corpus
from specdil_records.extras import ExtraMissing
from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of
from specdil_records.site.building import build as build_site
from specdil_records.site.facts import Facts
from specdil_records.site.overviews import _list

pytest.importorskip("jinja2", reason="NOT RUN: the extra `site` is not installed")
pytest.importorskip("matplotlib", reason="NOT RUN: the extra `site` is not installed")
Build = Callable[..., Path]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_processes_make_the_same_bytes(build: Build) -> None:
    root = build()
    build_site(load_corpus(root), root / "one", 1)
    subprocess.run([sys.executable, "-m", "specdil_records", "site", "-o", "two", "-j", "2"], cwd=root, check=True,
                   capture_output=True, env={"PYTHONHASHSEED": "7", "PATH": ""})
    assert files(root / "one") == files(root / "two")


def test_only_what_changed_is_written(build: Build) -> None:
    root = build()
    first = build_site(load_corpus(root), root / "site", 1)
    assert first.written == first.pages + len([1 for name in files(root / "site") if name.startswith("assets/")])
    assert build_site(load_corpus(root), root / "site", 1).written == 0
    shutil.copy(root / "records/sources/chip-sheet.yaml", root / "records/sources/other.yaml")
    text = (root / "records/sources/other.yaml").read_text().replace("chip-sheet", "other")
    (root / "records/sources/other.yaml").write_text(text)
    again = build_site(load_corpus(root), root / "site", 1)
    assert 0 < again.written < first.written and (root / "site/sources/other.html").is_file()
    (root / "records/sources/other.yaml").unlink()
    assert build_site(load_corpus(root), root / "site", 1).removed == 1
    assert not (root / "site/sources/other.html").exists()


def test_the_command(build: Build, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = build()
    monkeypatch.chdir(root)
    assert run(["site", "-o", "pages"]) == 0
    assert "13 pages of 4 records in pages" in capsys.readouterr().out
    assert run(["site", "-o", "records"]) == 2
    assert run(["site", "-o", "."]) == 2
    assert "neither empty nor a site" in capsys.readouterr().err
    assert run(["site"]) == 2


def test_an_empty_corpus_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "records" / "flops").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.records]\ncorpus = "records"\n')
    monkeypatch.chdir(tmp_path)
    assert run(["site", "-o", "pages"]) == 4


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_told_before_anything_is_written(build: Build, monkeypatch: pytest.MonkeyPatch,
                                                              package: str) -> None:
    from specdil_records.site import plots, templating

    root = build()
    plots.axes_of.cache_clear()
    plots.drawn.cache_clear()
    templating._environment.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExtraMissing, match=r"specdil-records\[site\]"):
        build_site(load_corpus(root), root / "site", 1)
    assert not (root / "site").exists()


def test_long_lists_come_in_pages() -> None:
    items = [Facts(f"sources/{i}", "source", f"Source {i}", f"sources/{i}.html") for i in range(7)]
    pages = dict(_list("sources", "Sources", items, "list.html", size=3))
    assert list(pages) == ["sources.html", "sources-2.html", "sources-3.html"]
    assert 'aria-current="page">2<' in pages["sources-2.html"] and "Source 6" in pages["sources-3.html"]


def test_a_key_of_ones_own_stands_on_no_page(tmp_path: Path) -> None:
    key = (("chip", "quantities:\n", "quantities:\n  x-mine: old\n"),)
    for path, text in files_of(Sample(key)).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    build_site(load_corpus(tmp_path), tmp_path / "pages", 1)
    pages = [path.read_text("utf-8") for path in (tmp_path / "pages").rglob("*.html")]
    assert len(pages) > 4
    assert not [page for page in pages if "x-mine" in page]
