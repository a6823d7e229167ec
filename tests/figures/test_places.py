"""Figures in the middle of a text: where they end, what they are called, and how far anything is looked at."""
from __future__ import annotations

from fractions import Fraction

import pytest

from specdil_records.arithmetic import Dimension, Interval
from specdil_records.figures import (
    Digits,
    FigureError,
    UnitMatch,
    Unread,
    match_number,
    match_unit,
    read_figure,
    unit_named,
)
from specdil_records.figures.reading import with_half

BYTE, SECOND, FLOP, TOKEN, JOULE = (Dimension(**{name: 1}) for name in ("byte", "second", "flop", "token", "joule"))


def unread(text: str, at: int = 0, signed: int | None = None) -> Unread:
    read = match_number(text, at, signed)
    assert isinstance(read, Unread)
    return read


@pytest.mark.parametrize(("text", "at", "signed", "expected"), [
    ("a 5, b", 2, None, Digits(2, 3, Fraction(5), Fraction(1, 2), True)),
    ("a -5 b", 3, 2, Digits(2, 4, Fraction(-5), Fraction(1, 2), True)),
    ("a +5.0%", 3, 2, Digits(2, 6, Fraction(5), Fraction(1, 20), False)),
    ("a -1,024.5%", 3, 2, Digits(2, 10, Fraction(-2049, 2), Fraction(1, 20), False)),
    ("a +1,024 b", 3, 2, Digits(2, 8, Fraction(1024), Fraction(1, 2), True)),
    ("a 10^3 b", 2, None, Digits(2, 6, Fraction(1000), Fraction(500), False)),
    ("a 10^\u22123 b", 2, None, Digits(2, 7, Fraction(1, 1000), Fraction(1, 2000), False)),
    ("a 1.25e\u22122 b", 2, None, Digits(2, 9, Fraction(1, 80), Fraction(1, 20000), False)),
    ("a 1.25e2 b", 2, None, Digits(2, 8, Fraction(125), Fraction(1, 2), False)),
    ("a 4 \u00b1 1 b", 2, None, Digits(2, 7, Fraction(4), Fraction(1), False, True)),
    ("a -4 \u00b1 1 b", 3, 2, Digits(2, 8, Fraction(-4), Fraction(1), False, True)),
])
def test_digits_and_where_they_end(text: str, at: int, signed: int | None, expected: Digits) -> None:
    assert match_number(text, at, signed) == expected


@pytest.mark.parametrize(("text", "at", "end"), [
    ("a 12,5 b", 2, 6), ("a 1,02. b", 2, 6), ("a .5 b", 2, 4), ("a 1.2.3 b", 2, 7), ("a 5\u00b2 b", 2, 4),
    ("a 1'000 b", 2, 7), ("a 1_000 b", 2, 7), ("a 1\u00bd b", 2, 4), ("a 3\uff13 b", 2, 4),
    ("a 5\u00b2\u200b\u200b b", 2, 4),  # what is invisible behind the run is no part of it
    ("a 5\u00b2\u200b b", 2, 4), ("a \u00bd\u200b b", 2, 3),
    ("a 5\u200b6 b", 2, 5), ("a .\u00bd b", 2, 3),
    ("a 3 \u00b1 1,5 b", 6, 9),
])
def test_a_run_that_cannot_be_read_ends_with_its_last_digit(text: str, at: int, end: int) -> None:
    found = unread(text, at)
    assert (found.error.name, found.end) == ("unreadable-number", end)
    assert repr(text[at:end]) in str(found.error)


def test_an_uncertainty_that_cannot_be_read_is_named_from_its_sign_on() -> None:
    found = unread("a 3 \u00b1 1,5 b", 2)
    assert (found.error.name, found.end) == ("unreadable-number", 9)
    assert unread("3 \u00b1 1e500").error.name == "too-large"


@pytest.mark.parametrize(("text", "large"), [
    ("1e399", False), ("1e400", True), ("12e398", False), ("12e399", True), ("1e-399", False), ("1e-400", True),
    ("1e00399", False), ("1e000399", True), ("1e-0399", False), ("9" * 400, False), ("9" * 401, True),
    ("9" * 400 + "e0", False), ("9" * 401 + "e0", True), ("9" * 401 + "e-1", True), ("9" * 400 + "x10^0", False),
    ("10^399", False), ("10^400", True),
])
def test_the_limit_is_four_hundred_digits_with_the_power(text: str, large: bool) -> None:
    if large:
        assert unread(text).error.name == "too-large"
    else:
        assert isinstance(match_number(text, 0), Digits)


def test_a_long_text_is_cut_in_a_message() -> None:
    for length, shown in ((40, "x" * 40), (41, "x" * 39 + "\u2026")):
        with pytest.raises(FigureError) as caught:
            read_figure("x" * length)
        assert str(caught.value).startswith(repr(shown) + " ")
    with pytest.raises(FigureError) as caught:
        read_figure("4 TB/" + "s" * 24 + "/x" * 20)
    assert "is not one number" in str(caught.value)


@pytest.mark.parametrize(("text", "at", "start", "scale", "dimension", "stop"), [
    ("a 4 TB/s, b", 3, None, Fraction(10**12), BYTE / SECOND, 8),
    ("a 4 J/s/token b", 3, None, Fraction(1), JOULE / SECOND / TOKEN, 13),
    ("a 4 MB/ms b", 3, None, Fraction(10**9), BYTE / SECOND, 9),
    ("a 4 tok/ms b", 3, None, Fraction(1000), TOKEN / SECOND, 10),
    ("a 4K tok/s b", 3, None, Fraction(1000), TOKEN / SECOND, 10),
    ("a 4k tokens per second b", 3, None, Fraction(1000), TOKEN / SECOND, 22),
    ("a 4M GB/s b", 3, None, Fraction(10**15), BYTE / SECOND, 9),
    ("a 4T FLOPS b", 3, None, Fraction(10**12), FLOP / SECOND, 10),
    ("a 4 seconds b", 3, None, Fraction(1), SECOND, 11),
    ("a 1 second b", 3, None, Fraction(1), SECOND, 10),
    ("a 4 bytes/token b", 3, None, Fraction(1), BYTE / TOKEN, 15),
    ("a 4 kbits b", 3, None, Fraction(125), BYTE, 9),
    ("a 1 Mbit b", 3, None, Fraction(10**6, 8), BYTE, 8),
    ("a 1 Kibyte b", 3, None, Fraction(1024), BYTE, 10),
    ("a 4 PFLOP/toks b", 3, None, Fraction(10**15), FLOP / TOKEN, 14),
    ("a 4 MW b", 3, None, Fraction(10**6), JOULE / SECOND, 6),
    ("a 4 kJ b", 3, None, Fraction(1000), JOULE, 6),
    ("a 8B-parameter model", 3, 2, Fraction(10**9), Dimension(), 4),
    ("a 8 B parameters", 3, 2, Fraction(10**9), Dimension(), 5),
    ("Llama 8B is", 7, 6, Fraction(10**9), Dimension(), 8),
    ("Llama 3.1 Instruct 8B is", 20, 19, Fraction(10**9), Dimension(), 21),
    ("(Llama 3.1 8B, 70B and 405B are", 26, 23, Fraction(10**9), Dimension(), 27),
    ("Qwen\u00a0Next 8B is", 11, 10, Fraction(10**9), Dimension(), 12),
    ("a batch of 8B is", 12, 11, Fraction(1), BYTE, 13),
    ("Llama uses 8B of", 12, 11, Fraction(1), BYTE, 13),
    ("Llama 8B", 7, 6, Fraction(10**9), Dimension(), 8),
    ("Llama-2 8B is", 9, 8, Fraction(10**9), Dimension(), 10),
    ("Llama 3.1 70B/8B is", 15, 14, Fraction(10**9), Dimension(), 16),
    ("Llama-8B is", 7, 6, Fraction(1), BYTE, 8),
    ("Llama, 8B are", 8, 7, Fraction(1), BYTE, 9),
])
def test_units_in_a_sentence(text: str, at: int, start: int | None, scale: Fraction, dimension: Dimension,
                             stop: int) -> None:
    found = match_unit(text, at, start)
    assert found.unit is not None
    assert (found.unit.scale, found.unit.dimension, found.stop) == (scale, dimension, stop)


@pytest.mark.parametrize(("text", "start", "at"), [
    ("with 8x H100 cards", 5, 6), ("16x GPUs", 0, 2), ("4xA100", 0, 1), ("123456x H100", 0, 6),
    ("the 1990s were", 4, 8), ("k=4 B=32", 2, 3), ("2 B[k]", 0, 1), ("2 B*k", 0, 1), ("2 B^k", 0, 1),
    ("5 s-curves", 0, 1), ("64 bit-serial", 0, 2),
    ("4 tokens-per-step", 0, 1), ("8B2", 0, 1), ("4 byte-wise", 0, 1), ("4 toks", 0, 1),
    ("64 bit-x, b", 0, 2), ("Llama 8B2", 6, 7), ("Llama 8B2, b", 6, 7),
])
def test_what_is_no_unit(text: str, start: int, at: int) -> None:
    assert match_unit(text, at, start) == UnitMatch(None, at)


@pytest.mark.parametrize(("text", "start", "at", "stop"), [
    ("1234567x H100", 0, 7, 8), ("1.5x H100", 0, 3, 4), ("8x slower", 0, 1, 2),
    ("1985s long", 0, 4, 5), ("11990s", 0, 5, 6), ("990s", 0, 3, 4), ("4 s= 5", 0, 1, 1), ("64-bit-serial", 0, 2, 6),
    ("4 GB-scale", 0, 1, 4), ("4 s-1", 0, 1, 3), ("4s-long", 0, 1, 2),
])
def test_what_is_almost_no_unit(text: str, start: int, at: int, stop: int) -> None:
    assert match_unit(text, at, start).stop == stop


@pytest.mark.parametrize(("text", "spelled"), [
    ("4 GB  per\u00a0second", "GB per second"), ("12.5 percentage points", "percentage points"),
    ("3 times", "times"), ("8 B parameters", "B"), ("1.1K tok/s", "K tok/s"), ("4\u00a0TB/s", "TB/s"),
    ("2-fold", "-fold"),
])
def test_a_unit_keeps_its_spelling_with_single_blanks(text: str, spelled: str) -> None:
    unit = read_figure(text).unit
    assert unit is not None
    assert unit.text == spelled


@pytest.mark.parametrize(("name", "kind", "scale"), [
    ("fold", "ratio", Fraction(1)), ("times", "ratio", Fraction(1)), ("x", "ratio", Fraction(1)),
    (" % ", "percent", Fraction(1, 100)), ("percent", "percent", Fraction(1, 100)), ("pp", "points", Fraction(1, 100)),
    ("% points", "points", Fraction(1, 100)), ("K", "count-scale", Fraction(1000)), ("TB/s", "", Fraction(10**12)),
    ("tokens per second", "", Fraction(1)),
])
def test_a_column_names_its_unit(name: str, kind: str, scale: Fraction) -> None:
    unit = unit_named(name).unit
    assert unit is not None
    assert (unit.kind, unit.scale) == (kind, scale)
    assert unit.text == {"fold": "-fold"}.get(name, name.strip())


@pytest.mark.parametrize("name", ["", "tokens", "GB of cache", "x and more", "h"])
def test_a_column_without_a_unit_has_none(name: str) -> None:
    assert unit_named(name) == UnitMatch(None, 0)


@pytest.mark.parametrize(("text", "words"), [
    ("4 gb", "'gb' is no unit; case tells units apart (GB, Gb)"),
    ("4 gb/s", "'gb/s' is no unit; case tells units apart (GB, Gb)"),
    ("4 flop", "'flop' is no unit; case tells units apart (FLOP)"),
    ("4 GB/S", "'GB/S' is no unit; case tells units apart (GB, Gb)"),
    ("4 KB of cache", "'KB' is no unit; case tells units apart (kB, kb)"),
    ("4 KB/abcdefghijklmnopqrstuvwxyz", "'KB' is no unit"),
    ("4 KB/" + "abcdefghi/" * 3 + "abcde", "'KB/" + "abcdefghi/" * 3 + "abcde'"),
    ("4 KB/" + "abcdefghi/" * 3 + "abcdef/", "'KB/" + "abcdefghi/" * 3 + "abcdef'"),
    ("4 KB/" + "abcdefghi/" * 3 + "abcdefg", "'KB/" + "abcdefghi/" * 3 + "abcdefg'"),
    ("4 KB/" + "abcdefghi/" * 3 + "abcdefgh", "'KB/" + "abcdefghi/" * 3 + "abcdef\u2026'"),
])
def test_a_refused_unit_is_named_whole(text: str, words: str) -> None:
    with pytest.raises(FigureError) as caught:
        read_figure(text)
    assert caught.value.name == "unknown-unit"
    assert words in str(caught.value)


def test_a_refused_unit_without_a_near_one_is_named_alone() -> None:
    with pytest.raises(FigureError, match=r"^'tok/gb/s' is no unit$"):
        read_figure("4 tok/gb/s")


def test_an_uncertainty_is_stated_once_and_in_the_same_unit() -> None:
    assert read_figure("1.38 \u00b1 0.05 GB").interval == Interval(1330 * 10**6, 1430 * 10**6)
    for text in ("1.38 \u00b1 0.05 GB \u00b1 0.1", "1.38 GB \u00b1 0.05 MB", "1.38 GB \u00b1 0.05 gb",
                 "4 users \u00b1 1"):
        with pytest.raises(FigureError):
            read_figure(text)


def test_a_stated_uncertainty_makes_a_number_inexact() -> None:
    four = Digits(2, 3, Fraction(4), Fraction(1, 2), True)
    one = Digits(8, 9, Fraction(1), Fraction(1, 2), True)
    assert with_half(four, one) == Digits(2, 9, Fraction(4), Fraction(1), False, True)


def test_errors_that_say_the_same_are_the_same() -> None:
    one, same, other = FigureError("too-large", "a"), FigureError("too-large", "a"), FigureError("too-large", "b")
    assert {one, same, other} == {one, other}
    assert one != "a"
    assert one.args == ("too-large", "a")
