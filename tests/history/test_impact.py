"""`records impact`: what rests on a record, and what another value in it would turn."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specdil_records.corpus import load_corpus
from specdil_records.history.dependence import dependents
from specdil_records.history.supposing import CannotSuppose, altered, suppose
from tests.history.repository import records

Build = Callable[..., Path]
FLOP = "records/flops/example-stall.yaml"
OTHER = ('schema_version: "3.0"\nid: flops/other\nname: Another\nstatus: active\n'
         "arithmetic_intensity: The ridge is high.\nscales_with: []\n"
         "affected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\nnotes: Nothing.\n"
         "claims:\n- {id: high, in: arithmetic_intensity, quote: The ridge is high, basis: derived, "
         "backed_by: flops/example-stall#ridge, over: {B: 1..4}, holds: ['increasing(decode.intensity(B), B)']}\n")


def impact(folder: Path, *arguments: str) -> dict[str, Any]:
    done = records(folder, "impact", *arguments, "--format", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_claims_are_found_by_what_they_used_and_by_whom_they_back(build: Build) -> None:
    corpus = load_corpus(build(files={"records/flops/other.yaml": OTHER}))
    found = dependents(corpus, corpus.by_id["accelerators/example-chip"])
    assert [(one.record, one.claim, one.uses, one.through) for one in found.claims] == [
        ("flops/example-stall", "ridge", ("example-chip.memory_bandwidth", "example-chip.peak_bf16_dense"), ""),
        ("flops/other", "high", (), "flops/example-stall#ridge")]
    assert {(one.path, one.direct) for one in found.records} == {
        (FLOP, True), ("records/sources/bench-report.yaml", True), ("records/flops/other.yaml", False)}


def test_a_source_is_behind_the_values_that_it_gives_and_the_cells_that_are_cited(build: Build) -> None:
    corpus = load_corpus(build())
    sheet = dependents(corpus, corpus.by_id["sources/chip-sheet"])
    assert [one.claim for one in sheet.claims] == ["ridge"]
    bench = dependents(corpus, corpus.by_id["sources/bench-report"])
    assert [(one.claim, one.uses) for one in bench.claims] == [
        ("measured-gain", ("bench-report#table-1", "bench-report#fading"))]


def test_of_an_accelerator_taken_whole_only_the_values_that_move_something_are_told(build: Build) -> None:
    corpus = load_corpus(build(
        ("chip", "quantities:\n", "quantities:\n  tdp: {value: 700 W, basis: specified, source: chip-sheet}\n"),
        ("flop", "    moves 2.00 TB/s: chip.memory_bandwidth\n    computes 400 TFLOP/s: chip.peak_bf16_dense\n", "")))
    found = dependents(corpus, corpus.by_id["accelerators/example-chip"])
    assert found.claims[0].uses == ("example-chip.memory_bandwidth", "example-chip.peak_bf16_dense")


def test_another_value_moves_figures_by_so_much_and_turns_them(build: Build) -> None:
    found = impact(build(), "example-chip", "--set", "memory_bandwidth=1.6TB/s")
    moved = {one["what"]: one for one in found["moved"]}
    assert moved["200 FLOP/byte"]["change"] == "+25.1%"
    assert (moved["200 FLOP/byte"]["was"], moved["200 FLOP/byte"]["is_now"]) == ("agrees", "drifts")
    assert moved["200 FLOP/byte"]["place"] == f"{FLOP}:21:75"
    assert moved["2.00 TB/s"]["change"] == "-20%"
    assert found["verdicts"] == [{"record": "flops/example-stall", "claim": "ridge", "old": "recomputed",
                                  "new": "drifted"}]
    assert found["set"] == [{"name": "memory_bandwidth", "old": "2.00 TB/s", "new": "1.6TB/s"}]


def test_nothing_is_written_and_the_same_value_moves_nothing(build: Build) -> None:
    folder = build()
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    assert impact(folder, "example-chip", "--set", "memory_bandwidth=2.00 TB/s")["moved"] == []
    assert impact(folder, "example-chip", "--set", "memory_bandwidth=9 TB/s")["moved"]
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before


def test_a_corpus_with_another_value_leaves_the_first_as_it_was(build: Build) -> None:
    corpus = load_corpus(build())
    chip = corpus.by_id["accelerators/example-chip"]
    other, supposed = altered(corpus, chip, ["memory_bandwidth=1 TB/s", "tdp=300 W"])
    assert [(one.name, one.old, one.new) for one in supposed] == [("memory_bandwidth", "2.00 TB/s", "1 TB/s"),
                                                                  ("tdp", "", "300 W")]
    assert chip.data["quantities"]["memory_bandwidth"]["value"] == "2.00 TB/s"
    assert "tdp" not in chip.data["quantities"]
    assert other.by_id[chip.id].data["quantities"]["tdp"]["value"] == "300 W"


FASTER = ("flop", "history:", ("disputes:\n- {claim: ridge, words: moves, means: chip.memory_bandwidth > limit, "
                               "because: so, sources: [chip-sheet]}\nhistory:"))


def test_conclusions_and_disputes_flip(build: Build) -> None:
    folder = build(
        ("flop", "  of: {chip: example-chip}\n", ("  of: {chip: example-chip}\n  assume: {limit: 3 TB/s}\n"
                                                 "  holds: [chip.memory_bandwidth < limit]\n  because: so\n")), FASTER)
    found = impact(folder, "example-chip", "--set", "memory_bandwidth=5 TB/s")
    flips = {(one["kind"], one["was"], one["is_now"]) for one in found["moved"] if one["flips"]}
    assert {("conclusion", "true", "false"), ("dispute", "stands", "stale"), ("figure", "agrees", "drifts")} == flips


def test_a_value_that_another_record_contradicts_is_told(build: Build) -> None:
    folder = build(("bench", "  conditions: {accelerator: example-chip}\n  columns: {batch: [\"1\", \"16\"], ",
                    "  columns: {batch: [\"1\", \"16\"], "),
                   ("bench", "quotes:\n", ("- id: specs\n  locator: Table 2\n  basis: specified\n  conditions: "
                                          "{accelerator: example-chip}\n  columns: {memory_bandwidth: [2.00 TB/s]}\n"
                                          "quotes:\n")))
    found = impact(folder, "example-chip", "--set", "memory_bandwidth=4 TB/s")
    assert [(one["what"], one["is_now"]) for one in found["moved"] if one["kind"] == "finding"] == [
        ("contradiction", "found")]


def test_a_cell_is_set_by_its_pointer(build: Build) -> None:
    found = impact(build(), "bench-report", "--set", "/tables/0/columns/speedup/1=1.5")
    assert [(one["what"], one["old"], one["new"]) for one in found["moved"]] == [
        ("1.25x", "[1.245, 1.255]x", "[1.45, 1.55]x")]


@pytest.mark.parametrize(("name", "setting", "words"), [
    ("accelerators/example-chip", "memory_bandwidht=1 TB/s", "did you mean memory_bandwidth?"),
    ("accelerators/example-chip", "memory_bandwidth=fast", "memory_bandwidth=fast: "),
    ("accelerators/example-chip", "memory_bandwidth=3 GB", "is measured in byte/s"),
    ("accelerators/example-chip", "memory_bandwidth", "is not QUANTITY=VALUE"),
    ("accelerators/example-chip", "/quantities/tdp=1", "nothing at /quantities/tdp"),
    *(("sources/bench-report", f"/tables/{place}/locator=x", "nothing at")
      for place in ("1", "00", "\u0661", "9" * 5000)),
    ("accelerators/example-chip", "/id=accelerators/b", "says what the record is"),
    ("accelerators/example-chip", "/quantities/memory_bandwidth/basis=guessed", "would not fit its schema"),
    ("flops/example-stall", "batch=3", "only accelerators and models"),
])
def test_values_that_a_record_cannot_have(build: Build, name: str, setting: str, words: str) -> None:
    corpus = load_corpus(build())
    with pytest.raises(CannotSuppose) as caught:
        suppose(corpus, corpus.by_id[name], [setting])
    assert words in str(caught.value)


def test_text_for_people(build: Build) -> None:
    folder = build()
    done = records(folder, "impact", "example-chip", "--set", "peak_bf16_dense=402 TFLOP/s")
    assert done.out.splitlines()[0] == "accelerators/example-chip with peak_bf16_dense 400 TFLOP/s -> 402 TFLOP/s"
    assert "    agrees -> drifts: [399.5, 400.5] TFLOP/s -> [401.5, 402.5] TFLOP/s (+0.5%)" in done.out.splitlines()
    assert done.out.splitlines()[-1] == (
        "4 claims judged again: 2 figures moved, 1 would drift; 0 conclusions and 0 disputes would flip; "
        "no value moves in 3 claims")
    assert records(folder, "impact", "flops/example-stall").out == "nothing depends on flops/example-stall\n"
    assert records(folder, "impact", "example-chip", "--set", "tdp=x").code == 2
    assert records(folder, "impact", "example-chop").code == 2


def test_a_basis_that_would_be_too_strong_is_told(build: Build) -> None:
    folder = build()
    found = impact(folder, "bench-report", "--set", "/quotes/0/basis=simulated")
    assert [(one["kind"], one["what"], one["is_now"]) for one in found["moved"]] == [
        ("finding", "basis-too-strong", "found")]
    assert "the basis is reported, but bench-report#fading is simulated" in found["moved"][0]["new"]
    told = records(folder, "impact", "bench-report", "--set", "/quotes/0/basis=simulated").out
    assert "1 other fault would come or go; no value moves in" in told


def test_a_name_that_two_records_have_is_asked_for_in_full(build: Build) -> None:
    folder = build(files={"records/flops/bench-report.yaml": OTHER.replace("flops/other", "flops/bench-report")})
    for command in ("impact", "why", "ledger"):
        done = records(folder, command, "bench-report")
        assert (done.code, done.err) == (
            2, "records: 'bench-report' may be flops/bench-report or sources/bench-report; name it in full\n")
        assert records(folder, command, "flops/bench-report").code == 0
