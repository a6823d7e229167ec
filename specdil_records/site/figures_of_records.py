"""Which pictures a record's page has, and what stands in them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from specdil_records.claims import Evaluation
from specdil_records.corpus import Corpus, Record
from specdil_records.site.curves import (
    Machine,
    Point,
    Setting,
    additive_rule,
    gains,
    intensities,
    machine_of,
    roof,
    setting_of,
    speedups,
    uses_additive_rule,
)
from specdil_records.site.markup import Html
from specdil_records.site.plots import Line, dots, drawn, gain_frame, picture, roofline_frame, stems

MOST = 6
"""Accelerators that are drawn on one page."""
SMOOTH = tuple(float(2 ** (step / 4)) for step in range(37))


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of a picture's legend."""

    series: int
    text: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its words."""

    svg: Html
    title: str
    keys: tuple[Key, ...] = ()
    caption: str = ""


Kept = dict[tuple[Any, ...], Picture | None]
"""Pictures that were made for other records of the same corpus."""


def pictures(evaluation: Evaluation, corpus: Corpus, statuses: Mapping[Any, str],
             kept: Kept) -> tuple[Picture | None, list[Picture]]:
    """The roofline of a flop record, and a picture of gains for each of its accelerators."""
    chips = _chips(evaluation.record, corpus)
    if not chips:
        return None, []
    own = intensities(evaluation, statuses)
    setting = setting_of(evaluation, corpus)
    points = speedups(evaluation, corpus, statuses)
    rule = setting.draft_k if uses_additive_rule(evaluation) else None
    each = []
    for chip in chips:
        key = (chip.tail, setting, rule, tuple(points))
        if key not in kept:
            kept[key] = gain_picture(chip, corpus, setting, points, rule)
        each.append(kept[key])
    return roofline_picture(chips, own), [one for one in each if one is not None]


def _chips(record: Record, corpus: Corpus) -> list[Machine]:
    names = [name for name in record.data.get("affected_by_hardware", []) if isinstance(name, str)]
    found = [machine_of(corpus.find("accelerator", name)) for name in dict.fromkeys(names)]
    return [one for one in found if one is not None and roof(one.thing) is not None][:MOST]


def roofline_picture(chips: Sequence[Machine], own: Sequence[Point]) -> Picture | None:
    """Roofs of some accelerators with a record's intensities under the first."""
    roofs = [(chip, *found) for chip in chips if (found := roof(chip.thing)) is not None]
    if not roofs:
        return None
    # Ends in few steps, so that pictures of many records share their frame.
    last = next(end for end in (2000.0, 6000.0, 200_000.0) if all(point.x < end / 1.5 for point in own
                                                                  if point.x < 1e5))
    first = next(end for end in (0.7, 0.07, 0.0005) if all(point.x > end * 1.2 for point in own if point.x > 1e-3))
    top = 2 * max(peak for _, _, peak in roofs) / 1e12
    low = min(bandwidth for _, bandwidth, _ in roofs) * first / 1e12 * 0.6
    frame = roofline_frame((first, last), (low, top))
    lines: list[Line] = [((first, peak / bandwidth, last),
                          (bandwidth * first / 1e12, peak / 1e12, peak / 1e12), i, "plain")
                         for i, (_, bandwidth, peak) in enumerate(roofs, 1)]
    by_tail = {chip.tail: (bandwidth, peak) for chip, bandwidth, peak in roofs}

    def roof_at(point: Point) -> float:
        bandwidth, peak = by_tail.get(point.accelerator, roofs[0][1:])
        return min(bandwidth * point.x, peak) / 1e12

    keys = tuple(Key(i, f"{chip.name}: ridge at {peak / bandwidth:.0f} FLOP/byte", chip.tail)
                 for i, (chip, bandwidth, peak) in enumerate(roofs, 1))
    told = [point.written for point in own if first <= point.x <= last]
    title = "Roofline of " + ", ".join(chip.name for chip, _, _ in roofs) + (
        f"; intensities of this record: {', '.join(told)}" if told else "")
    caption = ("Dense 16-bit peaks and bandwidths as the accelerators' records have them. "
               + (f"The stems are the intensities that this record names, under the roof of {roofs[0][0].name} unless "
                  "they are another part's ridge." if told else ""))
    return Picture(picture(frame, drawn(frame, tuple(lines)), title, stems(frame, own, roof_at)), title, keys, caption)


def gain_picture(chip: Machine, corpus: Corpus, setting: Setting, points: Sequence[Point],
                 rule: int | None = None, wide: bool = False) -> Picture | None:
    """Speedup against batch on one accelerator, for the setting's draft length and two others."""
    model = machine_of(corpus.find("model", setting.model)) if setting.model else None
    lengths = sorted({setting.draft_k, *([1, 2, 4, 8] if wide else [1, 8] if 1 < setting.draft_k < 8 else [4])})
    lines: list[Line] = []
    keys: list[Key] = []
    for series, length in enumerate(lengths, 1):
        ys = gains(chip.thing, model.thing if model else None, np.asarray(SMOOTH), setting.context, float(length),
                   setting.acceptance)
        if ys is None:
            return None
        lines.append((SMOOTH, tuple(round(float(y), 4) for y in ys), series,
                      "bold" if length == setting.draft_k else "plain"))
        keys.append(Key(series, f"k = {length}"))
    if rule is not None:
        lines.append((SMOOTH, tuple(additive_rule(SMOOTH, rule)), 0, "dashed"))
        keys.append(Key(0, f"this record's rule, 1 + {rule}/B"))
    here = [point for point in points if point.accelerator in ("", chip.tail)]
    top = max([1.5, *(max(line[1]) for line in lines), *(point.y for point in here if point.y < 12)])
    frame = gain_frame(float(np.ceil(top * 1.08)), wide)
    title = f"{chip.name}: speedup against batch" if wide else chip.name
    conditions = (f"{model.name}, context {setting.context:g}" if model else "weights only (any dense model)")
    caption = f"{conditions}, acceptance {setting.acceptance:g}, a draft that costs nothing, 16 bit."
    if points:
        caption += " Dots: this record's own numbers; cited ones are of their source's own conditions."
    svg = picture(frame, drawn(frame, tuple(lines), 1.0), f"{chip.name}: speedup against batch; {caption}",
                  dots(frame, here))
    return Picture(svg, title, tuple(keys), caption)
