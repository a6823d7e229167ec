"""A user's run: reading it, getting back what made it, and foretelling published runs that were not fitted."""
from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from specdil_records.cli.main import run
from specdil_records.planning import PlanningError
from specdil_records.planning.acceptance import from_rate
from specdil_records.planning.asking import PLACEHOLDER
from specdil_records.planning.fitting import fit, fitted
from specdil_records.planning.measuring import Row, read_rows
from specdil_records.planning.published import halves
from specdil_records.planning.question import Draft, Question
from specdil_records.planning.things import Library
from specdil_records.roofline import throughput
from specdil_records.shipped import shipped_folder

LIBRARY = Library((shipped_folder("records"),))
H100, LLAMA = LIBRARY.accelerator("nvidia-h100-sxm"), LIBRARY.model("llama-3.1-8b")
FREE = Draft("n-gram", "free")


def made(rate: Fraction, **conditions: Any) -> tuple[Row, ...]:
    """Rows that the model itself gives under known conditions."""
    rows = []
    for context in (512, 4096):
        for batch in (1, 8, 32, 64, 128, 256, 512):
            per_draft = conditions.get("draft_seconds", 0)
            shared = {name: value for name, value in conditions.items() if name != "draft_seconds"}
            without = throughput(H100, LLAMA, batch, context, 0, rate, **shared)
            with_ = throughput(H100, LLAMA, batch, context, 3, rate, speculation_overhead=3 * per_draft, **shared)
            rows.append(Row(batch, context, 3, with_ / without, without, with_))
    return tuple(rows)


def test_a_run_that_the_model_made_gives_back_its_conditions() -> None:
    truth = {"compute_efficiency": Fraction(6, 10), "memory_efficiency": Fraction(85, 100),
             "step_overhead": Fraction(1, 1000), "draft_seconds": Fraction(1, 2000)}
    question = Question(H100, LLAMA, 512, from_rate(Fraction(7, 10)), FREE)
    found = fit(question, made(Fraction(7, 10), **truth), True)
    for name, value in truth.items():
        assert found.values[name] == pytest.approx(float(value), rel=0.03)
    assert found.spread < 0.005
    assert all(found.told.values())


def test_without_an_acceptance_it_is_fitted() -> None:
    rows = made(Fraction(7, 10), compute_efficiency=Fraction(6, 10), memory_efficiency=Fraction(85, 100),
                step_overhead=Fraction(1, 1000))
    found = fit(Question(H100, LLAMA, 512, PLACEHOLDER, FREE), rows, False)
    assert found.values["acceptance"] == pytest.approx(0.7, abs=0.01)
    assert "(fitted)" in fitted(Question(H100, LLAMA, 512, PLACEHOLDER, FREE), found).acceptance.words


def test_what_the_rows_do_not_tell_is_said_to_be_untold() -> None:
    # Small batches never meet the ridge, so nothing is told about the peak.
    rows = tuple(row for row in made(Fraction(7, 10), memory_efficiency=Fraction(8, 10)) if row.batch <= 8)
    found = fit(Question(H100, LLAMA, 512, from_rate(Fraction(7, 10)), FREE), rows, True)
    assert not found.told["compute_efficiency"]
    assert found.told["memory_efficiency"]


def test_the_same_file_gives_the_same_answer() -> None:
    question, rows = Question(H100, LLAMA, 512, from_rate(Fraction(7, 10)), FREE), made(Fraction(7, 10))
    assert fit(question, rows, True).values == fit(question, rows, True).values


# Published runs: every second one fitted, the others foretold -------------------------------------------------------

WORST = {("eagle-3", "table-3", "EAGLE"): 0.11, ("eagle-3", "table-3", "EAGLE-3"): 0.08,
         ("eagle-3", "table-5", "EAGLE"): 0.08, ("eagle-3", "table-5", "EAGLE-3"): 0.08,
         ("magicdec", "table-3-a", "speedup"): 0.05, ("magicdec", "table-3-b", "speedup"): 0.08,
         ("magicdec", "table-3-c", "speedup"): 0.08}


def test_runs_between_the_fitted_ones_are_foretold() -> None:
    tried = {(one.series.source, one.series.table, one.series.column): one for one in halves()}
    assert tried.keys() == WORST.keys()
    for name, most in WORST.items():
        assert tried[name].spread < most, name
        right, all_ = tried[name].signs
        assert right >= all_ - 1, name
    assert sum(one.signs[0] for one in tried.values()) == 35
    assert sum(one.signs[1] for one in tried.values()) == 38


# The file --------------------------------------------------------------------------------------------------------


def test_both_shapes_of_the_file_are_read() -> None:
    both = read_rows("\ufeffbatch, without, with\n1, 100 tok/s, 180\n2,190,300\r\n\n4,360,500\n", 512, 3)
    assert [row.speedup for row in both] == [Fraction(9, 5), Fraction(30, 19), Fraction(25, 18)]
    ratio = read_rows("batch,speedup,context,draft_k\n1,1.8x,100,2\n2,1.6,200,2\n4,1.2,300,2\n", None, None)
    assert [(row.context, row.draft_k, row.without) for row in ratio] == [
        (100, 2, None), (200, 2, None), (300, 2, None)]


@pytest.mark.parametrize(("text", "words"), [
    ("", "the file is empty"),
    ("batch,plain,spec\n1,2,3\n", "unknown or repeated column plain, spec"),
    ("batch,with\n1,2\n", "a column is missing"),
    ("batch,speedup\n1,1.5\n2,1.4\n", "2 rows are too few"),
    ("batch,speedup\n1,1.5\n2\n4,1\n", "line 3: 1 values under 2 heads"),
    ("batch,speedup\n1,fast\n2,1\n4,1\n", "line 2, speedup"),
    ("batch,speedup\n1.5,1\n2,1\n4,1\n", "line 2, batch is a whole number"),
    ("batch,speedup\n1,0\n2,1\n4,1\n", "line 2, speedup is above 0"),
])
def test_a_file_that_cannot_be_used_is_refused_at_its_line(text: str, words: str) -> None:
    with pytest.raises(PlanningError, match=words.replace("(", r"\(")):
        read_rows(text, 512, 3)


def test_a_draft_length_is_needed_from_somewhere() -> None:
    with pytest.raises(PlanningError, match="no column draft_k"):
        read_rows("batch,speedup\n1,1.8\n2,1.7\n4,1.6\n", 512, None)


def test_the_command_shows_the_residuals_and_plans_with_the_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    rows = made(Fraction(7, 10), compute_efficiency=Fraction(1, 2), memory_efficiency=Fraction(4, 5))
    (tmp_path / "run.csv").write_text("batch,context,without,with\n" + "".join(
        f"{row.batch},{row.context},{float(row.without or 0):.2f},{float(row.with_ or 0):.2f}\n" for row in rows))
    arguments = ["schedule", "--accelerator", "nvidia-h100-sxm", "--model", "llama-3.1-8b", "--context", "512",
                 "--acceptance", "0.7", "--at-draft-k", "3", "--measured", "run.csv"]
    assert run([*arguments, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fit"]["values"]["compute_efficiency"] == pytest.approx(0.5, rel=0.05)
    assert len(told["fit"]["rows"]) == len(rows)
    assert told["schedules"][0]["conditions"]["compute_efficiency"] == pytest.approx(0.5, rel=0.05)
    assert run(arguments) == 0
    assert capsys.readouterr().out.startswith("fitted to 14 rows, residuals of the speedup")
