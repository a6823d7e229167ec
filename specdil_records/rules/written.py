"""Numbers and places as records write them: what cannot be read, what contradicts, what leads nowhere."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, AnyStr

from specdil_records.arithmetic import same_measure
from specdil_records.claims.locating import Field
from specdil_records.claims.quantities import measure
from specdil_records.claims.subjects import QUANTITIES, cell_text, with_uncertainty
from specdil_records.corpus import Record, values_of
from specdil_records.figures import FigureError, read_figure
from specdil_records.findings import Place, Pointer, Problem
from specdil_records.prose.numbers import find_numbers
from specdil_records.rules.backing import nearest
from specdil_records.rules.rule import View
from specdil_records.rules.totals import TOTALS, as_counted

NUMBER = r"(?:[A-Z](?:\.\d+)*|[a-z](?:\.\d+)+|[IVXLC]+|\d+(?:\.\d+)*[a-z]?)\b(?:\([a-z]\))?"
# A figure in small letters is a number: the report's figure of 40%.
LOCATOR = re.compile(r"(?:\b(?:Figure|Fig\.|(?i:Appendix|App\.|Section|Sec\.|Table|Tab\.|Chapter|Equation|Eq\.|Theorem|"
                     rf"Algorithm|Alg\.|Lemma))\s+|\u00a7\s*){NUMBER}"
                     rf"|\b(?P<several>Figures|(?i:Appendices|Sections|Tables|Chapters|Equations|Theorems|Algorithms))\s+"
                     rf"(?P<list>{NUMBER}(?:(?:,|,?\s(?:and|or))\s{NUMBER})*)")
STEMS = (b"fig", b"app", b"sect", b"sec.", b"tab", b"chapter", b"eq", b"theorem", b"alg", b"lemma")
"""How the words of `LOCATOR` begin."""
ONE = {"appendices": "Appendix"}
"""Where the word for one place is not that for several without its last letter."""
LINK = re.compile(r"(?:['\u2019]s)?(?:[\s,:(\[]+(?:the|its|paper|report|blog|page|docs?|documentation|note|study|white|"
                  r"in|and|of|at|from|(?:report|show|give|say|find|list|state|note|measure)s?|v\d+))*[\s,:(\[]*")
JOINED = re.compile(r"[\s,;&]*(?:and|or|to)?[\s,;&]*")
REACH = 160
EMPTY = frozenset({"", "-", "\u2013", "\u2014", "n/a"})


def unreadable(view: View, name: str) -> Iterator[Problem]:
    """Numbers of prose and of evidence that cannot be read, or whose unit is not known."""
    if not view.record.sound or view.record.version in ("1.0", "2.0"):
        return
    yield from _unreadable_prose(view, name)
    for pointer, text, unit, quantity in evidence(view.record):
        found = fault(text, unit, quantity)
        if found is not None and found.name == name:
            yield Problem(name, str(found), Place(pointer), data={"figure": text})
    for pointer, text, uncertainty, unit in uncertainties(view.record):
        found = fault_beside(text, uncertainty, unit)
        if found is not None and found.name == name:
            yield Problem(name, str(found), Place(pointer), data={"figure": uncertainty})


def _unreadable_prose(view: View, name: str) -> Iterator[Problem]:
    if view.evaluation is None or view.record.kind != "flop":
        return
    for field in view.evaluation.fields.values():
        for number in field.numbers:
            if number.problem is not None and number.problem.name == name:
                yield Problem(name, str(number.problem), Place(field.pointer, number.start, number.end),
                              data={"figure": field.text[number.start:number.stop]})
    for i, row in enumerate(view.data.get("hardware_parameters", [])):
        for number in find_numbers(row.get("magnitude", "")):
            if number.problem is not None and number.problem.name == name:
                yield Problem(name, str(number.problem),
                              Place(("hardware_parameters", i, "magnitude"), number.start, number.end))


def evidence(record: Record) -> Iterator[tuple[Pointer, str, str | None, str | None]]:
    """Every number of evidence: its place, its text, the unit of its column, the quantity that it is a value of."""
    data = record.data
    if record.kind == "accelerator":
        for name, value in values_of(data, "quantities").items():
            yield ("quantities", name, "value"), value["value"], None, name
        for i, entry in enumerate(data.get("conflicts", [])):
            yield ("conflicts", i, "value"), entry["value"], None, entry["quantity"]
    if record.kind == "model":
        yield from (((name,), as_counted(name, str(data[name])), None, name) for name in TOTALS if name in data)
    if record.kind == "source":
        for i, table in enumerate(data.get("tables", [])):
            units = table.get("unit", {})
            for column, cells in table["columns"].items():
                for pointer, cell in numbered(("tables", i, "columns", column), cells):
                    text, _ = cell_text(cell, None)
                    if (column in units or column in QUANTITIES) and text.strip() not in EMPTY:
                        yield pointer, text, units.get(column), column


def uncertainties(record: Record) -> Iterator[tuple[Pointer, str, str, str | None]]:
    """Numbers of evidence that say how far they may be off: where they say so, both texts, the unit of the column."""
    for name, value in values_of(record.data, "quantities").items():
        if "uncertainty" in value:
            yield ("quantities", name, "uncertainty"), value["value"], value["uncertainty"], None
    for i, table in enumerate(record.data.get("tables", [])):
        for column, cells in table["columns"].items():
            for pointer, cell in numbered(("tables", i, "columns", column), cells):
                text, details = cell_text(cell, None)
                if "uncertainty" in details:
                    unit = table.get("unit", {}).get(column)
                    yield (*pointer, "uncertainty"), text, details["uncertainty"], unit


def fault_beside(text: str, uncertainty: str, unit: str | None) -> FigureError | None:
    """What is wrong with an uncertainty, by itself or beside its number."""
    try:
        stated = read_figure(uncertainty)
        if stated.value <= 0:
            return FigureError("unreadable-number", f"an uncertainty is more than nothing, not {uncertainty}")
        if fault(text, unit, None) is None:  # else there is no number, which is told there
            with_uncertainty(read_figure(text, unit), stated)
    except FigureError as error:
        return error
    return None


def numbered(pointer: Pointer, cells: Any) -> list[tuple[Pointer, Any]]:
    """The cells of a column with their places; a single cell is a column of its own."""
    if isinstance(cells, list):
        return [((*pointer, i), cell) for i, cell in enumerate(cells)]
    return [(pointer, cells)]


def fault(text: str, unit: str | None, quantity: str | None) -> FigureError | None:
    """What is wrong with one number of evidence."""
    try:
        figure = read_figure(text, unit)
    except FigureError as error:
        return error
    if (total := TOTALS.get(quantity or "")) is not None and figure.unit is not None:
        if not same_measure(figure.unit.dimension, total.dimension):
            return FigureError("unknown-unit", f"{quantity} is {measure(total.dimension)}; {text!r} is not")
        return None
    wanted = QUANTITIES.get(quantity or "")
    if wanted is None:
        return None
    if figure.value <= 0:
        return FigureError("unreadable-number", f"{quantity} is more than nothing, not {text}")
    has = figure.unit.dimension if figure.unit is not None else None
    if has is None or not same_measure(has, wanted):
        return FigureError("unknown-unit", f"{quantity} is measured in {measure(wanted)}; {text!r} is not")
    return None


# Places in sources ----------------------------------------------------------------------------------------


def unknown_places(view: View) -> Iterator[Problem]:
    """A place named after a source's name in the prose that the source's record does not have."""
    if view.evaluation is None or view.record.kind != "flop":
        return
    for field in view.evaluation.fields.values():
        last: tuple[int, Record | None] = (0, None)
        for match in located(field.text):
            source = named_before(view, field.text[max(0, match.start() - REACH):match.start()])
            if source is None and JOINED.fullmatch(field.text, last[0], match.start()):
                source = last[1]  # Table 2 and Table 3 of the same source
            last = (match.end(), source)
            if source is None or not source.sound:
                continue
            places = [one["locator"] for key in ("tables", "quotes") for one in source.data.get(key, [])]
            for named, start, end in places_of(match):
                if not _is_measured(field, start, end) and not any(is_place(named, place) for place in places):
                    yield Problem("unresolved-reference", f"{source.tail} has no place {named!r}"
                                  f"{nearest(named, places)}", Place(field.pointer, start, end),
                                  data={"source": source.id, "locator": named})


def located(text: str) -> Iterator[re.Match[str]]:
    """The matches of `LOCATOR`, one behind another."""
    # Tried only where such a word may begin: a search from every letter took a twentieth of the time of a check.
    folded = text.replace("\u017f", "s").encode("ascii", "replace").lower()
    starts, end = list(places_in(text, "\u00a7")), 0
    for stem in STEMS:
        starts += places_in(folded, stem)
    for start in sorted(starts):
        if start >= end and (match := LOCATOR.match(text, start)) is not None:
            end = match.end()
            yield match


def places_in(text: AnyStr, part: AnyStr) -> Iterator[int]:
    """Where a part of a text stands in it."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def places_of(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """The places that words name, each with where it stands: Tables 3 and 9 are Table 3, and Table 9 at the 9."""
    several = match["several"]
    if several is None:
        yield match[0], match.start(), match.end()
        return
    for number in re.finditer(NUMBER, match["list"]):
        start = match.start("list") + number.start()
        yield f"{ONE.get(several.casefold(), several[:-1])} {number[0]}", start, start + len(number[0])


def _is_measured(field: Field, start: int, end: int) -> bool:
    """Whether the digits behind a word that locates are a number all the same: Table 40% of the report."""
    return any(number.exempt is None and number.start < end and start < number.stop for number in field.numbers)


def named_before(view: View, before: str) -> Record | None:
    """The source whose name ends a text, but for a few small words; the longest name, where several begin there."""
    best: tuple[tuple[int, int], Record] | None = None
    folded = re.sub(r"\s", " ", before.casefold())
    for source in view.corpus.of_kind("source"):
        for name in filter(None, (source.tail.casefold(), " ".join(source.title.casefold().split()))):
            at = folded.rfind(name)
            if at < 0 or (at and folded[at - 1].isalnum()):
                continue
            if LINK.fullmatch(folded, at + len(name)) and (best is None or (at, -len(name)) < best[0]):
                best = (at, -len(name)), source
    return best[1] if best is not None else None


def is_place(named: str, place: str) -> bool:
    """Whether a place as the prose names it is one of a source's locators, or the beginning of one."""
    a, b = (" ".join(one.casefold().replace("\u00a7", "section ").split()) for one in (named, place))
    return b == a or (b.startswith(a) and not (b[len(a)].isalnum() or b[len(a)] == "."))
