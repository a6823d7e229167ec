"""Where a claim's quote and its anchors stand in the prose.

The prose is what is judged. A quote that differs from it in numbers only still leads to the passage, and the
passage's own digits are then the ones that count.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from specdil_records.claims.terms import Term, find_terms, is_cut
from specdil_records.findings import Pointer
from specdil_records.prose.numbers import Found, find_numbers
from specdil_records.prose.verbatim import QuoteMatch, find_quote, nearest_sentence, number_free_anchor, token_diff
from specdil_records.prose.verbatim import anchor as find_anchor


@dataclass(frozen=True, slots=True)
class Field:
    """One field of prose with the numbers in it."""

    pointer: Pointer
    text: str
    numbers: tuple[Found, ...]

    def digits(self, index: int) -> str:
        """A number's own characters: sign, digits, exponent."""
        return self.text[self.numbers[index].start:self.numbers[index].end]

    def inside(self, start: int, end: int) -> list[int]:
        """The numbers that lie wholly between two offsets."""
        return [i for i, number in enumerate(self.numbers) if number.start >= start and number.end <= end]


class NotLocated(Exception):
    """A quote or an anchor that leads to no single place: the finding's name and its words."""

    def __init__(self, name: str, message: str, numbers: Iterable[int] = (), **data: Any) -> None:
        super().__init__(message)
        self.name, self.message, self.numbers, self.data = name, message, tuple(numbers), data


@dataclass(frozen=True, slots=True)
class Passage:
    """A quote found in its field: the stretch of prose, and the numbers there that the quote has otherwise."""

    field: Field
    quote: str
    start: int
    end: int
    changed: tuple[tuple[int, str], ...] = ()
    """Numbers of the prose (by index) that the quote has with other digits, which are given."""
    points: tuple[str, ...] = ()
    """Code points in which quote and prose differ by typography only."""

    @property
    def text(self) -> str:
        """The passage as the prose has it."""
        return self.field.text[self.start:self.end]


@dataclass(frozen=True, slots=True)
class Anchored:
    """What an anchor holds: one number, the two ends of a range, or a symbolic term."""

    start: int
    end: int
    numbers: tuple[int, ...]
    term: Term | None = None
    changed: tuple[tuple[int, str], ...] = ()


def prose_fields(kind: str | None, data: Mapping[str, Any]) -> dict[Pointer, Field]:
    """Every field of prose of a record, in order, by pointer."""
    return {pointer: Field(pointer, text, find_numbers(text)) for pointer, text in prose_texts(kind, data)}


def prose_texts(kind: str | None, data: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """Pointer and text of every field of prose. Works for every version of a flop record."""
    if kind == "flop":
        yield ("arithmetic_intensity",), data["arithmetic_intensity"]
        for i, row in enumerate(data["scales_with"]):
            yield (("scales_with", i), row) if isinstance(row, str) else (("scales_with", i, "effect"), row["effect"])
        for i, text in enumerate(data["workarounds"]):
            yield ("workarounds", i), text
    if isinstance(data.get("notes"), str) and kind in ("flop", "source"):
        yield ("notes",), data["notes"]


def field_named(fields: Mapping[Pointer, Field], name: str) -> Field:
    """The field that `in` names, by its name or as a JSON pointer. Raises `NotLocated`."""
    # By its text, as a pointer has no leading zeros and no other digits than ASCII ones.
    found = next((one for pointer, one in fields.items() if name == "/" + "/".join(map(str, pointer))
                  or (name,) == pointer), None)
    if found is None:
        known = ", ".join("/" + "/".join(map(str, one)) if len(one) > 1 else str(one[0]) for one in fields)
        raise NotLocated("unresolved-reference", f"{name!r} is no field of prose; there are {known[:160]}")
    return found


def locate(field: Field, quote: str, occurrence: int | None) -> Passage:
    """The passage that a quote means. Raises `NotLocated`: quote-not-verbatim or quote-ambiguous."""
    match = find_quote(quote, field.text, field.numbers, occurrence)
    if isinstance(match, QuoteMatch):
        return Passage(field, quote, match.start, match.end, readable(field, match.changed), match.differences)
    if match.count:
        inside = [i for place in find_anchor(quote, field.text) for i in field.inside(*place)]
        raise NotLocated("quote-ambiguous", f"the quote occurs {match.count} times in its field; "
                         "occurrence says which one is meant", inside, count=match.count)
    near = nearest_sentence(quote, field.text) or ""
    difference = token_diff(quote, near) if near else ""
    at = field.text.find(near)
    raise NotLocated("quote-not-verbatim", "the quote is not in its field, character for character"
                     + (f"; the nearest sentence there is {shorten(near)!r} ({shorten(difference)})" if near else ""),
                     field.inside(at, at + len(near)), nearest=near, difference=difference)


def readable(field: Field, changed: Iterable[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """The changed numbers that can be read: one that cannot has a finding of its own, and nothing follows it."""
    return tuple((index, digits) for index, digits in changed if field.numbers[index].problem is None)


def anchored(passage: Passage, anchor: str, names: Collection[str], axes: Collection[str] = ()) -> Anchored:
    """What a figure's anchor holds in the passage, in these names, some of which are axes. Raises `NotLocated`."""
    start, end = anchor_place(passage, anchor)
    return _contents(passage.field, start, end, names, (), axes)


def anchor_place(passage: Passage, anchor: str) -> tuple[int, int]:
    """Where words of the quote stand in the prose. Raises `NotLocated`."""
    here = find_anchor(anchor, passage.quote)
    if len(here) != 1:
        name = "quote-ambiguous" if here else "quote-not-verbatim"
        raise NotLocated(name, f"the anchor {shorten(anchor)!r} stands {len(here) or 'nowhere'} "
                         f"{'times ' if here else ''}in its quote, where it has to stand once"
                         + ("" if here else ", neither beginning nor ending inside a word or a number"))
    if passage.text == passage.quote:
        return passage.start + here[0][0], passage.start + here[0][1]
    # A quote that differs from the prose has its anchors found anew: with the numbers that come at their place there.
    quoted = find_numbers(passage.quote)
    inside = [i for i, number in enumerate(quoted) if number.start >= here[0][0] and number.end <= here[0][1]]
    indexes = passage.field.inside(passage.start, passage.end)
    places = [(passage.start + start, passage.start + end) for start, end in find_anchor(anchor, passage.text)]
    in_order = len(indexes) == len(quoted)
    fitting = [place for place in places
               if not in_order or passage.field.inside(*place) == [indexes[i] for i in inside]]
    if len(fitting) == 1:
        return fitting[0]
    # The prose has other digits than the anchor, which keeps its place by the order of the numbers.
    if not inside or not in_order:
        raise NotLocated("quote-not-verbatim", f"the anchor {shorten(anchor)!r} cannot be carried over to the prose")
    first, last = indexes[inside[0]], indexes[inside[-1]]
    before = passage.field.numbers[first].start - (quoted[inside[0]].start - here[0][0])
    after = passage.field.numbers[last].end + (here[0][1] - quoted[inside[-1]].end)
    return max(before, passage.start), min(after, passage.end)


def read_anchor(passage: Passage, field: Field, anchor: str) -> tuple[Field, Anchored]:
    """The number that an input is read from: in the quote, else in the field, there once. Raises `NotLocated`."""
    if passage.field is field and len(find_anchor(anchor, passage.quote)) == 1:
        return field, anchored(passage, anchor, ())
    places = find_anchor(anchor, field.text)
    if len(places) == 1:
        start, end = places[0]
        return field, _contents(field, start, end, (), ())
    if places:
        raise NotLocated("quote-ambiguous", f"the anchor {shorten(anchor)!r} stands {len(places)} times in its field")
    loose = number_free_anchor(anchor, field.text, field.numbers)
    if len(loose) == 1:
        start, end, changed = loose[0]
        return field, _contents(field, start, end, (), readable(field, changed))
    raise NotLocated("quote-not-verbatim", f"the anchor {shorten(anchor)!r} is not in its field")


def _contents(field: Field, start: int, end: int, names: Collection[str],
              changed: tuple[tuple[int, str], ...], axes: Collection[str] = ()) -> Anchored:
    terms = [Term(start + term.start, start + term.end, term.text, term.expression, term.compound)
             for term in find_terms(field.text[start:end], names)]
    compound = [term for term in terms if term.compound and not _is_number(field, term, axes)]
    numbers = [i for i in field.inside(start, end) if field.numbers[i].exempt is None
               and not any(term.start <= field.numbers[i].start < term.end for term in compound)]
    if any(field.numbers[i].problem is not None for i in numbers):
        raise NotLocated("", "the number cannot be read")  # the number has a finding of its own
    if len(numbers) == 2 and field.numbers[numbers[0]].partner == numbers[1]:
        return Anchored(start, end, tuple(numbers), None, changed)
    if len(numbers) == 1 and not compound:
        if field.numbers[numbers[0]].partner is not None:
            raise NotLocated("formula", "the anchor holds one end of a range only")
        return Anchored(start, end, tuple(numbers), None, changed)
    if not numbers and len(compound or terms) == 1:
        term = (compound or terms)[0]
        if is_cut(field.text, term.start, term.end):
            raise NotLocated("formula", f"the anchor cuts a piece, {term.text!r}, out of a longer term")
        inside = field.inside(term.start, term.end)
        if any(is_scaled(field.numbers[i]) for i in inside):
            raise NotLocated("formula", f"a number in the term {term.text!r} has a unit that makes it another number")
        return Anchored(start, end, tuple(inside), term)
    count = len(numbers) + len(compound or (terms if not numbers else ()))
    raise NotLocated("formula", f"the anchor {shorten(field.text[start:end])!r} holds "
                     f"{count or 'no'} number{'s' if count != 1 else ''}; it has to hold one, or one range or term")


def _is_number(field: Field, term: Term, axes: Collection[str]) -> bool:
    """Whether what could be a term is a number with its unit, as 64x, 32k and 7B are whatever x, k and B are.

    What stands for nothing but an axis may be meant: 2B FLOP/byte at every B.
    """
    number = next((one for one in field.numbers if one.start <= term.start and one.stop >= term.end), None)
    return number is not None and (is_scaled(number) or not any(name in term.text for name in axes))


def is_scaled(number: Found) -> bool:
    """Whether a number's unit makes it another value than its digits say, as a percent sign does."""
    return number.figure is not None and number.figure.unit is not None and number.figure.unit.scale != 1


def shorten(text: str | None, longest: int = 70) -> str:
    """A text for a message."""
    text = " ".join((text or "").split())
    return text if len(text) <= longest else text[:longest - 1] + "…"
