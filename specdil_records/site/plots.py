"""Pictures as SVG inside a page. No pyplot, no display, no date.

matplotlib draws the axes; curves and the numbers of a record are set into them afterwards, so that ten thousand records
share a few axes. Colours are the style sheet's, so that a page is light or dark as its reader likes.
"""
from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from specdil_records.planning.plotting import matplotlib_for
from specdil_records.site.curves import Point
from specdil_records.site.markup import Html, escaped

INK, MUTED, GRID = "#000011", "#000012", "#000013"
VARIABLES = {INK: "--ink", MUTED: "--muted", GRID: "--rule"}
STYLES = (
    (r'style="fill: none; stroke: var\(--rule\)[^"]*"', "gridline"),
    (r'style="font-size: [0-9.]+px; *text-anchor: middle; fill: var\(--ink\)"', "tick mid"),
    (r'style="font-size: [0-9.]+px; *text-anchor: end; fill: var\(--ink\)"', "tick end"),
)
"""What matplotlib says again and again of its grid and its ticks, and the name that the style sheet has for it."""
Line = tuple[tuple[float, ...], tuple[float, ...], int, str]
"""Abscissas, ordinates, the number of the series (its colour), and how it is drawn."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture's axes: their size in the picture and the values at their ends."""

    width: float
    height: float
    box: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]
    x_label: str
    y_label: str
    log_y: bool = False
    x_ticks: tuple[float, ...] = ()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies, in the picture's own units from its upper left corner."""
        left, bottom, width, height = self.box
        across = math.log(x / self.x[0]) / math.log(self.x[1] / self.x[0])
        if self.log_y:
            upward = math.log(y / self.y[0]) / math.log(self.y[1] / self.y[0])
        else:
            upward = (y - self.y[0]) / (self.y[1] - self.y[0])
        return (round((left + width * across) * self.width, 2),
                round((1 - bottom - height * upward) * self.height, 2))


GAIN = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


def gain_frame(top: float, wide: bool = False) -> Frame:
    """Axes of gain against batch."""
    size = (620.0, 330.0, (0.075, 0.15, 0.905, 0.815)) if wide else (330.0, 220.0, (0.115, 0.195, 0.865, 0.765))
    return Frame(*size, (0.9, 570), (0, top), "batch (sequences)", "speedup", x_ticks=GAIN)


def roofline_frame(x: tuple[float, float], y: tuple[float, float]) -> Frame:
    """Axes of attainable speed against intensity."""
    return Frame(620, 330, (0.098, 0.15, 0.882, 0.815), x, y, "arithmetic intensity (FLOP/byte)",
                 "attainable (TFLOP/s)", log_y=True)


@lru_cache(maxsize=1024)
def drawn(frame: Frame, lines: tuple[Line, ...], level: float | None = None) -> str:
    """The inside of the picture: axes, grid and curves."""
    parts = [axes_of(frame)]
    if level is not None:
        parts.append(_path(frame, "level", frame.x, (level, level)))
    parts += [_path(frame, f"line s{series} {style}", xs, ys) for xs, ys, series, style in lines]
    return "".join(parts)


def _path(frame: Frame, name: str, xs: Sequence[float], ys: Sequence[float]) -> str:
    points = (frame.at(x, y) for x, y in zip(xs, ys, strict=True))
    return f'<path class="{name}" d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}"></path>'


@lru_cache(maxsize=256)
def axes_of(frame: Frame) -> str:
    """The axes alone, drawn once for all the pictures that have them."""
    matplotlib, figure_class, canvas_class = matplotlib_for("site", "a page's picture")
    settings = {"svg.hashsalt": "specdil-records", "svg.fonttype": "none", "font.size": 10,
                "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK}
    with matplotlib.rc_context(settings):
        figure = figure_class(figsize=(frame.width / 72, frame.height / 72))
        figure.patch.set_visible(False)
        axes = figure.add_axes(frame.box)
        axes.patch.set_visible(False)
        _axes(matplotlib, axes, frame)
        out = io.BytesIO()
        canvas_class(figure).print_svg(out, metadata={"Date": None, "Creator": None})
    return slim(out.getvalue().decode("utf-8"))


def _axes(matplotlib: Any, axes: Any, frame: Frame) -> None:
    axes.set_xscale("log", base=2 if frame.x_ticks else 10)
    axes.set_yscale("log" if frame.log_y else "linear")
    axes.set_xlim(*frame.x)
    axes.set_ylim(*frame.y)
    ticker = matplotlib.ticker
    if frame.x_ticks:
        axes.xaxis.set_major_locator(ticker.FixedLocator(frame.x_ticks))
    else:
        axes.xaxis.set_major_locator(ticker.FixedLocator(_decades(frame.x)))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    if frame.log_y:
        axes.yaxis.set_major_locator(ticker.FixedLocator(_decades(frame.y)))
    else:
        axes.yaxis.set_major_locator(ticker.MaxNLocator(6, integer=frame.y[1] > 3))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(frame.x_label, fontsize=10, labelpad=3)
    axes.set_ylabel(frame.y_label, fontsize=10, labelpad=3)
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, pad=4, labelsize=9.5)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


def _decades(ends: tuple[float, float]) -> list[float]:
    return [10.0 ** n for n in range(math.ceil(math.log10(ends[0])), math.floor(math.log10(ends[1])) + 1)]


def slim(svg: str) -> str:
    """The drawing without its head, its own style sheet, names and groups; colours as variables of the page."""
    inside = svg[svg.index("<svg"):svg.rindex("</svg>")]
    inside = inside[inside.index(">") + 1:]
    inside = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<defs>.*?</defs>", "", inside, flags=re.S)
    inside = re.sub(r' (?:id|clip-path)="[^"]*"', "", inside)
    inside = re.sub(r"</?g ?/?>", "", inside)  # groups that say nothing any longer
    for color, variable in VARIABLES.items():
        inside = inside.replace(color, f"var({variable})")
    inside = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px", inside)
    inside = re.sub(r"font-family: [^;\"]*;?", "", inside)
    inside = re.sub(r"(\d+\.\d\d)\d+", r"\1", inside)
    for style, name in STYLES:
        inside = re.sub(style, f'class="{name}"', inside)
    inside = re.sub(r' transform="rotate\(-0 [^"]*"', "", inside)
    inside = " ".join(inside.split()).replace("> <", "><")
    return re.sub(r' "', '"', re.sub(r" ?([ML]) ", r"\1", inside)).strip()


def picture(frame: Frame, inside: str, title: str, overlay: str = "") -> Html:
    """A whole picture, ready for a page."""
    return Html(f'<svg class="plot" viewBox="0 0 {frame.width:g} {frame.height:g}" role="img" '
                f'aria-label="{escaped(title)}">{inside}{overlay}</svg>')


def dots(frame: Frame, points: Sequence[Point]) -> str:
    """A record's own numbers in a picture of gains, each with its label where there is room."""
    found: list[str] = []
    taken: list[tuple[float, float]] = []
    for point in points:
        if not (frame.x[0] <= point.x <= frame.x[1] and frame.y[0] <= point.y <= frame.y[1]):
            continue
        x, y = frame.at(point.x, point.y)
        found.append(f'<circle class="dot {escaped(point.status)}" cx="{x}" cy="{y}" r="4.2"><title>'
                     f'{escaped(point.written)} at batch {point.x:g}: {escaped(point.status)} '
                     f'(claim {escaped(point.claim)})</title></circle>')
        labels = [place for place in ((x, y - 8), (x, y + 17)) if 12 < place[1] < frame.height * 0.8]
        free = [place for place in labels if all(abs(place[0] - other[0]) > 30 or abs(place[1] - other[1]) > 11
                                                 for other in taken)]
        if free:
            taken.append(free[0])
            anchor = "end" if x > frame.width - 34 else "start" if x < 44 else "middle"
            found.append(f'<text class="dotlabel {escaped(point.status)}" x="{x}" y="{round(free[0][1], 2)}" '
                         f'text-anchor="{anchor}">{escaped(point.written)}</text>')
    return "".join(found)


def stems(frame: Frame, points: Sequence[Point], roof_at: Any) -> str:
    """A record's own intensities under the roof: a stem from the axis, a dot on the roof, a label at the foot."""
    lines: list[str] = []
    found: list[str] = []
    rows: list[float] = []
    for point in points:
        if not frame.x[0] <= point.x <= frame.x[1]:
            continue
        y_value = min(max(roof_at(point), frame.y[0]), frame.y[1])
        x, y = frame.at(point.x, y_value)
        _, foot = frame.at(point.x, frame.y[0])
        row = next((i for i, last in enumerate(rows) if x - last > 9 + 5.4 * len(point.written)), len(rows))
        if row == len(rows):
            rows.append(x)
        rows[row] = x
        label = round(foot - 8 - 13 * row, 2)
        status = escaped(point.status)
        lines.append(f'<line class="stem {status}" x1="{x}" x2="{x}" y1="{foot}" y2="{y}"></line>')
        found.append(
            f'<circle class="dot {status}" cx="{x}" cy="{y}" r="4.2"><title>{escaped(point.written)}: {status} '
            f'(claim {escaped(point.claim)})</title></circle><text class="dotlabel {status}" x="{round(x + 4, 2)}" '
            f'y="{label}">{escaped(point.written)}</text>')
    return "".join(lines + found)
