"""Blocks, threads and reused memory change nothing about the values, and nothing of the caller's is written to."""
from __future__ import annotations

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
