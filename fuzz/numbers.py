"""The number finder: every digit has one owner, and a number read in its sentence is the number read alone."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fuzz import pace
from fuzz import seeds as shipped
from specdil_records.figures import FigureError, read_figure
from specdil_records.prose.numbers import Found, find_numbers

DIGITS = frozenset("0123456789")
LONGEST_INPUT = 400


def seeds() -> Iterator[bytes]:
    """Every text with a digit in it, of every shipped record and example."""
    texts = {value for _, value in shipped.values() if isinstance(value, str) and DIGITS & set(value)}
    yield from (text.encode("utf-8", "surrogateescape") for text in sorted(texts))
    yield from (line for line in (shipped.ROOT / "tests/prose/sentences.txt").read_bytes().splitlines() if line)


def judge(data: bytes) -> None:
    """Find the numbers of a text and hold them to what is promised of any text."""
    text = shipped.decoded(data)
    numbers = find_numbers(text)
    check_digits(text, numbers)
    for index, number in enumerate(numbers):
        assert 0 <= number.start < number.end <= number.stop <= len(text)
        assert sum(part is not None for part in (number.figure, number.exempt, number.problem)) == 1
        if number.partner is not None:
            check_partner(numbers, index)
        if number.figure is not None:
            check_figure(text, number)
    if pace.is_due(data):
        pace.check_linear(text, find_numbers)


def check_digits(text: str, numbers: tuple[Found, ...]) -> None:
    """Numbers follow one another without a common character, and no digit is left over."""
    for before, after in pairwise(numbers):
        assert before.stop <= after.start, (before, after)
    owned = [False] * len(text)
    for number in numbers:
        owned[number.start:number.end] = [True] * (number.end - number.start)
    assert all(owned[at] for at, character in enumerate(text) if character in DIGITS), "a digit without an owner"


def check_partner(numbers: tuple[Found, ...], index: int) -> None:
    """The ends of a range are neighbours, name each other and ascend."""
    number, partner = numbers[index], numbers[index].partner
    assert partner is not None and abs(partner - index) == 1
    other = numbers[partner]
    assert other.partner == index
    low, high = sorted((number, other), key=lambda one: one.start)
    if low.figure is not None and high.figure is not None:
        assert low.figure.value < high.figure.value, "a range that does not ascend"


def check_figure(text: str, number: Found) -> None:
    """The characters of a number, read by themselves, are the same number; a range's end may lend its unit."""
    figure = number.figure
    assert figure is not None
    assert figure.text == text[number.start:number.stop]
    assert figure.half_unit >= 0
    try:
        alone = read_figure(figure.text)
    except FigureError as error:
        raise AssertionError(f"{figure.text!r} is a number in its sentence and none alone: {error}") from None
    if alone.unit == figure.unit:
        assert (alone.value, alone.half_unit, alone.exact) == (figure.value, figure.half_unit, figure.exact)
    else:
        # A unit that the neighbourhood gives: the other end of a range, or B before parameters.
        assert alone.unit is None or alone.unit.text == (figure.unit.text if figure.unit is not None else None) \
            or number.partner is not None, (figure, alone)
        ours, theirs = (one.unit.scale if one.unit is not None else 1 for one in (figure, alone))
        assert figure.value * theirs == alone.value * ours
