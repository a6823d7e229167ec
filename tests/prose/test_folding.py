"""What folding makes of a text, and where each of its characters comes from."""
from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specdil_records.prose.folding import fold

# Letters that compose in twos and threes, marks of many classes, what decomposes although it is one character.
COMPOSING = ("ae \n\u0301\u0323\u0327\u0304\u0344\u00e9\u1e69\u212b\u1100\u1161\u11a8\uac00\u09c7\u09be\u0dd9\u0dcf"
             "\u0dca\u0f71\u0f75\u0f73\u05b8\u0ecb\u2adc\ufb1d\U0002f82d\U00011099\U000110ba\U0001d15e")


@given(st.text(COMPOSING, max_size=9))
@example("\U0002f82d\u0ecb\u0f75\u05b8")
@settings(max_examples=600)
def test_folding_composes_whatever_composes(text: str) -> None:
    assert fold(text).text.split() == unicodedata.normalize("NFC", text).split()


@pytest.mark.parametrize(("text", "folded", "places"), [
    ("a b", "a b", [(0, 1), (1, 2), (2, 3)]),
    ("a \r\n b", "a b", [(0, 1), (1, 5), (5, 6)]),
    ("a\u00a0b", "a b", [(0, 1), (1, 2), (2, 3)]),
    ("\n a\t", " a ", [(0, 2), (2, 3), (3, 4)]),
    ("xe\u0301y", "x\u00e9y", [(0, 1), (1, 3), (3, 4)]),
    ("e\u0301", "\u00e9", [(0, 2)]),
    ("e\u0301e\u0301", "\u00e9\u00e9", [(0, 2), (2, 4)]),
    ("e\u0323\u0301o", "\u1eb9\u0301o", [(0, 3), (0, 3), (3, 4)]),
    ("x\u1100\u1161\u11a8y", "x\uac01y", [(0, 1), (1, 4), (4, 5)]),
    ("\u1100\u1161\u1100\u1161", "\uac00\uac00", [(0, 2), (2, 4)]),
    ("\u212b\u2013x", "\u00c5\u2013x", [(0, 1), (1, 2), (2, 3)]),
    ("\u2013e\u0301 \n\u2013", "\u2013\u00e9 \u2013", [(0, 1), (1, 3), (3, 5), (5, 6)]),
    ("\u0301e", "\u0301e", [(0, 1), (1, 2)]),
    ("a \u0301b", "a \u0301b", [(0, 1), (1, 2), (2, 3), (3, 4)]),
    ("", "", []),
])
def test_each_character_comes_from_no_more_than_what_it_is_made_of(text: str, folded: str,
                                                                  places: list[tuple[int, int]]) -> None:
    for before in ("", "Nothing more is folded;" * 1000):
        result = fold(before + text)
        assert result.text == before + folded
        assert [(start - len(before), end - len(before)) for start, end in
                zip(result.starts, result.ends, strict=True)][len(before):] == places
        for at, (start, end) in enumerate(places, start=len(before)):
            assert result.raw(at, at + 1) == (start + len(before), end + len(before))
