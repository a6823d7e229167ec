"""The hash by which a file's content is known, and those of many files, read by several processes at once."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from hashlib import blake2b

Source = tuple[str, Callable[[], bytes]]
"""A file's place in the corpus, and how its bytes are read."""
LENGTH = 40
"""Characters of a hash."""


def hash_of(inside: str, raw: bytes) -> str:
    """A hash of a file's place and bytes."""
    hashed = blake2b(inside.encode("utf-8", "surrogatepass") + b"\0", digest_size=LENGTH // 2)
    hashed.update(raw)
    return hashed.hexdigest()


def hashes_of(files: Sequence[Source]) -> list[str]:
    """The hashes of files, in their order, a share of them worked out by each core. Raises what reading raises.

    Opening a file and hashing it is all that an unchanged corpus costs: threads would wait for each other, and a pool
    of processes takes longer to import than a thousand files to hash. What another process could not do is done again
    here, so that nothing depends on it.
    """
    shares = min(os.cpu_count() or 1, 8) if hasattr(os, "fork") else 1
    size = -(-len(files) // shares) or 1
    parts = [files[start:start + size] for start in range(0, len(files), size)]
    helpers = [_helper(part) for part in parts[1:]]
    try:
        hashes = _hashes(parts[0]) if parts else []
        for part, (_, pipe) in zip(parts[1:], helpers, strict=True):
            with open(pipe, encoding="ascii", closefd=False) as answer:
                text = answer.read()
            done = len(text) == LENGTH * len(part)
            hashes += [text[i:i + LENGTH] for i in range(0, len(text), LENGTH)] if done else _hashes(part)
    finally:
        for _, pipe in helpers:
            os.close(pipe)  # nobody reads any more, so that one which is still writing ends
        for process, _ in helpers:
            os.waitpid(process, 0)
    return hashes


def _hashes(files: Sequence[Source]) -> list[str]:
    return [hash_of(inside, read()) for inside, read in files]


def _helper(files: Sequence[Source]) -> tuple[int, int]:
    """A process that writes the hashes of these files into a pipe: its number, and the pipe's end to read from."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forking beside threads; a helper takes no lock
        process = os.fork()
    if process:
        os.close(writes)
        return process, reads
    try:  # nothing of the parent may run here: neither what it has open nor what it does at its end
        os.close(reads)
        with open(writes, "w", encoding="ascii") as pipe:
            pipe.write("".join(_hashes(files)))
    finally:
        os._exit(0)
