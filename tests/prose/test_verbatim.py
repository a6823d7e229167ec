from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.prose.typography import TABLE
from specdil_records.prose.verbatim import (
    QuoteAmbiguous,
    QuoteLost,
    QuoteMatch,
    anchor,
    differences,
    find_quote,
    fold,
    nearest_sentence,
    number_free_anchor,
    occurrences,
    token_diff,
    typographic,
)

LETTERS = ("abz e\u0301\u00e9 \n\t\u00a0\u2009\u202f\u2007-\u2010\u2011\u2013\u2019'\u201c\"\u2026.\u00adx\u00d7\u212b"
           "\u1100\u1161\u11a8\ufb01\u0323")
TEXTS = st.text(LETTERS, max_size=40) | st.text(max_size=30)
WORDS = st.lists(st.sampled_from(["batch", "32", "12.5%", "falls", "H100", "doesn't", "3-6.5x", "to", "the", "k=4",
                                  "1.38x"]), min_size=1, max_size=8).map(" ".join)
PROSE = ("EAGLE\u20113 doesn\u2019t help here\u2026 and waits.\n  One stall is enough. At batch 32, it moves "
         "13.35 TB/s over memory-\nbandwidth. The spread is 3-6.5x. One rack.")


def found(result: object) -> QuoteMatch:
    assert isinstance(result, QuoteMatch), result
    return result


@given(TEXTS)
def test_folding_gives_nfc_with_single_blanks(text: str) -> None:
    folded = fold(text)
    assert folded.text == " ".join(["", *unicodedata.normalize("NFC", text).split(), ""]).strip() \
        or folded.text.strip() == " ".join(unicodedata.normalize("NFC", text).split())


@given(TEXTS)
def test_the_way_back_is_monotone_and_covers_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(start < end for start, end in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    if text:
        assert (folded.starts[0], folded.ends[-1]) == (0, len(text))
    assert fold(folded.text).text == folded.text


@given(TEXTS, st.data())
def test_a_folded_character_comes_from_where_it_says(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if folded.text:
        at = data.draw(st.integers(0, len(folded.text) - 1))
        start, end = folded.raw(at, at + 1)
        assert folded.text[at] in fold(text[start:end]).text


@given(WORDS, WORDS, WORDS)
def test_what_was_put_in_is_found(before: str, needle: str, after: str) -> None:
    hay = f"{before} \u2014 {needle}; {after}"
    places = occurrences(needle, hay)
    assert (len(before) + 3, len(before) + 3 + len(needle)) in places
    assert all(fold(hay[start:end]).text == needle for start, end in places)


@given(WORDS, st.sampled_from(["\u00a0", "\n", "  ", " \r\n\t", "\u202f", "\u2009"]))
def test_white_space_makes_no_difference(needle: str, blank: str) -> None:
    hay = "so: " + needle.replace(" ", blank) + "."
    # Fixed blanks group digits, so that other numbers may be read; the text is the same all the same.
    result = find_quote(needle, hay)
    if "32" not in needle:
        assert found(result).stage == "exact"
        assert hay[found(result).start:found(result).end] == needle.replace(" ", blank)


@given(WORDS, st.sampled_from(["\u2019", "\u2011", "\u00ad"]))
def test_typography_is_named(needle: str, variant: str) -> None:
    put = {"\u2019": needle.replace("'", variant), "\u2011": needle.replace("-", variant),
           "\u00ad": needle.replace("falls", f"fal{variant}ls")}[variant]
    hay = f"It says {put}."
    match = found(find_quote(needle, hay))
    assert hay[match.start:match.end] == put
    assert match.differences == (() if put == needle else (f"U+{ord(variant):04X}",))
    assert match.stage == ("exact" if put == needle else "typography")


@given(st.text(max_size=20), st.text(max_size=40))
def test_nothing_raises_and_places_lie_in_the_text(needle: str, hay: str) -> None:
    result = find_quote(needle, hay)
    if isinstance(result, QuoteMatch):
        assert 0 <= result.start < result.end <= len(hay)
    for start, end in anchor(needle, hay):
        assert 0 <= start < end <= len(hay)
    assert len(token_diff(needle, hay)) < 200
    nearest_sentence(needle, hay)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_changed_numbers_are_named_with_the_digits_of_the_quote(here: int, there: int) -> None:
    hay = f"Before 7. At batch {there} the gain is 12.5%. After 9."
    match = found(find_quote(f"At batch {here} the gain is 12.5%", hay))
    assert match.changed == (() if here == there else ((1, str(here)),))
    assert match.stage == ("exact" if here == there else "numbers")
    assert (match.start, match.end) == (10, hay.index(". After"))


def test_the_stages() -> None:
    match = found(find_quote("EAGLE-3 doesn't help here... and waits", PROSE))
    assert (match.stage, match.differences) == ("typography", ("U+2011", "U+2019", "U+2026"))
    assert found(find_quote("One stall is\tenough", PROSE)).stage == "exact"
    assert found(find_quote("EAGLE-2 doesn't help", PROSE)).changed == ((0, "2"),)
    assert found(find_quote("EAGLE-2 doesn't help", PROSE)).differences == ("U+2011", "U+2019")
    assert isinstance(find_quote("Two stalls are enough", PROSE), QuoteLost)


def test_case_digits_signs_and_brackets_are_never_folded() -> None:
    prose = "Stall [P95] grows with [batch] size by -3 m\u00b2 and 1/2 < 2."
    for near in ("stall [P95] grows", "Stall P95 grows", "grows with batch size", "by 3 m\u00b2", "by -3 m2",
                 "\u00bd < 2", "1/2 <= 2"):
        assert not occurrences(near, prose)
        assert not typographic(near, prose)
    assert occurrences("Stall [P95] grows with [batch] size", prose)


def test_a_quote_never_cuts_a_word_a_number_or_a_name() -> None:
    for piece in ("3.35 TB/s", "13.3", "13", "tall is", "enoug", "EAGLE", "6.5x", "is 3", "bandwidt"):
        assert not occurrences(piece, PROSE), piece
        assert not typographic(piece, PROSE), piece
    for piece in ("13.35", "13.35 TB/s", "3-6.5x", "The spread is 3-6.5x", "batch 32,"):
        assert len(anchor(piece, PROSE)) == 1, piece
    assert anchor("3.35", "It is -3.35 or 3.35.") == [(15, 19)]


def test_an_empty_quote_is_never_found() -> None:
    for nothing in ("", " ", "\n", "\u00ad"):
        assert isinstance(find_quote(nothing, PROSE), QuoteLost)
        assert anchor(nothing, PROSE) == []


def test_a_quote_twice_is_ambiguous_without_its_occurrence() -> None:
    assert find_quote("One", PROSE) == QuoteAmbiguous(2)
    assert found(find_quote("One", PROSE, None, 1)).start == PROSE.index("One")
    assert found(find_quote("One", PROSE, None, 2)).start == PROSE.rindex("One")
    assert isinstance(find_quote("One", PROSE, None, 3), QuoteLost)
    assert isinstance(find_quote("One", PROSE, None, 0), QuoteLost)


def test_numbers_left_open_must_lead_to_one_place() -> None:
    hay = "At batch 8 it is 2x. At batch 9 it is 3x."
    assert isinstance(find_quote("At batch 7 it is 4x", hay), QuoteLost)
    assert found(find_quote("At batch 7 it is 4x", hay, None, 2)).changed == ((2, "7"), (3, "4"))


def test_occurrences_are_counted_in_every_stage() -> None:
    edited = "At batch 8 it waits. At batch 9 it waits."
    assert found(find_quote("At batch 8 it waits", edited, None, 1)).changed == ()
    assert isinstance(find_quote("At batch 7 it waits", edited, None, 3), QuoteLost)
    same = "At batch 8 it doesn\u2019t wait. " * 2
    assert found(find_quote("At batch 8 it doesn\u2019t wait", same, None, 2)).stage == "exact"
    match = found(find_quote("At batch 8 it doesn't wait", same, None, 2))
    assert (match.stage, match.start, match.differences) == ("typography", len(same) // 2, ("U+2019",))


@given(st.lists(st.sampled_from(["don't", "re-use", "3 x 4", '"so"', "wait...", "rack"]), min_size=1, max_size=6)
       .map(" ".join), st.data())
def test_exactly_the_variants_that_stand_elsewhere_are_named(text: str, data: st.DataObject) -> None:
    variants = {"'": "'\u2019\u2032", "-": "-\u2011\u2212", "x": "x\u00d7", '"': '"\u201c\u2033',
                "a": ("a", "a\u00ad")}
    drawn = st.tuples(*(st.sampled_from(variants.get(character, character)) for character in text))
    here, there = data.draw(drawn), data.draw(drawn)
    unlike = {character for one, other in zip(here, there, strict=True) if one != other for character in one + other}
    needle, piece = "".join(here), "".join(there)
    named = differences(needle, piece)
    assert set(named) == {f"U+{ord(character):04X}" for character in unlike if character in TABLE}
    match = found(find_quote(needle, piece))
    assert (match.stage, match.differences) == ("typography" if unlike else "exact", named)


def test_variants_that_change_places_are_named() -> None:
    match = found(find_quote("it don't and it won\u2019t", "it don\u2019t and it won't"))
    assert (match.stage, match.differences) == ("typography", ("U+2019",))
    assert differences("ra\u00adck", "ra\u00ad\u00adck") == ("U+00AD",)
    assert found(find_quote("\u2019tis batch 32", "'tis batch 33")).differences == ("U+2019",)


def test_a_hyphen_at_a_line_end_is_kept_or_dropped() -> None:
    for quote in ("over memory-bandwidth", "over memorybandwidth"):
        match = found(find_quote(quote, PROSE))
        assert match.stage == "typography"
        assert PROSE[match.start:match.end] == "over memory-\nbandwidth"
        assert match.differences
    assert found(find_quote("over memory- bandwidth", PROSE)).stage == "exact"
    assert found(find_quote("memory-\nbandwidth", "the memory-bandwidth wall")).stage == "typography"
    hay = "com-\npute-bound and mem-\nory-\nbound"
    assert found(find_quote("compute-bound and memory-bound", hay)).end == len(hay)
    assert found(find_quote("the cafe\u0301teria", "in the cafe\u0301-\nteria")).differences == ("U+002D",)
    assert found(find_quote("memory-bandwidth", "memory\u2011\nbandwidth")).differences == ("U+2011",)


def test_a_hyphen_and_a_line_end_are_a_hyphen_and_a_blank_in_every_stage() -> None:
    for needle, hay in (("memory- bandwidth", "memory-\nbandwidth"), ("memory-\nbandwidth", "memory- bandwidth")):
        match = found(find_quote(f"over {needle} it doesn't", f"So over {hay} it doesn\u2019t."))
        assert (match.start, match.stage, match.differences) == (3, "typography", ("U+2019",))
        match = found(find_quote(f"over {needle} at 32", f"So over {hay} at 33."))
        assert (match.start, match.changed, match.differences) == (3, ((0, "32"),), ())


def test_a_line_end_makes_no_number_of_two() -> None:
    assert typographic("35 GB", "it holds 3-\n5 GB") == []
    assert typographic("it holds 3-\n5 GB", "it holds 35 GB") == []
    assert typographic("3-5 GB", "it holds 3-\n5 GB") == [(9, 16)]
    assert typographic("EAGLE3 is", "so EAGLE-\n3 is") == [(3, 14)]
    assert typographic("3fold is", "so 3-\nfold is") == [(3, 13)]


@pytest.mark.parametrize(("variant", "plain"), sorted(TABLE.items()))
def test_each_row_of_the_table(variant: str, plain: str) -> None:
    hay = f"A ra{variant}ck of eight"
    assert len(typographic(f"A ra{plain}ck of eight", hay)) == 1
    assert not occurrences(f"A ra{plain}ck of eight", hay)
    assert differences(f"A ra{plain}ck", f"A ra{variant}ck") == (f"U+{ord(variant):04X}",)


def test_a_private_character_of_the_prose_stands_for_no_hyphen() -> None:
    assert occurrences("a-", "a\ue000 b") == []  # found by fuzzing
    assert occurrences("ab", "a\ue000b") == []
    assert occurrences("a\ue000", "a\ue000 b") == [(0, 2)]


def test_a_number_free_anchor_keeps_its_words() -> None:
    hay = "At batch 33 it waits for 7 users."
    assert number_free_anchor("At batch 32", hay) == [(0, 11, ((0, "32"),))]
    assert number_free_anchor("for 7 users", hay) == [(hay.index("for"), len(hay) - 1, ())]
    assert number_free_anchor("In batch 32", hay) == []


def test_nearest_sentence_and_diff() -> None:
    assert nearest_sentence("One stil is enough", PROSE) == "One stall is enough."
    assert nearest_sentence("quite another thing", "Nothing of it.") is None
    assert token_diff("Acme One moves 33.5 TB/s", "Acme One moves 3.35 TB/s") == "-33.5 +3.35"
    assert token_diff("the same", "the  same") == ""
    assert token_diff("is 6.25% here", "is 6.25 % here") == "+a blank"
    assert token_diff("a [b] c", "a b c") == "-[ -]"


def test_the_nearest_sentence_is_the_likest_of_all() -> None:
    like = "The gain at batch 32 is lost on most racks"
    others = [f"The gain {word} is a matter that was never settled at all by any of those who once looked into it, "
              "since nobody could say how long such things take, where they begin or what comes of it" for word in
              ("here", "there", "then", "now", "still", "before", "behind")]
    for at in range(len(others) + 1):
        hay = ". ".join([*others[:at], like, *others[at:]]) + "."
        assert nearest_sentence("The gain at batch 64 is lost on most racks", hay) == like + "."
    assert nearest_sentence("the gain", "Where so many other things begin, the end of it all is far away") is None
    long = " ".join(["rates", "tears", "stare", "tests", "eats", "treats", "arrest"] * 6)  # no letter of it is rare
    assert nearest_sentence(long.replace("tests", "rests"), f"It waits. {long}. So it is.") == f"{long}."


def test_a_long_difference_is_cut_and_a_long_text_has_short_ones() -> None:
    assert token_diff("x" * 99, "y" * 97) == "-" + "x" * 99 + " +" + "y" * 97  # of 199 characters
    assert token_diff("x" * 99, "y" * 98) == "-" + "x" * 99 + " +" + "y" * 96 + "\u2026"
    before, after = "the rate is low and " * 25, " and the rate is low" * 25
    assert token_diff(f"{before}33.5{after}", f"{before}3.35{after}") == "-33.5 +3.35"


def test_an_anchor_in_a_long_text_is_found_as_in_a_short_one() -> None:
    for hay in (PROSE, PROSE + " So it is." * 2500):
        assert len(anchor("EAGLE-3 doesn't help", hay)) == len(anchor("The spread is", hay)) == 1
        assert anchor("Two racks", hay) == []


@pytest.mark.parametrize("piece", ["a", "a ", "1 is less. ", "- ", "a-\n", "e\u0301", "\u0301\u0323", "\u2019",
                                   "\u00ad"])
def test_a_long_text_is_searched_in_time(piece: str) -> None:
    hay = (piece * (200_000 // len(piece) + 1))[:200_000]
    needle = hay[:60_000] + "q"
    began = time.process_time()
    assert not isinstance(find_quote(needle, hay), QuoteMatch)
    # A quadratic search would compare ten thousand million characters; the bound leaves room for a slow machine.
    assert time.process_time() - began < 30


def test_a_quotation_may_begin_right_behind_a_line_break() -> None:
    text = "measured on the A100\n-5 % it was"
    (place,) = occurrences("-5 % it was", text)
    assert text[place[0]:place[1]] == "-5 % it was"
