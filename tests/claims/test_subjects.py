"""Records as expressions see them, by value: an accelerator's quantities, a model's shape, the cells of a source."""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Dimension, Interval, RationalGrid
from specdil_records.checking.selftest import sample_corpus
from specdil_records.claims.language import FormulaError
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided
from specdil_records.claims.subjects import (
    AcceleratorSubject,
    ModelSubject,
    SourceCells,
    did_you_mean,
    quantity_of,
    shown,
    subject,
)
from specdil_records.figures import read_figure
from specdil_records.roofline import Accelerator, Model
from specdil_records.rules import Sample
from tests.claims.support import MODEL

CHIP = """\
schema_version: "3.0"
id: accelerators/chip
name: Chip
quantities:
  memory_bandwidth: {value: "2.00 TB/s", basis: specified, source: chip-sheet, locator: page 1}
  memory_capacity: {value: "80 GB", basis: measured, source: chip-sheet, locator: page 2}
  interconnect_bandwidth: {value: "900 GB/s", basis: unverified}
  tdp: {value: "700 GB", basis: specified, source: chip-sheet, locator: page 1}
  peak_bf16_dense: {value: "400 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
  peak_fp8_dense: {value: "8,0 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
  peak_fp4_dense: {value: "80", basis: specified, source: chip-sheet, locator: page 1}
  peak_bf16_sparse: {value: "800 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
"""
GOOD = "\n".join(line for line in CHIP.splitlines() if not any(one in line for one in ("tdp", "fp8", "fp4"))).replace(
    "accelerators/chip", "accelerators/good") + '\n  tdp: {value: "700 W", basis: specified, source: chip-sheet}\n'
TABLES = """\
schema_version: "3.0"
id: sources/tables
kind: benchmark
title: Tables
tables:
- id: runs
  locator: Table 1
  basis: measured
  columns:
    batch: ["1", "4", "4", "16.0", "many"]
    name: [a, b, c, d, "16"]
    speedup: ["2.10", "1.5x", "", {value: "1.2", uncertainty: "0.3"}, "fast"]
    count: ["12", {value: "12", uncertainty: "3"}, {value: "12", uncertainty: "0"}]
    share: ["12%", {value: "12%", uncertainty: "2"}, {value: "12%", uncertainty: "2%"},
            {value: "12%", uncertainty: "2 GB"}, {value: fast, uncertainty: "2"}]
    short: ["7", "n/a"]
    size: ["1", "1 KB", "2 GB", "1,5", "-"]
  unit: {speedup: x, size: GB}
- id: one
  locator: Section 2
  basis: reported
  columns: {gain: "12.5%", memory_bandwidth: ["3,5 TB/s"], note: "a word"}
- id: single
  locator: Section 3
  basis: reported
  columns: {batch: "16", name: a, gain: "12.5%"}
"""
FAULTY = TABLES.replace("sources/tables", "sources/faulty").replace("kind: benchmark", "kind: 7")


@pytest.fixture(scope="module")
def corpus() -> Any:
    return sample_corpus(Sample((), {
        "records/accelerators/chip.yaml": CHIP, "records/accelerators/good.yaml": GOOD,
        "records/models/small.yaml": MODEL,
        "records/sources/tables.yaml": TABLES, "records/sources/faulty.yaml": FAULTY}))


BYTE, RATE = Dimension(byte=1), Dimension(byte=1, second=-1)


def test_a_quantity_of_an_accelerator(corpus: Any) -> None:
    chip = subject(corpus.find("accelerator", "chip"))
    assert isinstance(chip, AcceleratorSubject)
    assert chip.leaf("h", "memory_bandwidth") == Leaf(
        "record", ("accelerators/chip", "memory_bandwidth"), "h.memory_bandwidth",
        Quantity(Interval(1995 * 10**9, 2005 * 10**9), RATE), "2.00 TB/s", "specified", "chip-sheet",
        "chip.memory_bandwidth", read_figure("1 TB/s").unit)
    assert chip.leaf("h", "memory_capacity").basis == "measured"
    assert (chip.leaf("h", "interconnect_bandwidth").basis, chip.leaf("h", "interconnect_bandwidth").source) == (
        "unverified", "")
    assert chip.leaf("h", "peak_bf16_sparse").quantity.value == Interval(7995 * 10**11, 8005 * 10**11)


@pytest.mark.parametrize(("name", "error", "words"), [
    ("memory_bandwith", FormulaError, "memory_bandwith is no quantity of an accelerator; did you mean memory_"),
    ("xyzzy", FormulaError, "xyzzy is no quantity of an accelerator$"),
    ("peak_fp32_dense", Undecided, "accelerators/chip has no peak_fp32_dense"), ("tdp", Unavailable, "no readable tdp"),
    ("peak_fp8_dense", Unavailable, "8,0"), ("peak_fp4_dense", Unavailable, "no readable peak_fp4_dense"),
])
def test_a_quantity_that_an_accelerator_has_not(corpus: Any, name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        AcceleratorSubject(corpus.find("accelerator", "chip")).leaf("h", name)


@pytest.mark.parametrize(("uncertainty", "low", "high"), [
    ("20 W", 680, 720), ("20", 680, 720), ("0.5", Fraction(1399, 2), Fraction(1401, 2)), ("0.02 kW", 680, 720),
    ("20 GB", None, None), ("much", None, None), ("0 W", None, None), ("-20 W", None, None),
])
def test_a_quantity_may_state_how_far_it_may_be_off(uncertainty: str, low: Any, high: Any) -> None:
    text = GOOD.replace('"700 W"', f'"700 W", uncertainty: "{uncertainty}"')
    corpus = sample_corpus(Sample((), {"records/accelerators/good.yaml": text}))
    chip = AcceleratorSubject(corpus.by_id["accelerators/good"])
    if low is None:
        with pytest.raises(Unavailable):
            chip.leaf("h", "tdp")
    else:
        assert chip.leaf("h", "tdp").quantity.value == Interval(low, high)
        assert chip.leaf("h", "tdp").written == "700 W"
        assert chip.machine("h", None)[0].tdp == Interval(low, high)


def test_an_accelerator_as_the_roofline_takes_it(corpus: Any) -> None:
    good = AcceleratorSubject(corpus.find("accelerator", "good"))
    machine, leaves = good.machine("h", None)
    assert machine == Accelerator(
        memory_bandwidth=Interval(1995 * 10**9, 2005 * 10**9), peaks={"bf16": Interval(3995 * 10**11, 4005 * 10**11)},
        memory_capacity=Interval(795 * 10**8, 805 * 10**8), tdp=Interval(Fraction(1399, 2), Fraction(1401, 2)),
        interconnect_bandwidth=Interval(8995 * 10**8, 9005 * 10**8), name="good")
    assert [leaf.label for leaf in leaves] == [
        "h.memory_bandwidth", "h.memory_capacity", "h.interconnect_bandwidth", "h.tdp", "h.peak_bf16_dense",
        "h.peak_bf16_sparse"]
    assert good.machine("h", None)[0] is machine
    assert good.machine("i", None)[1][0].label == "i.memory_bandwidth"
    moved, same = good.machine("h", lambda leaf: Quantity(1))
    assert (moved.tdp, moved.peaks, same) == (1, {"bf16": 1}, leaves)
    assert good.machine("h", None)[0] is machine


def test_the_shape_of_a_model(corpus: Any) -> None:
    small = subject(corpus.find("model", "small"))
    assert isinstance(small, ModelSubject)
    assert small.leaf("m", "layers") == Leaf(
        "record", ("models/small", "layers"), "m.layers", Quantity(2), "2", "reported", "chip-sheet", "small.layers")
    machine, leaves = small.machine("m", None)
    assert machine == Model(layers=2, hidden_size=64, heads=4, kv_heads=2, head_size=16, ffn_size=128, vocabulary=1000,
                            tied_embeddings=False, name="small")
    assert [leaf.key[1] for leaf in leaves] == ["layers", "hidden_size", "heads", "kv_heads", "head_size", "ffn_size",
                                                "vocabulary"]
    assert small.machine("m", lambda leaf: Quantity(8))[0].layers == 8
    exact = "basis: specified\n" + MODEL.replace("vocabulary: 1000", "vocabulary: 1000, tied_embeddings: true")
    tied = ModelSubject(sample_corpus(Sample((), {"records/models/small.yaml": exact})).by_id["models/small"])
    assert (tied.leaf("m", "layers").basis, tied.machine("m", None)[0].tied_embeddings) == ("specified", True)
    for name, error, words in (("layer", FormulaError, "layer is no part of a model's shape; did you mean layers"),
                               ("xyzzy", FormulaError, "xyzzy is no part of a model's shape$"),
                               ("experts", Undecided, "models/small has no experts")):
        with pytest.raises(error, match=words):
            small.leaf("m", name)


def test_a_record_with_faults_is_no_subject(corpus: Any) -> None:
    assert subject(None) is None
    assert subject(corpus.find("source", "faulty")) is None
    assert subject(corpus.find("model", "nosuch")) is None


def test_a_cell(corpus: Any) -> None:
    cell = SourceCells(corpus).cell
    assert cell("tables", "runs", "speedup", {"batch": Quantity(1)}) == Leaf(
        "cell", ("sources/tables", "runs", "speedup", "batch=1"), "tables#runs speedup at batch=1",
        quantity_of(read_figure("2.10x")), "2.10", "measured", "tables", "tables#runs",
        read_figure("1x").unit)
    assert cell("tables", "one", "gain", {}) == Leaf(
        "cell", ("sources/tables", "one", "gain", ""), "tables#one gain", quantity_of(read_figure("12.5%")), "12.5%",
        "reported", "tables", "tables#one", read_figure("1%").unit)


@pytest.mark.parametrize(("column", "keys", "low", "high"), [
    ("speedup", {"size": Quantity(10**9)}, Fraction(419, 200), Fraction(421, 200)),
    ("speedup", {"batch": Quantity(1)}, Fraction(419, 200), Fraction(421, 200)),
    ("speedup", {"batch": Quantity(4), "name": "b"}, Fraction(29, 20), Fraction(31, 20)),
    ("speedup", {"name": "b"}, Fraction(29, 20), Fraction(31, 20)),
    ("speedup", {"batch": "16.0"}, Fraction(9, 10), Fraction(3, 2)),
    ("speedup", {"batch": Quantity(16)}, Fraction(9, 10), Fraction(3, 2)),
    ("size", {"name": "a"}, 5 * 10**8, 15 * 10**8), ("size", {"name": "c"}, 15 * 10**8, 25 * 10**8),
    ("speedup", {"batch": Quantity(Fraction(1))}, Fraction(419, 200), Fraction(421, 200)),
    ("count", {"name": "a"}, 12, 12), ("count", {"name": "b"}, 9, 15),
    ("short", {"batch": Quantity(1)}, 7, 7), ("share", {"name": "b"}, Fraction(1, 10), Fraction(7, 50)),
    ("share", {"name": "c"}, Fraction(1, 10), Fraction(7, 50)),
])
def test_the_row_in_which_every_key_is_right(corpus: Any, column: str, keys: dict[str, Any], low: Any,
                                             high: Any) -> None:
    value = SourceCells(corpus).cell("tables", "runs", column, keys).quantity.value
    assert (getattr(value, "lo", value), getattr(value, "hi", value)) == (low, high)


@pytest.mark.parametrize("keys", [{}, {"batch": Quantity(16)}, {"batch": "16", "name": "a"}])
def test_single_cells_are_of_one_row(corpus: Any, keys: dict[str, Any]) -> None:
    assert SourceCells(corpus).cell("tables", "single", "gain", keys).quantity == quantity_of(read_figure("12.5%"))


@pytest.mark.parametrize(("where", "keys", "error", "words"), [
    (("nosuch", "runs", "speedup"), {}, BrokenReference, "there is no source 'nosuch'$"),
    (("table", "runs", "speedup"), {}, BrokenReference, "there is no source 'table'; did you mean tables"),
    (("faulty", "runs", "speedup"), {}, Unavailable, "faulty"),
    (("tables", "run", "speedup"), {}, BrokenReference, "tables has no table 'run'; did you mean runs"),
    (("tables", "runs", "speed"), {}, BrokenReference, "tables#runs has no column 'speed'; did you mean speedup"),
    (("tables", "runs", "speedup"), {"bach": Quantity(1)}, BrokenReference, "no column 'bach'; did you mean batch"),
    (("tables", "runs", "speedup"), {}, BrokenReference, "tables#runs has 5 rows for no key"),
    (("tables", "runs", "speedup"), {"batch": Quantity(4)}, BrokenReference, "tables#runs has 2 rows for batch=4"),
    (("tables", "runs", "speedup"), {"batch": Quantity(5)}, BrokenReference, "tables#runs has no rows for batch=5"),
    (("tables", "runs", "speedup"), {"batch": Quantity(4), "name": "a"}, BrokenReference, "for batch=4, name=a"),
    (("tables", "runs", "speedup"), {"batch": "16"}, BrokenReference, "no rows for batch=16"),
    (("tables", "runs", "speedup"), {"name": Quantity(17)}, BrokenReference, "no rows for name=17"),
    (("tables", "runs", "speedup"), {"batch": Quantity(Interval(1, 2))}, FormulaError, "the key batch needs one exact"),
    (("tables", "runs", "speedup"), {"name": "c"}, Undecided, "tables#runs leaves this cell of speedup empty"),
    (("tables", "runs", "size"), {"batch": "many"}, Undecided, "tables#runs leaves this cell of size empty"),
    (("tables", "runs", "short"), {"name": "b"}, Undecided, "leaves this cell of short empty"),
    (("tables", "runs", "short"), {"name": "c"}, Undecided, "leaves this cell of short empty"),
    (("tables", "runs", "count"), {"name": "c"}, Unavailable, "an uncertainty is more than nothing, not 0"),
    (("tables", "single", "gain"), {"batch": Quantity(17)}, BrokenReference, "tables#single has no rows for batch=17"),
    (("tables", "single", "gain"), {"name": "b"}, BrokenReference, "tables#single has no rows for name=b"),
    (("tables", "runs", "name"), {"batch": Quantity(1)}, Undecided, "tables#runs has no number there: name is 'a'"),
    (("tables", "one", "note"), {}, Undecided, "tables#one has no number there: note is 'a word'"),
    (("tables", "runs", "speedup"), {"batch": "many"}, Unavailable, "fast"),
    (("tables", "runs", "size"), {"name": "b"}, Unavailable, "KB"),
    (("tables", "one", "memory_bandwidth"), {}, Unavailable, "3,5"),
    (("tables", "runs", "share"), {"name": "d"}, Unavailable, "different units"),
    (("tables", "runs", "share"), {"batch": "many"}, Undecided, "tables#runs has no number there: share is 'fast'"),
])
def test_a_cell_that_leads_nowhere(corpus: Any, where: tuple[str, str, str], keys: dict[str, Any],
                                   error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        SourceCells(corpus).cell(*where, keys)


def test_cells_along_an_axis(corpus: Any) -> None:
    cell: Callable[..., Leaf] = SourceCells(corpus).cell
    leaf = cell("tables", "runs", "speedup", {"batch": Quantity(RationalGrid([1, 16]))})
    assert [leaf.quantity.value.lo.at(i) for i in (0, 1)] == [Fraction(419, 200), Fraction(9, 10)]
    assert [leaf.quantity.value.hi.at(i) for i in (0, 1)] == [Fraction(421, 200), Fraction(3, 2)]
    assert (leaf.label, leaf.written, leaf.basis, leaf.source) == ("tables#runs speedup", "", "measured", "tables")
    one = cell("tables", "runs", "size", {"batch": Quantity(RationalGrid([[1]])), "name": "a"})
    assert one.quantity.value.lo.shape == (1, 1)
    with pytest.raises(BrokenReference, match="no rows for batch=2"):
        cell("tables", "runs", "speedup", {"batch": Quantity(RationalGrid([1, 2]))})


@pytest.mark.parametrize(("text", "value", "kind"), [
    ("16", 16, ""), ("16.0", Interval(Fraction(319, 20), Fraction(321, 20)), ""),
    ("25%", Interval(Fraction(49, 200), Fraction(51, 200)), "percent"),
    ("5 points", Interval(Fraction(9, 200), Fraction(11, 200)), "points"),
    ("4x", Interval(Fraction(7, 2), Fraction(9, 2)), ""), ("2 GB", Interval(15 * 10**8, 25 * 10**8), ""),
])
def test_a_number_as_an_input(text: str, value: Any, kind: str) -> None:
    found = quantity_of(read_figure(text))
    assert (found.value, found.kind) == (value, kind)
    assert found.dimension == (BYTE if "GB" in text else Dimension())


def test_names_for_messages() -> None:
    assert (did_you_mean("tabel", ["table", "chair"]), did_you_mean("x", ["table"])) == ("; did you mean table?", "")
    assert (shown("a"), shown(Quantity(4)), shown(7)) == ("a", "4", "7")
