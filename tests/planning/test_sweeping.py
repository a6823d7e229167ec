"""`records sweep`: the grid, what is told instead of a number, and what is refused."""
from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.cli.main import run
from specdil_records.planning.literals import shown
from specdil_records.roofline import CATALOGUE, call
from tests.conftest import Build

ON = ("--of", "accelerator=nvidia-h100-sxm", "--of", "model=llama-3.1-8b")


@pytest.fixture
def sweep(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command in an empty folder, so that the records that ship are used."""
    monkeypatch.chdir(tmp_path)

    def ran(*arguments: str, code: int = 0) -> str:
        assert run(["sweep", *arguments]) == code
        seen = capsys.readouterr()
        return seen.err if code else seen.out

    return ran


def data(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)["rows"]
    return found


def test_every_point_is_the_cores_exact_value(sweep: Any) -> None:
    rows = data(sweep("verify.intensity", "--over", "batch=1..64*4", "--over", "draft_k=[1,4]", "--format", "json"))
    assert [(row["at"]["batch"], row["at"]["draft_k"]) for row in rows] == [
        (batch, k) for batch in ("1", "4", "16", "64") for k in ("1", "4")]
    for row in rows:
        expected = call(CATALOGUE["verify.intensity"], int(row["at"]["batch"]), int(row["at"]["draft_k"]))
        assert Fraction(row["exact"]) == expected


def test_units_stand_in_the_heads_and_values_are_decimals(sweep: Any) -> None:
    # (2 x 7,504,658,432 weight bytes + 1025 x 131,072 of cache) over 3.35e12.
    lines = sweep("step.time", "--over", "batch=[1,64]", "--set", "context=1024", "--set", "new_tokens=1", *ON,
                  "--format", "csv").splitlines()
    assert lines[0] == "batch,step.time [s]"
    assert list(csv.reader(io.StringIO(lines[1]))) == [["1", "0.0045205"]]


def test_answers_that_are_no_number_are_words(sweep: Any) -> None:
    text = sweep("break_even_batch", "--over", "context=[0,1024]", "--over", "acceptance=[0,0.6]", "--set", "draft_k=4",
                 *ON, "--format", "csv")
    cells = [line[-1] for line in csv.reader(io.StringIO(text))][1:]
    assert cells[0] == cells[2] == "never"
    assert cells[1].startswith("1-135 (crossing just below 136)")
    assert cells[3] == "always"


def test_a_mixture_gives_ranges(sweep: Any) -> None:
    text = sweep("break_even_batch", "--over", "model=[llama-3.1-8b,mixtral-8x7b]", "--set", "context=0", "--set",
                 "draft_k=4", "--set", "acceptance=0.6", "--of", "accelerator=nvidia-h100-sxm")
    assert "2-508" in text.splitlines()[-1]


def test_a_value_that_a_record_lacks_is_told_in_its_cells_alone(sweep: Any) -> None:
    rows = data(sweep("ridge", "--over", "accelerator=[nvidia-h100-sxm,nvidia-b200]", "--set", "dtype=fp4", "--format",
                      "json"))
    assert rows[0]["text"] == "undecided: no value for nvidia-h100-sxm.peak_fp4_dense"
    assert rows[0]["value"] is None
    assert rows[1]["value"] is not None


def test_literals_make_a_machine_of_ones_own_and_vary_it(sweep: Any) -> None:
    rows = data(sweep("ridge", "--over", "accelerator.memory_bandwidth=[2TB/s,4TB/s]", "--set",
                      "accelerator.peak_bf16_dense=800 TFLOP/s", "--format", "json"))
    assert [row["value"] for row in rows] == [400, 200]


def test_a_corpus_of_ones_own_wins_over_the_one_that_ships(build: Build, capsys: pytest.CaptureFixture[str],
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(build())
    names = [path.stem for path in Path("records/accelerators").iterdir()]
    assert run(["sweep", "ridge", "--over", f"accelerator=[{names[0]},nvidia-h200-sxm]"]) == 0
    assert "206.125" in capsys.readouterr().out


def test_a_list_of_rates_is_one_argument(sweep: Any) -> None:
    assert sweep("expected_tokens.from_rates", "--set", "rates=[0.805,0.632,0.483]").splitlines()[-1] == "2.92"


@pytest.mark.parametrize(("arguments", "words"), [
    (("speedups",), "did you mean speedup?"),
    (("speedup", "--over", "bach=1..4"), "did you mean batch?"),
    (("ridge", "--over", "accelerator=[nvidia-h100]"), "accelerator: there is no accelerator 'nvidia-h100'"),
    (("verify.intensity", "--over", "batch=0..4", "--set", "draft_k=1"), "batch of verify.intensity is at least 1"),
    (("verify.intensity", "--over", "batch=4..1", "--set", "draft_k=1"), "batch: 4..1 does not ascend"),
    (("verify.intensity", "--over", "batch=1..4"), "verify.intensity needs draft_k"),
    (("verify.intensity", "--over", "batch", "--set", "draft_k=1"), "--over: 'batch' is not NAME=VALUE"),
    (("verify.intensity", "--over", "batch=1..1000", "--over", "draft_k=1..1000"), "the grid has 1000000 points"),
    (("verify.intensity", "--over", "batch=1..4", "--set", "batch=1"), "batch is given by --set or --of too"),
    (("speedup", "--over", "batch=1..4", "--set", "step_overhead=2 GB"), "step_overhead is s, not byte"),
    (("speedup", "--over", "batch=1..4", "--set", "mode=fast"), "mode is one of operator, overlap, serial"),
    (("ridge", "--of", "accelerator=nvidia-h100-sxm", "--set", "accelerator.speed=1"), "accelerator.speed is no value"),
    (("ridge", "--set", "accelerator.memory_bandwidth=0 TB/s"), "accelerator.memory_bandwidth is more than nothing"),
    (("ridge", "--over", "accelerator.memory_bandwidth=[1 TB/s,-3 TB/s]"), "memory_bandwidth is more than nothing"),
    (("ridge", "--set", "accelerator.memory_bandwidth=3"), "memory_bandwidth is byte/s, not a bare number: '3'"),
    (("step.flops", "--set", "model.layers=1.5"), "model.layers is a whole number from 1 on"),
    (("step.flops", "--set", "model.kv_heads=0"), "model.kv_heads is a whole number from 1 on"),
    (("step.flops", "--set", "model.shared_experts=-1"), "model.shared_experts is a whole number from 0 on"),
    (("speedup", "--over", "batch=1..4", "--set", "step_overhead=2"), "step_overhead is s, not a bare number: '2'"),
    (("ridge", "--over", "accelerator=[nvidia-h100-sxm]", "--plot", "x.svg"), "no axis of --over has numbers"),
])
def test_what_cannot_be_asked_is_refused_with_the_arguments_name(sweep: Any, arguments: tuple[str, ...],
                                                                 words: str) -> None:
    assert words in sweep(*arguments, code=2)


def test_a_division_by_nothing_is_told_at_every_point(sweep: Any) -> None:
    text = sweep("speedup", "--over", "batch=1..2", "--set", "draft_k=4", "--set", "acceptance=0.8", "--set",
                 "context=1024", "--set", "compute_efficiency=0", *ON)
    assert text.count("undecided: it divides by zero") == 2


def test_a_record_that_calls_itself_otherwise_than_its_file_is_not_taken(sweep: Any, tmp_path: Path) -> None:
    chip = ('schema_version: "3.0"\nid: accelerators/other\nname: Other\nquantities:\n'
            "  memory_bandwidth: {value: 2 TB/s, basis: unverified}\n"
            "  peak_bf16_dense: {value: 400 TFLOP/s, basis: unverified}\n")
    (tmp_path / "records/accelerators").mkdir(parents=True)
    (tmp_path / "records/accelerators/own.yaml").write_text(chip, encoding="utf-8")
    assert "says of itself that it is accelerators/other" in sweep("ridge", "--of", "accelerator=own", code=1)


def test_the_drawing_has_the_same_bytes_in_every_run(sweep: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        sweep("speedup", "--over", "batch=1..256*2", "--over", "draft_k=[1,4]", "--set", "acceptance=0.8", "--set",
              "context=1024", *ON, "--plot", name)
    drawn = (tmp_path / "a.svg").read_bytes()
    assert drawn == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in drawn
    assert b"dc:date" not in drawn


def test_without_matplotlib_the_extra_is_named(sweep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "specdil-records[plot]" in sweep("verify.intensity", "--over", "batch=1..4", "--set", "draft_k=1", "--plot",
                                            "x.svg", code=2)


@given(st.fractions(min_value=-10**9, max_value=10**9), st.integers(3, 12))
def test_a_shown_number_is_the_exact_one_to_its_digits(value: Fraction, digits: int) -> None:
    read = Fraction(shown(value, digits))
    assert abs(read - value) <= abs(value) * Fraction(1, 2 * 10 ** (digits - 1))


@given(st.integers(-10**30, 10**30))
def test_whole_numbers_are_shown_whole(value: int) -> None:
    assert shown(Fraction(value)) == str(value)
