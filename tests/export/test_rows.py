"""`records export`: what others read back is what the corpus holds."""
from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.claims import evaluate
from specdil_records.corpus import load_corpus
from specdil_records.export import columnar
from specdil_records.export.plain import FORMULA, csv_text, harmless
from specdil_records.export.plain import NUMBER as NUMBER_WRITTEN
from specdil_records.export.tables import COLUMNS, Table, tables
from specdil_records.extras import ExtraMissing
from tests.history.repository import records

Build = Callable[..., Path]
BEHIND = "basis: specified, source: chip-sheet"
WILD = ("sheet", "title: Data sheet of the example chip", "title: '=cmd|\"/c calc\"!A0, \"x\"; é\U0001f600'")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_the_ledger_as_csv_has_every_number_with_its_place_and_status(build: Build) -> None:
    folder = build()
    done = records(folder, "export", "--format", "csv")
    assert (done.code, done.err.count("\n")) == (0, 1)
    corpus = load_corpus(folder)
    flop = corpus.by_id["flops/example-stall"]
    ledger = evaluate(flop, corpus).ledger
    found = rows(done.out)
    assert [(row["number"], row["status"]) for row in found] == [(entry.written, str(entry.status)) for entry in ledger]
    ridge = next(row for row in found if row["number"] == "2.00 TB/s")
    assert (float(ridge["value"]), float(ridge["half_unit"]), ridge["unit"]) == (2e12, 5e9, "TB/s")
    for row in found:
        line = flop.document.line(int(row["line"]))
        assert line[int(row["column"]) - 1:].startswith(row["number"].split()[0])


def test_one_table_in_a_folder(build: Build) -> None:
    folder = build()
    assert records(folder, "export", "--format", "csv", "--table", "values", "-o", "new/").code == 0
    assert [path.name for path in (folder / "new").iterdir()] == ["values.csv"]


def test_every_table_in_a_folder_and_the_same_bytes_each_time(build: Build) -> None:
    folder = build(WILD)
    for name in ("one/", "two/"):
        assert records(folder, "export", "--format", "csv", "-o", name).code == 0
    written = {path.name: path.read_bytes() for path in (folder / "one").iterdir()}
    assert set(written) == {f"{name}.csv" for name in COLUMNS}
    assert written == {path.name: path.read_bytes() for path in (folder / "two").iterdir()}
    assert all(rows(content.decode("utf-8")) for content in written.values())


def test_claims_figures_values_and_cells(build: Build) -> None:
    found = {table.name: [dict(zip([name for name, _ in table.columns], row, strict=True)) for row in table.rows]
             for table in tables(load_corpus(build()))}
    assert [(row["claim"], row["verdict"]) for row in found["claims"]] == [
        ("gain-at-16", "recomputed"), ("gain-fades", "held"), ("ridge", "recomputed"), ("measured-gain", "cited")]
    gain = next(row for row in found["figures"] if row["quoted"] == "25%")
    assert (gain["expression"], gain["low"], gain["high"], gain["state"]) == (
        "additive.gain(batch, draft_k)", 0.25, 0.25, "agrees")
    assert [(row["quantity"], row["exact"], row["source"]) for row in found["values"]] == [
        ("memory_bandwidth", "2000000000000", "chip-sheet"), ("peak_bf16_dense", "400000000000000", "chip-sheet")]
    assert [(row["column"], row["row"], row["value"], row["unit"]) for row in found["cells"]] == [
        ("batch", 1, 1.0, None), ("batch", 2, 16.0, None), ("speedup", 1, 2.1, "x"), ("speedup", 2, 1.25, "x")]
    assert json.loads(found["cells"][0]["conditions"]) == {"accelerator": "example-chip"}


def test_models_conflicts_and_uncertainties_are_among_the_values(build: Build) -> None:
    folder = build(
        ("chip", "peak_bf16_dense:", f"tdp: {{value: 700 W, uncertainty: 20 W, {BEHIND}}}\n  peak_bf16_dense:"),
        ("chip", "quantities:",
         f"conflicts:\n- {{quantity: memory_bandwidth, value: 1.9 TB/s, {BEHIND}}}\nquantities:"),
        files={"records/models/small.yaml": 'schema_version: "3.0"\nid: models/small\nname: Small\nshape: {layers: 2, '
                                            "hidden_size: 64, heads: 4, kv_heads: 4, head_size: 16, ffn_size: 128, "
                                            "vocabulary: 1000}\nsource: chip-sheet\n"})
    (table,) = tables(load_corpus(folder), ("values",))
    found = {(row[0], row[2], row[-1]): row for row in table.rows}
    assert found["accelerators/example-chip", "memory_bandwidth", True][4] == 1.9e12
    assert found["accelerators/example-chip", "tdp", False][5] == 20.0
    assert found["models/small", "layers", False][4:7] == (2.0, 0.0, "2")


def test_a_record_with_a_fault_is_listed_and_gives_no_other_rows(build: Build) -> None:
    corpus = load_corpus(build(("flop", "status: active", "status: activ")))
    found = {table.name: table.rows for table in tables(corpus)}
    assert ("flops/example-stall", False) in [(row[0], row[-1]) for row in found["records"]]
    assert found["numbers"] == found["claims"] == ()


# Cells that others would run --------------------------------------------------------------------------------


TEXT = st.text(st.sampled_from("=+-@ \t\r\n,;\"'a1é\uff1d\uff20"), max_size=8)


NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(TEXT, NUMBER, st.none() | st.booleans()), max_size=5))
def test_csv_comes_back_as_it_was_but_for_the_apostrophe_before_a_formula(given_rows: list[tuple[Any, ...]]) -> None:
    table = Table("t", "", (("text", "text"), ("value", "real"), ("yes", "boolean")), tuple(given_rows))
    back = list(csv.reader(io.StringIO(csv_text(table), newline=""), strict=True))
    assert back[0] == ["text", "value", "yes"]
    for (text, value, yes), (cell, number, flag) in zip(given_rows, back[1:], strict=True):
        assert not cell.lstrip().startswith(FORMULA) or NUMBER_WRITTEN.fullmatch(cell)
        assert cell in (text, "'" + text)
        assert (float(number) if number else None) == value
        assert flag == {None: "", True: "true", False: "false"}[yes]


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-a1", "-1-1", "--1", "-1/a1", "@SUM(A1)", "\t=1", "\r=1",
                                  " =1", "\uff1d1"])
def test_formulas_are_text(text: str) -> None:
    assert harmless(text) == "'" + text


@pytest.mark.parametrize("text", ["-62", "+1", "-", "-31/50", "-0.62", "-6.2e-1", "-1,024", "-4%"])
def test_a_number_stays_as_its_source_writes_it(text: str) -> None:
    assert harmless(text) == text


def test_a_wild_title_reaches_every_format(build: Build) -> None:
    folder = build(WILD)
    title = '=cmd|"/c calc"!A0, "x"; é\U0001f600'
    out = records(folder, "export", "--format", "csv", "--table", "records").out
    assert "'" + title in [row["name"] for row in rows(out)]
    assert records(folder, "export", "--format", "sqlite", "-o", "all.db").code == 0
    connection = sqlite3.connect(folder / "all.db")
    try:
        assert (title,) in connection.execute("SELECT name FROM records").fetchall()
    finally:
        connection.close()


# Other formats ----------------------------------------------------------------------------------------------


def test_sqlite_holds_every_table_with_its_types_and_the_same_bytes_each_time(build: Build) -> None:
    folder = build()
    for name in ("one.db", "two.db", "one.db"):
        assert records(folder, "export", "--format", "sqlite", "-o", name).code == 0
    assert (folder / "one.db").read_bytes() == (folder / "two.db").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["one.db", "records", "two.db"]
    connection = sqlite3.connect(folder / "one.db")
    try:
        for table in tables(load_corpus(folder)):
            back = connection.execute(f'SELECT * FROM "{table.name}"')
            assert [column[0] for column in back.description] == [name for name, _ in table.columns]
            assert back.fetchall() == [tuple(row) for row in table.rows]
        covered = "SELECT count(*) FROM numbers WHERE status IN ('recomputed', 'cited', 'held', 'input')"
        assert connection.execute(covered).fetchone() == (10,)
    finally:
        connection.close()


def test_parquet_comes_back_with_pyarrow(build: Build) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = build(WILD)
    assert records(folder, "export", "--format", "parquet", "-o", "tables/").code == 0
    for table in tables(load_corpus(folder)):
        back = parquet.read_table(folder / "tables" / f"{table.name}.parquet")
        assert back.column_names == [name for name, _ in table.columns]
        assert [tuple(row.values()) for row in back.to_pylist()] == [tuple(row) for row in table.rows]
    first = (folder / "tables" / "numbers.parquet").read_bytes()
    assert records(folder, "export", "--format", "parquet", "--table", "numbers", "-o", "n.parquet").code == 0
    assert (folder / "n.parquet").read_bytes() == first


def test_duckdb_reads_csv_and_parquet_and_the_tables_in_memory(build: Build) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    folder = build()
    for form in ("csv", "parquet"):
        assert records(folder, "export", "--format", form, "-o", "out/").code == 0
    corpus = load_corpus(folder)
    wanted = len(evaluate(corpus.by_id["flops/example-stall"], corpus).ledger)
    for file in ("numbers.csv", "numbers.parquet"):
        assert duckdb.sql(f"SELECT count(*) FROM '{folder / 'out' / file}'").fetchall() == [(wanted,)]
    connection = columnar.connect(tables(corpus))
    joined = connection.execute('SELECT v.quantity FROM "values" v JOIN records r ON v.record = r.id ORDER BY 1')
    assert joined.fetchall() == [("memory_bandwidth",), ("peak_bf16_dense",)]
    connection.close()


def test_without_the_extra_the_command_says_which_one(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    done = records(build(), "export", "--format", "parquet", "-o", "n.parquet")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"records: {ExtraMissing('query', 'Parquet')}\n"


@pytest.mark.parametrize(("arguments", "words"), [
    (("--format", "parquet"), "-o says where"), (("--format", "sqlite"), "-o says where"),
    (("--format", "bibtex", "--table", "cells"), "--table is for csv and parquet"),
    (("--format", "sqlite", "-o", "records"), "is a folder"),
    (("--format", "csv", "-o", "no/such/file.csv"), "cannot be written"),
    (("--format", "csv", "-o", "records/flops/example-stall.yaml/"), "name another file"),
])
def test_commands_that_are_wrong(build: Build, arguments: tuple[str, ...], words: str) -> None:
    folder = build()
    before = sorted(folder.rglob("*"))
    done = records(folder, "export", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert sorted(folder.rglob("*")) == before


def test_exact_values_are_exact(build: Build) -> None:
    (table,) = tables(load_corpus(build()), ("numbers",))
    names = [name for name, _ in table.columns]
    for row in table.rows:
        one = dict(zip(names, row, strict=True))
        if one["exact"] is not None:
            assert float(Fraction(str(one["exact"]))) == one["value"]
