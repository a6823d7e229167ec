"""Blocks, threads and reused memory change nothing about the values, and nothing of the caller's is written to."""
from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from specdil_records.roofline import CATALOGUE, expected_tokens, in_floats, speedup
from specdil_records.roofline.many_points import over_grid, over_points
from tests.roofline.samples import H100, LLAMA_2_7B, MIXTRAL
from tests.roofline.strategies import arguments_of, evaluated

CHIP, MODEL, EXPERTS = in_floats(H100), in_floats(LLAMA_2_7B), in_floats(MIXTRAL)
RANDOM = np.random.default_rng(7)


def columns(size: int) -> list[Any]:
    batches, contexts, lengths = (RANDOM.integers(low, high, size).astype(float) for low, high in
                                  ((1, 257), (0, 65536), (0, 9)))
    return [batches, contexts, lengths, RANDOM.random(size)]


def gain(batch: Any, context: Any, length: Any, rate: Any) -> Any:
    return speedup(CHIP, MODEL, batch, context, length, rate)


@pytest.mark.parametrize("size", [0, 1, 999, 1000, 2500])
@pytest.mark.parametrize("threads", [1, 2])
def test_scattered_points_in_blocks(size: int, threads: int) -> None:
    points = columns(size)
    assert np.array_equal(over_points(gain, *points, block=1000, threads=threads), gain(*points))


@pytest.mark.parametrize("block", [1, 50, 10**6])
def test_a_product_grid_in_blocks(block: int) -> None:
    batches, lengths, contexts = np.arange(1.0, 14), np.arange(0.0, 5), np.arange(0.0, 7) * 1000

    def by_grid(batch: Any, length: Any, context: Any) -> Any:
        return gain(batch, context, length, 0.8)

    found = over_grid(by_grid, batches, lengths, contexts, block=block, threads=2)
    assert found.shape == (13, 5, 7)
    assert np.array_equal(found, by_grid(batches[:, None, None], lengths[None, :, None], contexts[None, None, :]))
    room = np.empty((13, 5, 7))
    assert over_grid(by_grid, batches, lengths, contexts, out=room, block=block) is room
    assert np.array_equal(room, found)
    assert over_grid(np.sqrt, batches).tolist() == np.sqrt(batches).tolist()


def test_columns_and_room_must_fit() -> None:
    with pytest.raises(ValueError, match="one length"):
        over_points(gain, *columns(5)[:3], np.ones(4))
    with pytest.raises(ValueError, match="shape"):
        over_points(gain, *columns(5), out=np.empty(4))
    with pytest.raises(ValueError, match="float64"):
        over_grid(np.sqrt, np.ones(3), out=np.empty(3, dtype=np.float32))


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate,))
@given(data=st.data())
def test_no_argument_is_ever_written_to(name: str, data: st.DataObject) -> None:
    entry = CATALOGUE[name]
    arguments = data.draw(arguments_of(entry))
    arrays = {key: np.full(3, float(value)) for key, value in arguments.items() if type(value) is int}
    for array in arrays.values():
        array.flags.writeable = False
    before = {key: array.copy() for key, array in arrays.items()}
    if "pairs" in arguments:
        arguments["pairs"] = None
    if entry.parameter("mean_accepted_length") is not None:
        arrays.pop("draft_k", None)
    if arguments.get("draft") is not None or arguments.get("draft_parameters") is not None:
        arrays.pop("draft_cost", None)
    counted = {key: value for key, value in arrays.items() if key not in ("chips", "k_max", "batch_max")}
    evaluated(entry, arguments | counted)
    assert all((array == before[key]).all() for key, array in arrays.items())


@pytest.mark.parametrize("model", [MODEL, EXPERTS])
def test_lengths_and_rates_as_arrays_are_those_one_by_one(model: Any) -> None:
    lengths, rates = np.array([0.0, 1.0, 4.0, 16.0]), np.array([0.0, 0.3, 0.8, 1.0])
    for k, a in ((lengths[:, None], rates[None, :]), (lengths, rates[::-1].copy())):
        found = expected_tokens(k, a)
        pairs = zip(*(each.ravel().tolist() for each in np.broadcast_arrays(k, a)), strict=True)
        assert found.ravel().tolist() == [expected_tokens(int(length), rate) for length, rate in pairs]
    assert expected_tokens(lengths, 0.8).tolist() == [expected_tokens(int(k), 0.8) for k in lengths]
    table = speedup(CHIP, model, 8.0, 100.0, lengths, 0.8)
    assert table.tolist() == pytest.approx([float(speedup(CHIP, model, 8.0, 100.0, int(k), 0.8)) for k in lengths])


# How points are cut -----------------------------------------------------------------------------------------------


def shapes_seen(run: Any, *axes: Any, **how: Any) -> list[tuple[int, ...]]:
    """The shapes of what a function is given, one block after another."""
    seen: list[tuple[int, ...]] = []

    def spied(*parts: Any) -> Any:
        seen.append(np.broadcast_shapes(*(part.shape for part in parts)))
        return sum(parts)

    found = run(spied, *axes, **how)
    if run is over_grid:
        assert np.array_equal(found, sum(np.ix_(*axes)))
    else:
        assert np.array_equal(found, sum(axes))
    return sorted(seen)


@pytest.mark.parametrize(("sizes", "block", "seen"), [
    ((4, 6), 24, [(4, 6)]),
    ((4, 6), 23, [(1, 6), (3, 6)]),
    ((4, 6), 12, [(2, 6)] * 2),
    ((4, 6), 8, [(1, 6)] * 4),
    ((4, 6), 4, [(1, 2)] * 4 + [(1, 4)] * 4),
    ((4, 6), 1, [(1, 1)] * 24),
    ((3, 4, 5), 40, [(1, 4, 5), (2, 4, 5)]),
    ((3, 4, 5), 10, [(1, 2, 5)] * 6),
    ((3, 4, 5), 1, [(1, 1, 5)] * 12),
    ((2, 2, 3, 2), 12, [(1, 2, 3, 2)] * 2),
    ((7,), 3, [(7,)]),
    ((0, 6), 1, [(0, 6)]),
])
def test_a_grid_is_cut_along_its_first_two_axes(sizes: tuple[int, ...], block: int, seen: list[Any]) -> None:
    axes = [np.arange(1.0, size + 1) * 10**place for place, size in enumerate(sizes)]
    assert shapes_seen(over_grid, *axes, block=block, threads=1) == seen


@pytest.mark.parametrize(("size", "threads", "seen"), [
    (32768, 1, [32768]),
    (40000, 1, [7232, 32768]),
    # Each of two threads gets a block, of 32768 points at least and 262144 at most.
    (40000, 2, [7232, 32768]),
    (80001, 2, [40000, 40001]),
    (600000, 2, [75712, 262144, 262144]),
])
def test_blocks_of_scattered_points(size: int, threads: int, seen: list[int]) -> None:
    column = np.arange(float(size))
    assert shapes_seen(over_points, column, column, threads=threads) == [(each,) for each in seen]


@pytest.mark.parametrize(("rows", "threads", "seen"), [
    (262, 1, [262]), (300, 1, [38, 262]), (300, 2, [38, 262]), (1001, 2, [1, 500, 500]), (5000, 2, [806, 2097, 2097]),
])
def test_blocks_of_a_grid_of_a_thousand_columns(rows: int, threads: int, seen: list[int]) -> None:
    axes = np.arange(float(rows)), np.arange(1000.0)
    assert shapes_seen(over_grid, *axes, threads=threads) == [(each, 1000) for each in seen]


def test_points_without_a_column_and_a_grid_without_an_axis() -> None:
    assert over_points(gain).shape == (0,)
    assert over_points(gain, *columns(0), threads=2).shape == (0,)
    assert over_grid(lambda: 3.0).tolist() == 3


@pytest.mark.parametrize("run", [over_points, over_grid])
@pytest.mark.parametrize(("cores", "threads", "block", "beside"), [
    (None, None, 2, False), (2, None, 2, True), (1, None, 2, False), (4, 1, 2, False), (1, 2, 2, True),
    (2, 2, 64, False),
])
def test_there_are_as_many_threads_as_cores_unless_told(
    run: Any, cores: int | None, threads: int | None, block: int, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at most here; where there is one, or one block, nobody else works."""
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    seen = set()

    def spied(*parts: Any) -> Any:
        seen.add(threading.get_ident())
        time.sleep(0.002)
        return sum(parts)

    run(spied, np.arange(8.0), *([np.arange(2.0)] if run is over_grid else []), threads=threads, block=block)
    assert (threading.get_ident() not in seen) == beside
    assert len(seen) <= 2


@pytest.mark.parametrize("threads", [1, 2])
def test_what_goes_wrong_in_a_block_is_told(threads: int) -> None:
    def fails(column: Any) -> Any:
        raise OverflowError(f"a block of {len(column)}")

    with pytest.raises(OverflowError, match="a block of 2"):
        over_points(fails, np.arange(4.0), threads=threads, block=2)


def test_room_that_does_not_fit_is_described() -> None:
    with pytest.raises(ValueError, match=r"^out has shape \(4,\) and type float32, not \(3,\) and float64$"):
        over_points(np.sqrt, np.ones(3), out=np.empty(4, dtype=np.float32))
    with pytest.raises(ValueError, match="columns of scattered points have one axis and one length"):
        over_points(np.sqrt, np.ones((3, 1)))
    room = np.empty(3)
    assert over_points(np.sqrt, np.array([1.0, 4, 9]), out=room) is room
    assert room.tolist() == [1, 2, 3]
