"""Values that several places state of one thing, and which of them cannot be right together."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from specdil_records.arithmetic import PURE, same_measure
from specdil_records.claims.quantities import Unavailable, ends
from specdil_records.claims.subjects import QUANTITIES, SHAPE, cell_text, stated_value, written_value
from specdil_records.corpus import Corpus, Record
from specdil_records.figures import Figure
from specdil_records.findings import Place, Pointer, Problem
from specdil_records.rules.rule import View
from specdil_records.rules.totals import TOTALS, as_counted
from specdil_records.rules.written import numbered

VOCABULARY = {"accelerator": frozenset(QUANTITIES), "model": frozenset({*SHAPE, *TOTALS})}


def contradictions(view: View) -> Iterator[Problem]:
    """Values of this record that cannot be right together with those of another."""
    record = view.record
    if not record.sound:
        return
    if record.kind == "source":
        yield from _once(chain(_tables_against_things(view), _tables_against_tables(view)))
    elif record.own:
        yield from _own_against_brought_in(view)


def contradictions_of_tables(view: View) -> Iterator[Problem]:
    """Those of its tables that lie in the tables of other sources alone."""
    yield from _once(_tables_against_tables(view))


def _once(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problem of each place: one value that contradicts several others is one that has to be looked at."""
    seen = set()
    for problem in problems:
        if problem.where not in seen:
            seen.add(problem.where)
            yield problem


def _tables_against_things(view: View) -> Iterator[Problem]:
    for at, table in enumerate(view.data.get("tables", [])):
        # Other conditions make it another measurement, which may well give another value.
        if len(table.get("conditions", {})) != 1:
            continue
        (kind, name), = table["conditions"].items()
        thing = view.corpus.find(kind, name) if kind in VOCABULARY and isinstance(name, str) else None
        if thing is None or not thing.sound:
            continue
        for column in table["columns"]:
            if column in VOCABULARY[kind]:
                yield from _column_against(view, at, column, thing)


def _column_against(view: View, at: int, column: str, thing: Record) -> Iterator[Problem]:
    own = value_of(thing, column)
    if own is None:
        return
    for pointer, figure, text in _numbers(view.record, at, column):
        if contradict(figure, own) and not settled(thing, column, figure):
            yield Problem("contradiction", f"{thing.tail} has {column} {own.text}, this table {text}",
                          Place(pointer), related=(thing.path,), data={"thing": thing.id, "quantity": column})


def _numbers(source: Record, at: int, quantity: str) -> Iterator[tuple[Pointer, Figure, str]]:
    """The numbers of a column, each with its place and as it is to be shown: with its unit, where the column has it."""
    table = source.data["tables"][at]
    unit = table.get("unit", {}).get(quantity)
    for pointer, cell in numbered(("tables", at, "columns", quantity), table["columns"][quantity]):
        text, details = cell_text(cell, None)
        counted = as_counted(quantity, text) if quantity in TOTALS else text
        figure = _readable(source, pointer, counted, details, unit)
        if figure is not None:
            yield pointer, figure, figure.text if unit is None or unit in figure.text else f"{figure.text} {unit}"


class Topic(NamedTuple):
    """What a column of a table holds values of, and under which conditions: two cells of one topic have to agree."""

    kind: str
    thing: str
    quantity: str
    conditions: tuple[tuple[str, str], ...]


class Cell(NamedTuple):
    """A cell, what stands beside it that tells its row from others, and its number."""

    pointer: Pointer
    row: tuple[tuple[str, str], ...]
    figure: Figure
    text: str


def _tables_against_tables(view: View) -> Iterator[Problem]:
    """Cells that cannot be right together with one of another source, or of an earlier table: told by the later one.

    Cards say which tables have a topic in common, so that no source is read for nothing.
    """
    record, corpus = view.record, view.corpus
    by_topic = tables_by_topic(corpus)
    for topic, at in _topics(corpus, record):
        for other, there in by_topic.get(topic, ()):
            if (other.own, other.path, there) >= (record.own, record.path, at):
                break
            thing = corpus.find(topic.kind, topic.thing)
            theirs = {cell.row: cell for cell in _cells(other, there, topic.quantity)}
            for cell in _cells(record, at, topic.quantity):
                its = theirs.get(cell.row)
                if its is not None and _clash(thing, topic.quantity, cell.figure, its.figure):
                    yield Problem("contradiction", f"{topic.thing} has {topic.quantity} {cell.text} here, "
                                  f"{its.text} in {other.tail}#{other.data['tables'][there]['id']}",
                                  Place(cell.pointer), related=(other.path,),
                                  data={"thing": topic.thing, "quantity": topic.quantity})


def tables_by_topic(corpus: Corpus) -> Mapping[Topic, list[tuple[Record, int]]]:
    """Where each topic has a table, by path; what the corpus stands on comes first."""
    found: dict[Topic, list[tuple[Record, int]]] | None = corpus.notes.get("tables by topic")
    if found is None:
        found = corpus.notes["tables by topic"] = {}
        sources = {one.path: one for one in corpus.of_kind("source")}
        for source in sorted(sources.values(), key=lambda one: (one.own, one.path)):
            for topic, at in _topics(corpus, source):
                found.setdefault(topic, []).append((source, at))
    return found


def _topics(corpus: Corpus, source: Record) -> Iterator[tuple[Topic, int]]:
    """The topics of a source in force, each with the table that has it."""
    if source.card is None or source.card.status != "active":
        return
    for stated in source.card.stated:
        thing = corpus.find(stated.kind, stated.thing)
        name = stated.thing if thing is None else thing.tail
        for column in stated.columns:
            if column in VOCABULARY[stated.kind]:
                yield Topic(stated.kind, name, column, stated.conditions), stated.at


def _cells(source: Record, at: int, quantity: str) -> list[Cell]:
    """The cells of a column whose rows are told apart by what stands in columns that hold no results.

    Rows that those do not tell apart differ in something that nobody can compare.
    """
    table = source.data["tables"][at]
    keys = {name: cells for name, cells in table["columns"].items()
            if name not in table.get("unit", {}) and not any(name in words for words in VOCABULARY.values())}
    found = [Cell(pointer, _row(keys, pointer[-1]), figure, text)
             for pointer, figure, text in _numbers(source, at, quantity)]
    seen = Counter(cell.row for cell in found)
    return [cell for cell in found if seen[cell.row] == 1]


def _row(keys: Mapping[str, Any], place: str | int) -> tuple[tuple[str, str], ...]:
    """What stands beside a cell: in its row, if it has a place in its column, and in what is one cell for all rows."""
    beside = {}
    for name, cells in keys.items():
        if not isinstance(cells, list):
            beside[name] = cells
        elif isinstance(place, int) and place < len(cells):
            beside[name] = cells[place]
    return tuple(sorted((name, cell_text(cell, None)[0]) for name, cell in beside.items()))


def _clash(thing: Record | None, quantity: str, here: Figure, there: Figure) -> bool:
    if not contradict(here, there):
        return False
    return thing is None or not thing.sound or not (settled(thing, quantity, here) or settled(thing, quantity, there))


def _own_against_brought_in(view: View) -> Iterator[Problem]:
    shared = view.corpus.brought_in.get(view.record.id)
    if shared is None or not shared.sound:
        return
    for column in (*QUANTITIES, *SHAPE, *TOTALS):
        mine, theirs = value_of(view.record, column), value_of(shared, column)
        if mine is not None and theirs is not None and contradict(mine, theirs) \
                and not settled(view.record, column, theirs):
            place = (column,) if column in TOTALS else (
                "quantities" if view.record.kind == "accelerator" else "shape", column)
            yield Problem("contradiction", f"{column} is {mine.text} here, {theirs.text} in the corpus that this one "
                          "stands on", Place(place), data={"thing": shared.id, "quantity": column})


def value_of(record: Record, quantity: str) -> Figure | None:
    """A value of an accelerator or model as it is written."""
    if quantity in TOTALS and quantity in record.data:
        return _readable(record, (quantity,), as_counted(quantity, str(record.data[quantity])), {})
    entry = record.data.get("quantities", {}).get(quantity)
    text = entry["value"] if isinstance(entry, dict) else record.data.get("shape", {}).get(quantity)
    if text is None:
        return None
    return _readable(record, ("value", quantity), str(text), entry if isinstance(entry, dict) else {})


def _readable(record: Record, pointer: Pointer, text: str, details: Mapping[str, Any],
              unit: str | None = None) -> Figure | None:
    """A number as it is written; None for one that cannot be read, which has a finding of its own."""
    try:
        return stated_value(record, pointer, text, details, unit)
    except Unavailable:
        return None


def contradict(a: Figure, b: Figure) -> bool:
    """Whether two numbers cannot be right together; one that is of another measure is another fault."""
    left, right = (figure.unit.dimension if figure.unit is not None else PURE for figure in (a, b))
    return same_measure(left, right) and apart(a, b)


def apart(a: Figure, b: Figure) -> bool:
    """Whether the intervals that two numbers stand for are disjoint."""
    (al, ah), (bl, bh) = ends(a.as_input), ends(b.as_input)  # two pure counts are equal or they are not
    return bool(ah < bl or bh < al)


def settled(thing: Record, quantity: str, figure: Figure) -> bool:
    """Whether the thing's own record lists the other value as a known conflict."""
    for i, entry in enumerate(thing.data.get("conflicts", [])):
        if entry["quantity"] == quantity:
            try:
                known = written_value(thing, ("conflicts", i, "value"), entry["value"])
            except Unavailable:
                continue
            if not apart(known, figure):
                return True
    return False
