"""What a catalogue entry is: a named closed form with its parameters, dimension, exactness and monotony."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.roofline.formats import DTYPES, LEVELS, MODES

ParameterKind = Literal["count", "number", "accelerator", "model", "vocabulary"]
Exactness = Literal["rational", "piecewise", "enclosed", "scanned"]
Direction = Literal["rising", "falling"]
ResultKind = Literal["number", "whole", "answer", "word"]


class _Required:
    """Stands where a parameter has no default."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: its kind, dimension, default, vocabulary and range.

    A `count` is a whole number from `least` to `most`, or to 10**18. `many` takes all remaining positional arguments.
    """

    name: str
    kind: ParameterKind
    dimension: Dimension = PURE
    default: Any = REQUIRED
    choices: tuple[str, ...] = ()
    least: int | Fraction | None = None
    most: int | Fraction | None = None
    many: bool = False
    summary: str = ""

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.default is REQUIRED and not self.many


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A closed form by its catalogue name.

    `monotone` names arguments (or `accelerator.FIELD`) in which the result never falls or never rises;
    `monotone_when_ideal` more of them that hold without overheads, a draft's own cost and several chips (what
    exactly, `ideal_without` says). `result` says whether it is a number, a whole number, an answer that may be no
    number, or a word. `per_point` forms are worked out at one point of a grid at a time. `floats_for` are the
    floats that stand for `always` and `never` in arrays.
    """

    name: str
    parameters: tuple[Parameter, ...]
    dimension: Dimension
    formula: str
    source: str
    exactness: Exactness
    summary: str
    function: Callable[..., Any]
    monotone: Mapping[str, Direction] = field(default_factory=lambda: MappingProxyType({}))
    monotone_when_ideal: Mapping[str, Direction] = field(default_factory=lambda: MappingProxyType({}))
    ideal_without: tuple[str, ...] = ()
    result: ResultKind = "number"
    per_point: bool = False
    floats_for: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, if the entry has one."""
        return next((each for each in self.parameters if each.name == name), None)


SECOND = Dimension(second=1)
LONGEST_DRAFT = 1024
LARGEST_SCAN = 10**6
LARGEST_COUNT = 10**18
"""Counts beyond these are refused: no machine holds them, and a closed form should not run for minutes."""

_DEFINED = (
    Parameter("accelerator", "accelerator", summary="a chip"),
    Parameter("model", "model", summary="a transformer's shape"),
    Parameter("batch", "count", least=1, summary="sequences"),
    Parameter("context", "count", least=0, summary="tokens cached per sequence"),
    Parameter("new_tokens", "count", least=1, summary="tokens per sequence in the step"),
    Parameter("draft_k", "count", least=0, most=LONGEST_DRAFT, summary="drafted tokens per sequence"),
    Parameter("acceptance", "number", least=0, most=1, summary="acceptance rate of a drafted token"),
    Parameter("mean_accepted_length", "number", least=1, summary="tokens per step, bonus token included"),
    Parameter("prefill_tokens", "count", least=0, summary="prompt tokens read beside, in the same step"),
    Parameter("draft_budget", "count", least=0, summary="drafted tokens of the whole batch"),
    Parameter("tokens", "count", least=1, summary="tokens of the whole step"),
    Parameter("rates", "number", least=0, most=1, many=True, summary="one rate per position"),
    Parameter("price_per_hour", "number", least=0, summary="price of the chip for an hour"),
    Parameter("draft_cost", "number", default=0, least=0, summary="a drafted token's cost in plain target steps"),
    Parameter("dtype", "vocabulary", default="bf16", choices=DTYPES, summary="format that computes"),
    Parameter("weight_dtype", "vocabulary", default=None, choices=DTYPES, summary="format of weights (dtype)"),
    Parameter("kv_dtype", "vocabulary", default="bf16", choices=DTYPES, summary="format of the cache"),
    Parameter("level", "vocabulary", default="WK", choices=LEVELS, summary="W weights only, WK with the cache"),
    Parameter("mode", "vocabulary", default="operator", choices=MODES, summary="how times combine"),
    Parameter("kv_reread", "number", default=1, least=1, summary="reads of the cache per step"),
    Parameter("draft", "model", default=None, summary="a draft model"),
    Parameter("step_overhead", "number", SECOND, 0, least=0, summary="seconds beside every step"),
    Parameter("compute_efficiency", "number", default=1, least=0, most=1, summary="share of the peak reached"),
    Parameter("memory_efficiency", "number", default=1, least=0, most=1, summary="share of the bandwidth reached"),
    Parameter("draft_parameters", "number", default=None, least=0, summary="weights read per drafted token"),
    Parameter("speculation_overhead", "number", SECOND, 0, least=0, summary="seconds beside speculative steps"),
    Parameter("chips", "count", default=1, least=1, summary="chips that share the work"),
    Parameter("latency", "number", SECOND, 0, least=0, summary="seconds of an all-reduce at any size"),
    Parameter("activation_dtype", "vocabulary", default="bf16", choices=DTYPES, summary="format sent"),
    Parameter("pairs", "number", default=None, least=1, summary="ancestor pairs of a tree, selves included"),
    Parameter("batch_max", "count", default=4096, least=1, most=LARGEST_SCAN, summary="largest batch looked at"),
    Parameter("k_max", "count", default=16, least=0, most=LONGEST_DRAFT, summary="longest draft looked at"),
)
PARAMETERS: Mapping[str, Parameter] = MappingProxyType({each.name: each for each in _DEFINED})
"""Every argument that a closed form may take, in the one order in which all entries take them."""


def takes(names: str, **changed: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Parameters by name, separated by spaces, in the common order; some with other fields."""
    listed = names.split()
    if listed != [name for name in PARAMETERS if name in listed]:
        raise ValueError(f"not in the common order: {names}")
    return tuple(replace(PARAMETERS[name], **changed.get(name, {})) for name in listed)


def rising(names: str) -> dict[str, Direction]:
    """A declaration that the result never falls when one of these rises."""
    return dict.fromkeys(names.split(), "rising")


def falling(names: str) -> dict[str, Direction]:
    """A declaration that the result never rises when one of these rises."""
    return dict.fromkeys(names.split(), "falling")
