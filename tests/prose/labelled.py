"""The labelled sentences, and how often the finder agrees with them."""
from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from specdil_records.prose.numbers import Found, find_numbers

_ESCAPED = re.compile(r"\\n|\\u([0-9a-f]{4})")
TABLE = Path(__file__).with_name("sentences.txt")
_LABEL = re.compile(r"(?P<digits>.+?)(?:(?P<end>[<>]?)=(?P<value>[-0-9.e/]+)(?: (?P<unit>\S+))?"
                    r"|:(?P<reason>[a-z]+)|!(?P<problem>[a-z-]+))$")


@dataclass(frozen=True, slots=True)
class Label:
    """What a number in a sentence is: where its digits stand, and a description of it."""

    start: int
    end: int
    what: tuple[object, ...]


def sentences() -> list[tuple[str, list[Label]]]:
    """Every sentence of the table with its labels; each label's digits are sought behind the one before."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    assert len(lines) % 2 == 0, "a sentence without its labels"
    found = []
    for text, labels in zip(lines[::2], lines[1::2], strict=True):
        sentence, labels = (_ESCAPED.sub(_unescaped, line) for line in (text, labels))
        at, read = 0, []
        for written in [] if labels == "none" else labels.split(" | "):
            label = _LABEL.match(written)
            assert label, f"{written!r} is no label of {text!r}"
            start = sentence.index(label["digits"], at)
            at = start + len(label["digits"])
            read.append(Label(start, at, _described(label)))
        found.append((sentence, read))
    return found


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else "\n"


def _described(label: re.Match[str]) -> tuple[object, ...]:
    if label["reason"]:
        return ("exempt", label["reason"])
    if label["problem"]:
        return ("problem", label["problem"])
    return ("number", Fraction(label["value"]), label["unit"] or "", label["end"])


def seen(found: Found) -> Label:
    """A number that was found, described as the table does."""
    if found.exempt is not None:
        return Label(found.start, found.end, ("exempt", found.exempt))
    if found.problem is not None:
        return Label(found.start, found.end, ("problem", found.problem.name))
    assert found.figure is not None
    unit = found.figure.unit
    kinds = {"count-scale": "scale"}
    named = "" if unit is None else kinds.get(unit.kind, unit.kind) or str(unit.dimension)
    return Label(found.start, found.end, ("number", found.figure.value, named, ""))


def found_in(sentence: str) -> list[Label]:
    """All that the finder says of a sentence."""
    numbers = find_numbers(sentence)
    labels = []
    for index, number in enumerate(numbers):
        label = seen(number)
        if number.partner is not None:
            label = Label(label.start, label.end, (*label.what[:-1], "<" if number.partner > index else ">"))
        labels.append(label)
    return labels


@dataclass(frozen=True, slots=True)
class Score:
    """How the finder does on the whole table."""

    labelled: int
    found: int
    right: int
    wrong: tuple[str, ...]

    @property
    def precision(self) -> Fraction:
        """The part of what was found that is right."""
        return Fraction(self.right, self.found)

    @property
    def recall(self) -> Fraction:
        """The part of what is there that was found."""
        return Fraction(self.right, self.labelled)


def score() -> Score:
    """Run the finder over the table."""
    labelled = found = right = 0
    wrong = []
    for sentence, labels in sentences():
        have = found_in(sentence)
        labelled += len(labels)
        found += len(have)
        right += len(set(labels) & set(have))
        if set(labels) != set(have):
            wrong.append(f"{sentence!r}: {sorted(set(labels) ^ set(have), key=lambda one: one.start)}")
    return Score(labelled, found, right, tuple(wrong))
