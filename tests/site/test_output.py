"""The folder: nothing outside it, nothing of anybody else's, nothing twice."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.site import SiteError
from specdil_records.site.output import MARKER, Folder, _is_plain


def folder(path: Path) -> Folder:
    return Folder(path, path.parent / "a-corpus-elsewhere")


def test_a_new_and_an_empty_folder_are_taken(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new/below", "empty"):
        assert folder(tmp_path / name).put("flops/a.html", "one")
        assert (tmp_path / name / "flops" / "a.html").read_text() == "one"


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(SiteError, match="neither empty nor a site"):
        folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("marker", ["", "{}", "[]", '{"files": 3}', "not json"])
def test_a_marker_that_is_none_is_no_marker(tmp_path: Path, marker: str) -> None:
    (tmp_path / MARKER).write_text(marker)
    with pytest.raises(SiteError):
        folder(tmp_path)


def test_a_marker_that_is_a_link_is_no_marker(tmp_path: Path) -> None:
    real = tmp_path / "real"
    folder(real)
    other = tmp_path / "other"
    other.mkdir()
    (other / MARKER).symlink_to(real / MARKER)
    with pytest.raises(SiteError):
        folder(other)


def test_a_file_and_the_corpus_itself_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SiteError, match="no folder"):
        folder(tmp_path / "file")
    (tmp_path / "records").mkdir()
    for inside in ("records", "records/pages"):
        with pytest.raises(SiteError, match="inside the corpus"):
            Folder(tmp_path / inside, tmp_path / "records")
    assert list((tmp_path / "records").iterdir()) == []


def test_unchanged_files_are_not_written_again(tmp_path: Path) -> None:
    first = folder(tmp_path / "site")
    assert first.put("a.html", "same")
    first.finish(["a.html"])
    before = (tmp_path / "site" / "a.html").stat()
    again = folder(tmp_path / "site")
    assert not again.put("a.html", "same")
    assert again.put("b.html", "new")
    assert (tmp_path / "site" / "a.html").stat().st_mtime_ns == before.st_mtime_ns


def test_what_an_earlier_build_wrote_goes_and_what_others_put_there_stays(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = folder(site)
    for name in ("flops/gone.html", "index.html"):
        first.put(name, name)
    first.finish(["flops/gone.html", "index.html"])
    (site / "CNAME").write_text("example.org")
    again = folder(site)
    again.put("index.html", "index.html")
    assert again.finish(["index.html"]) == 1
    assert sorted(path.name for path in site.iterdir()) == [MARKER, "CNAME", "index.html"]


def test_a_build_that_was_broken_off_can_be_taken_up(tmp_path: Path) -> None:
    folder(tmp_path / "site").put("a.html", "half")
    assert folder(tmp_path / "site").put("a.html", "whole")


@pytest.mark.parametrize("name", ["../a", "a/../../b", "/a", "", ".", "a\\b", "c:a", "a/\n"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SiteError):
        folder(tmp_path / "site").put(name, "x")


@given(st.text(max_size=20))
def test_a_plain_name_stays_inside(name: str) -> None:
    if _is_plain(name):
        assert (Path("/site") / name).resolve().is_relative_to("/site")


def test_links_inside_the_site_lead_nowhere(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.html").write_text("kept")
    folder(site).finish(["flops/kept.html", "kept.html"])
    (site / "flops").symlink_to(outside)
    (site / "kept.html").symlink_to(outside / "kept.html")
    again = folder(site)
    with pytest.raises(SiteError, match="own"):
        again.put("flops/a.html", "x")
    assert again.put("kept.html", "page")
    again.finish(["kept.html"])
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"kept.html": "kept"}


def test_a_marker_that_lists_files_elsewhere_deletes_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    site = tmp_path / "site"
    folder(site)
    (site / MARKER).write_text(json.dumps({"files": ["../mine.txt", "/etc/hosts", 3]}))
    assert folder(site).finish([]) == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
