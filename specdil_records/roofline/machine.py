"""The two things that a roofline is about: an accelerator and a model. Values in SI, of any kind of number."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid, plain
from specdil_records.roofline.errors import MissingValue
from specdil_records.roofline.formats import PEAK_LIKE

Value: TypeAlias = Any
"""Any kind of number that arithmetic knows; None where it is not known."""

Thing = TypeVar("Thing", "Accelerator", "Model")


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One chip. Peaks are dense, in FLOP/s by number format; a sparse peak is twice that and belongs nowhere here.

    `memory_bandwidth` in byte/s, `memory_capacity` in byte, `interconnect_bandwidth` in byte/s (aggregate of both
    directions), `tdp` in W.
    """

    memory_bandwidth: Value = None
    peaks: Mapping[str, Value] = field(default_factory=dict)
    memory_capacity: Value = None
    interconnect_bandwidth: Value = None
    tdp: Value = None
    name: str = ""

    def peak(self, dtype: str) -> Value:
        """Dense FLOP/s of a format; raises `MissingValue` where the chip gives none."""
        value = self.peaks.get(self.format_of_peak(dtype))
        if value is None:
            raise MissingValue(f"{self.name or 'accelerator'}.peak_{dtype}_dense")
        return value

    def format_of_peak(self, dtype: str) -> str:
        """The format whose peak counts for a format: its own, or else the one that runs at the same rate."""
        return dtype if self.peaks.get(dtype) is not None else PEAK_LIKE.get(dtype, dtype)

    def need(self, what: str) -> Value:
        """A value by its field's name; raises `MissingValue` where it is not given."""
        return _needed(self, what, "accelerator")

    def with_values(self, values: Mapping[str, Value]) -> Accelerator:
        """The same chip with some fields replaced."""
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class Watched(Accelerator):
    """A chip that notes which of its values are asked for, by the names of their quantities."""

    asked: set[str] = field(default_factory=set, compare=False)

    @classmethod
    def over(cls, chip: Accelerator) -> Watched:
        """A chip with the same values, of which nothing has been asked yet."""
        return cls(**{each.name: getattr(chip, each.name) for each in fields(chip)})

    def peak(self, dtype: str) -> Value:
        """As that of the chip."""
        self.asked.add(f"peak_{self.format_of_peak(dtype)}_dense")
        return Accelerator.peak(self, dtype)

    def need(self, what: str) -> Value:
        """As that of the chip."""
        self.asked.add(what)
        return Accelerator.need(self, what)


@dataclass(frozen=True, slots=True)
class Model:
    """The shape of a transformer: gated FFN of three matrices, grouped-query attention, biases left out.

    Mixture of experts: `experts` routed ones of which `experts_per_token` work on a token, `shared_experts` that
    always do, `dense_layers` leading layers without experts; experts are `expert_ffn_size` wide (default
    `ffn_size`). Latent attention: `kv_latent_size` and `rope_size` values cached per layer and token,
    `query_latent_size` where the query is compressed too. Sliding windows: `window` tokens in `local_layers`
    layers (default all).
    """

    layers: Value = None
    hidden_size: Value = None
    heads: Value = None
    kv_heads: Value = None
    head_size: Value = None
    ffn_size: Value = None
    vocabulary: Value = None
    tied_embeddings: bool = False
    experts: Value = None
    experts_per_token: Value = None
    shared_experts: Value = 0
    dense_layers: Value = 0
    expert_ffn_size: Value = None
    kv_latent_size: Value = None
    rope_size: Value = None
    query_latent_size: Value = None
    window: Value = None
    local_layers: Value = None
    name: str = ""

    def need(self, what: str) -> Value:
        """A value by its field's name; raises `MissingValue` where it is not given."""
        return _needed(self, what, "model")

    @property
    def is_moe(self) -> bool:
        """Whether tokens are routed to experts."""
        return self.experts is not None


def _needed(thing: Accelerator | Model, what: str, kind: str) -> Value:
    value = getattr(thing, what)
    if value is None:
        raise MissingValue(f"{thing.name or kind}.{what}")
    return value


def as_float(value: Any) -> Any:
    """An exact number or grid as float64, for drawing and screening; an interval raises `TypeError`."""
    if isinstance(value, bool | str | np.ndarray | float) or value is None:
        return value
    if isinstance(value, int | Fraction):
        return float(value)
    if isinstance(value, RationalGrid):
        return value.to_floats()
    if isinstance(value, Interval):
        raise TypeError("an interval has no float; evaluate its ends")
    if isinstance(value, Accelerator):
        return in_floats(value)
    return in_floats(value) if isinstance(value, Model) else value


def as_exact(value: Any) -> Any:
    """A float as the fraction that it is, so that decisions on it are exact; anything else as it is."""
    if isinstance(value, float):
        return plain(Fraction(value))
    if isinstance(value, Accelerator):
        return _mapped(value, as_exact)
    return _mapped(value, as_exact) if isinstance(value, Model) else value


def in_floats(thing: Thing) -> Thing:
    """The same accelerator or model with float values: what float arrays need beside them."""
    return _mapped(thing, as_float)


def _mapped(thing: Thing, change: Callable[[Any], Any]) -> Thing:
    values: dict[str, Any] = {}
    for each in fields(thing):
        value = getattr(thing, each.name)
        if isinstance(value, Mapping):
            values[each.name] = {key: change(part) for key, part in value.items()}
        else:
            values[each.name] = change(value)
    return replace(thing, **values)
