"""Values that tables, records and what a corpus stands on state of one thing: where it is told, and with what."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from specdil_records.checking import Options, check
from specdil_records.checking.selftest import check_sample, sample_corpus
from specdil_records.corpus import load_corpus
from specdil_records.findings import Finding
from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of
from tests.claims.support import MODEL

CHIP = "{accelerator: example-chip}"
SOURCE = 'schema_version: "3.0"\nid: sources/a-blog\nkind: blog\ntitle: About it\ntables:\n'


def tables(*texts: str) -> dict[str, str]:
    """A source of some tables, each the text of its conditions and columns."""
    rows = (f"- {{id: table-{i}, locator: Table {i}, basis: reported, seen: full-text, {text}}}\n"
            for i, text in enumerate(texts, 1))
    return {"records/sources/a-blog.yaml": SOURCE + "".join(rows)}


def says(value: str, conditions: str = CHIP, quantity: str = "memory_bandwidth") -> str:
    return f"conditions: {conditions}, columns: {{{quantity}: {value}}}"


def told(*texts: str, edits: tuple[tuple[str, str, str], ...] = (), **files: str) -> list[tuple[tuple[str | int, ...],
                                                                                              str]]:
    """Place and message of each contradiction that these tables are in. The chip of the example moves 2.00 TB/s."""
    sample = Sample(edits, {**tables(*texts), **{f"records/models/{name}.yaml": text for name, text in files.items()}})
    return [(one.pointer, one.message) for one in check_sample(sample) if one.name == "contradiction"]


def column(table: int, row: int, quantity: str = "memory_bandwidth") -> tuple[str | int, ...]:
    return ("tables", table, "columns", quantity, row)


# Tables against the thing's own record --------------------------------------------------------------------

HAS = "example-chip has memory_bandwidth 2.00 TB/s, this table"


@pytest.mark.parametrize(("texts", "expected"), [
    ([says('["2.00 TB/s", "3.00 TB/s"]')], [(column(0, 1), f"{HAS} 3.00 TB/s")]),
    # 2.00 TB/s is all from 1.995 to 2.005, 2.01 all from 2.005 to 2.015: both may be 2.005. So may 1.99, at 1.995.
    ([says('["2.01 TB/s"]')], []), ([says('["1.99 TB/s"]')], []),
    ([says('["2.011 TB/s"]')], [(column(0, 0), f"{HAS} 2.011 TB/s")]),
    # Any other condition makes it another measurement, and says nothing of the tables behind it.
    ([says('["3.00 TB/s"]', "{accelerator: example-chip, clock: high}"), says('["4.00 TB/s"]')],
     [(column(1, 0), f"{HAS} 4.00 TB/s")]),
    ([says('["3.00 TB/s"]', "{accelerator: no chip of ours}"), says('["4.00 TB/s"]')],
     [(column(1, 0), f"{HAS} 4.00 TB/s")]),
    ([says('["3.00 TB/s"]', "{clock: high}"), says('["4.00 TB/s"]')], [(column(1, 0), f"{HAS} 4.00 TB/s")]),
    (['columns: {memory_bandwidth: ["3.00 TB/s"]}', says('["4.00 TB/s"]')], [(column(1, 0), f"{HAS} 4.00 TB/s")]),
    # What is no quantity of a chip says nothing of it, and is no end of the columns.
    ([f'conditions: {CHIP}, columns: {{layers: ["9"], memory_bandwidth: ["4.00 TB/s"]}}'],
     [(column(0, 0), f"{HAS} 4.00 TB/s")]),
])
def test_a_table_against_the_record_of_its_thing(texts: list[str], expected: list[tuple[Any, str]]) -> None:
    assert told(*texts) == expected


@pytest.mark.parametrize(("layers", "expected"), [
    ("2", []), ("1", ["small has layers 2, this table 1"]), ("3", ["small has layers 2, this table 3"])])
def test_a_count_of_a_model_is_that_count_or_another(layers: str, expected: list[str]) -> None:
    found = told(says(f'["{layers}"]', "{model: small}", "layers"), small=MODEL)
    assert found == [(column(0, 0, "layers"), message) for message in expected]


@pytest.mark.parametrize(("quantity", "record", "cell", "expected"), [
    ("parameters", "8030", '["9000"]', ["small has parameters 8030, this table 9000"]),
    ("parameters", "8030", '["8030"]', []), ("parameters", "8.03B", '["9B"]', ["small has parameters 8.03B"]),
    ("parameters", "8.03B", '["8B", "8.0B"]', []), ("matmul_parameters", "1000", '["1001"]', ["small has matmul_p"]),
    ("kv_bytes_per_token", "256 B", '["512 B"]', ["small has kv_bytes_per_token 256 B, this table 512 B"]),
    ("kv_bytes_per_token", "256 B", '["256 B"]', []), ("active_parameters", "7", '["8"]', ["small has active_p"]),
    ("parameters", "8030", '["9 GB"]', []),  # told as the wrong unit that it is
])
def test_a_total_of_a_model_is_compared_as_well(quantity: str, record: str, cell: str, expected: list[str]) -> None:
    small = MODEL + f'{quantity}: "{record}"\n'
    stated = told(says(cell, "{model: small}", quantity), small=small)
    found = [message for (*_, last), message in stated if last == 0]  # the shape gives another total, told at the model
    assert [message[:len(words)] for message, words in zip(found, expected, strict=True)] == expected


def test_two_tables_that_say_the_same_count_agree() -> None:
    same = says('["32"]', "{model: unknown}", "layers")
    assert told(same, same) == []


def test_a_row_that_a_key_column_does_not_reach_is_told_by_what_else_stands_in_it() -> None:
    texts = [f'conditions: {CHIP}, columns: {{mode: ["fast"], tdp: [{cells}]}}' for cells in (
        '"500 W", "300 W"', '"600 W", "300 W"')]
    assert told(*texts) == [(column(1, 0, "tdp"), "example-chip has tdp 600 W here, 500 W in a-blog#table-1")]


# Conflicts that are known ---------------------------------------------------------------------------------


SETTLING = "{quantity: memory_bandwidth, value: 3.00 TB/s, source: chip-sheet}"


@pytest.mark.parametrize(("conflicts", "settled"), [
    (SETTLING, True),
    ("{quantity: memory_bandwidth, value: 3 TB/s, source: chip-sheet}", True),  # all from 2.5 to 3.5
    ("{quantity: memory_bandwidth, value: 3.02 TB/s, source: chip-sheet}", False),
    ("{quantity: memory_capacity, value: 3 TB, source: chip-sheet}", False),
    ("{quantity: interconnect_bandwidth, value: 3.00 TB/s, source: chip-sheet}", False),
    ("{quantity: memory_bandwidth, value: 3;00 TB/s, source: chip-sheet}", False),
    (f"{{quantity: memory_bandwidth, value: much, source: chip-sheet}}, {SETTLING}", True),
    (f"{{quantity: memory_bandwidth, value: 9.00 TB/s, source: chip-sheet}}, {SETTLING}", True),
])
def test_only_the_other_value_itself_settles_it(conflicts: str, settled: bool) -> None:
    edit = ("chip", "quantities:", f"conflicts: [{conflicts}]\nquantities:")
    expected = [] if settled else [(column(0, 0), f"{HAS} 3.00 TB/s")]
    assert told(says('["3.00 TB/s"]'), edits=(edit,)) == expected


def test_between_two_tables_a_third_value_settles_nothing() -> None:
    edit = ("chip", "quantities:", "conflicts: [{quantity: tdp, value: 900 W, source: chip-sheet}]\nquantities:")
    assert told(says('["500 W"]', quantity="tdp"), says('["600 W"]', quantity="tdp"), edits=(edit,)) == [
        (column(1, 0, "tdp"), "example-chip has tdp 600 W here, 500 W in a-blog#table-1")]


# What a program learns of it ------------------------------------------------------------------------------


SEVERAL = Sample((), {**tables(says('["3.00 TB/s"]'), says('["500 W"]', quantity="tdp")),
                      **{path.replace("a-blog", "b-blog"): text.replace("a-blog", "b-blog") for path, text in
                         tables(says('["600 W"]', quantity="tdp")).items()}})


def test_a_finding_names_thing_and_quantity() -> None:
    assert [one.data for one in check_sample(SEVERAL) if one.name == "contradiction"] == [
        {"thing": "accelerators/example-chip", "quantity": "memory_bandwidth"},
        {"thing": "example-chip", "quantity": "tdp"}]


@pytest.mark.parametrize(("path", "shown"), [
    ("accelerators/example-chip", ["memory_bandwidth"]), ("sources/a-blog", ["memory_bandwidth", "tdp"]),
    ("sources/b-blog", ["tdp"]), ("sources/chip-sheet", [])])
def test_a_check_of_either_file_shows_it(path: str, shown: list[str]) -> None:
    scope = frozenset({f"records/{path}.yaml"})
    findings = check(sample_corpus(SEVERAL), Options(scope=scope)).findings
    assert [one.data["quantity"] for one in findings if one.name == "contradiction"] == shown


def test_bytes_are_no_counts_of_parameters() -> None:
    has = ("chip", "quantities:\n", ("quantities:\n  memory_capacity: {value: 80 GB, basis: specified, "
                                     "source: chip-sheet}\n"))
    assert told(says('["80 GB", "96 GB"]', quantity="memory_capacity"), edits=(has,)) == [
        (column(0, 1, "memory_capacity"), "example-chip has memory_capacity 80 GB, this table 96 GB")]


# What a corpus stands on ----------------------------------------------------------------------------------


def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str, own: str,
           shared: str) -> list[Finding]:
    """What is found about a record of one's own beside one of the same name that is brought in."""
    path = f"records/{kind}/{name}.yaml"
    files = {f"own/{inside}": text for inside, text in files_of(Sample((), {path: own})).items()}
    files |= {"own/pyproject.toml": '[tool.records]\nextends = ["specdil"]\n', f"shared/{kind}/{name}.yaml": shared}
    for inside, text in files.items():
        (tmp_path / inside).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / inside).write_text(text)
    monkeypatch.setattr("specdil_records.corpus.files.shipped_folder", lambda _: tmp_path / "shared")
    return [one for one in check(load_corpus(tmp_path / "own")).findings if one.path == path]


CHIP_TEXT = """\
schema_version: "3.0"
id: accelerators/chip
name: Chip
quantities:
  tdp: {value: "TDP", basis: reported, source: chip-sheet, locator: page 1}
  memory_bandwidth: {value: "BANDWIDTH", basis: reported, source: chip-sheet, locator: page 1}
"""


def chip(bandwidth: str, tdp: str = "500 W", more: str = "") -> str:
    return CHIP_TEXT.replace("BANDWIDTH", bandwidth).replace("TDP", tdp) + more


STANDS = "in the corpus that this one stands on"
KNOWN = f"conflicts: [{SETTLING}]\n"


@pytest.mark.parametrize(("own", "shared", "expected"), [
    (chip("2.00 TB/s"), chip("2.00 TB/s"), []), (chip("2.00 TB/s"), chip("2 TB/s"), []),
    (chip("2.00 TB/s"), chip("3.00 TB/s"), [("memory_bandwidth", f"is 2.00 TB/s here, 3.00 TB/s {STANDS}")]),
    (chip("2.00 TB/s", "600 W"), chip("2.00 TB/s"), [("tdp", f"is 600 W here, 500 W {STANDS}")]),
    (chip("2.00 TB/s", more=KNOWN), chip("3.00 TB/s"), []),
    (chip("2.00 TB/s", more=KNOWN), chip("4.00 TB/s"), [
        ("memory_bandwidth", f"is 2.00 TB/s here, 4.00 TB/s {STANDS}")]),
    (chip("2.00 TB/s"), chip("3.00 TB/s", more=KNOWN.replace("3.00", "2.00")), [
        ("memory_bandwidth", f"is 2.00 TB/s here, 3.00 TB/s {STANDS}")]),  # the own record has to know of it
    (chip("2.00 TB/s"), chip("much"), []), (chip("2.00 TB/s"), "id: accelerators/chip\n", []),
])
def test_a_chip_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, shared: str,
                            expected: list[tuple[str, str]]) -> None:
    found = beside(tmp_path, monkeypatch, "accelerators", "chip", own, shared)
    assert [(one.name, one.pointer, one.message) for one in found] == [
        ("contradiction", ("quantities", name), f"{name} {message}") for name, message in expected]
    assert [one.data for one in found] == [{"thing": "accelerators/chip", "quantity": name} for name, _ in expected]


def test_a_model_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = beside(tmp_path, monkeypatch, "models", "small", MODEL, MODEL.replace("layers: 2", "layers: 3"))
    assert (one.name, one.pointer) == ("contradiction", ("shape", "layers"))
    assert one.message == f"layers is 2 here, 3 {STANDS}"


def test_a_total_of_a_model_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Beside numbers of the shape a total may be a little more, since it does not tell of biases.
    own = 'parameters: "202048"\n'
    assert beside(tmp_path, monkeypatch, "models", "small", MODEL + own, MODEL + own) == []
    (one,) = beside(tmp_path, monkeypatch, "models", "small", MODEL + own, MODEL + own.replace("202048", "202049"))
    assert (one.name, one.pointer) == ("contradiction", ("parameters",))
    assert one.message == f"parameters is 202048 here, 202049 {STANDS}"


def test_a_value_in_a_wrong_unit_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = beside(tmp_path, monkeypatch, "accelerators", "chip", chip("5.00 TB"), chip("2.00 TB/s"))
    assert [one.name for one in found] == ["unknown-unit"]
