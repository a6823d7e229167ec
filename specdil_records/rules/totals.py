"""What a model's record says of its totals, held against what its shape gives."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.claims.quantities import Unavailable, Undecided
from specdil_records.claims.subjects import ModelSubject, written_value
from specdil_records.corpus import Record
from specdil_records.figures import Figure
from specdil_records.findings import Place, Problem
from specdil_records.roofline import (
    MissingValue,
    Model,
    active_parameters,
    kv_bytes_per_token,
    matmul_parameters,
    total_parameters,
)
from specdil_records.rules.rule import View

UNTOLD = Fraction(1, 10_000)
"""What biases, norms inside an attention and corrections of a router may add to all parameters: the shape does not
tell of them."""


def _active_with_embedding(model: Model) -> Any:
    """Parameters that a token uses: its experts instead of all, the embedding and the norms too."""
    return total_parameters(model) - matmul_parameters(model) + active_parameters(model)


class Total(NamedTuple):
    """A total of a model's record: what its shape gives, in which dimension, and by which share more may be stated."""

    of_shape: Callable[[Model], Any]
    dimension: Dimension = PURE
    untold: Fraction = Fraction(0)


TOTALS: Mapping[str, Total] = MappingProxyType({
    "parameters": Total(total_parameters, untold=UNTOLD),
    "active_parameters": Total(_active_with_embedding, untold=UNTOLD),
    "matmul_parameters": Total(matmul_parameters),
    "kv_bytes_per_token": Total(kv_bytes_per_token, Dimension(byte=1)),
})
"""Every total that a model's record may state."""


def stated(record: Record, name: str) -> Figure:
    """A total as the record writes it; `8.03B` are parameters here. Raises `Unavailable` when it cannot be read."""
    return written_value(record, (name,), as_counted(name, str(record.data[name])))


def as_counted(name: str, text: str) -> str:
    """The text of a total with what it counts behind it where a bare letter would be a unit."""
    counted = name != "kv_bytes_per_token" and text.endswith("B")
    return f"{text} parameters" if counted else text


def totals_against_shape(view: View) -> Iterator[Problem]:
    """Every total that the shape of the same record contradicts. One that cannot be read is told elsewhere."""
    record = view.record
    try:
        model, _ = ModelSubject(record).machine("model", None)
    except Undecided:
        return
    for name, total in TOTALS.items():
        if name not in record.data:
            continue
        try:
            said, given = stated(record, name).interval, total.of_shape(model)
        except (Unavailable, MissingValue):
            continue
        if said.hi < given or said.lo > given * (1 + total.untold):
            yield Problem("contradiction", f"{name} is {record.data[name]} here, the shape of the same record gives "
                          f"{given:,}", Place((name,)), data={"thing": record.id, "quantity": name})
