"""The fuzzing targets without a fuzzer: their seeds keep every promise, and a broken promise is noticed."""
from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fuzz import expressions, numbers, pace, quotes, reader
from fuzz.__main__ import TARGETS
from specdil_records.claims.quantities import Quantity
from specdil_records.prose.numbers import find_numbers


@pytest.mark.parametrize("target", TARGETS)
def test_every_seed_keeps_its_promises(target: str) -> None:
    module = importlib.import_module(f"fuzz.{target}")
    seeds = list(module.seeds())
    assert len(seeds) > 100
    for seed in seeds:
        module.judge(seed)


def test_a_number_that_is_moved_or_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(text: str) -> Any:
        return tuple(replace(one, start=one.start + 1, end=one.end + 1, stop=one.stop + 1)
                     for one in find_numbers(text))

    def changed(text: str) -> Any:
        return tuple(replace(one, figure=one.figure and replace(one.figure, value=one.figure.value + 1))
                     for one in find_numbers(text))

    for wrong in (moved, changed, lambda text: ()):
        monkeypatch.setattr(numbers, "find_numbers", wrong)
        with pytest.raises(AssertionError):
            numbers.judge(b"at 12.5% of it")


def test_a_wrong_value_of_an_expression_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions.Evaluator, "value", lambda self, node: Quantity(Fraction(8, 3)))
    with pytest.raises(AssertionError):
        expressions.judge(b"1 / 3 + 2")


def test_a_match_that_is_none_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotes, "find_quote", lambda needle, hay, occurrence=None: quotes.QuoteMatch(0, 3, "exact"))
    with pytest.raises(AssertionError):
        quotes.judge(b"abc\0xyz")


def test_a_place_beside_its_value_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = reader.Document.span
    monkeypatch.setattr(reader.Document, "span", lambda self, where: replace(right(self, where), line=1, column=1))
    with pytest.raises(AssertionError):
        reader.judge(b"ya: b\nc: d\n")


def test_the_square_of_a_text_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(pace.time, "process_time", lambda: now[0])

    def work(power: int) -> Any:
        def do(text: str) -> None:
            now[0] += (len(text) / 10_000) ** power
        return do

    pace.check_linear("abc", work(1))
    with pytest.raises(AssertionError):
        pace.check_linear("abc", work(2))
