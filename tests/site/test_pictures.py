"""Pictures and curves: from the closed forms, the same in every run."""
from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import pytest

from specdil_records import roofline
from specdil_records.arithmetic import lower, upper
from specdil_records.claims import evaluate
from specdil_records.claims.subjects import subject
from specdil_records.corpus import Corpus, load_corpus
from specdil_records.planning.things import as_written
from specdil_records.shipped import shipped_folder
from specdil_records.site.chooser import curve_file, path
from specdil_records.site.curves import (
    ACCEPTANCES,
    BATCHES,
    CONTEXTS,
    LENGTHS,
    Point,
    additive_rule,
    intensities,
    machine_of,
    setting_of,
    speedups,
)
from specdil_records.site.plots import axes_of, dots, drawn, gain_frame, picture, roofline_frame

pytest.importorskip("jinja2", reason="NOT RUN: the extra `site` is not installed")
pytest.importorskip("matplotlib", reason="NOT RUN: the extra `site` is not installed")
SEED = "flops/sd-batch-dilution-problem"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(shipped_folder("records"))


def test_a_picture_has_the_same_bytes_every_time() -> None:
    frame, line = gain_frame(5), ((1.0, 8.0, 64.0), (3.3, 3.1, 1.2), 1, "bold")
    first = drawn(frame, (line,), 1.0)
    axes_of.cache_clear()
    assert drawn(frame, (line,), 1.0) == first
    svg = ElementTree.fromstring(picture(frame, first, "a < b & c"))
    assert svg.attrib["aria-label"] == "a < b & c"
    assert "var(--muted)" in first and "#000" not in first and "<style" not in first and "id=" not in first
    assert len(first) < 4000


def ticks(svg: str) -> dict[str, tuple[float, float]]:
    """Where matplotlib set the labels of the axes."""
    found = re.findall(r'<text class="tick (?:mid|end)" x="([0-9.]+)" y="([0-9.]+)">([0-9.]+)</text>', svg)
    return {text: (float(x), float(y)) for x, y, text in found}


def test_curves_lie_where_the_axes_say() -> None:
    frame = gain_frame(5)
    labels = ticks(axes_of(frame).partition("batch (sequences)")[0])
    for batch in (1, 64, 512):
        assert labels[str(batch)][0] == pytest.approx(frame.at(batch, 1)[0], abs=0.02)
    rows = ticks(axes_of(gain_frame(4)).partition("batch (sequences)")[2])
    step = rows["0"][1] - rows["3"][1]
    assert step == pytest.approx(gain_frame(4).at(1, 0)[1] - gain_frame(4).at(1, 3)[1], abs=0.02)
    log = roofline_frame((0.7, 2000), (1, 4000))
    both = re.findall(r'<text class="tick (?:mid|end)" x="([0-9.]+)" y="([0-9.]+)">100</text>', axes_of(log))
    across, upward = both
    assert float(across[0]) == pytest.approx(log.at(100, 1)[0], abs=0.02)
    ten = re.findall(r'<text class="tick end" x="[0-9.]+" y="([0-9.]+)">10</text>', axes_of(log))[0]
    assert float(ten) - float(upward[1]) == pytest.approx(log.at(1, 10)[1] - log.at(1, 100)[1], abs=0.02)
    x1, y1 = frame.at(1, 4)
    assert f'd="M{x1:g} {y1:g}L' in drawn(frame, (((1.0, 64.0), (4.0, 2.0), 1, "bold"),))


def test_dots_outside_the_axes_are_left_out_and_labels_keep_apart() -> None:
    points = [Point(32, 1.125, "12.5%", "disputed", "a"), Point(33, 1.13, "13%", "cited", "b"),
              Point(4096, 1, "x", "held", "c"), Point(8, 90, "y", "held", "d")]
    svg = dots(gain_frame(5), points)
    assert svg.count("<circle") == 2 and "12.5%" in svg and ">x<" not in svg


def test_the_records_own_numbers_are_found(corpus: Corpus) -> None:
    evaluation = evaluate(corpus.by_id[SEED], corpus)
    statuses = {(entry.pointer, entry.index): str(entry.status) for entry in evaluation.ledger}
    assert [(point.x, point.status) for point in intensities(evaluation, statuses)] == [
        (1, "recomputed"), (32, "recomputed"), (36, "disputed"), (128, "recomputed"), (132, "disputed")]
    assert [(point.x, round(point.y, 3), point.status, point.accelerator) for point in
            speedups(evaluation, corpus, statuses)] == [
        (32, 1.125, "disputed", ""), (64, 1.38, "cited", "nvidia-h100-sxm"), (128, 1.031, "disputed", "")]
    assert setting_of(evaluation, corpus).draft_k == 4
    assert additive_rule([32], 4) == [1.125]


def test_a_records_own_setting_is_taken(corpus: Corpus) -> None:
    record = corpus.by_id["flops/batch-expansion-rereads-the-kv-cache"]
    setting = setting_of(evaluate(record, corpus), corpus)
    assert setting.from_record and setting.model == "llama-3.1-8b" and setting.acceptance == pytest.approx(0.8)


@pytest.mark.parametrize(("chip", "model"), [("nvidia-h100-sxm", "llama-3.1-8b"), ("google-tpu-v5e", ""),
                                             ("amd-instinct-mi300x", "mixtral-8x7b")])
def test_the_choosers_curves_are_the_closed_form(shipped: Path, corpus: Corpus, chip: str, model: str) -> None:
    one = machine_of(corpus.find("accelerator", chip))
    other = machine_of(corpus.find("model", model)) if model else None
    assert one is not None
    text = (shipped / curve_file(one, other)).read_text()
    curves = json.loads(text.removeprefix("recordsCurves(").removesuffix(");\n"))
    things = [subject(corpus.find(kind, name)) for kind, name in (("accelerator", chip), ("model", model)) if name]
    machines = [thing.machine("it", as_written)[0] for thing in things if thing is not None]
    for i, a, c, b in ((0, 0, 0, 0), (3, 3, 1, 9), (7, 4, 4, 17), (4, 2, 2, 12)):
        exact = roofline.speedup(machines[0], machines[1] if model else None, BATCHES[b], CONTEXTS[c], LENGTHS[i],
                                 Fraction(str(ACCEPTANCES[a])), level="WK" if model else "W")
        assert abs(curves[i][a][c][b] - 1000 * (lower(exact) + upper(exact)) / 2) <= Fraction(51, 100)


def test_what_is_too_high_runs_along_the_edge() -> None:
    assert path([1, 2], 100, 10, [2, 99]) == "M1 80.0L2 30.0"


def test_scripts_hold_no_formula() -> None:
    """The chooser's script may place a number in the picture, compare it and show it; nothing else."""
    from specdil_records.site.templating import asset

    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", asset("chooser.js").decode(), flags=re.S)
    assert re.findall(r"\*\*|Math\.(?!min)\w+", code) == []
    assert re.findall(r"[\w.\])]+ [*/] [\w.(]+", code) == ["value / 1000", "config.unit * Math.min(value"]
