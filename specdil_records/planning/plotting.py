"""Drawing a sweep as SVG. The only module that imports matplotlib, which is an extra.

No pyplot and no display; the same drawing has the same bytes in every run.
"""
from __future__ import annotations

import io
import itertools
import logging
import math
from collections.abc import Sequence
from typing import Any

from specdil_records.extras import ExtraMissing
from specdil_records.planning.errors import PlanningError
from specdil_records.planning.sweeping import Row, Sweep, as_number, heading

MOST_LINES = 24


def svg(sweep: Sweep, rows: Sequence[Row]) -> bytes:
    """The drawing: the first numeric axis to the right, a line for each combination of the others.

    Raises `PlanningError` where there is nothing to draw, `ExtraMissing` where matplotlib is not installed.
    """
    across = next((place for place, axis in enumerate(sweep.axes) if axis.is_number or "." in axis.name), None)
    if across is None:
        raise PlanningError("--plot: no axis of --over has numbers to draw along")
    lines = _lines(sweep, rows, across)
    if not any(not math.isnan(y) for _, ys in lines for y in ys):
        raise PlanningError("--plot: no point of the grid has a number")
    if len(lines) > MOST_LINES:
        raise PlanningError(f"--plot: {len(lines)} lines are too many to tell apart; at most {MOST_LINES} are drawn")
    return _drawn(sweep, across, lines)


def _lines(sweep: Sweep, rows: Sequence[Row], across: int) -> list[tuple[str, list[float]]]:
    others = [place for place in range(len(sweep.axes)) if place != across]
    points = itertools.product(*(range(len(axis.values)) for axis in sweep.axes))
    found: dict[str, list[float]] = {}
    for row, _ in zip(rows, points, strict=True):
        label = ", ".join(f"{sweep.axes[place].name} {row.labels[place]}" for place in others)
        value = as_number(row.value)
        found.setdefault(label, []).append(math.nan if value is None else value)
    return list(found.items())


def _drawn(sweep: Sweep, across: int, lines: list[tuple[str, list[float]]]) -> bytes:
    matplotlib, figure_class, canvas_class = matplotlib_for("plot", "--plot")
    axis = sweep.axes[across]
    xs = [float(value) for value in axis.values]
    with matplotlib.rc_context({"svg.hashsalt": "specdil-records", "svg.fonttype": "path"}):
        figure = figure_class(figsize=(7.0, 4.5), layout="constrained")
        plot = figure.add_subplot()
        for label, ys in lines:
            plot.plot(xs, ys, marker="o" if len(xs) <= 20 else "", markersize=3, linewidth=1.4, label=label or None)
        if min(xs) > 0 and max(xs) / min(xs) > 30 and _geometric(xs):
            plot.set_xscale("log", base=2)
        if sweep.entry.name.endswith("speedup"):
            plot.axhline(1, color="0.5", linewidth=0.8, linestyle="--")
        plot.set_xlabel(heading(axis.name, axis.dimension))
        plot.set_ylabel(heading(sweep.entry.name, sweep.entry.dimension))
        plot.set_title(", ".join(f"{name} {text}" for name, text in sweep.said.items()), fontsize=8, wrap=True)
        plot.grid(True, linewidth=0.3)
        if any(label for label, _ in lines):
            plot.legend(fontsize=8)
        drawn = io.BytesIO()
        canvas_class(figure).print_svg(drawn, metadata={"Date": None, "Creator": None})
    return drawn.getvalue()


def _geometric(xs: list[float]) -> bool:
    steps = [b / a for a, b in itertools.pairwise(xs)]
    return (len(steps) > 1 and max(steps) < 1.5 * min(steps)) or len(xs) < 10


def matplotlib_for(extra: str, what: str) -> tuple[Any, Any, Any]:
    """The module, its Figure and its SVG canvas. Raises `ExtraMissing` in the words of whoever needs them."""
    try:
        # That it cannot keep its list of fonts is no word for the user.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        import matplotlib
        import matplotlib.ticker
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise ExtraMissing(extra, what) from None
    return matplotlib, Figure, FigureCanvasSVG
