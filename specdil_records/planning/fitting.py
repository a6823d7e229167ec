"""Fitting the roofline to a run: efficiencies, an overhead per step, and the cost of drafting or the acceptance.

Least squares of the logarithms, by Levenberg and Marquardt's method from a few fixed starts, so the same file gives
the same answer. Weak pulls towards common values keep still what the rows do not tell; the answer says which.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from specdil_records.planning.acceptance import from_rate
from specdil_records.planning.measuring import Row
from specdil_records.planning.question import Floats, Question
from specdil_records.planning.things import exact_float
from specdil_records.roofline import expected_tokens, in_floats
from specdil_records.roofline.machine import as_float
from specdil_records.roofline.setting import Setting
from specdil_records.roofline.speculation import plain_seconds, seconds_per_token

COMMON = {"compute_efficiency": 0.7, "memory_efficiency": 0.8, "step_overhead": 0.02, "draft_seconds": 0.02,
          "acceptance": 0.7}
"""Where each value is pulled to; overheads as shares of the shortest plain step."""
PULL = 0.02
TELLS = 0.02
"""A value is told by the rows if moving it by one unit of its scale moves the residuals by as much."""
SHARES = ("compute_efficiency", "memory_efficiency", "acceptance")


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted values by name, which of them the rows tell, and what the fitted model says for each row."""

    values: dict[str, float]
    told: dict[str, bool]
    rows: tuple[Row, ...]
    speedups: tuple[float, ...]
    without: tuple[float, ...] | None
    with_: tuple[float, ...] | None

    @property
    def residuals(self) -> tuple[float, ...]:
        """Fitted over measured speedup, less one, for each row."""
        return tuple(said / float(row.speedup) - 1 for said, row in zip(self.speedups, self.rows, strict=True))

    @property
    def spread(self) -> float:
        """The root of the mean square of the residuals."""
        return math.sqrt(sum(one * one for one in self.residuals) / len(self.rows))


def fit(question: Question, rows: Sequence[Row], acceptance_is_known: bool) -> Fit:
    """The fit of a question's conditions to rows.

    With throughputs: both efficiencies, the step overhead, and the seconds of drafting a token (or, where nothing is
    known about the acceptance, the acceptance rate). With ratios alone the memory efficiency stays as it is.
    """
    names = ["compute_efficiency", "step_overhead", "draft_seconds" if acceptance_is_known else "acceptance"]
    with_throughput = all(row.without is not None for row in rows)
    if with_throughput:
        names.insert(1, "memory_efficiency")
    run = _Run(question, tuple(rows), acceptance_is_known)
    best = _least_squares(names, run)
    values = {name: _value(name, number, run.unit) for name, number in zip(names, best, strict=True)}
    speedups, without, with_ = run.predicted(values)
    sensitive = np.sqrt((_jacobian(lambda x: run.residuals(names, x), best) ** 2).mean(axis=0))
    told = {name: bool(size > TELLS) for name, size in zip(names, sensitive, strict=True)}
    throughputs = (tuple(map(float, without)), tuple(map(float, with_))) if with_throughput else (None, None)
    return Fit(values, told, tuple(rows), tuple(map(float, speedups)), *throughputs)


def fitted(question: Question, found: Fit) -> Question:
    """The question under the fitted conditions."""
    conditions = dict(question.conditions)
    for name in ("compute_efficiency", "memory_efficiency", "step_overhead"):
        if name in found.values:
            conditions[name] = _short(found.values[name])
    draft, acceptance = question.draft, question.acceptance
    if "draft_seconds" in found.values:
        draft = replace(draft, seconds_per_token=_short(found.values["draft_seconds"]))
    if "acceptance" in found.values:
        acceptance = from_rate(_short(found.values["acceptance"]))
        acceptance = replace(acceptance, words=f"{acceptance.words} (fitted)")
    return replace(question, conditions=conditions, draft=draft, acceptance=acceptance)


def _short(value: float) -> Any:
    return exact_float(float(f"{value:.4g}"))


def predict(question: Question, rows: Sequence[Row], found: Fit, acceptance_is_known: bool) -> tuple[float, ...]:
    """The speedup that a fit gives for other rows."""
    speedups, _, _ = _Run(question, tuple(rows), acceptance_is_known).predicted(found.values)
    return tuple(map(float, speedups))


class _Run:
    """Rows as arrays, and what the model says for them under given values."""

    def __init__(self, question: Question, rows: tuple[Row, ...], acceptance_is_known: bool) -> None:
        self.question, self.rows, self.known = question, rows, acceptance_is_known
        self.batch = np.asarray([float(row.batch) for row in rows])
        self.context = np.asarray([float(row.context) for row in rows])
        self.draft_k = np.asarray([float(row.draft_k) for row in rows])
        self.speedup = np.asarray([float(row.speedup) for row in rows])
        self.chip, self.model = in_floats(question.accelerator), in_floats(question.model)
        self.expected = self._expected() if acceptance_is_known else None
        self.throughput: tuple[Floats, Floats] | None = None
        if all(row.without is not None and row.with_ is not None for row in rows):
            self.throughput = (np.asarray([float(row.without or 0) for row in rows]),
                               np.asarray([float(row.with_ or 0) for row in rows]))
        plain = plain_seconds(self._setting({}), self.model, self.batch, self.context)
        self.unit = float(np.min(plain))

    def _expected(self) -> Floats:
        return np.asarray([float(row.expected if row.expected is not None
                                 else self.question.acceptance.expected(row.draft_k)) for row in self.rows])

    def _setting(self, values: dict[str, float]) -> Setting:
        conditions = {name: as_float(value) for name, value in self.question.conditions_at(0).items()}
        for name in ("compute_efficiency", "memory_efficiency", "step_overhead"):
            conditions[name] = values.get(name, conditions.get(name, 0.0 if name == "step_overhead" else 1.0))
        per_token = values.get("draft_seconds", float(self.question.draft.seconds_per_token))
        conditions["speculation_overhead"] = float(self.question.speculation_overhead) + self.draft_k * per_token
        return replace(Setting(self.chip), **conditions)

    def predicted(self, values: dict[str, float]) -> tuple[Floats, Floats, Floats]:
        """Speedup, and tokens per second without and with, for each row."""
        setting = self._setting(values)
        expected = self.expected
        if expected is None:
            expected = expected_tokens(self.draft_k, np.full(len(self.rows), values["acceptance"]))
        without = 1 / plain_seconds(setting, self.model, self.batch, self.context, each=True)
        with_ = 1 / seconds_per_token(
            setting, self.model, self.batch, self.context, self.draft_k, expected, each=True
        )
        return with_ / without, without, with_

    def residuals(self, names: Sequence[str], numbers: Floats) -> Floats:
        """Logarithms of said over measured, of both throughputs or of the speedup."""
        values = {name: _value(name, number, self.unit) for name, number in zip(names, numbers, strict=True)}
        speedup, without, with_ = self.predicted(values)
        if self.throughput is None:
            found: Floats = np.log(speedup / self.speedup)
            return found
        return np.concatenate([np.log(without / self.throughput[0]), np.log(with_ / self.throughput[1])])


def _value(name: str, number: float, unit: float) -> float:
    """A value from its place on an unbounded scale: shares by the logistic curve, seconds by the exponential."""
    number = float(np.clip(number, -30, 30))
    return 1 / (1 + math.exp(-number)) if name in SHARES else unit * math.exp(number)


def _place(name: str, value: float) -> float:
    return math.log(value / (1 - value)) if name in SHARES else math.log(value)


def _least_squares(names: Sequence[str], run: _Run) -> Floats:
    home = np.asarray([_place(name, COMMON[name]) for name in names])

    def pulled(numbers: Floats) -> Floats:
        return np.concatenate([run.residuals(names, numbers), PULL * (numbers - home)])

    starts = [home]
    for share, seconds in ((0.3, 0.02), (0.7, 0.3), (0.3, 1.0)):
        start = home.copy()
        for place, name in enumerate(names):
            if name == "compute_efficiency":
                start[place] = _place(name, share)
            elif name not in SHARES:
                start[place] = _place(name, seconds)
        starts.append(start)
    found = [_marquardt(pulled, start) for start in starts]
    return min(found, key=lambda numbers: float((pulled(numbers) ** 2).sum()))


def _marquardt(residuals: Callable[[Floats], Floats], start: Floats) -> Floats:
    numbers, damping = start, 1e-2
    here = residuals(numbers)
    for _ in range(80):
        slope = _jacobian(residuals, numbers)
        normal = slope.T @ slope
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -slope.T @ here)
        tried = numbers + np.clip(step, -2, 2)
        there = residuals(tried)
        gain = float((here**2).sum() - (there**2).sum())
        if gain > 0:
            numbers, here, damping = tried, there, max(damping / 3, 1e-9)
            if gain < 1e-12:
                break
        else:
            damping *= 4
            if damping > 1e9:
                break
    return numbers


def _jacobian(residuals: Callable[[Floats], Floats], numbers: Floats, width: float = 1e-4) -> Floats:
    columns = []
    for place in range(len(numbers)):
        step = np.zeros(len(numbers))
        step[place] = width
        columns.append((residuals(numbers + step) - residuals(numbers - step)) / (2 * width))
    found: Floats = np.stack(columns, axis=1)
    return found
