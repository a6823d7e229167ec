"""Closed forms over many points: blocks that stay in a core's cache, on as many threads as there are cores.

NumPy lets go of the interpreter while it computes, so plain threads share the work. The closed forms are the same
ones; only the order in which points are visited is chosen here.
"""
from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

# Points in a block, alone and beside other threads. Alone, a block's arrays should fit in the core's second-level
# cache; a product grid has few arrays of the full size. Threads take turns with the interpreter between two steps,
# and the wait is long against a step on a small block, so theirs are larger.
SCATTERED_BLOCK = (32768, 262144)
GRID_BLOCK = (262144, 2097152)


def over_points(
    function: Callable[..., Any],
    *columns: Floats,
    out: Floats | None = None,
    block: int | None = None,
    threads: int | None = None,
) -> Floats:
    """`function` at scattered points, given as columns of one length; the values in the same order.

    The function gets slices of the columns, all of one length, and works element by element. `out` takes the values
    where it is given: fresh memory costs as much as the arithmetic.
    """
    size = len(columns[0]) if columns else 0
    if any(column.shape != (size,) for column in columns):
        raise ValueError("columns of scattered points have one axis and one length")
    values = _room(out, (size,))
    workers = threads or os.cpu_count() or 1
    step = block or _block(SCATTERED_BLOCK, size, workers)

    def fill(start: int) -> None:
        here = slice(start, start + step)
        values[here] = function(*(column[here] for column in columns))

    _each(fill, range(0, size, step), workers)
    return values


def over_grid(
    function: Callable[..., Any],
    *axes: Floats,
    out: Floats | None = None,
    block: int | None = None,
    threads: int | None = None,
) -> Floats:
    """`function` on the product of axes, each an array of one dimension; the result has one axis for each.

    The function gets arrays that broadcast against one another, each with its own axis, cut along the first axes
    so that a block has about `block` points. Put the longest axis last. `out` as in `over_points`.
    """
    shape = tuple(len(axis) for axis in axes)
    values = _room(out, shape)
    workers = threads or os.cpu_count() or 1
    whole = [axis.reshape([-1 if at == place else 1 for at in range(len(axes))]) for place, axis in enumerate(axes)]

    def fill(cuts: tuple[slice, ...]) -> None:
        parts = [
            axis[tuple(cuts[at] if at == place and at < len(cuts) else slice(None) for at in range(len(axes)))]
            for place, axis in enumerate(whole)
        ]
        values[cuts] = function(*parts)

    _each(fill, _cuts(shape, block or _block(GRID_BLOCK, math.prod(shape), workers)), workers)
    return values


def _room(out: Floats | None, shape: tuple[int, ...]) -> Floats:
    if out is None:
        return np.empty(shape)
    if out.shape != shape or out.dtype != np.float64:
        raise ValueError(f"out has shape {out.shape} and type {out.dtype}, not {shape} and float64")
    return out


def _cuts(shape: Sequence[int], block: int) -> list[tuple[slice, ...]]:
    """Slices of the first two axes that leave about `block` points each."""
    if math.prod(shape) <= block or len(shape) < 2:
        return [()]
    rest = math.prod(shape[2:])
    second = max(1, min(shape[1], block // rest))
    first = max(1, min(shape[0], block // (rest * second)))
    return [
        (slice(i, i + first), slice(j, j + second))
        for i in range(0, shape[0], first)
        for j in range(0, shape[1], second)
    ]


def _block(sizes: tuple[int, int], points: int, workers: int) -> int:
    """A block's size: of the larger kind only if every thread still gets one."""
    alone, beside_others = sizes
    return alone if workers < 2 else max(alone, min(beside_others, -(-points // workers)))


def _each(step: Callable[[Any], None], cases: Sequence[Any], workers: int) -> None:
    if min(workers, len(cases)) < 2:
        for case in cases:
            step(case)
        return
    from concurrent.futures import ThreadPoolExecutor  # for large arrays only

    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(step, cases):
            pass
