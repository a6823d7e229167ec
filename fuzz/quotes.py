"""The quote matcher: a match lies in the text, is a match by a plainer reading too, and goes both ways."""
from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from fuzz import pace
from fuzz import seeds as shipped
from specdil_records.prose import typography
from specdil_records.prose.folding import fold
from specdil_records.prose.matching import numbers_free, occurrences, typographic
from specdil_records.prose.numbers import find_numbers
from specdil_records.prose.verbatim import (
    QuoteAmbiguous,
    QuoteLost,
    QuoteMatch,
    find_quote,
    nearest_sentence,
    token_diff,
)

SEPARATOR = "\0"
RESERVED = frozenset("\ue000\ue001")
MARKS = 30
LONGEST_INPUT = 600


def seeds() -> Iterator[bytes]:
    """Quotes with the passages of their records, and some typography."""
    for path in shipped.files():
        data = shipped.read_document(path.read_bytes(), path.name).data
        if not isinstance(data, dict):
            continue
        claims = data.get("claims")
        for claim in claims if isinstance(claims, list) else ():
            quote, field = (claim.get("quote"), claim.get("in")) if isinstance(claim, dict) else (None, None)
            prose = data.get(field) if isinstance(field, str) else None
            if isinstance(quote, str) and isinstance(prose, str):
                yield f"{quote}{SEPARATOR}{prose}".encode()
    more = ("a-b\0x a-\n b c", "\u2018a\u2026\u2019\0'a...' b", "5 GB\0of 5\u00a0GB, 6 GB",
            "e\u0301\0\u00e9 and e\u0301", "12% of it\0at 13% of it")
    yield from (text.encode() for text in more)


def judge(data: bytes) -> None:
    """Look for one text in another, and for each in itself."""
    needle, _, hay = shipped.decoded(data).partition(SEPARATOR)
    outcome = find_quote(needle, hay)
    check_outcome(needle, hay, outcome)
    check_places(needle, hay)
    for text in (needle, hay):
        check_folding(text)
        check_itself(text)
    check_both_ways(needle, hay)
    nearest = nearest_sentence(needle, hay)
    assert nearest is None or nearest in hay
    assert len(token_diff(needle, hay)) < 200
    if pace.is_due(data):
        pace.check_linear(hay, lambda text: find_quote(needle, text))


def plainly(text: str) -> str:
    """NFC and single blanks, without any way back: what the matcher does, said in one line."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def check_outcome(needle: str, hay: str, outcome: QuoteMatch | QuoteLost | QuoteAmbiguous) -> None:
    """One of three endings, each true to its word."""
    if isinstance(outcome, QuoteMatch):
        assert 0 <= outcome.start < outcome.end <= len(hay)
        assert needle.strip(), "an empty quote was found"
        if outcome.stage == "exact" and marks(needle + hay) <= MARKS:
            assert plainly(needle) in plainly(hay)
        if outcome.stage == "typography":
            assert outcome.differences
        numbers = find_numbers(hay)
        assert all(outcome.start <= numbers[index].start < outcome.end for index, _ in outcome.changed)
    elif isinstance(outcome, QuoteAmbiguous):
        assert outcome.count > 1
        assert isinstance(find_quote(needle, hay, occurrence=outcome.count), QuoteMatch)
        assert isinstance(find_quote(needle, hay, occurrence=1), QuoteMatch)


def check_places(needle: str, hay: str) -> None:
    """Places ascend, lie in the text, and cut no number; whatever is found exactly is found by typography, too."""
    exact, loose = occurrences(needle, hay), typographic(needle, hay)
    numbers = find_numbers(hay)
    for places in (exact, loose, [(start, end) for start, end, _ in numbers_free(needle, hay)]):
        assert places == sorted(places)
        for start, end in places:
            assert 0 <= start < end <= len(hay)
            assert not any(number.start < border < number.end for number in numbers for border in (start, end))
    # A needle of nothing but hyphens is lost where a hyphen ends a line: that one may as well be dropped.
    if not RESERVED & set(needle + hay) and typography.folded(needle).text.strip("- "):
        assert len(exact) <= len(loose), (exact, loose)


def check_folding(text: str) -> None:
    """Folding is idempotent, and every folded character comes from a place of the text, in order."""
    for folded in (fold(text), typography.folded(text)):
        assert len(folded.text) == len(folded.starts) == len(folded.ends)
        assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))
        assert list(folded.starts) == sorted(folded.starts)
    once = fold(text).text
    assert fold(once).text == once
    if marks(text) <= MARKS:
        assert once.strip() == plainly(text)


def check_itself(text: str) -> None:
    """A text stands in itself, whole."""
    if not fold(text).text.strip():
        assert occurrences(text, text) == []
        return
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    assert (start, end) in occurrences(text, text)


def check_both_ways(needle: str, hay: str) -> None:
    """Two texts of which each is the whole of the other: if one finds the other, the other finds it."""
    for search in (occurrences, typographic):
        there = (len(hay) - len(hay.lstrip()), len(hay.rstrip())) in search(needle, hay)
        back = (len(needle) - len(needle.lstrip()), len(needle.rstrip())) in search(hay, needle)
        if len(needle) == len(needle.strip()) and len(hay) == len(hay.strip()):
            same = plainly(needle) == plainly(hay)
            assert there == back or not same, (search, needle, hay)


def marks(text: str) -> int:
    """The longest run of characters that may join the one before."""
    longest = run = 0
    for character in text:
        run = run + 1 if ord(character) >= 0x300 else 0
        longest = max(longest, run)
    return longest
