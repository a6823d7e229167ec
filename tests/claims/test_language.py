"""The expression language: what it reads, and everything that it refuses."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.claims.language import FormulaError, parse_statement, parse_value

REFUSED = {
    "9**9**9": "exponent",
    "2**(10**9)": "exponent",
    "(2**8)**9999": "exponent",
    "2**-9": "exponent",
    "2**0.5": "exponent",
    "2**k": "exponent",
    "(1).__class__": "attribute",
    '__import__("os").system("touch owned")': "called",
    "[0]*10**9": "list",
    '"a"*9': "text",
    "k if k else 1": "ifexp",
    "k and 1": "boolop",
    "not k": "notequal",
    "lambda: 1": "lambda",
    "{k: 1}": "dict",
    "k[0]": "subscript",
    "(k := 1)": "namedexpr",
    "f'{k}'": "joinedstr",
    "1_000": "number",
    "0x1F": "number",
    "1j": "number",
    "True": "number",
    "...": "number",
    "a.b.c": "attribute",
    "a.b.c(1)": "called",
    "min(*k)": "starred",
    "min(**k)": "unpack",
    "1 < 2 < 3": "one comparison",
    "k < (1 < 2)": "top",
    "(1, 2, 3)": "pair",
    "k // 2": "operators",
    "k % 2": "operators",
    "k @ 2": "operators",
    "~k": "unaryop",
    "": "empty",
    "k +": "not an expression",
    "k\u00b2": "ASCII",
    "(" * 90 + "k" + ")" * 90 + "(" * 200: "not an expression",
    "k + " * 130 + "k": "at most 500",
    "9" * 401: "digits",
    "tends(k, B)": "arguments",
    "increasing(k, 3)": "axis",
    "k + increasing(k, B)": "top",
    "k is 1": "comparison",
    "k in (1, 2)": "comparison",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_is_refused_at_once(text: str) -> None:
    for parse in (parse_value, parse_statement):
        with pytest.raises(FormulaError):
            parse(text)


@pytest.mark.parametrize("text", ["k", "k + 1", "2 * k / (B - 1)", "-k ** 2", "k ** -8", "min(k, 2, 3)",
                                  "a.memory_bandwidth",
                                  'ridge(a, "bf16")', 'cited("s", "t", "c", batch=batch)', "1.5e3 * k", "  k\n + 1"])
def test_values_are_read(text: str) -> None:
    assert parse_value(text).shape == "value"


@pytest.mark.parametrize("text", ["k < 2", "k == 2", "a != b", "increasing(k * B, B)", "tends(k / B, B, 0)",
                                  "agrees(a, b)"])
def test_statements_are_read(text: str) -> None:
    assert parse_statement(text).shape == "statement"
    with pytest.raises(FormulaError, match="statement"):
        parse_value(text)


def test_a_pair_is_a_range() -> None:
    assert parse_value("(k, 2 * k)").shape == "range"
    with pytest.raises(FormulaError):
        parse_statement("(k, 2 * k)")


def test_names_and_calls_are_known_before_anything_is_evaluated() -> None:
    expression = parse_value('additive.gain(batch, k) + ridge(chip, "bf16")')
    assert expression.names == {"batch", "k", "chip"}
    assert expression.calls == {"additive.gain", "ridge"}


def test_a_citation_is_told_from_a_computation() -> None:
    assert parse_value('cited("s", "t", "c")').is_cited
    assert parse_value('(cited("s", "t", "c"), cited("s", "t", "d"))').is_cited
    assert not parse_value('cited("s", "t", "c") + 1').is_cited


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_value, parse_statement):
        try:
            parse(text)
        except FormulaError as error:
            assert str(error)


@given(st.text(alphabet="kB12+-*/()., <>=\"'*", max_size=60))
def test_texts_made_of_its_own_characters_are_read_or_refused(text: str) -> None:
    for parse in (parse_value, parse_statement):
        try:
            parse(text)
        except FormulaError as error:
            assert str(error)
