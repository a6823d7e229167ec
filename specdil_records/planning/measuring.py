"""A user's own run: a CSV file with the throughput with and without speculation for some batches."""
from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.planning.errors import PlanningError
from specdil_records.planning.literals import number

THROUGHPUTS = ("without", "with")
COLUMNS = ("batch", *THROUGHPUTS, "speedup", "draft_k", "context", "mean_accepted_length")
WANTED = ("the first line of the file names its columns: batch, without, with (both in tokens per second of the whole "
          "batch), or batch, speedup; and, where they differ between rows, draft_k, context, mean_accepted_length")
TOKEN_RATE = Dimension(token=1, second=-1)


@dataclass(frozen=True, slots=True)
class Row:
    """One run. Either both throughputs or their ratio alone are known; E is None where the run does not tell it."""

    batch: int
    context: int
    draft_k: int
    speedup: Fraction
    without: Fraction | None = None
    with_: Fraction | None = None
    expected: Fraction | None = None


def read_rows(content: str, context: int | None, draft_k: int | None) -> tuple[Row, ...]:
    """The rows of a CSV text. `context` and `draft_k` stand where the file has no such column.

    Raises `PlanningError` that names the line and the column.
    """
    reader = csv.reader(io.StringIO(content.removeprefix("\ufeff")))
    lines = [(place, [part.strip() for part in line]) for place, line in enumerate(reader, 1) if any(line)]
    if not lines:
        raise PlanningError(f"--measured: the file is empty; {WANTED}")
    heads = lines[0][1]
    _check_heads(heads)
    rows = []
    for place, line in lines[1:]:
        if len(line) != len(heads):
            raise PlanningError(f"--measured, line {place}: {len(line)} values under {len(heads)} heads")
        rows.append(_row(place, dict(zip(heads, line, strict=True)), context, draft_k))
    if len(rows) < 3:
        raise PlanningError(f"--measured: {len(rows)} rows are too few to fit anything; at least 3 are needed")
    return tuple(rows)


def _check_heads(heads: Sequence[str]) -> None:
    unknown = [name for name in heads if name not in COLUMNS]
    if unknown or len(set(heads)) != len(heads):
        raise PlanningError(f"--measured: unknown or repeated column {', '.join(unknown) or 'names'}; {WANTED}")
    if "batch" not in heads or not (set(THROUGHPUTS) <= set(heads) or "speedup" in heads):
        raise PlanningError(f"--measured: a column is missing; {WANTED}")


def _row(place: int, cells: dict[str, str], context: int | None, draft_k: int | None) -> Row:
    def value(name: str, dimension: Dimension = PURE) -> Fraction:
        text = cells[name].removesuffix("x")  # the heads say the units
        found = Fraction(number(f"--measured, line {place}, {name}", text, dimension, bare=True))
        if found <= 0 and name != "context":
            raise PlanningError(f"--measured, line {place}, {name} is above 0")
        return found

    def count(name: str, otherwise: int | None) -> int:
        if name not in cells:
            if otherwise is None:
                raise PlanningError(f"--measured: no column {name}; give it, or the option that stands for all rows")
            return otherwise
        found = value(name)
        if found.denominator != 1:
            raise PlanningError(f"--measured, line {place}, {name} is a whole number")
        return int(found)

    both = set(THROUGHPUTS) <= set(cells)
    without, with_ = (value(name, TOKEN_RATE) for name in THROUGHPUTS) if both else (None, None)
    speedup = with_ / without if with_ is not None and without is not None else value("speedup")
    expected = value("mean_accepted_length") if "mean_accepted_length" in cells else None
    return Row(count("batch", None), count("context", context), count("draft_k", draft_k), speedup, without, with_,
               expected)
