"""What the names in a claim's expressions stand for: inputs from the prose, assumptions, axes, records."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from specdil_records.claims.evaluating import Scope, Subject
from specdil_records.claims.grids import EMPTY, Grid, read_grid
from specdil_records.claims.language import FormulaError
from specdil_records.claims.locating import Field, NotLocated, Passage, anchored, field_named, read_anchor
from specdil_records.claims.quantities import Leaf
from specdil_records.claims.results import ClaimResult
from specdil_records.claims.subjects import SourceCells, quantity_of, subject
from specdil_records.corpus import Corpus
from specdil_records.figures import FigureError, read_figure
from specdil_records.findings import Place, Pointer, Problem


@dataclass(frozen=True, slots=True)
class Naming:
    """Finds the names of claims; what is wrong with one is noted at the claim, and the name then stands for nothing."""

    corpus: Corpus
    fields: Mapping[Pointer, Field]

    def scope(self, result: ClaimResult, passage: Passage) -> tuple[Scope, Grid]:
        """The names of one claim, and the grid that it speaks of."""
        data, pointer = result.data, result.pointer
        inputs: dict[str, Leaf | None] = {}
        for name, spec in data.get("read", {}).items():
            inputs[name] = self._read(result, passage, name, spec)
        for name, text in data.get("assume", {}).items():
            inputs[name] = assumed(result, name, text)
        for anchor, name in data.get("held", {}).items():
            inputs[name] = self._held(result, passage, anchor, name)
        grid = EMPTY
        if "over" in data:
            try:
                grid = read_grid(data["over"])
            except FormulaError as error:
                result.fault("formula", str(error), (*pointer, "over"))
                inputs.update(dict.fromkeys(data["over"]))
        subjects: dict[str, Subject | None] = {}
        for alias, name in data.get("of", {}).items():
            record = self.corpus.find("accelerator", name) or self.corpus.find("model", name)
            subjects[alias] = subject(record)
        twice = repeated(data)
        for name in twice:
            result.fault("formula", f"the name {name} is given twice", pointer)
            inputs[name] = None
        grid = Grid({name: values for name, values in grid.axes.items() if name not in twice})
        return Scope(inputs, grid.quantities(), subjects, SourceCells(self.corpus)), grid

    def _read(self, result: ClaimResult, passage: Passage, name: str, spec: Any) -> Leaf | None:
        where: Pointer = (*result.pointer, "read", name)
        try:
            field = passage.field if isinstance(spec, str) else field_named(self.fields, spec["in"])
            field, place = read_anchor(passage, field, spec if isinstance(spec, str) else spec["at"])
        except NotLocated as lost:
            result.lost(lost, where)
            return None
        figure = field.numbers[place.numbers[0]].figure if len(place.numbers) == 1 else None
        if figure is None:
            result.fault("formula", f"{name} is read from a range; an input is one number", where)
            return None
        result.inputs[name] = (field, place)
        return Leaf("input", (name,), name, quantity_of(figure), figure.text, None, "the prose")

    def _held(self, result: ClaimResult, passage: Passage, anchor: str, name: str) -> Leaf | None:
        try:
            place = anchored(passage, anchor, ())
        except NotLocated as lost:
            result.lost(lost, (*result.pointer, "held", anchor))
            return None
        figure = passage.field.numbers[place.numbers[0]].figure if len(place.numbers) == 1 else None
        if figure is None:
            result.fault("formula", "a held anchor holds one number", (*result.pointer, "held", anchor))
            return None
        result.held[name] = (anchor, place)
        return Leaf("input", (name,), name, quantity_of(figure), figure.text, None, "the prose")


def assumed(result: ClaimResult, name: str, text: str) -> Leaf | None:
    """An input that the claim itself supplies."""
    try:
        return Leaf("input", (name,), name, quantity_of(read_figure(text)), text, "assumed")
    except FigureError as error:
        result.problems.append(Problem(error.name, str(error), Place((*result.pointer, "assume", name))))
        result.unavailable = True
        return None


def repeated(data: Mapping[str, Any]) -> list[str]:
    """Names that a claim gives twice."""
    names = [*data.get("read", {}), *data.get("assume", {}), *data.get("held", {}).values(), *data.get("over", {}),
             *data.get("of", {})]
    return sorted({name for name in names if names.count(name) > 1})
