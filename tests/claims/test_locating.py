"""Quotes and anchors by value: where they stand in the prose, what they hold, and what leads nowhere."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from specdil_records.claims.locating import (
    Anchored,
    Field,
    NotLocated,
    Passage,
    anchor_place,
    anchored,
    field_named,
    locate,
    prose_texts,
    read_anchor,
    shorten,
)
from specdil_records.findings import Pointer
from specdil_records.prose.numbers import find_numbers

QUOTE = "At batch 16 with k=4 it holds 10-20 GB, B + k in all, a kx gain of 12.5% over B/2 and 3 (FP8)"
TEXT = f"{QUOTE}. At batch 16 it ends."


def field(text: str, *pointer: str | int) -> Field:
    return Field(pointer or ("notes",), text, find_numbers(text))


FIELD = field(TEXT)


def refusal(call: Callable[[], Any]) -> NotLocated:
    with pytest.raises(NotLocated) as caught:
        call()
    assert str(caught.value) == caught.value.message
    return caught.value


@pytest.mark.parametrize(("anchor", "numbers", "term"), [
    ("batch 16", (0,), None), ("k=4", (1,), None), ("holds 10-20 GB", (2, 3), None), ("12.5%", (4,), None),
    ("12.5", (4,), None), ("and 3", (6,), None), ("3 (FP8)", (6,), None), ("a kx gain of 12.5%", (4,), None),
    ("B + k", (), "B + k"), ("B + k in all", (), "B + k"), ("kx gain", (), "k"), ("with k", (), "k"),
    ("over B/2", (5,), "B / 2"),
])
def test_what_an_anchor_holds(anchor: str, numbers: tuple[int, ...], term: str | None) -> None:
    found = anchored(locate(FIELD, QUOTE, None), anchor, {"B", "k"})
    assert (TEXT[found.start:found.end], found.numbers, found.changed) == (anchor, numbers, ())
    assert (found.term.expression if found.term else None) == term
    if found.term:
        assert TEXT[found.term.start:found.term.end] == found.term.text
        assert anchor.startswith(found.term.text) or found.term.text in anchor


@pytest.mark.parametrize(("anchor", "name", "words"), [
    ("holds 10", "quote-not-verbatim", "stands nowhere in its quote, where it has to stand once, neither beginning"),
    ("20 GB", "quote-not-verbatim", "stands nowhere"), ("2.5%", "quote-not-verbatim", "stands nowhere"),
    ("FP", "quote-not-verbatim", "stands nowhere"), ("", "quote-not-verbatim", "the anchor '' stands nowhere"),
    ("it ends", "quote-not-verbatim", "the anchor 'it ends' stands nowhere"),
    ("B", "quote-ambiguous", "the anchor 'B' stands 2 times in its quote, where it has to stand once"),
    ("+ k", "formula", "the anchor cuts a piece, 'k', out of a longer term"),
    ("k in all", "formula", "cuts a piece, 'k'"),
    ("FP8", "formula", "the anchor 'FP8' holds no numbers; it has to hold one, or one range or term"),
    ("gain", "formula", "holds no numbers"), ("16 with k=4", "formula", "holds 2 numbers"),
    ("k=4 it holds 10-20", "formula", "holds 3 numbers"),
    ("B + k in all, a kx gain of 12.5%", "formula", "holds 2 numbers"),
])
def test_an_anchor_that_holds_nothing_or_too_much(anchor: str, name: str, words: str) -> None:
    lost = refusal(lambda: anchored(locate(FIELD, QUOTE, None), anchor, {"B", "k"}))
    assert (lost.name, lost.numbers, lost.data) == (name, (), {})
    assert words in lost.message
    assert lost.message == words or name != "quote-ambiguous"


def test_without_names_there_are_no_terms() -> None:
    assert anchored(locate(FIELD, QUOTE, None), "over B/2 and 3", ()).numbers == (6,)
    assert "holds no numbers" in refusal(lambda: anchored(locate(FIELD, QUOTE, None), "B + k", ())).message


@pytest.mark.parametrize(("text", "anchor", "words"), [
    ("It is 10-20 and 5%.", "10-20 and 5%", "holds 3 numbers"),
    ("It is k + 5% of it.", "k + 5%", "a unit that makes it"),
    ("It is k + 5 of it.", "k + 5", None), ("It is k + 5 W of it.", "k + 5 W", None),
    ("It is 5k + 1 of it.", "5k + 1", "a unit that makes it"),
    ("It is k and j of it.", "k and j", "holds 2 numbers"), ("It is k + 1 and j of it.", "k + 1 and j", None),
])
def test_terms_beside_numbers(text: str, anchor: str, words: str | None) -> None:
    passage = locate(field(text), text, None)
    if words is None:
        assert anchored(passage, anchor, {"k", "j"}).term is not None
    else:
        lost = refusal(lambda: anchored(passage, anchor, {"k", "j"}))
        assert lost.name == "formula"
        assert words in lost.message


def test_a_number_that_cannot_be_read_has_a_finding_of_its_own() -> None:
    text = "It is 12,5 in all."
    assert refusal(lambda: anchored(locate(field(text), text, None), "is 12,5", ())).name == ""


def test_a_quote_found_once_twice_and_not_at_all() -> None:
    assert (locate(FIELD, "At batch 16 it ends", None).start, locate(FIELD, "At batch 16", 2).start) == (95, 95)
    assert locate(FIELD, "At batch 16", 1).start == 0
    twice = refusal(lambda: locate(FIELD, "At batch 16", None))
    assert (twice.name, twice.numbers, twice.data) == ("quote-ambiguous", (0, 8), {"count": 2})
    assert "occurs 2 times" in twice.message
    near = refusal(lambda: locate(FIELD, "At batch 16 it stops", None))
    assert (near.name, near.numbers) == ("quote-not-verbatim", (8,))
    assert near.data == {"nearest": "At batch 16 it ends.", "difference": "-stops +ends."}
    assert "the nearest sentence there is 'At batch 16 it ends.' (-stops +ends.)" in near.message
    far = refusal(lambda: locate(FIELD, "gone entirely", None))
    assert (far.name, far.numbers, far.data) == ("quote-not-verbatim", (), {"nearest": "", "difference": ""})
    assert far.message == "the quote is not in its field, character for character"
    first = refusal(lambda: locate(field("It costs 7 in all. Then 8. It costs 7 in all."), "It costs 8 in sum.", None))
    assert first.numbers == (0,)


@pytest.mark.parametrize(("anchor", "prose"), [
    ("batch 17", "batch 16"), ("At batch 17 with k", "At batch 16 with k"), ("17 with k=4", "16 with k=4"),
    ("holds 10-20", "holds 10-20"), ("At batch", "At batch"),
])
def test_anchors_follow_the_digits_of_the_prose(anchor: str, prose: str) -> None:
    passage = locate(FIELD, "At batch 17 with k=4 it holds 10-20 GB", None)
    assert (passage.changed, passage.text) == (((0, "17"),), "At batch 16 with k=4 it holds 10-20 GB")
    start, end = anchor_place(passage, anchor)
    assert TEXT[start:end] == prose


def test_anchors_follow_digits_of_another_length() -> None:
    longer = field("First this. At batch 1024 with k=4 it holds 10 GB.")
    passage = locate(longer, "At batch 16 with k=4 it holds 9 GB.", None)
    for anchor, prose in {"batch 16": "batch 1024", "16 with": "1024 with", "k=4": "k=4", "At batch 16 with k=4 it": (
            "At batch 1024 with k=4 it"), "holds 9 GB": "holds 10 GB", "holds 9 GB.": "holds 10 GB."}.items():
        start, end = anchor_place(passage, anchor)
        assert longer.text[start:end] == prose


@pytest.mark.parametrize(("quote", "prose", "anchor", "start"), [
    ("It takes 8 or 7", "It takes 7 or 9", "7", 14), ("It takes 8 or 7", "It takes 7 or 9", "8", 9),
    ("It takes 8 or 7", "It takes 7 or 7", "7", 14), ("It takes 8 or 7", "It takes 7 or 7", "8", 9),
    ("It takes 8 or 7", "It takes 7 or 9", "or", 11), ("It's 8 or 7", "It\u2019s 7 or 9", "It's 8", 0),
    ("It's 8 or 7", "It\u2019s 8 or 7", "or 7", 7), ("It's 7 or 7", "It\u2019s 7 or 7", "or 7", 7),
])
def test_anchors_keep_their_order_where_the_digits_change_places(quote: str, prose: str, anchor: str,
                                                                 start: int) -> None:
    assert anchor_place(locate(field(prose), quote, None), anchor)[0] == start


def test_a_quote_that_hides_a_range_has_no_anchor_at_one_end_of_it() -> None:
    passage = locate(field("It is between 10 and 20 GB."), "10 and 20 GB", None)
    assert anchored(passage, "10 and 20", ()).numbers == (0, 1)
    lost = [refusal(lambda: anchored(passage, "10", ())), refusal(lambda: anchored(passage, "20 GB", ()))]
    assert {(one.name, one.message) for one in lost} == {("formula", "the anchor holds one end of a range only")}


@pytest.mark.parametrize(("prose", "quote", "anchor"), [
    ("it's 7, it's 8", "it\u2019s 7, it's 8", "it\u2019s"),  # no number that it could be carried over by
    ("`f it's 7, it's 7 at 1,000 x`", "it\u2019s 7, it's 7 at 1,000", "it\u2019s 7"),  # in code they are four numbers
])
def test_an_anchor_that_cannot_be_carried_over(prose: str, quote: str, anchor: str) -> None:
    lost = refusal(lambda: anchor_place(locate(field(prose), quote, None), anchor))
    assert (lost.name, lost.message) == (
        "quote-not-verbatim", f"the anchor {anchor!r} cannot be carried over to the prose")


def place_of(anchor: str, where: Field | None = None, quote: str = QUOTE) -> Anchored:
    passage: Passage = locate(FIELD, quote, None)
    found, place = read_anchor(passage, where or FIELD, anchor)
    assert found is (where or FIELD)
    return place


@pytest.mark.parametrize(("anchor", "number", "changed"), [
    ("batch 16", 0, ()), ("At batch 16 with", 0, ()), ("At batch 16 it", 8, ()), ("12.5%", 4, ()),
    ("At batch 18 it ends", 8, ((8, "18"),)), ("of 13.5% over", 4, ((4, "13.5"),)),
])
def test_an_input_is_read_from_the_quote_or_else_from_the_field(anchor: str, number: int, changed: Any) -> None:
    place = place_of(anchor)
    assert (place.numbers, place.changed) == ((number,), changed)


@pytest.mark.parametrize(("anchor", "number", "changed"), [
    ("at 3.5 GB", 0, ()), ("at 3.6 GB", 0, ((0, "3.6"),)), ("or 7", 1, ()), ("or 8", 1, ((1, "8"),)),
])
def test_an_input_is_read_from_another_field(anchor: str, number: int, changed: Any) -> None:
    place = place_of(anchor, field("It works at 3.5 GB or 7 there.", "workarounds", 0))
    assert (place.numbers, place.changed) == ((number,), changed)


def test_a_range_is_read_with_its_digits() -> None:
    place = place_of("at 11-20 GB", field("It works at 10-20 GB.", "workarounds", 0))
    assert (place.numbers, place.changed) == ((0, 1), ((0, "11"),))


@pytest.mark.parametrize(("anchor", "text", "name", "words"), [
    ("batch 16", "At batch 16, or batch 16.", "quote-ambiguous", "the anchor 'batch 16' stands 2 times in its field"),
    ("batch 17", "At batch 16, or batch 18.", "quote-not-verbatim", "the anchor 'batch 17' is not in its field"),
    ("nothing", "At batch 16.", "quote-not-verbatim", "the anchor 'nothing' is not in its field"),
    ("At", "At batch 16.", "formula", "the anchor 'At' holds no numbers"),
    ("batch 10", "At batch 10-20.", "quote-not-verbatim", "is not in its field"),
])
def test_an_input_that_is_nowhere(anchor: str, text: str, name: str, words: str) -> None:
    lost = refusal(lambda: place_of(anchor, field(text, "workarounds", 0)))
    assert lost.name == name
    assert words in lost.message


def test_the_quote_comes_before_the_field() -> None:
    assert refusal(lambda: place_of("batch 16", FIELD, "it ends")).name == "quote-ambiguous"
    assert place_of("batch 16", FIELD, "At batch 16 it ends").numbers == (8,)


DATA: dict[str, Any] = {"arithmetic_intensity": "a", "scales_with": ["b", {"effect": "c"}], "workarounds": ["d", "e"],
                        "notes": "f"}


def test_prose_of_a_record() -> None:
    assert list(prose_texts("flop", DATA)) == [
        (("arithmetic_intensity",), "a"), (("scales_with", 0), "b"), (("scales_with", 1, "effect"), "c"),
        (("workarounds", 0), "d"), (("workarounds", 1), "e"), (("notes",), "f")]
    assert list(prose_texts("source", {"notes": "f"})) == [(("notes",), "f")]
    assert list(prose_texts("source", {})) == list(prose_texts("model", {"notes": "f"})) == []
    assert list(prose_texts(None, {"notes": "f"})) == []
    assert list(prose_texts("source", {"notes": 7})) == []


def test_a_field_is_named_by_its_name_or_pointer() -> None:
    fields = {pointer: field(text, *pointer) for pointer, text in prose_texts("flop", DATA)}
    assert field_named(fields, "notes") is field_named(fields, "/notes") is fields["notes",]
    assert field_named(fields, "/scales_with/1/effect") is fields["scales_with", 1, "effect"]
    assert field_named(fields, "/workarounds/1") is fields["workarounds", 1]
    for name in ("nosuch", "/workarounds/2", "/workarounds", "/", "workarounds", "/workarounds/01",
                 "/workarounds/\u00b9", "/workarounds/" + "1" * 5000):
        lost = refusal(lambda name=name: field_named(fields, name))  # type: ignore[misc]
        assert lost.name == "unresolved-reference"
        assert lost.message == (f"{name!r} is no field of prose; there are arithmetic_intensity, /scales_with/0, "
                                "/scales_with/1/effect, /workarounds/0, /workarounds/1, notes")


def test_fields_are_listed_as_far_as_there_is_room() -> None:
    fields: dict[Pointer, Field] = {("workarounds", i): field("a", "workarounds", i) for i in range(20)}
    listed = ", ".join(f"/workarounds/{i}" for i in range(20))
    assert refusal(lambda: field_named(fields, "nosuch")).message == (
        f"'nosuch' is no field of prose; there are {listed[:160]}")


def test_a_long_text_is_shortened_for_a_message() -> None:
    assert shorten("a  b\n c") == "a b c"
    assert (shorten(None), shorten("x" * 70), shorten("x" * 71)) == ("", "x" * 70, "x" * 69 + "\u2026")
    assert shorten("abcdef", 4) == "abc\u2026"
