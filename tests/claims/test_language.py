"""The expression language: what it reads, and everything that it refuses."""
from __future__ import annotations

import ast
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.claims.language import (
    FormulaError,
    called,
    is_bare_value,
    literal_exponent,
    literal_value,
    names_in,
    parse_statement,
    parse_value,
)

REFUSED = {
    "9**9**9": "exponent",
    "2**(10**9)": "exponent",
    "(2**8)**9999": "exponent",
    "2**-9": "exponent",
    "2**0.5": "exponent",
    "2**k": "exponent",
    "(1).__class__": "a dot after anything but a name is",
    '__import__("os").system("touch owned")': "called",
    "[0]*10**9": "a list is",
    '"a"*9': "text",
    "k if k else 1": "a condition is",
    "k and 1": "and, or",
    "not k": "not part",
    "lambda: 1": "a function is",
    "{k: 1}": "a mapping is",
    "k[0]": "an index is",
    "(k := 1)": "k := 1 is",
    "f'{k}'": "a formatted text is",
    "k # and more": "a comment",
    'cited("a", "b", "c") # "': "a comment",
    "3 GB": "comes in under a name, by assume",
    "50%": "comes in under a name, by assume",
    "2k": "comes in under a name, by assume",
    "1_000": "number",
    "0x1F": "number",
    "1j": "number",
    "True": "number",
    "...": "number",
    "a.b.c": "a dot after anything but a name is",
    "a.b.c(1)": "called",
    "min(*k)": "a star is",
    "min(**k)": "unpack",
    "1 < 2 < 3": "one comparison",
    "k < (1 < 2)": "top",
    "(1, 2, 3)": "pair",
    "k // 2": "operators",
    "k % 2": "operators",
    "k @ 2": "operators",
    "~k": "not part",
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


@pytest.mark.parametrize(("text", "reason"), REFUSED.items())
def test_what_is_refused_is_refused_at_once(text: str, reason: str) -> None:
    for parse in (parse_value, parse_statement):
        with pytest.raises(FormulaError, match=reason):
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


@pytest.mark.parametrize(("text", "refused"), [
    ("k + " * 124 + "k+ 1", False), ("k + " * 124 + "k + 1", True), ("9" * 400, False), ("9" * 399 + ".9", False),
    ("9" * 399 + ".99", True), ("9" * 399 + "e10", True), ("k ** 8", False), ("k ** 9", True), ("k ** -8", False),
    ("k ** -9", True),
    ("k ** 0", False), ("k ** +2", True), ("k ** 2.0", True), ("k ** True", True), ('k ** "2"', True), ("1e100", False),
    ("1e1000", True), ("1.", True), (".5", True), ("+k", False), ("1 + -k", False), ("k * (1 < 2)", True),
    ("a.b + a.c", False), ("min(k, a=1)", False), ("min(k, a=1, a=2)", True), ("min(k, a=1, **b)", True),
    ('ridge("a")', False), ('min("a", 1)', True), ('max(1, a="b")', True), ('bytes_per("a")', False),
    ("tends(1)", True), ("f(increasing(k, B))", True), ("k\n+ 1", False), ("a.b(1)", False), ("(a, b)", False),
    ("(a,)", True), ("()", True),
])
def test_the_limits_of_a_value(text: str, refused: bool) -> None:
    if refused:
        with pytest.raises(FormulaError):
            parse_value(text)
    else:
        assert parse_value(text).text == text


@pytest.mark.parametrize(("text", "refused"), [
    ("agrees(a, 3)", False), ("agrees(3 * a, b)", False), ("agrees(a, b, c)", True), ("agrees(a, b=b)", True),
    ("agrees(a, (1, 2))", True), ("tends(a, B, 3)", False), ("tends(a, 3, B)", True), ("tends(a, B, limit=3)", True),
    ("tends(a, B, 3, 4)", True), ("constant(k, B)", False), ("constant(k, B + 1)", True), ("decreasing(k)", True),
    ("k < (1, 2)", True), ("(1, 2) < k", True), ("k <= 2", False), ("k >= 2", False), ("k > 2", False),
    ('agrees("a", 1)', True), ("k < k // 2", True), ("k // 2 < k", True), ("unknown(k, B)", True),
])
def test_the_limits_of_a_statement(text: str, refused: bool) -> None:
    if refused:
        with pytest.raises(FormulaError):
            parse_statement(text)
    else:
        assert parse_statement(text).shape == "statement"


@pytest.mark.parametrize(("text", "name"), [
    ("f(1)", "f"), ("a.f(1)", "a.f"), ("a.f", None), ("f", None), ("a.b.f(1)", None), ("f(1)(2)", None),
    ("f(1).g(2)", None),
])
def test_what_a_call_calls(text: str, name: str | None) -> None:
    assert called(ast.parse(text, mode="eval").body) == name


@pytest.mark.parametrize(("text", "bare"), [
    ('cited("s", "t", "c")', True), ("chip.memory_bandwidth", True), ("-chip.memory_bandwidth", False), ("k", False),
    ('min(cited("s", "t", "c"), 1)', False),
])
def test_a_bare_value_is_only_repeated(text: str, bare: bool) -> None:
    assert is_bare_value(parse_value(text).tree) is bare


def test_the_names_and_calls_of_a_statement() -> None:
    statement = parse_statement("tends(f(k) + chip.tdp ** 2, B, min(limit, -other))")
    assert statement.names == {"k", "chip", "B", "limit", "other"}
    assert statement.calls == {"tends", "f", "min"}
    assert parse_statement("a.b(x=k) < f(y=j)").names == {"k", "j"}
    assert parse_value("(k, j + a)").names == {"k", "j", "a"}


@pytest.mark.parametrize(("text", "value"), [
    ("0.1", Fraction(1, 10)), ("1.50", Fraction(3, 2)), ("2.0", 2), ("7", 7), ("1e3", 1000),
    ("12345678901234567890.5", Fraction(24691357802469135781, 2)),
    ("1.5e-3", Fraction(3, 2000)), ("  0.25 ", Fraction(1, 4)),
])
def test_a_literal_is_exact(text: str, value: Fraction | int) -> None:
    tree = parse_value(text).tree
    assert isinstance(tree, ast.Constant)
    assert literal_value(tree) == value
    assert type(literal_value(tree)) is type(value)


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("-2", -2), ("8", 8), ("-8", -8), ("0", 0)])
def test_an_exponent_is_a_literal(text: str, value: int) -> None:
    assert literal_exponent(ast.parse(text, mode="eval").body) == value


def test_a_citation_is_in_both_parts_of_a_pair() -> None:
    assert not parse_value('(cited("s", "t", "c"), 1)').is_cited
    assert not parse_value('(1, cited("s", "t", "c"))').is_cited


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


@pytest.mark.parametrize(("text", "names"), [
    ("a + b * a", {"a", "b"}), ("ceil(a)", {"a"}), ("chip.tdp + 1", {"chip"}),
    ("ridge(chip, dtype=fp)", {"chip", "fp"}),
    ('cited("s", "t", "c", batch=k)', {"k"}), ("additive.gain(batch=2, draft_k=1)", set()),
    ("decreasing(x / B, B)", {"x", "B"}), ("(a, b)", {"a", "b"}), ("a < b", {"a", "b"}), ("3", set()),
    ("a + b +", {"a", "b"}), ("a if b else c2", {"a", "if", "b", "else", "c2"}), ("", set()),
])
def test_the_names_of_an_expression(text: str, names: set[str]) -> None:
    assert names_in(text) == names
