from __future__ import annotations

import time
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.prose.numbers import Found, find_numbers

PIECES = [
    "1", "32", "12.5", "1.38", "3,000", "1,2", ".5", " ", " ", " ", "x", "%", " %", " GB", " TB/s", "-", " - ",
    "\u2013", " to ", " and ", "from ", "between ", "H100", "EAGLE-3", "Table ", "Fig. ", "(1)", "(2)", ". ", "\n",
    "`", "\xbd", "\uff13", "\xb1", "10^", "e", "B", "K", "k", "\xa0", "\xad", "\u2212", "+", "/", "_", "=",
    "2025-02-03", "2019", "0.6.2", "\u20e3", "\xb2", "v", "arXiv ", "2503.01840", ":", "8x H100", "7B", "Llama ",
    " model", "'", "000",
]
TEXTS = st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def written(text: str) -> list[str]:
    return [text[number.start:number.end] for number in find_numbers(text)]


def one(text: str) -> Found:
    (number,) = find_numbers(text)
    return number


@given(TEXTS)
@settings(max_examples=800)
def test_each_digit_belongs_to_exactly_one_number(text: str) -> None:
    numbers = find_numbers(text)
    owners = [0] * len(text)
    for number in numbers:
        for at in range(number.start, number.end):
            owners[at] += 1
    assert all(owners[at] == 1 for at, character in enumerate(text) if character in "0123456789")
    assert max(owners, default=0) <= 1


@given(TEXTS)
@settings(max_examples=400)
def test_numbers_are_in_order_and_are_one_thing_each(text: str) -> None:
    numbers = find_numbers(text)
    for before, after in pairwise(numbers):
        assert before.stop <= after.start
    for index, number in enumerate(numbers):
        assert 0 <= number.start < number.end <= number.stop <= len(text)
        assert sum(part is not None for part in (number.figure, number.exempt, number.problem)) == 1
        if number.partner is not None:
            other = numbers[number.partner]
            assert other.partner == index
            assert abs(number.partner - index) == 1


@given(st.text("0123456789., -\u2013xGB%", max_size=40))
@settings(max_examples=400)
def test_ranges_ascend(text: str) -> None:
    numbers = find_numbers(text)
    for index, number in enumerate(numbers):
        if number.partner == index + 1 and number.figure is not None:
            other = numbers[index + 1].figure
            assert other is None or number.figure.value < other.value


@given(st.integers(0, 10**9), st.integers(0, 4),  # five decimals may be an identifier
       st.sampled_from(["", "%", "x", " GB", " TB/s", " ms/token", "K", "-bit"]))
def test_a_number_in_a_sentence_is_read_as_it_is_alone(whole: int, places: int, unit: str) -> None:
    from specdil_records.figures import read_figure

    digits = str(whole) if places == 0 else f"{whole}.{whole % 10**places:0{places}d}"
    text = f"The value is {digits}{unit}, they say."
    number = one(text)
    assert text[number.start:number.end] == digits
    assert text[number.start:number.stop].strip() == (digits + unit).strip()
    assert number.figure == read_figure(digits + unit)


@pytest.mark.parametrize("piece", ["1", "1,", "1-", "1.", "a", "-", ".", "`", "1\u00ad", "\uff11", "\u00bd", "\u0301",
                                   "2019-", "\u00a7", "Sec. ", "from ",
                                   "1 " * 8 + "word and more words that hold no number at all, only text. "])
def test_a_long_text_of_anything_is_read_in_time(piece: str) -> None:
    text = (piece * (300_000 // len(piece) + 1))[:300_000]
    began = time.process_time()
    find_numbers(text)
    # A quadratic scan would take hours; the bound leaves room for a slow machine.
    assert time.process_time() - began < 30


def test_a_megabyte_of_digits_is_read_in_time() -> None:
    for piece in ("1", "1,", "1.", "1,000,"):
        began = time.process_time()
        assert len(find_numbers(piece * (1_000_000 // len(piece)))) == 1
        assert time.process_time() - began < 20


def test_twice_the_numbers_take_about_twice_the_time() -> None:
    def taken(count: int) -> float:
        text = "1x 3-5 GB `7` (1) Table 2, 8B models; from 3 to 4, " * count
        began = time.process_time()
        find_numbers(text)
        return time.process_time() - began

    taken(100)
    assert taken(4000) < 12 * max(taken(1000), 0.02)


def test_digits_beyond_the_limit_are_one_finding() -> None:
    number = one("about " + "7" * 401 + " tokens")
    assert number.problem is not None
    assert number.problem.name == "too-large"
    assert (number.start, number.end) == (6, 407)
    assert one("7" * 400).figure is not None


def test_the_last_unit_serves_both_ends() -> None:
    low, high = find_numbers("It holds 10-20 GB.")
    assert low.figure is not None
    assert high.figure is not None
    assert (low.figure.value, high.figure.value) == (10**10, 2 * 10**10)
    assert low.figure.half_unit == Fraction(10**9, 2)
    assert (low.stop, high.stop) == (low.end, 17)
    assert (low.partner, high.partner) == (1, 0)


def test_an_unreadable_range_is_found_once_at_its_start() -> None:
    number = one("It is 9-3 GB")
    assert number.problem is not None
    assert number.problem.name == "unreadable-number"
    assert (number.start, number.end, number.stop) == (6, 9, 12)


def test_a_wrong_unit_of_a_range_is_found_once() -> None:
    low, high = find_numbers("It is 4-8 KB")
    assert low.problem is None
    assert high.problem is not None
    assert high.problem.name == "unknown-unit"
    assert (low.partner, high.partner) == (1, 0)


def test_a_number_begins_with_its_sign_or_its_point() -> None:
    assert written("is -3 and \u22124 and .5 and -.5") == ["-3", "\u22124", ".5", "-.5"]
    assert written("k-1 and k+1 and a -b 2") == ["1", "1", "2"]
    assert written("[-1, +2] =-3 <-4 >-5 ~-6 '-7' (-8)") == ["-1", "+2", "-3", "-4", "-5", "-6", "-7", "-8"]
    assert written("1..5 and 2...6") == ["1", "5", "2", "6"]


def test_an_ellipsis_or_a_full_stop_is_no_decimal_point() -> None:
    assert written("It is 5. Then 6... and 7.") == ["5", "6", "7"]


def test_backticks_without_a_partner_hide_nothing() -> None:
    assert [number.exempt for number in find_numbers("a ` b 4")] == [None]
    assert [number.exempt for number in find_numbers("`3` and ` 4\n\n5 `")] == ["code", None, None]
    assert [number.exempt for number in find_numbers("``a ` 3`` 4")] == ["code", None]


def test_an_enumerator_starts_over_and_never_skips() -> None:
    text = "(1) a. (2) b. (1) c. (2) d. (4) e."
    assert [number.exempt for number in find_numbers(text)] == ["enumerator"] * 4 + [None]


def test_exactness() -> None:
    exact = ["batch 32", "k=4", "32 tokens", "32 sequences", "8x H100", "1,024 rows"]
    for text in [*exact, "32.0", "32%", "32 GB", "32K", "1e3", "3 \u00b1 1"]:
        figure = find_numbers(text)[0].figure
        assert figure is not None
        assert figure.exact is (text in exact), text


WORDS = """Section Sections section Sect. Sec. Sect Secs Chapter chapters Chap. Ch. Figure figures Fig. figs. Fig Table
    tables Tab. Tabs Tbl. Appendix appendix appendices App. apps. App Equation equations Eq. eqns. Eqn Theorem theorems
    Thm. Thms Corollary corollaries Cor. Cors. Lemma lemmas Proposition propositions Prop. Definition definitions Def.
    Defs. Algorithm algorithms Alg. Algs Listing listings SECTION FIGURE TABLE APPENDIX"""


@pytest.mark.parametrize("word", WORDS.split())
@pytest.mark.parametrize("between", [" ", "\u00a0", "\n  ", " (", "\n" + " " * 80])
def test_the_number_behind_a_word_that_locates_is_none(word: str, between: str) -> None:
    closed = ")" if "(" in between else ""
    found = find_numbers(f"It is told in {word}{between}3{closed} at length")
    assert [number.exempt for number in found] == ["locator"]


def read(text: str) -> list[tuple[str, str, str, str]]:
    """Each number of a text: its digits, its digits with unit, its value and half its last place; or what it is."""
    found = []
    for number in find_numbers(text):
        kind = (number.exempt or "", "")
        if number.problem is not None:
            kind = (number.problem.name, "")
        elif number.figure is not None:
            kind = (str(number.figure.value), str(number.figure.half_unit))
        found.append((text[number.start:number.end], text[number.start:number.stop], *kind))
    return found


@pytest.mark.parametrize(("text", "expected"), [
    ("3 GB \u00b1 1 GB", ("3 GB \u00b1 1", "3 GB \u00b1 1 GB", "3000000000", "1000000000")),
    ("3 GB \u00b1 1 of it", ("3 GB \u00b1 1", "3 GB \u00b1 1", "3000000000", "1000000000")),
    ("3GB\u00b11GB", ("3GB\u00b11", "3GB\u00b11GB", "3000000000", "1000000000")),
    ("3 \u00b1 1 GB", ("3 \u00b1 1", "3 \u00b1 1 GB", "3000000000", "1000000000")),
    ("3 GB +/- 1 GB", ("3 GB +/- 1", "3 GB +/- 1 GB", "3000000000", "1000000000")),
    ("12% \u00b1 0.5%", ("12% \u00b1 0.5", "12% \u00b1 0.5%", "3/25", "1/200")),
    ("3x \u00b1 0.5x", ("3x \u00b1 0.5", "3x \u00b1 0.5x", "3", "1/2")),
    ("-3 ms \u00b1 2 ms", ("-3 ms \u00b1 2", "-3 ms \u00b1 2 ms", "-3/1000", "1/500")),
    ("3 GB \u00b1 1 MB", ("3 GB \u00b1 1", "3 GB \u00b1 1", "unreadable-number", "")),
    ("3 GB \u00b1 1%", ("3 GB \u00b1 1", "3 GB \u00b1 1", "unreadable-number", "")),
    ("3 GB \u00b1 1 KB", ("3 GB \u00b1 1", "3 GB \u00b1 1", "unknown-unit", "")),
    ("3 GB \u00b1 1,5 GB", ("3 GB \u00b1 1,5", "3 GB \u00b1 1,5", "unreadable-number", "")),
    ("3 GB \u00b1 much", ("3", "3 GB", "3000000000", "500000000")),
])
def test_an_uncertainty_behind_a_unit(text: str, expected: tuple[str, str, str, str]) -> None:
    assert read(f"It is {text} in all") == [expected]
    assert read(text) == [expected]


@pytest.mark.parametrize(("text", "expected"), [
    ("4x H100", [("4", "4", "4", "1/2"), ("100", "100", "name", "")]),
    ("4X H100", [("4", "4", "4", "1/2"), ("100", "100", "name", "")]),
    ("4xH100", [("4", "4", "4", "1/2"), ("100", "100", "name", "")]),
    ("4XH100", [("4", "4", "4", "1/2"), ("100", "100", "name", "")]),
    ("4xH100-80GB", [("4", "4", "4", "1/2"), ("100", "100", "name", ""), ("80", "80", "name", "")]),
    ("H\u00bd", [("\u00bd", "\u00bd", "name", "")]), ("H1\u00bd2", [("1", "1", "name", ""), (
        "\u00bd", "\u00bd", "name", ""), ("2", "2", "name", "")]), ("v1.2", [("1.2", "1.2", "name", "")]),
    ("4x faster", [("4", "4x", "4", "1/2")]), ("4X faster", [("4", "4X", "4", "1/2")]),
    ("1 KB", [("1", "1", "unknown-unit", "")]), ("12 gb", [("12", "12", "unknown-unit", "")]),
    ("-3 KB", [("-3", "-3", "unknown-unit", "")]),
    ("-3", [("-3", "-3", "-3", "1/2")]), ("+3", [("+3", "+3", "3", "1/2")]),
    ("\u22123", [("\u22123", "\u22123", "-3", "1/2")]),
    (".5", [(".5", ".5", "unreadable-number", "")]), ("-.5", [("-.5", "-.5", "unreadable-number", "")]),
    ("--3", [("3", "3", "3", "1/2")]), ("a-3", [("3", "3", "name", "")]),
    ("2 +-3", [("2", "2", "2", "1/2"), ("3", "3", "3", "1/2")]),
    ("10 MB-2 GB", [("10", "10 MB", "10000000", "500000"), ("2", "2 GB", "2000000000", "500000000")]),
    ("10 MB-2GB", [("10", "10 MB", "10000000", "500000"), ("2", "2GB", "2000000000", "500000000")]),
    ("10 GB-2x", [("10", "10 GB", "10000000000", "500000000"), ("2", "2x", "2", "1/2")]),
])
def test_numbers_beside_names_signs_and_units(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert read(text) == expected
    assert read(f"{text} ") == expected
    assert read(f"It is {text}, in all") == expected
    assert read(f"It is\n({text})") == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("5 .", [("5", "5", "5", "1/2")]), ("5 -", [("5", "5", "5", "1/2")]),
    (".5-", [(".5", ".5", "unreadable-number", "")]),
    ("5 +", [("5", "5", "5", "1/2")]),
    ("3 \u00b1 1 GB \u00b1 2 GB", [("3 \u00b1 1", "3 \u00b1 1 GB", "3000000000", "1000000000"),
                                  ("2", "2 GB", "2000000000", "500000000")]),
])
def test_what_stands_at_the_end_of_a_text_says_nothing_about_its_beginning(
        text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "numbers"), [
    ("from \u221262\u2013\u221260 there", ["\u221262", "\u221260"]), ("\u22123 GB\u2013\u22121 GB", ["\u22123 GB",
                                                                                                 "\u22121 GB"]),
    ("a 3\u2026\u22121 b", ["3", "\u22121"]), ("a 4/\u22123", ["4", "\u22123"]), ("10\u221220", ["10", "20"]),
    ("5\u2014\u22123", ["5", "\u22123"]), ("10 \u2212 20", ["10", "20"]),
])
def test_a_minus_behind_a_dash_or_a_slash_is_that_of_its_number(text: str, numbers: list[str]) -> None:
    assert [text[one.start:one.stop].removesuffix(" b") for one in find_numbers(text)] == numbers


@pytest.mark.parametrize(("text", "value"), [
    ("Acme LM 7B takes", 7 * 10**9), ("AcmeLM 7B takes", 7 * 10**9), ("a film 7B takes", 7), ("LM takes 7B", 7)])
def test_b_behind_a_name_that_ends_in_lm_is_billions(text: str, value: int) -> None:
    (number,) = find_numbers(text)
    assert number.figure is not None
    assert number.figure.value == value
