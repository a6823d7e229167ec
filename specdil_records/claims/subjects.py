"""Records as expressions see them: an accelerator's quantities, a model's shape, a source's cells."""
from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Dimension, Interval, RationalGrid, same_measure
from specdil_records.claims.evaluating import Adjust
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import (
    PURE,
    BrokenReference,
    Leaf,
    Quantity,
    Unavailable,
    Undecided,
    ends,
)
from specdil_records.corpus import Corpus, Record
from specdil_records.figures import Figure, FigureError, read_figure
from specdil_records.roofline import Accelerator, Model

FORMATS = ("fp32", "tf32", "bf16", "fp8", "int8", "fp4")
BANDWIDTH = Dimension(byte=1, second=-1)
RATE = Dimension(flop=1, second=-1)
QUANTITIES: dict[str, Dimension] = {
    "memory_bandwidth": BANDWIDTH,
    "memory_capacity": Dimension(byte=1),
    "interconnect_bandwidth": BANDWIDTH,
    "tdp": Dimension(joule=1, second=-1),
    **{f"peak_{name}_{kind}": RATE for name in FORMATS for kind in ("dense", "sparse")},
}
"""The vocabulary of an accelerator's quantities, each with its dimension."""

SHAPE = ("layers", "hidden_size", "heads", "kv_heads", "head_size", "ffn_size", "vocabulary", "experts",
         "experts_per_token", "shared_experts", "dense_layers", "expert_ffn_size", "kv_latent_size", "rope_size",
         "query_latent_size", "window", "local_layers")
"""The vocabulary of a model's shape: whole numbers."""


def quantity_of(figure: Figure) -> Quantity:
    """A number as written, as an input: a pure count is exact, everything else an interval."""
    unit = figure.unit
    kind = unit.kind if unit is not None and unit.kind in ("percent", "points") else ""
    return Quantity(figure.as_input, unit.dimension if unit is not None else PURE, kind)


def point_of(figure: Figure) -> Fraction:
    """The value as it is written, without its interval."""
    return Fraction(figure.value)


@dataclass(frozen=True, slots=True)
class AcceleratorSubject:
    """An accelerator record under the name that a claim gives it."""

    record: Record

    def leaf(self, alias: str, quantity: str) -> Leaf:
        """One quantity of the record. Raises FormulaError for a name outside the vocabulary, Undecided for a value
        that the record does not have."""
        if quantity not in QUANTITIES:
            near = difflib.get_close_matches(quantity, QUANTITIES, n=1)
            raise FormulaError(f"{quantity} is no quantity of an accelerator"
                               + (f"; did you mean {near[0]}?" if near else ""))
        entry = self.record.data["quantities"].get(quantity)
        if entry is None:
            raise Undecided(f"{self.record.id} has no {quantity}")
        figure = stated_value(self.record, ("quantities", quantity), entry["value"], entry)
        if figure.unit is None or not same_measure(figure.unit.dimension, QUANTITIES[quantity]) or figure.value <= 0:
            raise Unavailable(f"{self.record.id} has no readable {quantity}")  # told where it stands
        return Leaf("record", (self.record.id, quantity), f"{alias}.{quantity}", quantity_of(figure), entry["value"],
                    entry.get("basis"), entry.get("source", ""), f"{self.record.tail}.{quantity}", figure.unit)

    def machine(self, alias: str, adjust: Adjust | None) -> tuple[Any, tuple[Leaf, ...]]:
        """The record as the roofline core takes it, with the leaves that it is made of."""
        given = self.record.data["quantities"]
        return made_of(self.record, alias, adjust, lambda: [self.leaf(alias, name) for name in QUANTITIES
                                                            if name in given], self._accelerator)

    def _accelerator(self, values: Mapping[str, Any]) -> Accelerator:
        return Accelerator(
            memory_bandwidth=values.get("memory_bandwidth"),
            peaks={name: values[f"peak_{name}_dense"] for name in FORMATS if f"peak_{name}_dense" in values},
            memory_capacity=values.get("memory_capacity"),
            interconnect_bandwidth=values.get("interconnect_bandwidth"),
            tdp=values.get("tdp"),
            name=self.record.tail,
        )


@dataclass(frozen=True, slots=True)
class ModelSubject:
    """A model record under the name that a claim gives it."""

    record: Record

    def leaf(self, alias: str, quantity: str) -> Leaf:
        """One number of the model's shape."""
        if quantity not in SHAPE:
            near = difflib.get_close_matches(quantity, SHAPE, n=1)
            raise FormulaError(f"{quantity} is no part of a model's shape"
                               + (f"; did you mean {near[0]}?" if near else ""))
        value = self.record.data["shape"].get(quantity)
        if value is None:
            raise Undecided(f"{self.record.id} has no {quantity}")
        return Leaf("record", (self.record.id, quantity), f"{alias}.{quantity}", Quantity(int(value)), str(value),
                    self.record.data.get("basis", "reported"), self.record.data["source"],
                    f"{self.record.tail}.{quantity}")

    def machine(self, alias: str, adjust: Adjust | None) -> tuple[Any, tuple[Leaf, ...]]:
        """The record as the roofline core takes it, with the leaves that it is made of."""
        shape = self.record.data["shape"]
        return made_of(self.record, alias, adjust, lambda: [self.leaf(alias, name) for name in SHAPE
                                                            if shape.get(name) is not None], self._model)

    def _model(self, values: Mapping[str, Any]) -> Model:
        tied = bool(self.record.data["shape"].get("tied_embeddings"))
        try:
            return Model(**values, tied_embeddings=tied, name=self.record.tail)
        except TypeError as error:
            raise Undecided(f"{self.record.id} does not say its whole shape ({error})") from None


def made_of(record: Record, alias: str, adjust: Adjust | None, leaves: Callable[[], list[Leaf]],
            make: Callable[[Mapping[str, Any]], Any]) -> tuple[Any, tuple[Leaf, ...]]:
    """A record made into what the roofline core takes, with its leaves: once for each name, but anew where `adjust`
    gives other values."""
    known: dict[str, tuple[Any, tuple[Leaf, ...]]] = record.notes.setdefault("machines", {})
    if alias not in known:
        listed = tuple(leaves())
        known[alias] = make({leaf.key[1]: leaf.quantity.value for leaf in listed}), listed
    made, listed = known[alias]
    return (made if adjust is None else make({leaf.key[1]: adjust(leaf).value for leaf in listed})), listed


def written_value(record: Record, pointer: tuple[str | int, ...], text: str, unit: str | None = None) -> Figure:
    """A number of a record, read once and kept. Raises `Unavailable` when it cannot be read; a rule of its own
    reports that where it stands."""
    kept = record.notes.setdefault("figures", {})
    if (pointer, text) not in kept:
        try:
            kept[pointer, text] = read_figure(text, unit)
        except FigureError as error:
            kept[pointer, text] = error
    figure = kept[pointer, text]
    if isinstance(figure, FigureError):
        raise Unavailable(str(figure))
    assert isinstance(figure, Figure)
    return figure


def stated_value(record: Record, pointer: tuple[str | int, ...], text: str, details: Mapping[str, Any],
                 unit: str | None = None) -> Figure:
    """A number of a record of which `details` may state how far it may be off.

    Raises `Unavailable` as `written_value` does.
    """
    figure = written_value(record, pointer, text, unit)
    if "uncertainty" not in details:
        return figure
    stated = written_value(record, (*pointer, "uncertainty"), details["uncertainty"])
    try:
        return with_uncertainty(figure, stated)
    except FigureError as error:
        raise Unavailable(str(error)) from None


def with_uncertainty(figure: Figure, stated: Figure) -> Figure:
    """A figure for which somebody states how far it may be off, which takes the place of half a unit.

    Raises `FigureError` when that is nothing, less, or in a unit of another kind; without one it is in the figure's.
    """
    if stated.value <= 0:
        raise FigureError("unreadable-number", f"an uncertainty is more than nothing, not {stated.text}")
    if stated.unit is None:
        half = stated.value * (figure.unit.scale if figure.unit is not None else 1)
    elif figure.unit is not None and (stated.unit.kind, stated.unit.dimension) == (
            figure.unit.kind, figure.unit.dimension):
        half = stated.value
    else:
        raise FigureError("unreadable-number", f"{figure.text} and its uncertainty {stated.text} have different units")
    return replace(figure, half_unit=half, exact=False)


@dataclass(frozen=True, slots=True)
class SourceCells:
    """The cells of the sources of a corpus."""

    corpus: Corpus

    def cell(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf:
        """One cell: of the row in which every key column equals its value; over an axis, one cell a point.

        Raises BrokenReference, Unavailable.
        """
        if any(isinstance(key, Quantity) and isinstance(key.value, RationalGrid) for key in keys.values()):
            return self._cells_over_axes(source, item, column, keys)
        return self._cell(source, item, column, keys)

    def _cells_over_axes(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf:
        grids = {name: key.value for name, key in keys.items()
                 if isinstance(key, Quantity) and isinstance(key.value, RationalGrid)}
        shape = np.broadcast_shapes(*(grid.shape for grid in grids.values()))
        points = zip(*(grid.broadcast_to(shape) for grid in grids.values()), strict=True)
        leaves = [self._cell(source, item, column, {**keys, **{name: Quantity(value) for name, value in
                                                               zip(grids, point, strict=True)}}) for point in points]
        lows, highs = zip(*(ends(leaf.quantity.value) for leaf in leaves), strict=True)
        low, high = (RationalGrid.of(side).reshape(*shape) for side in (lows, highs))
        quantity = replace(leaves[0].quantity, value=Interval(low, high))
        return replace(leaves[0], quantity=quantity, label=f"{leaves[0].reference} {column}", written="")

    def _cell(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf:
        record = self.corpus.find("source", source)
        if record is None:
            raise BrokenReference(f"there is no source {source!r}"
                                  + did_you_mean(source, (one.tail for one in self.corpus.of_kind("source"))))
        if not record.sound:
            raise Unavailable(source)
        tables = record.data.get("tables", [])
        where = next((i for i, table in enumerate(tables) if table["id"] == item), None)
        if where is None:
            raise BrokenReference(f"{source} has no table {item!r}"
                                  + did_you_mean(item, (table["id"] for table in tables)))
        columns = tables[where]["columns"]
        for name in (column, *keys):
            if name not in columns:
                raise BrokenReference(f"{source}#{item} has no column {name!r}" + did_you_mean(name, columns))
        row = self._row(record, where, columns, keys)
        return self._leaf(record, where, column, row, keys)

    def _row(self, record: Record, where: int, columns: Mapping[str, Any], keys: dict[str, Any]) -> int:
        """The one row with these keys; single cells are those of every row, and of the only one without others."""
        table = record.data["tables"][where]
        name = f"{record.tail}#{table['id']}"
        count = max((len(cells) for cells in columns.values() if isinstance(cells, list)), default=1)
        rows = list(range(count))
        for key, value in keys.items():
            wanted = self._rows_with(record, where, key, value, count)
            rows = [row for row in rows if row in wanted]
        if len(rows) == 1:
            return rows[0]
        asked = ", ".join(f"{key}={shown(value)}" for key, value in keys.items()) or "no key"
        raise BrokenReference(f"{name} has {len(rows) or 'no'} rows for {asked}")

    def _rows_with(self, record: Record, where: int, key: str, wanted: Any, count: int) -> frozenset[int]:
        """The rows in which a column has a text, or a number."""
        if not isinstance(wanted, str) and not (isinstance(wanted, Quantity) and wanted.is_point):
            raise FormulaError(f"the key {key} needs one exact value")
        is_text = isinstance(wanted, str)
        known: dict[tuple[int, str, bool], dict[Any, set[int]]] = record.notes.setdefault("rows", {})
        if (where, key, is_text) not in known:
            found: dict[Any, set[int]] = {}
            for row in range(count):
                held = self._held(record, where, key, row, is_text)
                if held is not None:
                    found.setdefault(held, set()).add(row)
            known[where, key, is_text] = found
        return frozenset(known[where, key, is_text].get(wanted if isinstance(wanted, str) else wanted.value, ()))

    def _held(self, record: Record, where: int, key: str, row: int, is_text: bool) -> str | Fraction | None:
        """What a key's cell holds: its text, or the number that it is; None when it is no number."""
        text, _ = cell_text(record.data["tables"][where]["columns"][key], row)
        if is_text:
            return text
        try:
            figure = written_value(record, ("tables", where, "columns", key, row), text, self._unit(record, where, key))
        except Unavailable:
            return None
        return point_of(figure)

    def _unit(self, record: Record, where: int, column: str) -> str | None:
        unit: str | None = record.data["tables"][where].get("unit", {}).get(column)
        return unit

    def _leaf(self, record: Record, where: int, column: str, row: int, keys: dict[str, Any]) -> Leaf:
        table = record.data["tables"][where]
        text, details = cell_text(table["columns"][column], row)
        pointer: tuple[str | int, ...] = ("tables", where, "columns", column, row)
        unit = self._unit(record, where, column)
        if text.strip() in ("", "-", "n/a"):
            raise Undecided(f"{record.tail}#{table['id']} leaves this cell of {column} empty")
        try:
            written_value(record, pointer, text, unit)
        except Unavailable:
            if column in table.get("unit", {}) or column in QUANTITIES:
                raise  # told where it stands
            raise Undecided(f"{record.tail}#{table['id']} has no number there: {column} is {text!r}") from None
        figure = stated_value(record, pointer, text, details, unit)
        at = ", ".join(f"{key}={shown(value)}" for key, value in keys.items())
        label = f"{record.tail}#{table['id']} {column}" + (f" at {at}" if at else "")
        return Leaf("cell", (record.id, table["id"], column, at), label, quantity_of(figure), text,
                    table.get("basis"), record.tail, f"{record.tail}#{table['id']}", figure.unit)


def cell_text(cells: Any, row: int | None) -> tuple[str, Mapping[str, Any]]:
    """The text of one cell, and what else the table says of it."""
    cell = cells if row is None or not isinstance(cells, list) else cells[row] if row < len(cells) else ""
    if isinstance(cell, dict):
        return str(cell["value"]), cell
    return str(cell), {}


def shown(value: Any) -> str:
    """A key's value for a message."""
    return str(value.value if isinstance(value, Quantity) else value)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest known name as the end of a message, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def subject(record: Record | None) -> AcceleratorSubject | ModelSubject | None:
    """A record as a subject; None when it is missing or has faults of its own."""
    if record is None or not record.sound:
        return None
    return ModelSubject(record) if record.kind == "model" else AcceleratorSubject(record)
