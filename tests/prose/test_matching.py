"""Where a text may begin and end in another, and that every place of it is found."""
from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.prose.matching import numbers_free, occurrences, typographic
from specdil_records.prose.numbers import find_numbers

BROKEN = "com-\npute "
"""Puts a hyphen at a line end somewhere into a text, so that it is searched with hyphens left open."""


@pytest.mark.parametrize(("needle", "hay"), [
    ("tall is", "stall is"), ("batch size", "max_batch size"), ("max", "max_batch size"), ("x", "x\u0301 is"),
    ("x", "x\u0300 is"), ("x", "x\u036f is"), ("3 wins", "A-3 wins"), ("A", "A-3 wins"), ("80GB", "the A100-80GB is"),
    ("moves 3.35 TB", "moves 3.35 TB/s"), ("35 TB/s", "moves 3.35 TB/s"), ("3", "3-6 GB"), ("6 GB", "3-6 GB"),
    ("3 to", "it is 3 to 6 GB"),
])
def test_a_text_that_cuts_a_word_a_name_a_number_or_a_range_is_not_there(needle: str, hay: str) -> None:
    assert occurrences(needle, hay) == typographic(needle, hay) == typographic(needle, BROKEN + hay) == []


@pytest.mark.parametrize(("needle", "hay"), [
    ("bound here", "compute-bound here"), ("memory", "memory-bound here"), ("token block", "7-token block"),
    ("moves 3.35", "moves 3.35 TB/s"), ("TB/s each", "3.35 TB/s each"), ("rows", "32 rows"), ("% of it", "32% of it"),
    ("3-6 GB", "3-6 GB"), ("it", "it_ it"), ("so", "(so)"), ("so", "[so]"),
])
def test_a_text_may_begin_and_end_elsewhere(needle: str, hay: str) -> None:
    start = hay.rindex(needle)
    places = [(start, start + len(needle))]
    assert occurrences(needle, hay) == typographic(needle, hay) == places
    assert typographic(needle, BROKEN + hay) == [(len(BROKEN) + start, len(BROKEN) + start + len(needle))]


@pytest.mark.parametrize(("needle", "hay", "starts"), [
    ("one or one", "one or one or one", (0, 7)), ("..", "....", (0, 1, 2)), ("rack", "rack, rack, rack", (0, 6, 12)),
    ("-bound or", "so -bound or -bound or", (3, 13)), ("reuse", "re-use", ()), ("re-use", "reuse", ()),
])
def test_every_place_is_found_overlapping_ones_too(needle: str, hay: str, starts: tuple[int, ...]) -> None:
    assert occurrences(needle, hay) == typographic(needle, hay) == [(start, start + len(needle)) for start in starts]
    later = [(len(BROKEN) + start, len(BROKEN) + start + len(needle)) for start in starts]
    assert typographic(needle, BROKEN + hay) == later


def test_every_hyphen_at_a_line_end_is_found() -> None:
    hay = "mem-\nory, memory, mem\u00ad\r\n  ory and mem\u2010 \n ory."
    places = typographic("memory", hay)
    assert [hay[start:end] for start, end in places] == ["mem-\nory", "memory", "mem\u00ad\r\n  ory",
                                                        "mem\u2010 \n ory"]


def test_private_characters_stand_for_nothing() -> None:
    assert typographic("memory\ue000bandwidth", "the memory-\nbandwidth") == []
    assert typographic("memory-bandwidth", "the memory\ue000bandwidth") == []
    assert numbers_free("batch \ue001 at 3", "batch 2 at 3") == []
    assert numbers_free("batch 3", "batch \ue001 at 3") == []


def test_numbers_left_open_are_those_within_the_place() -> None:
    assert numbers_free("8 rows", "7 rows and 9 rows") == [(0, 6, ((0, 0),)), (11, 17, ((0, 1),))]
    assert numbers_free(") and 8", "f(7) and 9") == [(3, 10, ((0, 1),))]
    assert numbers_free("no number", "no number") == []


@given(st.lists(st.sampled_from(["at", "32", "12.5%", "3-6x", "H100", "(1)", "k=4", "com-\npute", ","]), min_size=1,
                max_size=9).map(" ".join), st.data())
def test_each_number_of_a_text_is_paired_with_one_within_the_place(hay: str, data: st.DataObject) -> None:
    numbers = find_numbers(hay)
    needle = hay[data.draw(st.integers(0, len(hay))):data.draw(st.integers(0, len(hay)))]
    for start, end, pairs in numbers_free(needle, hay):
        inside = [index for index, number in enumerate(numbers) if start <= number.start and number.end <= end]
        assert [there for _, there in pairs] == inside
        assert [here for here, _ in pairs] == list(range(len(find_numbers(needle))))


@pytest.mark.parametrize(("before", "times"), [("", 25_000), (BROKEN, 5_000)])
def test_a_text_that_repeats_itself_is_searched_in_time(before: str, times: int) -> None:
    began = time.process_time()
    assert typographic("- a " * times, before + "- a " * (4 * times))
    # To compare every overlapping place would take minutes; the bound leaves room for a slow machine.
    assert time.process_time() - began < 10
