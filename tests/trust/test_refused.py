"""A full disk and folders that may not be written: words and exit code 2, every old file as it was, no litter."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trust.refusing import NOT_HERE
from tests.trust.writers import WRITERS, Writer, prepare, snapshot

SCRIPT = Path(__file__).with_name("refusing.py")
LOUD = [writer for writer in WRITERS if not writer.silent]
SILENT = [writer for writer in WRITERS if writer.silent]
every_writer = pytest.mark.parametrize("writer", LOUD, ids=lambda writer: writer.name)


def run(how: str, writer: Writer, folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, str(SCRIPT), how, *writer.arguments], cwd=folder, env=environment, text=True,
                          capture_output=True, timeout=300, check=False, stdin=subprocess.DEVNULL)


def check_refusal(done: subprocess.CompletedProcess[str], words: tuple[str, ...]) -> None:
    """Exit code 2 and one line of words."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("records: ")]
    assert len(said) == 1, done.stderr
    assert any(word in said[0] for word in words), said


def litter(folder: Path, before: dict[str, bytes]) -> list[str]:
    """Files that were not there before, and whose content is not whole."""
    return [name for name, content in snapshot(folder).items() if name not in before and Path(name).name[0] == "."
            and Path(name).name != ".records-site"]


@every_writer
def test_a_file_that_cannot_grow_is_left_as_it_was(writer: Writer, tmp_path: Path) -> None:
    prepare(writer, tmp_path)
    before = snapshot(tmp_path)
    done = run("full", writer, tmp_path, tmp_path / "cache")
    check_refusal(done, ("File too large",))
    after = snapshot(tmp_path)
    assert {name: after.get(name) for name in before} == before
    assert litter(tmp_path, before) == []
    assert set(after) - set(before) <= {"pages/.records-site"}


@every_writer
def test_a_full_file_system_leaves_every_file_as_it_was(writer: Writer, full_disk: Path) -> None:
    prepare(writer, full_disk)
    before = snapshot(full_disk)
    fill(full_disk / "ballast")
    done = run("none", writer, full_disk, full_disk / "cache")
    check_refusal(done, ("No space left on device",))
    after = snapshot(full_disk)
    assert {name: after.get(name) for name in before} == before
    assert litter(full_disk, before) == []


@every_writer
def test_folders_that_may_not_be_written(writer: Writer, tmp_path: Path) -> None:
    prepare(writer, tmp_path)
    before = snapshot(tmp_path)
    with closed(tmp_path):
        done = run("closed", writer, tmp_path, tmp_path / "cache")
    if done.returncode == NOT_HERE:
        pytest.skip("NOT TESTED: this superuser cannot give up the right to write everywhere (no CAP_SETPCAP)")
    check_refusal(done, ("Permission denied", "permission denied"))
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("writer", SILENT, ids=lambda writer: writer.name)
@pytest.mark.parametrize("how", ["full", "closed"])
def test_a_cache_that_cannot_be_written_changes_nothing(writer: Writer, how: str, tmp_path: Path) -> None:
    prepare(writer, tmp_path)
    (tmp_path / "cache").mkdir()
    with closed(tmp_path):
        done = run(how, writer, tmp_path, tmp_path / "cache")
    if done.returncode == NOT_HERE:
        pytest.skip("NOT TESTED: this superuser cannot give up the right to write everywhere (no CAP_SETPCAP)")
    assert (done.returncode, done.stderr) == (writer.code, "")


class closed:
    """Every folder below, and the folder itself, without the right to write; given back at the end."""

    def __init__(self, folder: Path) -> None:
        self.folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]

    def __enter__(self) -> None:
        for folder in self.folders:
            folder.chmod(0o555)

    def __exit__(self, *reason: object) -> None:
        for folder in self.folders:
            folder.chmod(0o755)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, small; filled by `fill` once the corpus is there."""
    place = tmp_path / "disk"
    place.mkdir()
    if shutil.which("mount") is None or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "none", str(place)], capture_output=True,
            check=False).returncode:
        pytest.skip("NOT TESTED: no file system can be mounted here (it takes a superuser with CAP_SYS_ADMIN)")
    yield place
    subprocess.run(["umount", str(place)], check=True, capture_output=True)


def fill(ballast: Path) -> None:
    """Take all the room that is left."""
    with open(ballast, "wb", buffering=0) as file:
        piece = b"\0" * 4096
        while piece:
            try:
                file.write(piece)
            except OSError:
                piece = piece[:len(piece) // 2]
