"""The schedule's answers beside what was published: each batch table of the sources, cell by cell.

    python -m specdil_records.planning.published > docs/measured-against-model.md
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from specdil_records.planning.acceptance import from_rate
from specdil_records.planning.fitting import Fit, fit, predict
from specdil_records.planning.measuring import Row
from specdil_records.planning.question import Draft, Question
from specdil_records.planning.things import Library
from specdil_records.roofline import Model, in_floats, tree_speedup
from specdil_records.roofline.machine import as_float
from specdil_records.shipped import shipped_folder

ASSUMED_CONTEXT = 512
"""Chat and code prompts of the benchmarks that print no context are a few hundred tokens long."""
NOTHING = Draft("n-gram", "drafts that cost nothing")


@dataclass(frozen=True, slots=True)
class Series:
    """A column of a table: runs at several batches, and the question that they answer.

    `anchored`: the acceptance is not printed, so the tokens per step are chosen to give the first run exactly, and
    that run is not counted. `nodes` verified instead of a chain (a tree).
    """

    source: str
    table: str
    column: str
    question: Question
    rows: tuple[Row, ...]
    anchored: bool = True
    nodes: int | None = None

    @property
    def name(self) -> str:
        """How the series is named in the page."""
        return f"{self.source}#{self.table}, {self.column}"


@dataclass(frozen=True, slots=True)
class Compared:
    """A series with what the ideal roofline says for each of its runs."""

    series: Series
    said: tuple[float, ...]

    @property
    def counted(self) -> list[tuple[float, float]]:
        """Measured and said, of the runs that were not used to set anything."""
        measured = [float(row.speedup) for row in self.series.rows]
        return list(zip(measured, self.said, strict=True))[1 if self.series.anchored else 0:]

    @property
    def signs(self) -> tuple[int, int]:
        """Runs whose gain or loss the model foretells, of those that have one (a printed 1.00 is neither)."""
        told = [(measured > 1) == (said > 1) for measured, said in self.counted if measured != 1]
        return sum(told), len(told)

    @property
    def spread(self) -> float:
        """The root of the mean square of said over measured, less one."""
        return root_mean_square([said / measured - 1 for measured, said in self.counted])


def root_mean_square(values: Sequence[float]) -> float:
    """The usual size of values around zero."""
    return math.sqrt(sum(value * value for value in values) / len(values))


def say(series: Series) -> Compared:
    """What the model says for every run of a series."""
    found = [_speedup(series, row, 1.0 if row.expected is None else float(row.expected)) for row in series.rows]
    if series.anchored:
        expected = float(series.rows[0].speedup) / found[0]
        found = [expected * one for one in found]
    return Compared(series, tuple(found))


def _speedup(series: Series, row: Row, expected: float) -> float:
    """The speedup, which is proportional to the expected tokens."""
    question, queries = series.question, (series.nodes or row.draft_k) + 1
    conditions = {name: as_float(value) for name, value in question.conditions_at(row.draft_k).items()}
    # Trees of the sources are three deep: a node sees at most three ancestors and itself.
    pairs = None if series.nodes is None else 1.0 + 4.0 * series.nodes
    return float(tree_speedup(
        in_floats(question.accelerator), in_floats(question.model), float(row.batch), float(row.context), queries,
        expected, pairs=pairs, **conditions,
    ))


# The tables -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Shelf:
    """The records that ship, and the cells of their tables."""

    library: Library = field(default_factory=lambda: Library((shipped_folder("records"),)))

    def columns(self, source: str, table: str) -> dict[str, Any]:
        """The columns of a table, each a list of texts."""
        tables = self.library.record("source", source, source).data["tables"]
        found = next(one for one in tables if one["id"] == table)
        return {name: [cell["value"] if isinstance(cell, dict) else cell for cell in cells]
                if isinstance(cells, list) else cells for name, cells in found["columns"].items()}

    def question(self, chip: str, model: Model, draft: Draft, **conditions: Any) -> Question:
        """A question about a chip with data-sheet peaks."""
        return Question(self.library.accelerator(chip), model, ASSUMED_CONTEXT, from_rate(1), draft, conditions)


def _anchored(shelf: Shelf, source: str, table: str, question: Question, lengths: dict[str, int],
              nodes: dict[str, int] | None = None) -> Iterator[Series]:
    """A series for each column of a table that has only speedups by batch."""
    columns = shelf.columns(source, table)
    for column, draft_k in lengths.items():
        rows = tuple(Row(int(batch), ASSUMED_CONTEXT, draft_k, Fraction(ratio))
                     for batch, ratio in zip(columns["batch"], columns[column], strict=True))
        yield Series(source, table, column, question, rows, True, (nodes or {}).get(column))


def eagle_3(shelf: Shelf) -> Iterator[Series]:
    """EAGLE-3, tables 3 and 5."""
    model = shelf.library.model("llama-3.1-8b")
    for table, chip, draft_k in (("table-3", "nvidia-h100-sxm", 3), ("table-5", "nvidia-a100-sxm-80gb", 2)):
        question = shelf.question(chip, model, NOTHING)
        yield from _anchored(shelf, "eagle-3", table, question, {"EAGLE": draft_k, "EAGLE-3": draft_k})


def magicdec(shelf: Shelf) -> Iterator[Series]:
    """MagicDec, table 3: times, contexts and tokens per cycle are printed, so nothing is set."""
    llama_2, llama_3 = shelf.library.model("llama-2-7b"), shelf.library.model("llama-3.1-8b")
    drafts = {
        "table-3-a": (llama_2, Draft("model", "a draft model of 1.1 billion weights", None, 1_100_000_000)),
        "table-3-b": (llama_2, Draft("model", "the model itself", replace(llama_2, window=512))),
        "table-3-c": (llama_3, Draft("model", "the model itself", replace(llama_3, window=512))),
    }
    for table, (model, draft) in drafts.items():
        columns = shelf.columns("magicdec", table)
        rows = []
        for place, batch in enumerate(columns["batch"]):
            plain, speculative = (Fraction(columns[name][place]) for name in ("plain_time", "speculative_time"))
            rows.append(Row(
                int(batch), int(columns["context"][place]), 2, Fraction(columns["speedup"][place]),
                1000 * int(batch) / plain, 1000 * int(batch) / speculative,
                Fraction(columns["tokens_per_cycle"][place]),
            ))
        question = shelf.question("nvidia-a100-sxm-80gb", model, draft, chips=8)
        yield Series("magicdec", table, "speedup", question, tuple(rows), False)


SMALL, LARGE = ("fig-1-a", "fig-1-b", "fig-1-c", "fig-1-d"), ("fig-1-e", "fig-1-f", "fig-1-g", "fig-1-h")
TREES = ("fig-2-e", "fig-2-f", "fig-2-g", "fig-2-h")
ILLUSION = "speculative-decoding-illusion"


def illusion(shelf: Shelf) -> Iterator[Series]:
    """The panels of figures 1 and 2 whose model has a record: 8B on one chip, 70B on four."""
    small = shelf.question("nvidia-h100-sxm", shelf.library.model("llama-3.1-8b"), NOTHING)
    large = shelf.question("nvidia-h100-sxm", shelf.library.model("llama-3.1-70b"), NOTHING, chips=4)
    for tables, question in ((SMALL, small), (LARGE, large)):
        for table in tables:
            names = [name for name in shelf.columns(ILLUSION, table) if name != "batch"]
            drafted = replace(question, draft=Draft("model", "an 8B draft", shelf.library.model("llama-3.1-8b")))
            for name in names:
                asked = drafted if name.startswith("draft model") else question
                yield from _anchored(shelf, ILLUSION, table, asked, {name: int(name[-1])})
    for table in TREES:
        yield from _anchored(shelf, ILLUSION, table, large, {"EAGLE k3": 3, "EAGLE tree 6": 3, "EAGLE tree 21": 3},
                             {"EAGLE tree 6": 6, "EAGLE tree 21": 21})


@lru_cache(maxsize=1)
def compared() -> tuple[Compared, ...]:
    """Every series, with what the model says."""
    shelf = Shelf()
    return tuple(say(series) for part in (eagle_3, magicdec, illusion) for series in part(shelf))


# Which length is best ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """The best of some draft lengths at a batch (0: off), as measured and as the model says."""

    table: str
    drafts: str
    batch: int
    measured: int
    said: int
    shortfall: float
    """What following the model loses against the best, by the measured figures."""


CHOICES = (("fig-1-d", "n-gram", (3, 5)), ("fig-1-h", "n-gram", (3, 5)),
           *((f"fig-10-{letter}", "n-gram", (1, 3, 5)) for letter in "abcd"),
           *((f"fig-10-{letter}", "EAGLE", (1, 3, 5)) for letter in "efgh"))


@lru_cache(maxsize=1)
def choices() -> tuple[Choice, ...]:
    """The panels that print several lengths; tokens per step of each length from batch 1, which is not counted."""
    shelf, found = Shelf(), []
    for table, drafts, lengths in CHOICES:
        model = "llama-3.1-70b" if table == "fig-1-h" else "llama-3.1-8b"
        chips = 4 if table == "fig-1-h" else 1
        question = shelf.question("nvidia-h100-sxm", shelf.library.model(model), NOTHING, chips=chips)
        columns = {f"{drafts} k{length}": length for length in lengths}
        each = {one.series.rows[0].draft_k: one
                for one in map(say, _anchored(shelf, ILLUSION, table, question, columns))}
        for place in range(1, len(next(iter(each.values())).said)):
            measured = {0: 1.0} | {length: float(one.series.rows[place].speedup) for length, one in each.items()}
            said = {0: 1.0} | {length: one.said[place] for length, one in each.items()}
            best, chosen = (max(table_of, key=lambda length: table_of[length]) for table_of in (measured, said))
            found.append(Choice(table, drafts, next(iter(each.values())).series.rows[place].batch, best, chosen,
                                1 - measured[chosen] / measured[best]))
    return tuple(found)


# Fitted to half -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Halves:
    """A fit to every second run of a series, tried on the others."""

    series: Series
    fit: Fit
    others: tuple[Row, ...]
    said: tuple[float, ...]

    @property
    def spread(self) -> float:
        """The root of the mean square error on the runs that were not fitted."""
        return root_mean_square([said / float(row.speedup) - 1
                                 for said, row in zip(self.said, self.others, strict=True)])

    @property
    def signs(self) -> tuple[int, int]:
        """Gains and losses foretold on the runs that were not fitted, of those that have one."""
        told = [(row.speedup > 1) == (said > 1) for said, row in zip(self.said, self.others, strict=True)
                if row.speedup != 1]
        return sum(told), len(told)


@lru_cache(maxsize=1)
def halves() -> tuple[Halves, ...]:
    """The tables with enough batches: the first, third, fifth run fitted, the others foretold."""
    shelf, found = Shelf(), []
    for series in (*eagle_3(shelf), *magicdec(shelf)):
        known = not series.anchored
        made = fit(series.question, series.rows[::2], known)
        others = series.rows[1::2]
        found.append(Halves(series, made, others, predict(series.question, others, made, known)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Course:
    """Whether the speedup rises (else falls) from the smallest to the largest batch at one context of a table."""

    table: str
    context: int
    measured: bool
    ideal: bool
    fitted: bool


@lru_cache(maxsize=1)
def courses() -> tuple[Course, ...]:
    """The contexts of MagicDec's table 3 with several batches: as measured, ideal, and fitted to half of the runs."""
    ideal = {one.series.table: one.said for one in compared() if one.series.source == "magicdec"}
    found = []
    for one in halves():
        if one.series.source != "magicdec":
            continue
        rows = one.series.rows
        said = predict(one.series.question, rows, one.fit, True)
        for context in sorted({row.context for row in rows}):
            places = [place for place, row in enumerate(rows) if row.context == context]
            first, last = places[0], places[-1]
            if first != last:
                rises = [bool(values[last] > values[first])
                         for values in ([row.speedup for row in rows], ideal[one.series.table], said)]
                found.append(Course(one.series.table, context, *rises))
    return tuple(found)


def gains_measured() -> int:
    """How many of the counted runs gain: what somebody gets right who always says so."""
    return sum(measured > 1 for one in compared() for measured, _ in one.counted if measured != 1)


if __name__ == "__main__":
    import sys

    from specdil_records.planning.published_page import page

    sys.stdout.write("\n".join(page()) + "\n")
