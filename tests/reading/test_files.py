"""Which files are records, and what becomes of those that cannot be read."""
from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from specdil_records.reading import MOST_BYTES, UnreadableFile, display_path, find_records, read_file


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a: b\n")


def found(root: Path, *exclude: str) -> list[str]:
    return [display_path(path.relative_to(root)) for path in find_records(root, exclude)]


def test_links_that_form_a_loop_are_told(tmp_path: Path) -> None:
    make(tmp_path, "flops/a.yaml")
    (tmp_path / "flops" / "up").symlink_to("..", target_is_directory=True)
    with pytest.raises(UnreadableFile, match="loop"):
        find_records(tmp_path)
    assert found(tmp_path, "flops/up") == ["flops/a.yaml"]


def test_a_file_that_links_to_itself_is_found_and_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to("a.yaml")
    (path,) = find_records(tmp_path)
    with pytest.raises(UnreadableFile, match="loop"):
        read_file(path)


@pytest.mark.parametrize("name", ["gone.yaml", "folder.yaml", "pipe.yaml", "file.txt/x.yaml", "x" * 300, "nul\0.yaml"])
def test_what_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    make(tmp_path, "file.txt")
    with pytest.raises(UnreadableFile) as caught:
        read_file(tmp_path / name)
    assert caught.value.path == tmp_path / name
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.path, copy.why) == (caught.value.path, caught.value.why)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        find_records(tmp_path / "gone")


def test_never_more_than_one_byte_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"x" * (MOST_BYTES + 5000))
    assert len(read_file(path)) == MOST_BYTES + 1
    path.write_bytes(b"abc\r\n" * 50_000)
    assert read_file(path) == b"abc\r\n" * 50_000


def test_records_in_order_and_nothing_hidden(tmp_path: Path) -> None:
    make(tmp_path, "b.yaml", "a/z.yml", "a/b/c.json", "a.yaml", "B.yaml")
    make(tmp_path, ".c.yaml", ".d/e.yaml", "a/.f/g.json", "n.txt", "o.YAML")
    (tmp_path / "folder.yaml").mkdir()
    make(tmp_path, "folder.yaml/p.yaml")
    expected = ["B.yaml", "a.yaml", "a/b/c.json", "a/z.yml", "b.yaml", "folder.yaml/p.yaml", "o.YAML"]
    assert found(tmp_path) == sorted(expected)


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("a.yaml", ["b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("*.yaml", ["b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("**/a.yaml", ["b/c/ab.yaml"]),
        ("b", ["a.yaml"]),
        ("b/", ["a.yaml"]),
        ("./b/*", ["a.yaml"]),
        ("b/**", ["a.yaml"]),
        ("b/*/a.yaml", ["a.yaml", "b/a.yaml", "b/c/ab.yaml"]),
        ("**/c", ["a.yaml", "b/a.yaml"]),
        ("**", []),
        ("?.yaml", ["b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("**/[!b-z].yaml", ["b/c/ab.yaml"]),
        ("**/[a]b.yaml", ["a.yaml", "b/a.yaml", "b/c/a.yaml"]),
        ("c", ["a.yaml", "b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("", ["a.yaml", "b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("[", ["a.yaml", "b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
        ("[z-a]", ["a.yaml", "b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml"]),
    ],
)
def test_excludes(tmp_path: Path, glob: str, left: list[str]) -> None:
    make(tmp_path, "a.yaml", "b/a.yaml", "b/c/a.yaml", "b/c/ab.yaml")
    assert found(tmp_path, glob) == left


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9 \xc3\xa9.yaml")
    make(tmp_path, name)
    (path,) = find_records(tmp_path)
    assert read_file(path) == b"a: b\n"
    assert display_path(path.relative_to(tmp_path)) == "caf\\xe9 \u00e9.yaml"
    with pytest.raises(UnreadableFile) as caught:
        read_file(tmp_path / (name + "x"))
    assert "caf\\xe9" in str(caught.value)
    str(caught.value).encode()
