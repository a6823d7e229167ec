"""The numbers of the pictures: every one from the closed forms, or from the evaluation of a record."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from specdil_records import roofline
from specdil_records.arithmetic import Dimension, RationalGrid
from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.evaluating import Evaluator
from specdil_records.claims.loopholes import FAULTS
from specdil_records.claims.quantities import Quantity, Unavailable, Undecided, ends
from specdil_records.claims.results import FigureResult
from specdil_records.claims.subjects import subject
from specdil_records.corpus import Corpus, Record
from specdil_records.planning.things import as_written
from specdil_records.roofline import Accelerator, CatalogueError, MissingValue, Model, NoNumber

Floats = npt.NDArray[np.float64]
INTENSITY = Dimension(flop=1, byte=-1)
BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
LENGTHS = tuple(range(1, 9))
ACCEPTANCES = (0.5, 0.6, 0.7, 0.8, 0.9)
CONTEXTS = (512, 2048, 8192, 32768, 131072)
USUAL_ACCEPTANCE, USUAL_CONTEXT, USUAL_LENGTH = 0.8, 2048, 4
SPEEDUPS = {"speedup": (0, 2), "tree.speedup": (0, 2), "additive.gain": (None, 0)}
"""Forms whose value is a gain at a batch: where the accelerator and the batch stand among their arguments."""


@dataclass(frozen=True, slots=True)
class Machine:
    """An accelerator or model with float values as its record writes them."""

    tail: str
    name: str
    thing: Any


def machine_of(record: Record | None) -> Machine | None:
    """A record's accelerator or model for drawing; None where it is missing or incomplete."""
    kept = record.notes.get("drawn") if record is not None else None
    if isinstance(kept, Machine):
        return kept
    found = subject(record)
    if found is None or record is None:
        return None
    try:
        thing = found.machine("it", as_written)[0]
    except (Undecided, Unavailable):
        return None
    machine = Machine(record.tail, str(record.data.get("name", record.tail)), roofline.in_floats(thing))
    record.notes["drawn"] = machine
    return machine


def roof(chip: Accelerator) -> tuple[float, float] | None:
    """Bandwidth in byte/s and dense peak in FLOP/s at 16 bit; None where the record lacks one."""
    try:
        return float(chip.need("memory_bandwidth")), float(chip.peak("bf16"))
    except MissingValue:
        return None


def gains(chip: Accelerator, model: Model | None, batch: Any, context: Any, draft_k: Any,
          acceptance: Any) -> Floats | None:
    """Speedups over arrays that broadcast; weights only without a model. None where a value is missing."""
    level = "WK" if model is not None else "W"
    try:
        value = roofline.speedup(chip, model, batch, context, draft_k, acceptance, level=level)
    except (MissingValue, CatalogueError, NoNumber, ZeroDivisionError):
        return None
    shape = np.broadcast_shapes(*(np.shape(one) for one in (batch, context, draft_k, acceptance)))
    found: Floats = np.broadcast_to(np.asarray(value, dtype=np.float64), shape)
    return found if bool(np.isfinite(found).all()) else None


def table(chip: Accelerator, model: Model | None) -> Floats | None:
    """Speedups for the chooser: one axis each for draft length, acceptance, context and batch."""
    k, a, s, b = np.ix_(*(np.asarray(axis, dtype=np.float64) for axis in (LENGTHS, ACCEPTANCES, CONTEXTS, BATCHES)))
    if model is None or not model.is_moe:
        return gains(chip, model, b, s, k, a)
    parts = [gains(chip, model, b[0], s[0], length, a[0]) for length in LENGTHS]
    return np.stack([part for part in parts if part is not None]) if all(part is not None for part in parts) else None


# What a record's own claims say -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A number of the record in a picture."""

    x: float
    y: float
    written: str
    status: str
    claim: str
    accelerator: str = ""
    """The tail of the accelerator's id; empty for a number of no accelerator of the corpus."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The conditions of a picture: those of the record's own calls where it has any."""

    model: str = ""
    context: float = USUAL_CONTEXT
    draft_k: int = USUAL_LENGTH
    acceptance: float = USUAL_ACCEPTANCE
    from_record: bool = False


def intensities(evaluation: Evaluation, statuses: Mapping[Any, str]) -> list[Point]:
    """Figures of the record that are arithmetic intensities, each once."""
    found: dict[str, Point] = {}
    for claim in evaluation.claims:
        for figure in claim.figures:
            value = _shown_value(figure)
            if value is None or figure.computed is None or figure.computed.dimension != INTENSITY or value <= 0:
                continue
            status = _status(figure, statuses)
            kept = found.get(figure.quoted)
            if kept is None or (kept.status != "disputed" and status == "disputed"):
                found[figure.quoted] = Point(value, 0.0, figure.quoted, status, claim.id, _accelerator(claim, figure))
    return sorted(found.values(), key=lambda point: point.x)


def speedups(evaluation: Evaluation, corpus: Corpus, statuses: Mapping[Any, str]) -> list[Point]:
    """Figures of the record that are gains at a known batch, each once."""
    found: dict[tuple[str, float], Point] = {}
    for claim in evaluation.claims:
        for figure in claim.figures:
            value = _shown_value(figure)
            if value is None or value <= 0 or figure.node is None:
                continue
            place = _place(claim, figure, corpus)
            if place is None:
                continue
            batch, accelerator, is_gain = place
            gain = 1 + value if is_gain else value
            found.setdefault((figure.quoted, batch), Point(
                batch, gain, figure.quoted, _status(figure, statuses), claim.id, accelerator))
    return sorted(found.values(), key=lambda point: (point.x, point.y))


def _shown_value(figure: FigureResult) -> float | None:
    """A figure's value as the prose has it."""
    if figure.figure is None or figure.state == "broken":
        return None
    try:
        return float(figure.figure.value)
    except OverflowError:
        return None


def _status(figure: FigureResult, statuses: Mapping[Any, str]) -> str:
    return next((statuses[key] for index in figure.numbers if (key := (figure.field.pointer, index)) in statuses),
                "recomputed")


def _place(claim: ClaimResult, figure: FigureResult, corpus: Corpus) -> tuple[float, str, bool] | None:
    """The batch of a gain, the accelerator that it is of, and whether it counts from nothing instead of from one."""
    node = figure.node
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if name in SPEEDUPS:
            at, batch_at = SPEEDUPS[name]
            batch = _number(figure, node.args[batch_at]) if len(node.args) > batch_at else None
            chip = _alias(claim, node.args[at]) if at is not None else ""
            return None if batch is None or chip is None else (batch, chip, name == "additive.gain")
    unit = figure.figure.unit if figure.figure is not None else None
    if figure.cited and unit is not None and unit.kind == "ratio":
        return _cited(figure, corpus)
    return None


def _cited(figure: FigureResult, corpus: Corpus) -> tuple[float, str, bool] | None:
    cells = [leaf for leaf in figure.used if leaf.kind == "cell"]
    if len(cells) != 1:
        return None
    source, table_id, column, keys = cells[0].key
    batch = next((part.partition("=")[2] for part in keys.split(", ") if part.startswith("batch=")), None)
    record = corpus.by_id.get(source)
    if batch is None or record is None or not any(word in column.lower() for word in ("eagle", "speedup", "gain", "k")):
        return None
    tables = record.data.get("tables", [])
    conditions: dict[str, Any] = next((one.get("conditions", {}) for one in tables if one["id"] == table_id), {})
    chip = corpus.find("accelerator", str(conditions.get("accelerator", "")))
    try:
        return float(Fraction(batch)), chip.tail if chip is not None else "", False
    except (ValueError, ZeroDivisionError):
        return None


def _alias(claim: ClaimResult, node: ast.expr) -> str | None:
    return str(claim.data.get("of", {}).get(node.id, "")) or None if isinstance(node, ast.Name) else None


def _accelerator(claim: ClaimResult, figure: FigureResult) -> str:
    if isinstance(figure.node, ast.Call) and figure.node.args and ast.unparse(figure.node.func) == "ridge":
        return _alias(claim, figure.node.args[0]) or ""
    return ""


def _number(figure: FigureResult, node: ast.expr) -> float | None:
    """The value of a part of a figure's expression, where it is one number."""
    if figure.scope is None:
        return None
    try:
        value: Quantity = Evaluator(figure.scope).value(node)
        low, high = (_one(end) for end in ends(value.value))
        return (low + high) / 2
    except (*FAULTS, TypeError, ValueError, OverflowError):
        return None


def _one(value: Any) -> float:
    """A number, or the only number of a grid. Raises `ValueError` for a grid of several."""
    return float(value.to_floats().item()) if isinstance(value, RationalGrid) else float(value)


def setting_of(evaluation: Evaluation, corpus: Corpus) -> Setting:
    """The conditions of the first speedup that the record works out with a model; the usual ones where it has none."""
    for claim, figure, node in _calls(evaluation):
        if len(node.args) < 6:
            continue
        model = _alias(claim, node.args[1])
        record = corpus.find("model", model) if model else None
        context, length, acceptance = (_number(figure, part) for part in node.args[3:6])
        if record is None or context is None or length is None or acceptance is None or not 1 <= length <= 16:
            continue
        return Setting(record.tail, context, round(length), acceptance, True)
    lengths = [value for claim in evaluation.claims for name, (field, place) in claim.inputs.items()
               if name in ("k", "draft_k") and place.numbers
               and 1 <= (value := _whole(field.digits(place.numbers[0]))) <= 16]
    usual = next((name for name in ("llama-3.1-8b",) if corpus.find("model", name)), "")
    return Setting(model=usual, draft_k=lengths[0] if lengths else USUAL_LENGTH)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _calls(evaluation: Evaluation) -> Iterator[tuple[ClaimResult, FigureResult, ast.Call]]:
    for claim in evaluation.claims:
        for figure in claim.figures:
            if isinstance(figure.node, ast.Call) and ast.unparse(figure.node.func) == "speedup":
                yield claim, figure, figure.node


def uses_additive_rule(evaluation: Evaluation) -> bool:
    """Whether the record works with the rule that adds drafts to the batch."""
    return any("additive." in figure.expression for claim in evaluation.claims for figure in claim.figures)


def additive_rule(batches: Sequence[float], draft_k: int) -> list[float]:
    """The gain that the additive rule of some records gives, over the same batches."""
    return [1 + float(roofline.additive_gain(Fraction(batch), draft_k)) for batch in batches]
