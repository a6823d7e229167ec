"""How fast the closed forms sweep, beside a loop over single points and beside a peer if one is installed.

    python benchmarks/roofline.py

Prints rates and ratios; nothing here passes or fails. Decode and verify intensity, expected tokens and speedup with
the KV cache, in float64; the loop calls the same functions with plain floats.
"""
from __future__ import annotations

import importlib.util
import os
import platform
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from specdil_records.arithmetic import RationalGrid
from specdil_records.roofline import (
    CATALOGUE,
    Accelerator,
    Model,
    call,
    decode_intensity,
    expected_tokens,
    in_floats,
    speedup,
    verify_intensity,
)
from specdil_records.roofline.many_points import over_grid, over_points

CHIP = in_floats(Accelerator(3350 * 10**9, {"bf16": 989400 * 10**9}, name="H100 SXM"))
MODEL = in_floats(Model(32, 4096, 32, 32, 128, 11008, 32000, name="Llama-2-7B"))
PEER = "aiconfigurator"


def seconds(step: Callable[[], Any], least: float = 0.4) -> float:
    """The shortest of several runs, each repeated until it can be timed."""
    step()
    start = time.perf_counter()
    step()
    repeat = max(1, int(0.02 / max(time.perf_counter() - start, 1e-9)))
    best, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < least:
        start = time.perf_counter()
        for _ in range(repeat):
            step()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best


def settle_memory() -> None:
    """Frees one large array, so that the C library keeps the memory of smaller ones instead of returning it."""
    np.ones(2**21)


def all_four(batch: Any, context: Any, draft_k: Any, acceptance: Any) -> tuple[Any, ...]:
    return (
        decode_intensity(batch),
        verify_intensity(batch, draft_k),
        expected_tokens(draft_k, acceptance),
        speedup(CHIP, MODEL, batch, context, draft_k, acceptance),
    )


def loop_rate() -> float:
    points = [(float(batch), 1024.0, 4, 0.8) for batch in range(1, 201)]
    return len(points) / seconds(lambda: [all_four(*point) for point in points])


def small_table(loop: float) -> None:
    batches, contexts = np.arange(1.0, 257)[:, None], np.array([128.0, 512, 1024, 4096, 16384, 65536])
    taken = seconds(lambda: all_four(batches, contexts, 4, 0.8))
    show("256 batches x 6 contexts", 1536 / taken, loop, f"{taken * 1e6:.0f} us (wanted: at most 100)")


def scattered(loop: float, size: int = 2**20) -> None:
    random = np.random.default_rng(1)
    points = [
        random.integers(1, 257, size).astype(float), random.integers(0, 65536, size).astype(float),
        random.integers(0, 9, size).astype(float), random.random(size),
    ]
    room = np.empty(size)
    for threads in threads_to_try():
        taken = seconds(lambda count=threads: over_points(
            lambda b, s, k, a: speedup(CHIP, MODEL, b, s, k, a), *points, out=room, threads=count
        ))
        show(f"scattered points, {threads} thread(s)", size / taken, loop, "wanted: 40 M/s on two cores")


def product_grid(loop: float) -> None:
    batches, lengths, contexts = np.arange(1.0, 257), np.arange(0.0, 16), np.arange(0.0, 1024) * 64
    room = np.empty((256, 16, 1024))
    for threads in threads_to_try():
        taken = seconds(lambda count=threads: over_grid(
            lambda b, k, s: speedup(CHIP, MODEL, b, s, k, 0.8), batches, lengths, contexts,
            out=room, threads=count,
        ))
        show(f"product grid, {threads} thread(s)", room.size / taken, loop, "wanted: 0.7 G/s on two cores")


def exact_grid(loop: float) -> None:
    batches = RationalGrid(range(1, 4097)).reshape(4096, 1)
    lengths = RationalGrid(range(1, 17)).reshape(1, 16)

    def falls() -> bool:
        gain = call(CATALOGUE["additive.gain"], batches, lengths)
        return bool((gain[1:] < gain[:-1]).all())

    taken = seconds(falls)
    show("exact gain falls on 4096 x 16", 65536 / taken, loop, f"{taken * 1e3:.2f} ms, in whole numbers")


def threads_to_try() -> list[int]:
    cores = os.cpu_count() or 1
    return [1] if cores == 1 else [1, 2]


def show(what: str, rate: float, loop: float, note: str) -> None:
    print(f"{what:34} {rate / 1e6:9.2f} M/s   {rate / loop:10.0f} x the loop   {note}")


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, numpy {np.__version__}, Python {platform.python_version()}")
    settle_memory()
    loop = loop_rate()
    print(f"{'a loop over single points':34} {loop / 1e6:9.3f} M/s            1 x the loop")
    for step in (small_table, scattered, product_grid, exact_grid):
        step(loop)
    if importlib.util.find_spec(PEER) is None:
        print(f"NOT COMPARED WITH {PEER}: it is not installed. The peers' own figures are 18 to 50 thousand points/s.")
    else:
        print(f"{PEER} is installed, but has no public call for a single roofline point; time its CLI beside this.")


if __name__ == "__main__":
    main()
