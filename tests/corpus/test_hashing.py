"""Hashes of many files are those of one after another, whoever works them out."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from specdil_records.corpus.hashing import hash_of, hashes_of
from specdil_records.reading.files import UnreadableFile


@pytest.mark.parametrize("count", [0, 1, 2, 7, 2500])
def test_they_come_in_the_order_of_the_files(count: int) -> None:
    files = [(f"flops/{number}.yaml", str(number).encode) for number in range(count)]
    assert hashes_of(files) == [hash_of(name, read()) for name, read in files]


def test_the_place_is_a_part_of_what_is_hashed() -> None:
    assert hash_of("a.yaml", b"b") != hash_of("b.yaml", b"b") != hash_of("b.yaml", b"a")


def test_what_another_process_could_not_do_is_done_here() -> None:
    here = os.getpid()

    def read() -> bytes:
        if os.getpid() != here:
            raise MemoryError
        return b"id: a\n"

    files = [(f"{number}", read) for number in range(50)]
    assert hashes_of(files) == [hash_of(name, b"id: a\n") for name, _ in files]


@pytest.mark.parametrize(("count", "bad"), [(10, 0), (10, 9), (12_000, 0), (12_000, 11_999)])
def test_a_file_that_cannot_be_read_is_named_wherever_it_stands(count: int, bad: int,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where others have more to say by then than a pipe holds."""
    begun: list[int] = []
    fork = os.fork

    def counted() -> int:
        begun.append(fork())
        return begun[-1]

    def reader(number: int) -> bytes:
        if number == bad:
            raise UnreadableFile(Path(f"{number}.yaml"), "it is a folder")
        return b""

    monkeypatch.setattr(os, "fork", counted)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    with pytest.raises(UnreadableFile, match=f"{bad}.yaml: it is a folder"):
        hashes_of([(f"{number}.yaml", lambda number=number: reader(number)) for number in range(count)])  # type: ignore[misc]
    assert len(begun) == 2
    for process in begun:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)  # it is not left behind
