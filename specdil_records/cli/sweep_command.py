"""`records sweep`: a quantity of the catalogue over a grid."""
from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from specdil_records.cli.common import refuse_to_replace
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus.settings import SettingsError, find_settings
from specdil_records.whole_files import put_whole

if TYPE_CHECKING:
    from specdil_records.planning.sweeping import Row, Sweep


@click.command("sweep", short_help="A quantity over a grid, as a table, CSV, JSON or a drawing.")
@click.argument("quantity")
@click.option("--over", multiple=True, metavar="NAME=VALUES",
              help="An argument that varies: a..b, a..b*2 (geometric), [a,b,c], or records by name.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE",
              help="An argument that stands, with its unit; accelerator.QUANTITY and model.FIELD too.")
@click.option("--of", "records", multiple=True, metavar="NAME=RECORD",
              help="A record of the corpus: accelerator=..., model=..., draft=...")
@click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", show_default=True)
@click.option("--digits", type=click.IntRange(1, 30), default=6, show_default=True, help="Significant digits shown.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a drawing, an SVG file.")
def command(quantity: str, over: tuple[str, ...], given: tuple[str, ...], records: tuple[str, ...], form: str,
            digits: int, plot: Path | None) -> int:
    """Work out a quantity at every point of a grid, exactly, and show it as decimals.

    A record's values are taken as written there. `records quantities NAME` shows the arguments of a quantity.

    Example: records sweep speedup --over batch=1..256*2 --over draft_k=[1,2,4] --set acceptance=0.8
    --set context=1024 --of accelerator=nvidia-h100-sxm --of model=llama-3.1-8b
    """
    from specdil_records.planning import PlanningError, UnsoundRecord
    from specdil_records.planning.literals import pairs
    from specdil_records.planning.sweeping import read_sweep, rows
    from specdil_records.planning.things import Library

    try:
        sweep = read_sweep(quantity, pairs(over, "--over"), pairs(given, "--set"), pairs(records, "--of"),
                           Library.at(Path.cwd()))
        found = list(rows(sweep))
        if plot is not None:
            _draw(sweep, found, plot)
    except PlanningError as error:
        raise Exit(Code.USAGE, str(error)) from None
    except UnsoundRecord as error:
        raise Exit(Code.FINDINGS, str(error)) from None
    if form == "json":
        click.echo(json.dumps(as_data(sweep, found, digits), indent=2, ensure_ascii=True))
    elif form == "csv":
        click.echo(as_csv(sweep, found, digits), nl=False)
    else:
        for line in as_text(sweep, found, digits):
            click.echo(line)
    return Code.FINE


def _draw(sweep: Sweep, found: Sequence[Row], path: Path) -> None:
    from specdil_records.planning.plotting import svg

    with suppress(SettingsError):  # elsewhere there is no record to replace
        refuse_to_replace(path, find_settings(Path.cwd()))
    drawn = svg(sweep, found)
    try:
        put_whole(path, drawn)
    except OSError as error:
        raise Exit(Code.USAGE, f"--plot: {path} cannot be written: {error.strerror or error}") from None


def heads(sweep: Sweep) -> list[str]:
    """The heads of the columns, with units."""
    from specdil_records.planning.sweeping import heading

    return [*(heading(axis.name, axis.dimension) for axis in sweep.axes),
            heading(sweep.entry.name, sweep.entry.dimension)]


def as_text(sweep: Sweep, found: Sequence[Row], digits: int) -> Iterator[str]:
    """An aligned table under a line that says what stands."""
    from specdil_records.planning.sweeping import cell
    from specdil_records.report.console import visible

    if sweep.said:
        yield visible("# " + ", ".join(f"{name} {text}" for name, text in sweep.said.items()))
    if sweep.in_floats:
        yield "# worked out in float64: exact numbers of experts would take too long on a grid of this size"
    table = [heads(sweep), *([*row.labels, cell(row.value, digits)] for row in found)]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        # Numbers to the right; the last column, which may be words, to the left.
        shown = [text.rjust(width) for text, width in zip(line[:-1], widths, strict=False)]
        yield visible("  ".join([*shown, line[-1]]))


def as_csv(sweep: Sweep, found: Sequence[Row], digits: int) -> str:
    """Comma-separated values under a head with the units."""
    from specdil_records.planning.sweeping import cell

    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(heads(sweep))
    writer.writerows([*row.labels, cell(row.value, digits)] for row in found)
    return written.getvalue()


def as_data(sweep: Sweep, found: Sequence[Row], digits: int) -> dict[str, Any]:
    """The same for programs: each value as a number (null where it is none), as text and, if exact, as a fraction."""
    from fractions import Fraction

    from specdil_records.planning.sweeping import as_number, cell

    return {
        "quantity": sweep.entry.name, "dimension": str(sweep.entry.dimension), "formula": sweep.entry.formula,
        "source": sweep.entry.source, "exact": not sweep.in_floats, "set": dict(sweep.said),
        "axes": [{"name": axis.name, "dimension": str(axis.dimension), "values": list(axis.labels)}
                 for axis in sweep.axes],
        "rows": [{"at": dict(zip((axis.name for axis in sweep.axes), row.labels, strict=True)),
                  "value": as_number(row.value), "text": cell(row.value, digits),
                  "exact": str(row.value) if isinstance(row.value, int | Fraction) else None} for row in found],
    }
