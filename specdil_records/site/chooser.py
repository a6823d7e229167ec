"""Curves worked out beforehand, for every accelerator and model that there is, so that a page need only pick."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from specdil_records.site.curves import (
    ACCEPTANCES,
    BATCHES,
    CONTEXTS,
    LENGTHS,
    USUAL_ACCEPTANCE,
    USUAL_CONTEXT,
    USUAL_LENGTH,
    Machine,
    table,
)
from specdil_records.site.markup import Html
from specdil_records.site.plots import drawn, gain_frame

MOST_PAIRS = 600
TOP = 7.0
"""The highest speedup that the picture has room for."""
WEIGHTS_ONLY = "weights only, any dense model"


def script(data: str, call: str) -> str:
    """Data as a script that works from a file, where a page may not fetch; safe inside a page as well."""
    return f"{call}({data.replace('<', chr(92) + 'u003c').replace(chr(0x2028), chr(92) + 'u2028')});\n"


def curve_file(chip: Machine, model: Machine | None) -> str:
    """The file of one pair: a hash of both names, so that no name of a record becomes a name of a file."""
    key = f"{chip.tail}\n{model.tail if model else ''}"
    return f"assets/curves/{hashlib.blake2b(key.encode(), digest_size=6).hexdigest()}.js"


def curves(chip: Machine, model: Machine | None) -> str | None:
    """The speedups of one pair in thousandths: by draft length, acceptance, context, batch."""
    values = table(chip.thing, model.thing if model else None)
    if values is None:
        return None
    data = json.dumps((values * 1000).round().astype(int).tolist(), separators=(",", ":"))
    return script(data, "recordsCurves")


def pairs(chips: Sequence[Machine], models: Sequence[Machine]) -> list[tuple[Machine, Machine | None]]:
    """The pairs that have curves, those without a model first."""
    found: list[tuple[Machine, Machine | None]] = [(chip, None) for chip in chips]
    found += [(chip, model) for chip in chips for model in models]
    return found[:MOST_PAIRS]


def page_values(chips: Sequence[Machine], models: Sequence[Machine],
                files: dict[tuple[str, str], str]) -> dict[str, Any]:
    """What the chooser's page needs: the choices, the picture's frame, and one curve for readers without scripts."""
    frame = gain_frame(TOP, wide=True)
    chip = next((one for one in chips if one.tail == "nvidia-h100-sxm"), chips[0])
    model = next((one for one in models if one.tail == "llama-3.1-8b"), None)
    if (chip.tail, model.tail if model else "") not in files:
        model = None
    worked_out = table(chip.thing, model.thing if model else None)
    assert worked_out is not None
    first = (worked_out * 1000).round() / 1000  # as the files have them, so that the script's start changes nothing
    at = (LENGTHS.index(USUAL_LENGTH), ACCEPTANCES.index(USUAL_ACCEPTANCE), CONTEXTS.index(USUAL_CONTEXT))
    shown = first[:, at[1], at[2], :]
    inside = Html(drawn(frame, (), 1.0))
    xs = [frame.at(batch, 1)[0] for batch in BATCHES]
    y0, y1 = frame.at(1, 0)[1], frame.at(1, 1)[1]
    config = {"files": {f"{a}|{b}": name for (a, b), name in files.items()}, "x": xs, "zero": y0,
              "unit": round(y0 - y1, 4), "top": TOP, "batches": BATCHES, "lengths": LENGTHS}
    paths = [{"k": k, "d": path(xs, y0, y0 - y1, shown[i])} for i, k in enumerate(LENGTHS)]
    return {
        "frame": frame, "inside": inside, "paths": paths, "chips": chips, "models": models, "chip": chip,
        "model": model, "lengths": LENGTHS, "acceptances": ACCEPTANCES, "contexts": CONTEXTS,
        "usual": (USUAL_LENGTH, USUAL_ACCEPTANCE, USUAL_CONTEXT), "weights_only": WEIGHTS_ONLY,
        "rows": [{"batch": batch, "gain": f"{shown[at[0], i]:.3f}", "best": LENGTHS[int(shown[:, i].argmax())],
                  "best_gain": f"{shown[:, i].max():.3f}", "loses": shown[at[0], i] < 1}
                 for i, batch in enumerate(BATCHES)],
        "config": script(json.dumps(config, separators=(",", ":"), ensure_ascii=True), "recordsChooser"),
    }


def path(xs: Sequence[float], zero: float, unit: float, values: Any) -> str:
    """A curve as the picture draws it; what is higher than the picture runs along its upper edge."""
    return "M" + "L".join(f"{x:g} {zero - unit * min(float(value), TOP):.1f}"
                          for x, value in zip(xs, values, strict=True))
