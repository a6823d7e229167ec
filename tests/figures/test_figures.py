from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.arithmetic import Dimension, Interval
from specdil_records.figures import Figure, FigureError, match_unit, read_figure

UNITS = {
    "TB/s": (Fraction(10**12), Dimension(byte=1, second=-1)),
    "GiB": (Fraction(1024**3), Dimension(byte=1)),
    "kB": (Fraction(1000), Dimension(byte=1)),
    "Mb/s": (Fraction(10**6, 8), Dimension(byte=1, second=-1)),
    "KiB": (Fraction(1024), Dimension(byte=1)),
    "TFLOP/s": (Fraction(10**12), Dimension(flop=1, second=-1)),
    "PFLOPS": (Fraction(10**15), Dimension(flop=1, second=-1)),
    "GFLOP/token": (Fraction(10**9), Dimension(flop=1, token=-1)),
    "FLOP/byte": (Fraction(1), Dimension(flop=1, byte=-1)),
    "FLOP/B": (Fraction(1), Dimension(flop=1, byte=-1)),
    "ms/token": (Fraction(1, 1000), Dimension(second=1, token=-1)),
    "us": (Fraction(1, 10**6), Dimension(second=1)),
    "\u00b5s": (Fraction(1, 10**6), Dimension(second=1)),
    "\u03bcJ": (Fraction(1, 10**6), Dimension(joule=1)),
    "ns": (Fraction(1, 10**9), Dimension(second=1)),
    "tok/s": (Fraction(1), Dimension(token=1, second=-1)),
    "tokens per second": (Fraction(1), Dimension(token=1, second=-1)),
    "J/token": (Fraction(1), Dimension(joule=1, token=-1)),
    "kW": (Fraction(1000), Dimension(joule=1, second=-1)),
    "bytes per token": (Fraction(1), Dimension(byte=1, token=-1)),
    "%": (Fraction(1, 100), Dimension()),
    "x": (Fraction(1), Dimension()),
}
DECIMALS = st.decimals(min_value=0, max_value=10**9, allow_nan=False, allow_infinity=False, places=3)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Fraction, Fraction, int]:
    """Digits as a person may write them, their value, half a unit in the last place, decimals."""
    whole = draw(st.integers(0, 10**12))
    places = draw(st.integers(0, 6))
    decimals = draw(st.integers(0, 10**places - 1)) if places else 0
    text = f"{whole:,}" if draw(st.booleans()) else str(whole)
    if places:
        text += f".{decimals:0{places}d}"
    sign = draw(st.sampled_from(["", "-", "\u2212", "+"]))
    value = whole + Fraction(decimals, 10**places)
    return sign + text, -value if sign in ("-", "\u2212") else value, Fraction(1, 2 * 10**places), places


@given(written(), st.sampled_from([*UNITS]))
def test_what_is_written_is_read(number: tuple[str, Fraction, Fraction, int], unit: str) -> None:
    text, value, half, _ = number
    figure = read_figure(text + ("" if unit in ("%", "x") else " ") + unit)
    scale, dimension = UNITS[unit]
    assert (figure.value, figure.half_unit) == (value * scale, half * scale)
    assert figure.unit is not None
    assert figure.unit.dimension == dimension
    assert not figure.exact


@given(written())
def test_the_interval_holds_the_value_and_reaches_half_a_unit_both_ways(
        number: tuple[str, Fraction, Fraction, int]) -> None:
    text, value, half, places = number
    figure = read_figure(text)
    assert figure.interval == Interval(value - half, value + half)
    assert figure.interval.holds(value)
    assert figure.exact == (places == 0)
    assert figure.as_input == (int(value) if places == 0 else figure.interval)


@given(st.integers(1, 9999), st.integers(-30, 30))
def test_powers_of_ten_scale_the_mantissa_and_its_last_place(mantissa: int, power: int) -> None:
    raised = str(power).translate(str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078"
                                                               "\u2079\u207b"))
    for text in (f"{mantissa}e{power}", f"{mantissa}E{power}", f"{mantissa}x10^{power}",
                 f"{mantissa} \u00d7 10^{power}", f"{mantissa}\u00b710{raised}", f"{mantissa} x 10{raised}"):
        figure = read_figure(text)
        assert figure.value == mantissa * Fraction(10)**power
        assert figure.half_unit == Fraction(10)**power / 2
        assert not figure.exact


@given(st.text(max_size=40) | st.text("0123456789.,-+\u00b1xe^ %TGB/s\u00a0\u2009\u00bd\u00b2", max_size=25))
@settings(max_examples=400)
def test_any_text_is_a_figure_or_a_figure_error(text: str) -> None:
    try:
        figure = read_figure(text)
    except FigureError as error:
        assert error.name in ("unreadable-number", "unknown-unit", "too-large")
        assert str(error)
    else:
        assert isinstance(figure, Figure)
        assert figure.half_unit >= 0


@given(DECIMALS)
def test_values_are_those_of_exact_decimals(number: Decimal) -> None:
    assert read_figure(str(number)).value == Fraction(number)


@pytest.mark.parametrize("text", ["4 KB", "4KB", "4 Kb", "4 gb", "4 Gb/S", "4 tb/s", "4 TFlops", "4 FLOPs", "4 gflop/s",
                                  "4 GB/S", "4 mb", "4 mB", "4 KIB", "4 kib", "4 Bytes", "4 flop", "4-Bit",
                                  "4 TFLOPs/s"])
def test_a_unit_in_the_wrong_case_is_refused(text: str) -> None:
    with pytest.raises(FigureError) as caught:
        read_figure(text)
    assert caught.value.name == "unknown-unit"


@pytest.mark.parametrize("text", ["4 tokens", "4 sequences", "4 MHz", "4 Gbps", "4 h", "4 users",
                                  "4", "4 toks", "4x GPUs"])
def test_other_words_are_counted_nouns(text: str) -> None:
    figure = read_figure(text)
    assert (figure.value, figure.unit, figure.exact, figure.as_input) == (4, None, True, 4)


@pytest.mark.parametrize("text", ["12,5", "1,02", ".5", "-.5", "\u00bd", "1\u00bd", "\uff13", "1,2,4", "12,34", "0,125",
                                  "1.2.3", "5\u00b2", "1'000", "1_000",
                                  "", " ", "x", "three", "3-6.5x", "3 to 4", "3 4",
                                  "3.35 TB/s and more", "about 3", "1.38x \u00b1 2 GB", "3 \u00b1 .5"])
def test_what_is_not_one_number_is_unreadable(text: str) -> None:
    with pytest.raises(FigureError) as caught:
        read_figure(text)
    assert caught.value.name == "unreadable-number"


@pytest.mark.parametrize("text", ["9" * 401, "0." + "1" * 401, "1e401", "1e999999999", "3x10^5000", "10^-9999999999"])
def test_more_than_four_hundred_digits_are_too_large(text: str) -> None:
    with pytest.raises(FigureError) as caught:
        read_figure(text)
    assert caught.value.name == "too-large"


def test_four_hundred_digits_are_read() -> None:
    assert read_figure("9" * 400).value == 10**400 - 1


def test_a_stated_uncertainty_takes_the_place_of_half_a_unit() -> None:
    for text in ("1.38 \u00b1 0.05x", "1.38x \u00b1 0.05x", "1.38x \u00b1 0.05", "1.38\u00b10.05x"):
        figure = read_figure(text)
        assert figure.interval == Interval(Fraction(133, 100), Fraction(143, 100))
        assert figure.unit is not None
        assert figure.unit.kind == "ratio"
    percent = read_figure("12.5% \u00b1 0.3%")
    assert (percent.value, percent.half_unit) == (Fraction(1, 8), Fraction(3, 1000))
    assert read_figure("4 \u00b1 1").as_input == Interval(3, 5)


@pytest.mark.parametrize(("text", "value", "kind"), [
    ("12.5%", Fraction(1, 8), "percent"), ("12.5 %", Fraction(1, 8), "percent"),
    ("12.5\u00a0%", Fraction(1, 8), "percent"), ("12.5\u202f%", Fraction(1, 8), "percent"),
    ("12.5\u2009%", Fraction(1, 8), "percent"), ("12.5 percent", Fraction(1, 8), "percent"),
    ("3 percentage points", Fraction(3, 100), "points"), ("3 percent points", Fraction(3, 100), "points"),
    ("3 pp", Fraction(3, 100), "points"), ("3 points", Fraction(3, 100), "points"),
    ("1.38x", Fraction(138, 100), "ratio"), ("1.38\u00d7", Fraction(138, 100), "ratio"),
    ("1.38 \u00d7", Fraction(138, 100), "ratio"), ("3 times", Fraction(3), "ratio"), ("2-fold", Fraction(2), "ratio"),
    ("8B parameters", Fraction(8 * 10**9), "count-scale"), ("8 B parameters", Fraction(8 * 10**9), "count-scale"),
    ("8 B models", Fraction(8 * 10**9), "count-scale"), ("32 K context", Fraction(32000), "count-scale"),
    ("7 M tokens", Fraction(7 * 10**6), "count-scale"), ("7 T parameters", Fraction(7 * 10**12), "count-scale"),
    ("8B model", Fraction(8 * 10**9), "count-scale"), ("8B drafter", Fraction(8 * 10**9), "count-scale"),
    ("32K", Fraction(32000), "count-scale"), ("32k tokens", Fraction(32000), "count-scale"),
    ("7M", Fraction(7 * 10**6), "count-scale"), ("15T tokens", Fraction(15 * 10**12), "count-scale"),
    ("8B", Fraction(8), ""), ("16-bit", Fraction(2), ""), ("16 bits", Fraction(2), ""),
])
def test_kinds(text: str, value: Fraction, kind: str) -> None:
    figure = read_figure(text)
    assert figure.unit is not None
    assert (figure.value, figure.unit.kind, figure.exact) == (value, kind, False)


def test_a_default_unit_serves_a_number_without_one_only() -> None:
    assert read_figure("1.40", "x").unit == read_figure("1.40x").unit
    assert read_figure("5", "%").value == Fraction(1, 20)
    assert read_figure("3.35", "TB/s") == Figure("3.35", Fraction(335 * 10**10), Fraction(5 * 10**9),
                                                 read_figure("3.35 TB/s").unit, False)
    assert read_figure("3 GB", "TB/s").value == 3 * 10**9
    assert read_figure("3", "tokens").exact
    with pytest.raises(FigureError, match="no unit"):
        read_figure("3", "KB")


def test_a_letter_that_only_looks_like_a_unit_is_none() -> None:
    assert match_unit("4 B=32", 1).unit is None
    assert match_unit("2 B(k+1)", 1).unit is None
    assert match_unit("5 s-curves", 1).unit is None
    assert match_unit("1990s", 4, 0).unit is None
    assert match_unit("64 bit-serial", 2).unit is None


def test_an_unknown_unit_names_what_may_be_meant() -> None:
    with pytest.raises(FigureError, match="GB, Gb"):
        read_figure("4 gb")


def test_an_error_survives_the_way_to_another_process() -> None:
    error = FigureError("unknown-unit", "words")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.name, str(copy)) == ("unknown-unit", "words")
    assert copy == error
    assert hash(copy) == hash(error)
