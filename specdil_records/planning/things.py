"""Accelerators and models by the names of their records, with the values as they are written there.

A claim takes a written value as the interval that it stands for; a plan takes the value itself. Only the files that
are named are read, from the corpus at hand and else from the one that ships with the tool.
"""
from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from specdil_records.arithmetic import Interval, divide, plain
from specdil_records.claims.quantities import Leaf, Quantity, Unavailable, Undecided
from specdil_records.claims.subjects import FORMATS, QUANTITIES, SHAPE, subject
from specdil_records.corpus import Record, Settings, SettingsError, find_settings
from specdil_records.corpus.files import source_file
from specdil_records.corpus.loading import load_record
from specdil_records.planning.errors import PlanningError, UnsoundRecord
from specdil_records.reading.files import UnreadableFile
from specdil_records.roofline import Accelerator, Model
from specdil_records.shipped import shipped_folder

FOLDERS = {"accelerator": "accelerators", "model": "models", "source": "sources"}
SUFFIXES = (".yaml", ".yml", ".json")
_MAY_BE_NONE = ("shared_experts", "dense_layers", "local_layers")
"""Counts of a model's shape that may be 0, as its schema has it."""


def as_written(leaf: Leaf) -> Quantity:
    """The value that a record writes down, without the interval of its rounding."""
    value = leaf.quantity.value
    return replace(leaf.quantity, value=plain(divide(value.lo + value.hi, 2)) if isinstance(value, Interval) else value)


class Library:
    """Records that plans are made of, found by the tails of their ids."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    @staticmethod
    def at(start: Path) -> Library:
        """The corpus that a folder belongs to, if it does to one, and behind it the one that ships."""
        shipped = shipped_folder("records")
        try:
            here = find_settings(start).folder
        except SettingsError:
            return Library((shipped,))
        return Library((here, shipped) if here != shipped else (shipped,))

    def record(self, kind: str, name: str, argument: str) -> Record:
        """The record of a kind. Raises `PlanningError` for a name that nothing has, `UnsoundRecord`."""
        tail = name.removeprefix(FOLDERS[kind] + "/")
        for folder in self.folders:
            for suffix in SUFFIXES:
                file = folder / FOLDERS[kind] / (tail + suffix)
                if Path(tail).name == tail and file.is_file():
                    return _sound(_read(folder, file, argument), file)
        near = difflib.get_close_matches(tail, self.names(kind), n=1)
        raise PlanningError(f"{argument}: there is no {kind} {name!r}" + (f"; did you mean {near[0]}?" if near else ""))

    def names(self, kind: str) -> list[str]:
        """The tails of all ids of a kind."""
        return sorted({file.name.removesuffix(file.suffix) for folder in self.folders
                       for file in (folder / FOLDERS[kind]).glob("*") if file.suffix in SUFFIXES})

    def accelerator(self, name: str, argument: str = "accelerator") -> Accelerator:
        """An accelerator with the values as written. Raises as `record`."""
        found = self._thing("accelerator", name, argument)
        assert isinstance(found, Accelerator)
        return found

    def model(self, name: str, argument: str = "model") -> Model:
        """A model's shape. Raises as `record`."""
        found = self._thing("model", name, argument)
        assert isinstance(found, Model)
        return found

    def _thing(self, kind: str, name: str, argument: str) -> Any:
        found = subject(self.record(kind, name, argument))
        assert found is not None
        try:
            return found.machine(argument, as_written)[0]
        except (Undecided, Unavailable) as error:
            raise UnsoundRecord(f"{argument}: {kind} {name} cannot be used: {error}") from None


def _read(folder: Path, file: Path, argument: str) -> Record:
    try:
        return load_record(source_file(Settings(project=folder.parent, folder=folder), file))
    except UnreadableFile as error:
        raise PlanningError(f"{argument}: {error}") from None


def _sound(record: Record, file: Path) -> Record:
    if not record.sound:
        raise UnsoundRecord(f"{record.id} does not read or does not fit its schema; records check {file} says why")
    if record.id != record.path_id:
        raise UnsoundRecord(f"{file} says of itself that it is {record.id}")
    return record


def with_literals(thing: Accelerator | Model | None, values: Mapping[str, Any], argument: str, kind: str) -> Any:
    """A thing with some values replaced by literals, or made of literals alone. Raises `PlanningError`."""
    if kind == "accelerator":
        known: tuple[str, ...] = tuple(name for name in QUANTITIES if not name.endswith("_sparse"))
    else:
        known = SHAPE
    for name, value in values.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise PlanningError(f"{argument}.{name} is no value of {'an' if kind == 'accelerator' else 'a'} {kind}"
                                + (f"; did you mean {near[0]}?" if near else ""))
        least = 0 if name in _MAY_BE_NONE else 1
        if kind == "accelerator" and value <= 0:
            raise PlanningError(f"{argument}.{name} is more than nothing")
        if kind == "model" and (value < least or Fraction(value).denominator != 1):
            raise PlanningError(f"{argument}.{name} is a whole number from {least} on")
    if kind == "model":
        return replace(thing, **values) if isinstance(thing, Model) else Model(**values, name=argument)
    chip = thing if isinstance(thing, Accelerator) else Accelerator(name=argument)
    peaks = dict(chip.peaks)
    peaks.update({dtype: values[name] for dtype in FORMATS if (name := f"peak_{dtype}_dense") in values})
    plainly = {name: value for name, value in values.items() if not name.startswith("peak_")}
    return replace(chip, peaks=peaks, **plainly)


def exact_float(value: Any) -> Fraction:
    """A float as the short decimal that it prints as, so that it reads well where it is shown."""
    return Fraction(repr(float(value)))
