"""Files are put in place whole; what is no file is written to as it stands and never replaced."""
from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from specdil_records.whole_files import put_whole
from tests.authoring.commands import records
from tests.conftest import Build


def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to("a")
    put_whole(link, b"new")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode), link.is_symlink()) == (b"new", 0o640, True)
    assert sorted(os.listdir(tmp_path)) == ["a", "link"]


def test_a_new_file_has_the_mode_that_every_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    put_whole(tmp_path / "new", b"new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    put_whole(pipe, b"through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        put_whole(tmp_path, b"")


@pytest.mark.parametrize("arguments", [
    ("check", "--format", "json", "--output", os.devnull), ("export", "--format", "sqlite", "-o", os.devnull),
    ("export", "--format", "csv", "-o", os.devnull),
    ("sweep", "additive.gain", "--over", "batch=1..4", "--set", "draft_k=4", "--plot", os.devnull),
])
def test_a_device_is_never_replaced(build: Build, arguments: tuple[str, ...]) -> None:
    assert records(build(), *arguments).code == 0
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
