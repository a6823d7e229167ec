"""A single chip waits for nobody, whichever kind of number says that it is one, and wherever it stands in a grid."""
from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from specdil_records.arithmetic import Interval, RationalGrid
from specdil_records.roofline import CATALOGUE, Answer, answer, call
from tests.roofline.samples import CHIPS, DEEPSEEK_V3, H100, LLAMA_3_70B, MI300X, MIXTRAL

LATENCY = Fraction(29, 510000)
TIGHT = {"weight_dtype": "int4", "mode": "serial", "compute_efficiency": Fraction(5, 9),
         "memory_efficiency": Fraction(16, 27), "latency": LATENCY}


@pytest.mark.parametrize("chip", list(CHIPS.values()), ids=list(CHIPS))
@pytest.mark.parametrize("model", [DEEPSEEK_V3, MIXTRAL], ids=lambda model: model.name)
@pytest.mark.parametrize(("context", "k"), [(9913, 3), (512, 1), (4096, 7)])
def test_the_ranges_of_a_scan_are_the_batches_at_which_speculation_does_not_lose(chip: object, model: object,
                                                                                context: int, k: int) -> None:
    given = (context, k, Fraction(3, 4), Fraction(1, 9))
    found = answer(CATALOGUE["break_even_batch"], chip, model, *given, batch_max=40, **TIGHT)
    assert isinstance(found, Answer)
    inside = {batch for first, last in found.ranges for batch in range(first, last + 1)}
    pays = {batch for batch in range(1, 41)
            if lowest(call(CATALOGUE["speedup"], chip, model, batch, *given, **TIGHT)) >= 1}
    assert inside == pays


def lowest(value: object) -> object:
    return value.lo if isinstance(value, Interval) else value


def test_more_bandwidth_does_not_make_a_losing_draft_pay() -> None:
    faster = MI300X.with_values({"memory_bandwidth": MI300X.memory_bandwidth * 3})
    for chip in (MI300X, faster):
        found = answer(CATALOGUE["break_even_batch"], chip, DEEPSEEK_V3, 9913, 3, Fraction(3, 4), Fraction(1, 9),
                       batch_max=7, **TIGHT)
        assert found == Answer("never", (), None, 7)


@pytest.mark.parametrize(("name", "more"), [("step.time", (1,)), ("throughput", (3, Fraction(4, 5))),
                                             ("speedup", (3, Fraction(4, 5)))])
def test_one_chip_among_several_in_a_grid_pays_no_latency(name: str, more: tuple[object, ...]) -> None:
    entry = CATALOGUE[name]
    given = (H100, LLAMA_3_70B, 16, 2048, *more)
    counts = [1, 2, 4, 8]
    one_by_one = [call(entry, *given, chips=chips, latency=LATENCY) for chips in counts]
    assert one_by_one[0] == call(entry, *given)
    assert list(call(entry, *given, chips=RationalGrid.of(counts), latency=LATENCY)) == one_by_one
    floats = call(entry, *given, chips=np.array(counts, dtype=float), latency=LATENCY)
    np.testing.assert_allclose(floats, [float(value) for value in one_by_one], rtol=1e-12)
