"""What an expression is the same for whatever it is."""
from __future__ import annotations

from itertools import product

import pytest

from specdil_records.claims import cancelling
from specdil_records.claims.cancelling import idle_part
from specdil_records.claims.language import parse_statement, parse_value
from tests.claims.support import judge

CELL = 'cited("bench-report", "table-1", "speedup", batch=16)'


@pytest.mark.parametrize(("text", "idle"), [
    ("70 + p - p", "p"), ("a * g / g", "g"), ("x + 0 * f(g)", "f(g)"), ("x * g ** 0", "g"), ("x + p * p - p**2", "p"),
    ("70 * (1 + p) / (1 + p)", "p"),
    ("g * (1 - 1) + b", "g"), ("(a * 2 - a - a) + b", "a"),
    ("a * (b + c) - a * b", "b"),
    ("max(min(a, 1), 1) * b", "a"), ("chip.tdp / chip.tdp * 3", "chip.tdp"),
    (f"{CELL} - {CELL} + 7", CELL.replace('"', "'")),
    ("f(b, k) - f(b, k) + 70", "f(b, k)"), ("f(b + g - g)", "g"), ("(f(a), g(b - b + 1))", "b"),
    ("f(1, name=b * c / c)", "c"), ("x + -g + g", "g"), ("-(x * g) / g", "g"), ("-f(b - b + 1)", "b"),
    ("x + g * (-1 + 1)", "g"), ("x + g * (1 + -1)", "g"), ("x * g ** (-0)", "g"),
    ("1 / max(0, floor(min(x, 1)))", "x"),
])
def test_what_cancels_is_named(text: str, idle: str) -> None:
    assert idle_part(parse_value(text)) == idle


@pytest.mark.parametrize("text", [
    "min(B, 4)", "max(70, z)", "(a - b) / a", "(k + 1) / B", "1 - 1 / k", "min(z, 64) / z", "ceil(a * 8 / 8)", "a**2",
    "f(b, k) / f(b, 2 * k)", "abs(x - y)", "max(a, b, 0)", "-a", "a", "f(a)", "7", "2**3 * a", "a - a / (1 + b)",
    'cited("a", "b", "c", d=4) / 2', "x / 0", "(a, a)",
    "ceil(2 * p / 80000000000)", "floor(x / 1000000000000)", "max(bw, 4000000000000)", "max(0, 1 - x)", "min(x, 0.001)",
    "x - -x", "x + +x", "1 / floor(x / 10000)", "+f(a)",
])
def test_what_is_needed_is_not(text: str) -> None:
    assert idle_part(parse_value(text)) is None


def test_what_cancels_is_named_wherever_else_the_expression_has_no_value() -> None:
    for numerator, denominator in product(range(1, 40), range(1, 12)):
        assert idle_part(parse_value(f"g - g + 1 / ({denominator} * y - {numerator})")) == "g", (numerator, denominator)


def test_powers_of_powers_are_refused_before_their_numbers_fill_the_memory() -> None:
    tower = "x"
    for _ in range(60):
        tower = f"({tower})**8"
    assert idle_part(parse_value(tower)) is None
    assert idle_part(parse_value(f"{tower} + g - g")) is None
    judged = judge("At batch 16 it is 16.", {"read": {"x": "At batch 16"}, "figures": {"it is 16": tower}})
    assert judged.found == [("formula", f'"{tower}"')]
    assert "its numbers grow past every use" in judged.messages


@pytest.mark.parametrize(("expression", "words"), [
    ("min(batch)", "min takes 2 arguments or more"), ("max() * batch", "max takes 2 arguments or more"),
    ("abs(batch, 1)", "abs takes 1 argument"), ("floor(batch, batch)", "floor takes 1 argument"),
])
def test_a_function_with_too_few_or_too_many_arguments_ends_no_check(expression: str, words: str) -> None:
    judged = judge("At batch 16 it is 16.", {"read": {"batch": "At batch 16"}, "figures": {"it is 16": expression}})
    assert judged.found == [("formula", f'"{expression}"')]
    assert words in judged.messages


def test_no_more_expressions_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancelling, "_KNOWN", {})
    monkeypatch.setattr(cancelling, "MOST_KNOWN", 3)
    for number in range(10):
        assert idle_part(parse_value(f"{number} + g - g")) == "g"
        assert idle_part(parse_value(f"{number} + g")) is None
        assert len(cancelling._KNOWN) <= 3


@pytest.mark.parametrize(("text", "idle"), [
    ("f(b) * g / g == 4", "g"), ("increasing(f(B) * k / k, B)", "k"), ("f(b) == b", None), ("b == b", None),
    ("tends(f(k), k, 2)", None), ("agrees(f(b), c + d - d)", "d"),
])
def test_statements_are_looked_into_side_by_side(text: str, idle: str | None) -> None:
    assert idle_part(parse_statement(text)) == idle


@pytest.mark.parametrize("expression", ["batch * {0} / {0}", "{0} - {0} + 16", "batch + 0 * {0}"])
def test_a_citation_that_cancels_is_no_basis(expression: str) -> None:
    text = expression.format(CELL)
    judged = judge("At batch 16 it is 16.", {"read": {"batch": "At batch 16"}, "basis": "measured",
                                             "figures": {"it is 16": text}})
    assert "formula" in judged.names
    assert "nothing rests on that" in judged.messages


def test_a_citation_that_cancels_dresses_up_no_statement() -> None:
    judged = judge("At batch 16 the gain falls.", {"read": {"batch": "At batch 16"}, "basis": "measured",
                                                   "holds": [f"batch * {CELL} / {CELL} == 16"]})
    assert "nothing rests on that" in judged.messages


def test_an_input_that_cancels_is_no_input() -> None:
    judged = judge("At batch 64 with 7 GPUs it is 64.", {
        "read": {"b": "At batch 64", "g": "with 7 GPUs"}, "figures": {"it is 64": "decode.intensity(b) * g / g"}})
    assert ("formula", '"decode.intensity(b) * g / g"') in judged.found
    assert "it is the same whatever g is: nothing rests on that" in judged.messages
