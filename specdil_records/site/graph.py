"""What rests on what, laid out in three columns: sources, the things that they speak of, the records that use both."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from specdil_records.site.facts import Facts
from specdil_records.site.markup import Html, escaped

MOST_DRAWN = 400
"""Records that are drawn; a larger corpus has its lists."""
ROW, TOP, WIDTH = 17, 34, 1000
COLUMNS = (("source", 250, "end"), ("thing", 500, "middle"), ("flop", 750, "start"))
HALF = 108
"""Half the width that a name in the middle column takes."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One record rests on another."""

    lower: str
    upper: str


def edges_of(facts: Iterable[Facts]) -> list[Edge]:
    """Every pair of records of which the second names the first."""
    found = [Edge(target, one.id) for one in facts for target in dict.fromkeys((*one.uses, *one.named_in))]
    return sorted(found, key=lambda edge: (edge.lower, edge.upper))


def graph(facts: Sequence[Facts]) -> Html:
    """The picture. Names are links; edges are curves from left to right."""
    columns = [[one for one in facts if column == one.kind or (column == "thing" and one.kind in
                                                               ("accelerator", "model"))] for column, _, _ in COLUMNS]
    edges = edges_of(facts)
    columns[0] = _near(columns[0], columns[1] + columns[2], edges)
    height = TOP + ROW * max((len(column) for column in columns), default=0) + 10
    places: dict[str, tuple[int, float]] = {}
    for number, column in enumerate(columns):
        step = (height - TOP - 10) / max(len(column), 1)
        for row, one in enumerate(column):
            places[one.id] = (number, round(TOP + step * (row + 0.5), 1))
    numbers = {one.id: count for count, one in enumerate(facts)}
    paths = "".join(_edge(edge, places, numbers) for edge in edges if edge.lower in places and edge.upper in places)
    heads = "".join(f'<text class="head" x="{x}" y="14" text-anchor="{anchor}">{title}</text>' for (_, x, anchor), title
                    in zip(COLUMNS, ("sources", "accelerators and models", "records"), strict=True))
    names = "".join(_name(one, places[one.id], numbers[one.id]) for column in columns for one in column)
    return Html(f'<svg class="graph" viewBox="0 0 {WIDTH} {height}" role="group" aria-label="Sources on the left, '
                f'accelerators and models in the middle, records on the right; a curve where one rests on another. '
                f'The same is listed below.">{paths}{heads}{names}</svg>')


def _near(column: list[Facts], others: list[Facts], edges: list[Edge]) -> list[Facts]:
    """Sources in the order of what rests on them, so that fewer curves cross."""
    place = {one.id: row / max(len(others), 1) for row, one in enumerate(others)}
    wanted: dict[str, list[float]] = {}
    for edge in edges:
        if edge.upper in place:
            wanted.setdefault(edge.lower, []).append(place[edge.upper])
    middle = {key: sum(values) / len(values) for key, values in wanted.items()}
    return sorted(column, key=lambda one: (middle.get(one.id, 2.0), one.id))


def _edge(edge: Edge, places: dict[str, tuple[int, float]], numbers: dict[str, int]) -> str:
    (left, y1), (right, y2) = places[edge.lower], places[edge.upper]
    if left > right:
        left, right, y1, y2 = right, left, y2, y1
    x1 = COLUMNS[left][1] + (HALF if left == 1 else 6 if left == 0 else 0)
    x2 = COLUMNS[right][1] - (HALF if right == 1 else 6)
    if left == right:
        return ""
    bend = (x2 - x1) / 2
    return (f'<path data-e="{numbers[edge.lower]} {numbers[edge.upper]}" '
            f'd="M{x1} {y1}C{x1 + bend:g} {y1} {x2 - bend:g} {y2} {x2} {y2}"/>')


def _name(one: Facts, place: tuple[int, float], number: int) -> str:
    _, x, anchor = COLUMNS[place[0]]
    tail = one.id.partition("/")[2]
    text = tail if len(tail) <= 40 else tail[:39] + "…"
    return (f'<a href="{escaped(one.page)}" data-n="{number}" class="{escaped(one.kind)}">'
            f'<text x="{x}" y="{place[1] + 4:g}" text-anchor="{anchor}">{escaped(text)}</text></a>')
