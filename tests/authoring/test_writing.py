"""How a file is replaced: nothing but its content changes, and a failure leaves the old one."""
from __future__ import annotations

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest

from specdil_records import whole_files
from specdil_records.authoring import writing
from specdil_records.authoring.writing import CannotWrite, Change, create_file, replace_file
from tests.authoring.commands import records
from tests.authoring.test_formatting import FLOP, SWAP
from tests.conftest import Build


def change(file: Path, after: bytes = b"b: 2\n", fault: str = "") -> Change:
    return Change(file.name, file, file.read_bytes(), after, lambda document: fault)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 1\n")
    return path


def alone(file: Path) -> bool:
    """Whether nothing but the file is left in its folder."""
    return os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_is_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace_file(change(file))
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_bytes() == b"b: 2\n"
    assert alone(file)


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "sub" / "link.yaml"
    link.parent.mkdir()
    link.symlink_to("../a.yaml")
    replace_file(change(link))
    assert link.is_symlink()
    assert os.readlink(link) == "../a.yaml"
    assert file.read_bytes() == b"b: 2\n"


def test_a_new_text_that_does_not_prove_itself_is_not_put_in_place(file: Path) -> None:
    with pytest.raises(CannotWrite, match="a value would change"):
        replace_file(change(file, fault="a value would change"))
    assert file.read_bytes() == b"a: 1\n"
    assert alone(file)


def test_a_file_that_changed_meanwhile_is_left(file: Path) -> None:
    planned = change(file)
    file.write_bytes(b"c: 3\n")
    with pytest.raises(CannotWrite, match="meanwhile"):
        replace_file(planned)
    assert file.read_bytes() == b"c: 3\n"


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(build: Build, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    folder = build(SWAP)
    before = (folder / FLOP).read_bytes()

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, step, full)
    done = records(folder, "fmt")
    monkeypatch.undo()
    assert done.code == 2
    assert "No space left on device" in done.err
    assert (folder / FLOP).read_bytes() == before
    assert os.listdir((folder / FLOP).parent) == ["example-stall.yaml"]


def test_a_read_only_folder_is_a_wrong_command(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = build(SWAP)

    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(whole_files.tempfile, "mkstemp", refuse)
    done = records(folder, "fmt")
    assert done.code == 2
    assert "Read-only file system" in done.err


def test_a_crash_before_the_rename_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing.os, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        replace_file(change(file))
    assert file.read_bytes() == b"a: 1\n"
    assert alone(file)


def test_a_file_is_created_whole_or_not_at_all_and_never_over_another(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="there already"):
        create_file("a.yaml", file, b"x: 1\n")
    assert file.read_bytes() == b"a: 1\n"
    create_file("new/b.yaml", tmp_path / "new/b.yaml", b"x: 1\n")
    assert (tmp_path / "new/b.yaml").read_bytes() == b"x: 1\n"


def test_line_ends_and_the_byte_order_mark_are_kept(build: Build) -> None:
    folder = build(SWAP)
    raw = b"\xef\xbb\xbf" + (folder / FLOP).read_bytes().replace(b"\n", b"\r\n")
    (folder / FLOP).write_bytes(raw)
    assert records(folder, "fmt").code == 0
    new = (folder / FLOP).read_bytes()
    assert new == raw.replace(SWAP[2].replace("\n", "\r\n").encode(), SWAP[1].replace("\n", "\r\n").encode())


# Git --------------------------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> str:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
             "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True,
                          env={**os.environ, **names}).stdout


@pytest.fixture
def repository(build: Build) -> Path:
    folder = build(SWAP)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "all")
    return folder


def edit(folder: Path, line: str) -> None:
    with open(folder / FLOP, "a") as file:
        file.write(line)


def test_a_partly_staged_file_is_refused_and_nothing_is_written(repository: Path) -> None:
    sheet = repository / "records/sources/chip-sheet.yaml"
    sheet.write_text(sheet.read_text().replace("id: sources/chip-sheet\nkind: data-sheet\n",
                                               "kind: data-sheet\nid: sources/chip-sheet\n"))
    edit(repository, "x-one: 1\n")
    git(repository, "add", FLOP)
    edit(repository, "x-two: 2\n")
    before = (repository / FLOP).read_bytes(), sheet.read_bytes(), git(repository, "diff", "--cached")
    done = records(repository, "fmt")
    assert done.code == 2
    assert "staged in part" in done.err
    assert FLOP in done.err
    assert ((repository / FLOP).read_bytes(), sheet.read_bytes(), git(repository, "diff", "--cached")) == before


@pytest.mark.parametrize("staged", [True, False])
def test_a_file_that_is_staged_whole_or_not_at_all_is_written_and_never_added(repository: Path, staged: bool) -> None:
    edit(repository, "x-one: 1\n")
    if staged:
        git(repository, "add", FLOP)
    before = git(repository, "diff", "--cached")
    assert records(repository, "fmt").code == 0
    assert git(repository, "diff", "--cached") == before
    assert (repository / FLOP).read_text().startswith("schema_version: \"3.0\"\nid:")


def test_odd_names_are_asked_about_as_they_are(repository: Path) -> None:
    odd = repository / "records/flops/a \"b\"\n\u00e9.yaml"
    odd.write_text("name: n\nid: flops/x\nschema_version: \"3.0\"\n")
    git(repository, "add", ".")
    odd.write_text("name: m\nid: flops/x\nschema_version: \"3.0\"\n")
    assert records(repository, "fmt").code == 2
    git(repository, "add", ".")
    assert records(repository, "fmt").code == 0
    assert odd.read_text().startswith("schema_version")
