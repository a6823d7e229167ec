"""Offsets and positions: what a client counts is what the text has, in every encoding."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.editor.positions import Encoding, Position, Positions
from specdil_records.findings import Span

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
TEXTS = st.text(st.sampled_from("ab é→𝔸😀\u2028\x85\x0b\n\r"), max_size=40)


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_an_offset_survives_the_way_to_the_client_and_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    positions = Positions(text, encoding)
    back = positions.offset(positions.position(offset))
    # Behind the text of a line, between CR and LF, there is no position of its own.
    assert back == offset or text[back:offset].strip("\r\n") == ""


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_characters_are_counted_in_the_units_of_the_encoding(text: str, encoding: Encoding) -> None:
    line = text.replace("\n", "").replace("\r", "")
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    wanted = len(line.encode(encoding if encoding == "utf-8" else encoding + "-le")) // size
    assert Positions(line, encoding).position(len(line)) == Position(0, wanted)


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_what_follows_an_emoji(encoding: Encoding, character: int) -> None:
    positions = Positions("😀12.5%\n", encoding)
    assert positions.position(1) == Position(0, character)
    assert positions.offset(Position(0, character)) == 1


def test_a_position_inside_a_character_is_taken_to_its_beginning() -> None:
    assert Positions("a😀b").offset(Position(0, 2)) == 1


@pytest.mark.parametrize(("position", "offset"), [
    (Position(0, 99), 2), (Position(1, 0), 4), (Position(2, 0), 5), (Position(7, 3), 6), (Position(-1, 0), 0)])
def test_positions_beyond_a_line_or_the_text(position: Position, offset: int) -> None:
    assert Positions("ab\r\n\rc").offset(position) == offset


def test_only_line_ends_of_the_protocol_end_a_line() -> None:
    assert Positions("a\u2028b\x0bc\x85d\ne").position(8) == Position(1, 0)


def test_a_span_as_offsets() -> None:
    assert Positions("ab\ncde\n").offsets(Span(1, 2, 2, 3)) == (1, 5)
