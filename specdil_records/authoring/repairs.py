"""The repairs that a program may make by itself, each with the reason where it may not."""
from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from specdil_records.authoring.formatting import quote_ambiguous
from specdil_records.authoring.passages import sentence_around
from specdil_records.authoring.rounding import NoDigits, right_digits
from specdil_records.authoring.selection import BOM
from specdil_records.authoring.splicing import CannotSplice, planned, spliced
from specdil_records.claims import Evaluation
from specdil_records.claims.following import Key, followers
from specdil_records.claims.locating import Field
from specdil_records.claims.results import FigureResult
from specdil_records.corpus import Record
from specdil_records.findings import Pointer, Splice, pointer_text
from specdil_records.prose.verbatim import QuoteMatch, find_quote

WORDS = ("only", "half", "halves", "twice", "double", "exceeds", "more", "less", "most", "least", "peak", "never",
         "always")
"""Beside one of these a number is part of an argument: another number may make the sentence false."""

_WORDS = re.compile(rf"(?<!\w)(?:{'|'.join(WORDS)})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair of one finding, or (`refused`) why there is none. `content` is the whole file as bytes."""

    name: str
    what: str
    content: bytes = b""
    splices: tuple[Splice, ...] = ()
    refused: str = ""


def repairs(record: Record, raw: bytes, evaluation: Evaluation | None) -> Iterator[Repair]:
    """Every repair that a record as it is now asks for, in the order in which they are tried."""
    if raw.startswith(BOM):
        yield Repair("byte-order-mark", "the mark is dropped", raw[len(BOM):])
    if record.document.broken:
        return
    if not record.path.lower().endswith(".json"):
        text, quoted = quote_ambiguous(record.document.text)
        if quoted:
            what = ", ".join(sorted(pointer_text(pointer) for pointer in quoted))
            yield Repair("ambiguous-scalar", f"{what} in quotes", _bytes(raw, text))
    if evaluation is None:
        return
    for name, what, splices in _candidates(evaluation):
        if isinstance(splices, str):
            yield Repair(name, what, refused=splices)
            continue
        try:
            text = spliced(record.document, splices)
            planned(record.data, splices)
        except CannotSplice as error:
            yield Repair(name, what, refused=str(error))
            continue
        yield Repair(name, what, _bytes(raw, text), tuple(splices))


def _bytes(raw: bytes, text: str) -> bytes:
    return (BOM if raw.startswith(BOM) else b"") + text.encode("utf-8")


Candidate = tuple[str, str, list[Splice] | str]


def _candidates(evaluation: Evaluation) -> Iterator[Candidate]:
    yield from _typography(evaluation)
    yield from _changed(evaluation)
    yield from _drifted(evaluation)


# Typography -------------------------------------------------------------------------------------------------


def _typography(evaluation: Evaluation) -> Iterator[Candidate]:
    """Quotes and effects that differ from the prose in typography take its characters."""
    for claim in evaluation.claims:
        passage = claim.passage
        if passage is not None and passage.points:
            pointer: Pointer = (*claim.pointer, "quote")
            yield _retyped(pointer, passage.quote, passage.text)
    for i, row in enumerate(evaluation.record.data.get("hardware_parameters", [])):
        matches = [(field, match) for field in evaluation.fields.values()
                   if isinstance(match := find_quote(row["effect"], field.text, field.numbers), QuoteMatch)]
        unlike = [(field, match) for field, match in matches if match.stage == "typography"]
        if unlike and len(unlike) == len(matches):
            field, match = unlike[-1]
            yield _retyped(("hardware_parameters", i, "effect"), row["effect"], field.text[match.start:match.end])


def _retyped(pointer: Pointer, words: str, origin: str) -> Candidate:
    """The words with the characters of their origin; white space, which may differ, stays as it is."""
    splices = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, words, origin, autojunk=False).get_opcodes():
        if tag != "equal" and not (words[i:j].isspace() and origin[k:m].isspace()):
            splices.append(Splice(pointer, i, j, origin[k:m]))
    return "typography-differs", f"{pointer_text(pointer)} as the prose has it", splices


# Numbers ----------------------------------------------------------------------------------------------------


def _changed(evaluation: Evaluation) -> Iterator[Candidate]:
    """Numbers of the prose that a quote has otherwise, and that no figure objects to: the claim follows the prose."""
    drifting = {(figure.field.pointer, index) for claim in evaluation.claims for figure in claim.figures
                if figure.state == "drifts" and not figure.excused for index in figure.numbers}
    seen: set[Key] = set()
    for claim in evaluation.claims:
        changes = [(claim.passage.field, index) for index, _ in claim.passage.changed] if claim.passage else []
        changes += [(field, index) for field, place in claim.inputs.values() for index, _ in place.changed]
        for field, index in changes:
            key = (field.pointer, index)
            if key in seen or key in drifting:
                continue
            seen.add(key)
            what = f"what quotes {pointer_text(field.pointer)} follows it: {field.digits(index)}"
            yield "quote-not-verbatim", what, followers(evaluation, {key: field.digits(index)})


def _drifted(evaluation: Evaluation) -> Iterator[Candidate]:
    """Figures that drift, sentence by sentence: all of one sentence are written anew together."""
    groups: dict[tuple[Pointer, int, int], list[FigureResult]] = {}
    for claim in evaluation.claims:
        for figure in claim.figures:
            if figure.state == "drifts" and not figure.excused and figure.numbers:
                number = figure.field.numbers[figure.numbers[0]]
                sentence = sentence_around(figure.field.text, number.start, number.end)
                groups.setdefault((figure.field.pointer, *sentence), []).append(figure)
    for (pointer, start, end), figures in groups.items():
        field = figures[0].field
        quoted = ", ".join(dict.fromkeys(figure.quoted for figure in figures))
        what = f"{quoted} in {pointer_text(pointer)}"
        try:
            digits = _new_digits(figures)
            _refuse_argument(field, start, end, digits)
        except NoDigits as error:
            yield "figure-drift", what, str(error)
            continue
        said = ", ".join(f"{field.digits(index)} becomes {text}" for (_, index), text in digits.items())
        splices = [Splice(pointer, field.numbers[index].start, field.numbers[index].end, text)
                   for (_, index), text in digits.items()]
        yield "figure-drift", f"{said} in {pointer_text(pointer)}", splices + followers(evaluation, digits)


def _new_digits(figures: list[FigureResult]) -> dict[Key, str]:
    """The right digits of each figure. Raises `NoDigits`."""
    digits: dict[Key, str] = {}
    for figure in figures:
        if figure.anchored.term is not None or len(figure.numbers) != 1:
            raise NoDigits("a symbolic term is not rewritten")
        key = (figure.field.pointer, figure.numbers[0])
        text = right_digits(figure, figure.field.digits(figure.numbers[0]))
        if digits.setdefault(key, text) != text:
            raise NoDigits("two claims want different digits")
    return digits


def _refuse_argument(field: Field, start: int, end: int, digits: Mapping[Key, str]) -> None:
    """Raises `NoDigits` where the sentence argues with the number, so that a new one may make it false."""
    others = [field.digits(index) for index in field.inside(start, end)
              if field.numbers[index].exempt is None and (field.pointer, index) not in digits]
    if others:
        raise NoDigits(f"its sentence holds another number, {others[0]}, that would stay as it is")
    if word := _WORDS.search(field.text, start, end):
        raise NoDigits(f"its sentence says {word[0]!r}; with another number that may be false")
