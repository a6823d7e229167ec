"""The one declared alternative that would make a drifted figure true: a diagnosis, never a pass."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from specdil_records.claims import agreement
from specdil_records.claims.evaluating import Adjust, Evaluator
from specdil_records.claims.language import FormulaError, is_bare_value
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided, ends
from specdil_records.claims.representative import worst_point
from specdil_records.claims.results import FigureResult
from specdil_records.claims.subjects import AcceleratorSubject, quantity_of, written_value
from specdil_records.corpus import Corpus, Record
from specdil_records.figures import Figure

DRAFT_LENGTHS = frozenset({"k", "draft_k", "draft_length", "gamma"})
BINARY = {"k": "Ki", "M": "Mi", "G": "Gi", "T": "Ti"}
FAULTS = (FormulaError, BrokenReference, Undecided, Unavailable)


def diagnose(result: FigureResult, corpus: Corpus) -> str:
    """Why a number that drifts is probably off, if exactly one declared alternative explains it; else nothing."""
    causes = [cause for cause, agrees in _alternatives(result, corpus) if agrees]
    distinct = list(dict.fromkeys(causes))
    return distinct[0] if len(distinct) == 1 else ""


def _alternatives(result: FigureResult, corpus: Corpus) -> Iterator[tuple[str, bool]]:
    assert result.figure is not None and result.computed is not None
    other = other_family(result.figure)
    if other is not None:
        verdict = agreement.compare(other, result.computed, _as_written(result, result.computed), None)
        cause = f"it would be right in {other.unit.text if other.unit else ''}, the other family of prefixes"
        yield cause, verdict.state == "agrees"
    leaves = {leaf.key: leaf for leaf in result.used}
    for leaf in leaves.values():
        if leaf.kind == "input" and leaf.label in DRAFT_LENGTHS and leaf.quantity.is_point:
            for step, words in ((1, "k + 1 tokens"), (-1, "k - 1 tokens")):
                moved = leaf.quantity.worth(leaf.quantity.value + step)
                yield f"it would be right for {words} in place of k", _agrees(result, _instead(leaf, moved))
        if leaf.kind == "record":
            record = corpus.by_id.get(leaf.key[0])
            if record is not None and record.kind == "accelerator":
                yield from _other_values(result, leaf, record, corpus)


def _other_values(result: FigureResult, leaf: Leaf, record: Record, corpus: Corpus) -> Iterator[tuple[str, bool]]:
    quantity = leaf.key[1]
    for i, conflict in enumerate(record.data.get("conflicts", [])):
        if conflict.get("quantity") == quantity and isinstance(conflict.get("value"), str):
            value = _written(record, ("conflicts", i), conflict["value"])
            if value is not None:
                cause = (f"it would be right with the other value on record, {conflict['value']} "
                         f"({conflict.get('source', 'conflicts')})")
                yield cause, _agrees(result, _instead(leaf, value))
    if quantity.endswith("_dense"):
        sparse = quantity.removesuffix("_dense") + "_sparse"
        value = _quantity(record, sparse)
        if value is not None:
            yield f"it would be right with the sparse peak of {record.tail}", _agrees(result, _instead(leaf, value))
    for other in corpus.of_kind("accelerator"):
        if other is not record and other.sound:
            yield f"it would be right for {other.tail}", _agrees(result, _other_record(record, other))


def other_family(figure: Figure) -> Figure | None:
    """The same number in powers of 1024 for one in powers of 1000, and the other way round."""
    unit = figure.unit
    if unit is None or not unit.dimension.byte:
        return None
    for power, (decimal, binary) in enumerate(BINARY.items(), start=1):
        for old, new, factor in ((decimal, binary, Fraction(1024, 1000) ** power),
                                 (binary, decimal, Fraction(1000, 1024) ** power)):
            if unit.text.startswith(old) and (old == binary or not unit.text.startswith(binary)):
                swapped = replace(unit, text=new + unit.text.removeprefix(old), scale=unit.scale * factor)
                return replace(figure, value=figure.value * factor, half_unit=figure.half_unit * factor, unit=swapped)
    return None


def _instead(leaf: Leaf, quantity: Quantity) -> Adjust:
    return lambda one: quantity if one.key == leaf.key else one.quantity


def _other_record(record: Record, other: Record) -> Adjust:
    def adjust(leaf: Leaf) -> Quantity:
        if leaf.kind != "record" or leaf.key[0] != record.id:
            return leaf.quantity
        return _quantity(other, leaf.key[1]) or leaf.quantity

    return adjust


def _quantity(record: Record, quantity: str) -> Quantity | None:
    try:
        return AcceleratorSubject(record).leaf("it", quantity).quantity
    except FAULTS:
        return None


def _written(record: Record, pointer: tuple[str | int, ...], text: str) -> Quantity | None:
    try:
        return quantity_of(written_value(record, pointer, text))
    except Unavailable:
        return None


def _agrees(result: FigureResult, adjust: Adjust) -> bool:
    assert result.figure is not None and result.agreement is not None
    assert result.node is not None and result.scope is not None and result.grid is not None
    evaluator = Evaluator(result.scope.with_axes(result.grid.quantities()), adjust)
    try:
        _, quantity = worst_point(evaluator.value(result.node), result.agreement.quoted, result.grid)
        return agreement.compare(result.figure, quantity, _as_written(result, quantity), None).state == "agrees"
    except FAULTS:
        return False


def _as_written(result: FigureResult, quantity: Quantity) -> Fraction | None:
    """What is cited by itself is that number, rounded: the number, as its source writes it; else nothing."""
    low, high = ends(quantity.value)
    return (Fraction(low) + Fraction(high)) / 2 if result.node is not None and is_bare_value(result.node) else None
