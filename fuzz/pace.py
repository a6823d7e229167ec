"""Whether work grows with its input, and not with the square of it."""
from __future__ import annotations

import time
import zlib
from collections.abc import Callable

SMALL, LARGE = 4_096, 32_768
"""Characters: eight times as much text may take eight times as long; the square would be sixty-four."""

MOST_SECONDS = 1.0
MOST_GROWTH = 24


def is_due(data: bytes, every: int = 1024) -> bool:
    """Whether this input is one of the few that are blown up; always the same answer for the same input."""
    return bool(data) and zlib.crc32(data) % every == 0


def check_linear(piece: str, work: Callable[[str], object]) -> None:
    """Do the work on many copies of a piece; no clock is asked unless the large text is slow at all.

    The time is that of this process alone, and a slow measurement is repeated before it counts.
    """
    large = (piece * (LARGE // max(len(piece), 1) + 1))[:LARGE]
    for _ in range(3):
        much = _seconds(work, large)
        if much < MOST_SECONDS:
            return
        little = _seconds(work, large[:SMALL])
        if much < MOST_GROWTH * max(little, 0.01):
            return
    raise AssertionError(f"{LARGE} characters take {much:.2f} s, {SMALL} of them {little:.2f} s")


def _seconds(work: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    work(text)
    return time.process_time() - begun
