"""An uncertainty that evidence states: what is wrong with one is told where it stands, and it widens what it is of."""
from __future__ import annotations

import pytest

from specdil_records.checking.selftest import check_sample
from specdil_records.findings import Finding
from specdil_records.rules import Sample

CHIP = 'memory_bandwidth: {value: "2.00 TB/s", '
CELL = 'speedup: ["2.10", "1.25"]'


def findings(*edits: tuple[str, str, str]) -> list[Finding]:
    return [one for one in check_sample(Sample(edits))
            if one.name != "undecided"]  # what is known less well may be too coarse to tell


def found(*edits: tuple[str, str, str]) -> list[tuple[str, str]]:
    return [(one.name, one.message) for one in findings(*edits)]


@pytest.mark.parametrize(("uncertainty", "fault", "words"), [
    ("0.05 TB/s", None, ""), ("0.05", None, ""), ("0.05 GB", "unreadable-number", "have different units"),
    ("50 GB/s", None, ""), ("5%", "unreadable-number", "have different units"),
    ("much", "unreadable-number", "'much' is no number"), ("0,05", "unreadable-number", "'0,05' cannot be read"),
    ("1 KB", "unknown-unit", "'KB' is no unit"),
    ("0", "unreadable-number", "an uncertainty is more than nothing, not 0"),
    ("-1", "unreadable-number", "an uncertainty is more than nothing, not -1"),
])
def test_the_uncertainty_of_a_quantity(uncertainty: str, fault: str | None, words: str) -> None:
    faults = findings(("chip", CHIP, f'{CHIP}uncertainty: "{uncertainty}", '))
    assert [(one.name, one.pointer, one.data) for one in faults] == (
        [(fault, ("quantities", "memory_bandwidth", "uncertainty"), {"figure": uncertainty})] if fault else [])
    assert all(words in one.message for one in faults)


@pytest.mark.parametrize(("value", "uncertainty", "unit", "faults"), [
    ("1.25", "0.05", "x", {}), ("1.25x", "0.05", "x", {}), ("1.25x", "0.05x", "x", {}),
    ("1.25", "0.05x", "x", {}), ("1.25", "50 ms", "s", {}),  # the unit of the column is the cell's
    ("1.25", "5%", "x", {"uncertainty": "unreadable-number"}), ("1.25", "50 GB", "s", {
        "uncertainty": "unreadable-number"}),
    ("1.25", "0,05", "x", {"uncertainty": "unreadable-number"}),
    # Where there is no number, that is told there; an uncertainty of nothing is at fault by itself.
    ("fast", "1", "x", {"value": "unreadable-number"}), ("1.25", "1", "KB", {"value": "unknown-unit"}),
    ("fast", "0", "x", {"value": "unreadable-number", "uncertainty": "unreadable-number"}),
])
def test_the_uncertainty_of_a_cell(value: str, uncertainty: str, unit: str, faults: dict[str, str]) -> None:
    cell = f'other: [{{value: "{value}", uncertainty: "{uncertainty}"}}, ""]'
    told = findings(("bench", CELL, f"{CELL}, {cell}"),
                    ("bench", "unit: {speedup: x}", f"unit: {{speedup: x, other: {unit}}}"))
    place = ("tables", 0, "columns", "other", 0)
    ends = {"uncertainty": (*place, "uncertainty"), "value": place}
    assert sorted((one.name, one.pointer, one.data["figure"]) for one in told) == sorted(
        (name, ends[key], {"value": value, "uncertainty": uncertainty}[key]) for key, name in faults.items())


@pytest.mark.parametrize(("uncertainty", "faults"), [("0.05x", []), ("5%", ["have different units"])])
def test_the_uncertainty_of_a_cell_in_a_table_that_states_no_units(uncertainty: str, faults: list[str]) -> None:
    table = (f'- {{id: more, locator: Table 2, basis: measured, columns: {{other: [{{value: 1.25x, uncertainty: '
             f'"{uncertainty}"}}]}}}}\n')
    told = findings(("bench", "quotes:\n", f"{table}quotes:\n"))
    assert [(one.name, one.pointer) for one in told] == [
        ("unreadable-number", ("tables", 1, "columns", "other", 0, "uncertainty")) for _ in faults]
    assert all(words in one.message for one, words in zip(told, faults, strict=True))


@pytest.mark.parametrize(("uncertainty", "names"), [(None, ["figure-drift"]), ("0.05", []), ("0.02", ["figure-drift"])])
def test_it_widens_what_a_record_computes(uncertainty: str | None, names: list[str]) -> None:
    details = f'uncertainty: "{uncertainty}", ' if uncertainty else ""
    faults = found(("flop", "its ridge lies at 200 FLOP/byte.\n", "its ridge lies at 205.0 FLOP/byte.\n"),
                   ("flop", "its ridge lies at 200 FLOP/byte\n", "its ridge lies at 205.0 FLOP/byte\n"),
                   ("flop", "at 200 FLOP/byte: ", "at 205.0 FLOP/byte: "), ("chip", CHIP, CHIP + details))
    assert [name for name, _ in faults] == names


@pytest.mark.parametrize(("table", "uncertainty", "names"), [
    ("2.10 TB/s", None, ["contradiction"]), ("2.10 TB/s", "0.1", []), ("2.10 TB/s", "0.05", ["contradiction"])])
def test_values_that_may_be_off_so_far_do_not_contradict(table: str, uncertainty: str | None, names: list[str]) -> None:
    details = f'uncertainty: "{uncertainty}", ' if uncertainty else ""
    faults = found(("bench", CELL, f'{CELL}, memory_bandwidth: ["{table}", "{table}"]'), ("chip", CHIP, CHIP + details))
    assert sorted({name for name, _ in faults}) == names
