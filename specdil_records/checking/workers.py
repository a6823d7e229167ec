"""Many records at once: batches of a corpus, judged by worker processes that share what was loaded already."""
from __future__ import annotations

import gc
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
LARGEST_BATCH = 250
SMALLEST_BATCH = 20
WORTH_IT = 200
"""Below this many records starting workers costs more than it saves."""

_shared: list[Callable[[int, int], Any]] = []


def jobs_for(count: int, asked: int | None) -> int:
    """How many workers to use: as asked, else one for few records and one a core for many."""
    if asked is not None:
        return max(1, asked)
    return 1 if count < WORTH_IT else os.cpu_count() or 1


def batches(count: int, jobs: int) -> list[tuple[int, int]]:
    """Stretches of the records: large enough to be worth sending, small enough that no worker waits for another."""
    size = max(SMALLEST_BATCH, min(LARGEST_BATCH, -(-count // (jobs * 4))))
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def _run(stretch: tuple[int, int]) -> Any:
    return _shared[-1](*stretch)


@contextmanager
def _sharing(work: Callable[[int, int], T]) -> Any:
    _shared.append(work)
    try:
        yield
    finally:
        _shared.pop()


def in_batches(work: Callable[[int, int], T], count: int, jobs: int) -> Iterator[T]:
    """The results of `work(start, end)` for every batch, in order.

    Worker processes are forked, so they see the loaded corpus without its being sent. Where processes cannot be
    forked, and with one job, the work is done here. A worker that dies raises `BrokenProcessPool`.
    """
    stretches = batches(count, jobs)
    if jobs == 1 or len(stretches) < 2 or not hasattr(os, "fork"):
        yield from (work(*stretch) for stretch in stretches)
        return
    # Imported by those who need them: they take as long as it takes to judge a few records.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with _sharing(work), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forking beside threads; none of ours is running
        context = multiprocessing.get_context("fork")
        gc.freeze()  # a worker that looked through the corpus for cycles would copy every page of it
        with ProcessPoolExecutor(min(jobs, len(stretches)), mp_context=context) as pool:
            try:
                with _uninterrupted():
                    results = pool.map(_run, stretches)
                yield from results
            finally:
                gc.unfreeze()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Workers that are forked in here are never interrupted: this process is, and lets them finish what they are at.

    One that ended halfway, with the lock of a queue in its hand, would leave the others waiting for good.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
