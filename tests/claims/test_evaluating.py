"""Expressions by value: numbers, dimensions, kinds, what they rest on and what is refused."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from specdil_records.arithmetic import Dimension, Interval
from specdil_records.claims import evaluating
from specdil_records.claims.evaluating import Evaluator, Scope, bytes_per, unknown_name
from specdil_records.claims.language import FormulaError, parse_value
from specdil_records.claims.quantities import Leaf, Quantity, Unavailable, Undecided
from specdil_records.claims.subjects import subject
from specdil_records.corpus import load_corpus
from tests.claims.support import MODEL
from tests.conftest import Build

BYTE, RATE = Dimension(byte=1), Dimension(byte=1, second=-1)
QUANTITIES = {
    "two": Quantity(2), "half": Quantity(Fraction(1, 2)), "wide": Quantity(Interval(2, 3)), "zero": Quantity(0),
    "around": Quantity(Interval(-1, 1)), "below": Quantity(Interval(-3, -2)), "size": Quantity(Interval(8, 9), BYTE),
    "speed": Quantity(4, RATE), "share": Quantity(Fraction(1, 4), kind="percent"),
    "points": Quantity(Fraction(1, 8), kind="points"), "count": Quantity(Interval(2, 4), whole=True),
}


def evaluator(**more: Any) -> Evaluator:
    inputs: dict[str, Leaf | None] = {name: Leaf("input", (name,), name, one) for name, one in QUANTITIES.items()}
    return Evaluator(Scope({**inputs, "lost": None}, {"B": Quantity(7)}, {"gone": None, **more}, None))


def value(text: str, **more: Any) -> Quantity:
    return evaluator(**more).value(parse_value(text).tree)


@pytest.mark.parametrize(("text", "expected"), [
    ("2 + 3 * two", Quantity(8, whole=True)), ("two - half", Quantity(Fraction(3, 2))), ("half + half", Quantity(1)),
    ("-two", Quantity(-2)), ("+two", Quantity(2)), ("-wide", Quantity(Interval(-3, -2))),
    ("0.1 + 0.2", Quantity(Fraction(3, 10))), ("two ** 3", Quantity(8, whole=True)),
    ("two ** -2", Quantity(Fraction(1, 4))), ("wide ** 2", Quantity(Interval(4, 9))),
    ("around ** 2", Quantity(Interval(0, 1))), ("size ** 2", Quantity(Interval(64, 81), BYTE**2)),
    ("size / speed", Quantity(Interval(2, Fraction(9, 4)), BYTE / RATE)),
    ("speed * two", Quantity(8, RATE, whole=True)), ("two / speed", Quantity(Fraction(1, 2), Dimension() / RATE)),
    ("speed - speed", Quantity(0, RATE, whole=True)), ("share - share", Quantity(0, kind="points")),
    ("share + points", Quantity(Fraction(3, 8), kind="percent")),
    ("share * two", Quantity(Fraction(1, 2), kind="percent")),
    ("two * share", Quantity(Fraction(1, 2), kind="percent")),
    ("share / half", Quantity(Fraction(1, 2), kind="percent")), ("half / share", Quantity(2)),
    ("share / share", Quantity(1)), ("-share", Quantity(Fraction(-1, 4), kind="percent")),
    ("min(1, wide)", Quantity(Interval(1, 1))), ("max(two, wide)", Quantity(Interval(2, 3))),
    ("min(3, two, 1)", Quantity(1, whole=True)), ("max(3, two, 1)", Quantity(3, whole=True)),
    ("min(8, 7, 6, 5, 4, 3, 2, 1)", Quantity(1, whole=True)),
    ("half + count", Quantity(Interval(Fraction(5, 2), Fraction(9, 2)))), ("half * count", Quantity(Interval(1, 2))),
    ("two * speed", Quantity(8, RATE)), ("speed * size", Quantity(Interval(32, 36), RATE * BYTE)),
    ("max(0, share)", Quantity(Fraction(1, 4), kind="percent")),
    ("max(share, 0)", Quantity(Fraction(1, 4), kind="percent")),
    ("min(points, share)", Quantity(Fraction(1, 8), kind="percent")),
    ("min(share, points)", Quantity(Fraction(1, 8), kind="percent")),
    ("max(points, 0, points)", Quantity(Fraction(1, 8), kind="points")),
    ("max(size, size)", Quantity(Interval(8, 9), BYTE)),
    ("abs(below)", Quantity(Interval(2, 3))), ("abs(around)", Quantity(Interval(0, 1))),
    ("abs(count)", Quantity(Interval(2, 4), whole=True)), ("ceil(half)", Quantity(1, whole=True)),
    ("floor(half)", Quantity(0, whole=True)), ("ceil(wide / 2)", Quantity(Interval(1, 2), whole=True)),
    ("floor(size / 2)", Quantity(Interval(4, 4), BYTE, whole=True)),
    ("count * two - 1", Quantity(Interval(3, 7), whole=True)),
    ("count + half", Quantity(Interval(Fraction(5, 2), Fraction(9, 2)))), ("count / two", Quantity(Interval(1, 2))),
    ("count ** 0", Quantity(Interval(1, 1), whole=True)), ("B + 1", Quantity(8, whole=True)),
    ('bytes_per("bf16")', Quantity(2, BYTE)), ('bytes_per("fp4")', Quantity(Fraction(1, 2), BYTE)),
    ("verify.gain(two, 4)", Quantity(4)), ("additive.gain(8, two)", Quantity(Fraction(1, 4))),
    ("additive.gain(batch=8, draft_k=two)", Quantity(Fraction(1, 4))),
    ("additive.gain(8, draft_k=2)", Quantity(Fraction(1, 4))),
    ("expected_tokens.from_rates(0.8)", Quantity(Fraction(9, 5))),
    ("expected_tokens.from_rates(0.8, 0.7, 0.6)", Quantity(Fraction(31, 10))),
    ("min(expected_tokens.from_rates(0.5), wide)", Quantity(Interval(Fraction(3, 2), Fraction(3, 2)))),
])
def test_values(text: str, expected: Quantity) -> None:
    found = value(text)
    assert (found.value, found.dimension, found.kind) == (expected.value, expected.dimension, expected.kind)
    if isinstance(found.value, Interval):
        assert found.whole is expected.whole


@pytest.mark.parametrize(("text", "error", "words"), [
    ("two + size", FormulaError, "a bare number and byte cannot be added"), ("size - speed", FormulaError, "byte/s"),
    ("min(two, size)", FormulaError, "min compares a bare number with byte"),
    ("max(size, size, two)", FormulaError, "max compares byte with a bare number"),
    ("min(1, 2, 3, 4, 5, 6, 7, 8, 9)", FormulaError, "min takes"), ("max(two)", FormulaError, "max takes"),
    ("min(two)", FormulaError, "min takes 2 arguments or more"),
    ("max(1, 2, 3, 4, 5, 6, 7, 8, 9)", FormulaError, "max takes"),
    ("abs(two, two)", FormulaError, "abs takes 1 argument$"), ("ceil()", FormulaError, "ceil takes 1 argument$"),
    ("min(two, two, a=two)", FormulaError, "min takes"), ("floor(two, a=two)", FormulaError, "floor takes"),
    ("two / zero", Undecided, "zero"), ("two / around", Undecided, "zero"), ("zero ** -1", Undecided, "zero"),
    ("wide / (wide - wide)", Undecided, "zero"), ("lost", Unavailable, "lost"), ("lost + 1", Unavailable, "lost"),
    ("gone.tdp", Unavailable, "gone"),
    ("gone", FormulaError, "gone is a record; one of its quantities is gone.QUANTITY"),
    ("nosuch.tdp", FormulaError, "unknown name nosuch"),
    ("hal", FormulaError, "unknown name hal; did you mean half?"), ("q", FormulaError, "unknown name q$"),
    ("additive.gan(1, 2)", FormulaError, r"did you mean additive\.gain\?"),
    ("two(3)", FormulaError, r"two is a number, no function; to multiply, write two \* \(\.\.\.\)"),
    ("B(3)", FormulaError, "B is a number, no function"), ("gone(3)", FormulaError, "unknown name gone"),
    ("bytes_per(two)", FormulaError, "bytes_per takes 1 quoted text first"),
    ('bytes_per("nosuch")', FormulaError, "nosuch"),
    ('bytes_per("bf16", "fp8")', FormulaError, "bytes_per takes 1 quoted"),
    ('cited("a", "b")', FormulaError, "cited takes 3 quoted texts first"),
    ('cited("a", "b", two)', FormulaError, "cited takes"), ('cited("a", "b", "c", "d")', FormulaError, "cited takes"),
    ('cited("a", "b", "c")', Unavailable, "source 'a'"), ('cited("", "b", "c")', Unavailable, "source ''"),
    ("additive.gain(1, 2, 3)", FormulaError, "additive.gain takes at most 2 arguments"),
    ("additive.gain(1, z=2)", FormulaError, "additive.gain has no argument z"),
    ("additive.gain(1)", FormulaError, "additive.gain"),
    ("additive.gain(size, 1)", FormulaError, "additive.gain: batch is a bare number, not byte"),
    ("additive.gain(1, draft_k=size)", FormulaError, "draft_k is a bare number, not byte"),
    ("expected_tokens.from_rates()", FormulaError, "needs at least one of rates"),
    ("expected_tokens.from_rates(size)", FormulaError, "rates is a bare number, not byte"),
    ("expected_tokens.from_rates(0.8, 0.7, size)", FormulaError, "rates is a bare number, not byte"),
    ('additive.gain("text", 1)', FormulaError, "additive.gain"),
    ("additive.gain(0, 1)", FormulaError, "batch of additive.gain is at least 1"),
    (" * ".join(["((9 ** 8) ** 8) ** 8"] * 18 + ["((((9 ** 8) ** 8) ** 8) ** 8) ** 8"]), FormulaError, "grow past"),
])
def test_what_has_no_value(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        value(text)


def test_what_an_expression_rests_on_is_noted_in_order() -> None:
    one = evaluator()
    one.value(parse_value("two * B + min(half, two) ** 2").tree)
    assert [(leaf.kind, leaf.label) for leaf in one.used] == [
        ("input", "two"), ("axis", "B"), ("input", "half"), ("input", "two")]


def test_a_value_may_stand_in_for_a_leaf() -> None:
    one = evaluator()
    one.adjust = lambda leaf: Quantity(10) if leaf.label == "two" else leaf.quantity
    assert one.value(parse_value("two * B").tree).value == 70
    assert [leaf.quantity.value for leaf in one.used] == [2, 7]  # the leaves themselves, as the claim has them


CHIP = """\
schema_version: "3.0"
id: accelerators/full-chip
name: Full chip
quantities:
  memory_bandwidth: {value: "2.00 TB/s", basis: specified, source: chip-sheet, locator: page 1}
  memory_capacity: {value: "80 GB", basis: specified, source: chip-sheet, locator: page 1}
  interconnect_bandwidth: {value: "900 GB/s", basis: specified, source: chip-sheet, locator: page 1}
  tdp: {value: "700 W", basis: specified, source: chip-sheet, locator: page 1}
  peak_bf16_dense: {value: "400 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
  peak_bf16_sparse: {value: "800 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
  peak_fp8_dense: {value: "800 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
"""
LARGE, SMALL = "peak_fp8_dense", "peak_bf16_dense"


@pytest.fixture
def chip(build: Build, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(evaluating, "_READ", {})
    corpus = load_corpus(build(files={"records/accelerators/full-chip.yaml": CHIP}))
    return subject(corpus.find("accelerator", "full-chip"))


@pytest.mark.parametrize(("texts", "read"), [
    (['ridge(chip, "bf16")'], [SMALL]), (["ridge(chip)"], [SMALL]), (['ridge(chip, dtype="fp8")'], [LARGE]),
    (['ridge(dtype="fp8", accelerator=chip)'], [LARGE]), (['ridge(chip, "bf16")', 'ridge(chip, "fp8")'], [LARGE]),
    (['ridge_tokens(chip, "bf16", "fp8")', 'ridge_tokens(chip, "fp8", "bf16")'], [LARGE]),
    (['ridge_tokens(chip, dtype="bf16", weight_dtype="fp8")', 'ridge_tokens(chip, weight_dtype="bf16", dtype="fp8")'],
     [LARGE]),
    (['ridge_tokens(chip, "bf16", weight_dtype="fp8")', 'ridge_tokens(chip, weight_dtype="bf16", dtype="fp8")'],
     [LARGE]),
    (['ridge_tokens(chip, weight_dtype="fp8")', 'ridge_tokens(chip, "fp8")'], [LARGE]),
    (['ridge_tokens(chip, "fp8")', 'ridge_tokens(chip, weight_dtype="fp8")'], [SMALL]),
    (['ridge(chip, "bf16") + ridge(chip, "fp8")'], [SMALL, "memory_bandwidth", LARGE]),
])
def test_only_what_a_form_reads_of_a_record_counts(chip: Any, texts: list[str], read: list[str]) -> None:
    for text in texts:
        one = evaluator(chip=chip)
        found = one.value(parse_value(text).tree)
    assert [leaf.key[1] for leaf in one.used] == ["memory_bandwidth", *read]
    assert found.value.lo < found.value.hi


STEP = "step.time(chip, model, 4, 100, 1{})"


@pytest.mark.parametrize(("texts", "apart"), [
    ([STEP.format("")], False), ([STEP.format(", chips=1")], False), ([STEP.format(", chips=2")], True),
    ([STEP.format(", chips=2"), STEP.format("")], False), ([STEP.format(""), STEP.format(", chips=2")], True),
    ([STEP.format(", chips=2"), STEP.format(", chips=1")], False), ([STEP.format(", chips=wide")], True),
    ([STEP.format(", chips=wide"), STEP.format("")], False), ([STEP.format(""), STEP.format(", chips=wide")], True),
    ([STEP.format(", chips=wide"), STEP.format(", chips=1")], False),
    ([STEP.format(", chips=1"), STEP.format(", chips=wide")], True),
])
def test_chips_that_stand_alone_have_nothing_between_them(build: Build, monkeypatch: pytest.MonkeyPatch,
                                                          texts: list[str], apart: bool) -> None:
    monkeypatch.setattr(evaluating, "_READ", {})
    corpus = load_corpus(build(files={"records/accelerators/full-chip.yaml": CHIP, "records/models/small.yaml": MODEL}))
    things = {"chip": subject(corpus.find("accelerator", "full-chip")), "model": subject(corpus.find("model", "small"))}
    for text in texts:
        one = evaluator(**things)
        one.value(parse_value(text).tree)
    used = [leaf.key[1] for leaf in one.used if leaf.key[0] == "accelerators/full-chip"]
    assert used == ["memory_bandwidth", *(["interconnect_bandwidth"] if apart else []), SMALL]


def test_a_whole_number_of_a_form_stays_whole(build: Build) -> None:
    corpus = load_corpus(build(files={"records/accelerators/full-chip.yaml": CHIP, "records/models/small.yaml": MODEL}))
    one = evaluator(chip=subject(corpus.find("accelerator", "full-chip")), model=subject(corpus.find("model", "small")))
    assert one.value(parse_value("resident_batch(chip, model, 100, 4)").tree).whole
    assert not one.value(parse_value(STEP.format("")).tree).whole


class Asked:
    """Cells that tell by which keys they were asked for."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = []

    def cell(self, source: str, item: str, column: str, keys: dict[str, Any]) -> Leaf:
        self.keys.append(keys)
        return Leaf("cell", (source, item, column), column, Quantity(9))


def test_the_keys_of_a_cell_are_texts_or_numbers() -> None:
    cells = Asked()
    one = Evaluator(Scope({"two": Leaf("input", ("two",), "two", Quantity(2))}, {}, {}, cells))
    found = one.value(parse_value('cited("s", "t", "c", batch="16", k=two + 1, n=4)').tree)
    assert (found, cells.keys) == (Quantity(9), [{"batch": "16", "k": Quantity(3, whole=True), "n": Quantity(4)}])
    assert [leaf.label for leaf in one.used] == ["two", "c"]


def test_a_quantity_of_a_record_is_its_interval(chip: Any) -> None:
    one = evaluator(chip=chip)
    found = one.value(parse_value("chip.memory_bandwidth").tree)
    assert found == Quantity(Interval(1995 * 10**9, 2005 * 10**9), RATE)
    assert [(leaf.kind, leaf.key, leaf.label) for leaf in one.used] == [
        ("record", ("accelerators/full-chip", "memory_bandwidth"), "chip.memory_bandwidth")]


def test_names_that_are_near() -> None:
    assert unknown_name("bandwith", ["batch", "bandwidth"]) == "unknown name bandwith; did you mean bandwidth?"
    assert unknown_name("x", ["batch"]) == "unknown name x"
    assert unknown_name("bndwt", ["batch", "bandwidth"]) == "unknown name bndwt; did you mean bandwidth?"
    assert unknown_name("bnwtx", ["batch", "bandwidth"]) == "unknown name bnwtx"
    with pytest.raises(FormulaError):
        bytes_per("nosuch")
