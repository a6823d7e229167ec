"""The conditions that a step runs under, gathered once: formats, level, mode, efficiencies, chips."""
from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

from specdil_records.arithmetic import divide, minimum
from specdil_records.roofline.errors import CatalogueError
from specdil_records.roofline.formats import LEVELS, MODES, bits_per
from specdil_records.roofline.machine import Accelerator, Model, as_float

Value = Any


class Conditions(TypedDict, total=False):
    """Keyword arguments that every closed form about a step takes, with the defaults of `Setting`."""

    dtype: str
    weight_dtype: str | None
    kv_dtype: str
    level: str
    mode: str
    kv_reread: Value
    draft: Model | None
    step_overhead: Value
    compute_efficiency: Value
    memory_efficiency: Value
    draft_parameters: Value
    speculation_overhead: Value
    chips: Value
    latency: Value


@dataclass(frozen=True, slots=True)
class Setting:
    """Conditions of a step.

    `dtype` names the peak; `weight_dtype` (default: the same) and `kv_dtype` the bytes. `level` WK or W, `mode`
    operator, overlap or serial. `kv_reread` says how often a step reads the cached tokens (1 to the number of
    queries). `draft` is a draft model; `draft_parameters` instead are weights read and multiplied for each
    drafted token. `step_overhead` (s) is paid by every step, `speculation_overhead` (s) by speculative ones.
    `chips` share weights and KV heads; each pays `latency` (s) per all-reduce.
    """

    accelerator: Accelerator | None = None
    dtype: str = "bf16"
    weight_dtype: str | None = None
    kv_dtype: str = "bf16"
    level: str = "WK"
    mode: str = "operator"
    kv_reread: Value = 1
    draft: Model | None = None
    step_overhead: Value = 0
    compute_efficiency: Value = 1
    memory_efficiency: Value = 1
    draft_parameters: Value = None
    speculation_overhead: Value = 0
    chips: Value = 1
    latency: Value = 0

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise CatalogueError(f"{self.level!r} is no level; one of {', '.join(LEVELS)}")
        if self.mode not in MODES:
            raise CatalogueError(f"{self.mode!r} is no mode; one of {', '.join(MODES)}")
        if self.draft is not None and self.draft_parameters is not None:
            raise CatalogueError("a draft is a model or a head of draft_parameters, not both")

    @property
    def with_kv(self) -> bool:
        """Whether attention and its cache are counted."""
        return self.level == "WK"

    @property
    def weight_bits(self) -> int:
        """Bits per weight."""
        return bits_per(self.weight_dtype or self.dtype)

    def peak(self) -> Value:
        """FLOP/s that compute reaches: the dense peak of the format times the efficiency."""
        assert self.accelerator is not None
        peak = self.accelerator.peak(self.dtype)
        return peak if is_one(self.compute_efficiency) else peak * self.compute_efficiency

    def bandwidth(self) -> Value:
        """byte/s that memory reaches: the bandwidth times the efficiency."""
        assert self.accelerator is not None
        bandwidth = self.accelerator.need("memory_bandwidth")
        return bandwidth if is_one(self.memory_efficiency) else bandwidth * self.memory_efficiency

    def share_of_kv(self, model: Model) -> Value:
        """How many chips a KV cache is spread over: no more than it has heads, one for a latent cache."""
        if model.kv_latent_size is not None:
            return 1
        return minimum(self.chips, model.need("kv_heads"))

    def link(self) -> Value:
        """byte/s that a chip sends in one direction: half of the aggregate interconnect."""
        assert self.accelerator is not None
        return divide(self.accelerator.need("interconnect_bandwidth"), 2)


def is_one(value: Value) -> bool:
    """Whether a factor is the plain number one, whole or float, so that nothing need be multiplied."""
    return isinstance(value, int | float) and value == 1


def is_zero(value: Value) -> bool:
    """Whether a term is the plain number zero, so that nothing need be added (a full pass saved on arrays)."""
    return isinstance(value, int | float) and value == 0


def in_float_setting(setting: Setting) -> Setting:
    """The same conditions with float values."""
    values = {each.name: as_float(getattr(setting, each.name)) for each in fields(setting)}
    return replace(setting, **values)
