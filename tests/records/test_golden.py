"""The published tables of the sources against the roofline core, row by row: each proves the other."""
from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from specdil_records.arithmetic import Interval
from specdil_records.corpus import Record, Settings
from specdil_records.corpus.files import source_file
from specdil_records.corpus.loading import load_record
from specdil_records.figures import Figure, read_figure
from specdil_records.planning.things import Library
from specdil_records.roofline import CATALOGUE, call

RECORDS = Path(__file__).parents[2] / "records"
LIBRARY = Library((RECORDS,))


@cache
def source(name: str) -> Record:
    file = RECORDS / "sources" / f"{name}.yaml"
    record = load_record(source_file(Settings(RECORDS.parent, RECORDS), file))
    assert record.sound
    return record


def table(name: str, item: str) -> dict[str, list[Figure | str]]:
    """The columns of a table, numbers with their units, words as they are."""
    found = next(one for one in source(name).data["tables"] if one["id"] == item)
    return {column: [figure(cell, found.get("unit", {}).get(column)) for cell in
                     (cells if isinstance(cells, list) else [cells])] for column, cells in found["columns"].items()}


def figure(cell: Any, unit: str | None) -> Figure | str:
    text = cell["value"] if isinstance(cell, dict) else cell
    return read_figure(text, unit) if re.fullmatch(r"[\d.,]+( ?[A-Z%][\w/]*)?", text) else text


def rows(name: str, item: str) -> list[dict[str, Any]]:
    columns = table(name, item)
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def whole(cell: Figure) -> int:
    assert cell.value.denominator == 1
    return int(cell.value)


def meets(computed: Any, printed: Figure) -> bool:
    found = computed if isinstance(computed, Interval) else Interval(computed, computed)
    return bool(found.overlaps(printed.interval))


# Leviathan et al. --------------------------------------------------------------------------------------------


def test_leviathan_table_1_comes_out_in_all_twelve_cells() -> None:
    told = []
    for row in rows("leviathan-2023", "table-1"):
        # The rates of this table are chosen, not measured: they are exact.
        arguments = (whole(row["draft_k"]), row["acceptance"].value)
        told += [meets(call(CATALOGUE["leviathan.operations"], *arguments), row["operations"]),
                 meets(call(CATALOGUE["leviathan.speedup"], *arguments), row["speed"])]
    assert told == [True] * 12


def leviathan_4() -> list[dict[str, Any]]:
    return rows("leviathan-2023", "table-4-ende") + rows("leviathan-2023", "table-4-cnndm")


def test_leviathan_table_4_meets_in_all_twelve_cells_once_its_inputs_are_taken_as_rounded() -> None:
    told = [meets(call(CATALOGUE["leviathan.speedup"], whole(row["draft_k"]), row["acceptance"].interval,
                       row["draft_cost"].interval), row["expected"]) for row in leviathan_4()]
    assert told == [True] * 12


def test_leviathan_table_4_comes_out_in_nine_cells_by_value() -> None:
    computed = [call(CATALOGUE["leviathan.speedup"], whole(row["draft_k"]), row["acceptance"].value,
                     row["draft_cost"].value) for row in leviathan_4()]
    off = {row["expected"].text: round(float(value), 3) for value, row in zip(computed, leviathan_4(), strict=True)
           if not meets(value, row["expected"])}
    assert off == {"2.4": 2.347, "2.0": 1.934, "1.6": 1.541}


def test_leviathan_table_4_has_the_rates_of_table_2() -> None:
    for task in ("ende", "cnndm"):
        measured, predicted = rows("leviathan-2023", f"table-2-{task}"), rows("leviathan-2023", f"table-4-{task}")
        for name in ("draft", "temperature", "draft_k", "acceptance"):
            assert [row[name] for row in measured] == [row[name] for row in predicted]


# Medusa, appendix G ------------------------------------------------------------------------------------------


def test_the_printed_intensities_of_medusas_attention_come_out() -> None:
    cells = rows("medusa", "table-6") + rows("medusa", "table-7")
    assert [cell["intensity"].text for cell in cells] == ["0.99", "40.96", "40.96"]
    for cell in cells:
        assert meets(attention(cell), cell["intensity"])


def attention(cell: dict[str, Any]) -> Any:
    model = LIBRARY.model("llama-33b")
    return call(CATALOGUE["medusa.attention_intensity"], model, whole(cell["context"]), whole(cell["candidates"]))


def linear(cell: dict[str, Any]) -> Any:
    model = LIBRARY.model("llama-33b")
    return call(CATALOGUE["medusa.linear_intensity"], model, whole(cell["batch"]), whole(cell["candidates"]))


def test_the_printed_intensity_of_medusas_linear_layers_comes_out() -> None:
    (cell,) = rows("medusa", "table-8")
    assert cell["intensity"].text == "2893.91"
    assert meets(linear(cell), cell["intensity"])
    # Added instead of multiplied, the tokens of that cell would give a seventeenth of it.
    added = call(CATALOGUE["medusa.linear_intensity"], LIBRARY.model("llama-33b"), 64 + 111, 1)
    assert not meets(added, cell["intensity"])


def test_the_ratios_of_medusas_text_follow_from_its_tables() -> None:
    (said,) = rows("medusa", "g2")
    plain, speculative = rows("medusa", "table-6")
    assert (said["intensity_ratio"].value, said["flops_ratio"].value) == (41, 44)
    assert meets(attention(speculative) / attention(plain), said["intensity_ratio"])
    assert meets(speculative["achieved"].interval / plain["achieved"].interval, said["flops_ratio"])


def test_what_medusa_measured_lies_below_the_roof() -> None:
    chip = LIBRARY.accelerator("nvidia-a100-pcie-80gb")
    cells = [(cell["achieved"], attention(cell)) for cell in rows("medusa", "table-6") + rows("medusa", "table-7")]
    cells += [(cell["achieved"], linear(cell)) for cell in rows("medusa", "table-8")]
    assert [achieved.text for achieved, _ in cells] == ["1.24", "54.8", "19.79", "246.14"]
    for achieved, intensity in cells:
        roof = min(chip.peak("bf16"), intensity * chip.memory_bandwidth)
        assert achieved.interval.hi < roof


def test_the_lines_that_medusa_drew_are_those_of_the_accelerator() -> None:
    columns, chip = table("medusa", "g1-fig-9"), LIBRARY.accelerator("nvidia-a100-pcie-80gb")
    assert columns["memory_bandwidth"][0].value == chip.memory_bandwidth  # type: ignore[union-attr]
    assert columns["peak_bf16_dense"][0].value == chip.peak("bf16")  # type: ignore[union-attr]


def test_medusas_speedups_are_its_rates_over_its_overheads_for_two_models_of_four() -> None:
    missing = {cell["model"]: cell["speedup"].text for cell in rows("medusa", "table-1")
               if not meets(cell["acceleration_rate"].interval / cell["overhead"].interval, cell["speedup"])}
    # The paper's own: 3.51/1.23 is 2.85 and 3.01/1.27 is 2.37, however they were rounded.
    assert missing == {"Vicuna-13B": "2.83", "Vicuna-33B": "2.35"}


# MagicDec ----------------------------------------------------------------------------------------------------

MAGICDEC = {"table-1": 6, "table-2": 6, "table-3-a": 17, "table-3-b": 13, "table-3-c": 17, "table-4": 3}


@pytest.mark.parametrize("item", MAGICDEC)
def test_magicdecs_ratios_follow_from_its_times(item: str) -> None:
    cells = rows("magicdec", item)
    told = [meets(cell["plain_time"].interval / cell["speculative_time"].interval, cell["speedup"]) for cell in cells]
    assert told == [True] * MAGICDEC[item]


@pytest.mark.parametrize("item", MAGICDEC)
def test_magicdecs_steps_take_what_drafting_and_verifying_take_and_a_little_more(item: str) -> None:
    for cell in rows("magicdec", item):
        parts = (cell["draft_time"].value + cell["verify_time"].value) / cell["tokens_per_cycle"].value
        assert 1 < cell["speculative_time"].value / parts < Fraction(1075, 1000)


@pytest.mark.parametrize("item", MAGICDEC)
def test_no_cycle_of_magicdec_yields_more_than_its_drafts_and_one(item: str) -> None:
    cells = rows("magicdec", item)
    lengths = [cell["draft_k"] for cell in cells] if "draft_k" in cells[0] else [read_figure("2")] * len(cells)
    for cell, length in zip(cells, lengths, strict=True):
        certain = call(CATALOGUE["expected_tokens"], whole(length), 1)
        assert 1 <= cell["tokens_per_cycle"].value <= certain
        assert cell["speedup"].value < cell["tokens_per_cycle"].value


# EAGLE-3, and rates by position -----------------------------------------------------------------------------

TASKS = ("MT-bench", "HumanEval", "GSM8K", "Alpaca", "CNN/DM")
ODD = {("table-1-llama-3.1-8b-t1-speedup", "HASS"), ("table-1-llama-3.1-8b-t1-speedup", "EAGLE-3"),
       ("table-1-llama-3.3-70b-t0-speedup", "EAGLE-3")}
"""Means that the paper prints otherwise than its cells give them, however these were rounded."""


def test_eagle_3s_means_are_those_of_its_columns_but_for_three_of_fifty_two() -> None:
    items = [one["id"] for one in source("eagle-3").data["tables"] if one["id"].startswith("table-1-")]
    cells = {(item, row["method"]): row for item in items for row in rows("eagle-3", item)}
    assert (len(items), len(cells)) == (16, 52)
    assert {key for key, row in cells.items()
            if not meets(sum((row[task].interval for task in TASKS), Interval(0, 0)) / 5, row["Mean"])} == ODD
    # Taken as exact, the cells of one more give 2.792 where 2.80 is printed.
    assert {key for key, row in cells.items()
            if not meets(sum(row[task].value for task in TASKS) / Fraction(5), row["Mean"])} == ODD | {
        ("table-1-llama-3.1-8b-t1-speedup", "EAGLE-2")}


def test_eagle_3s_table_4_gives_the_ratios_that_are_quoted() -> None:
    by_method = {row["method"]: row["throughput"].interval for row in rows("eagle-3", "table-4")}
    assert meets(by_method["EAGLE-2"] / by_method["none"], read_figure("1.54x"))
    assert meets(by_method["EAGLE-3"] / by_method["none"], read_figure("2.36x"))


def test_rates_by_position_give_the_mean_accepted_length_that_is_printed_beside_them() -> None:
    rates = [row["rate"].value for row in rows("llama-cpp-pull-24536", "by-position")]
    assert rates == [Fraction("0.805"), Fraction("0.632"), Fraction("0.483")]
    assert call(CATALOGUE["expected_tokens.from_rates"], *rates) == Fraction("2.92")
