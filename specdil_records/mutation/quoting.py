"""A piece of prose changed together with all that quotes it, as an author would who changes a number on purpose.

What is left to object is then the arithmetic and the evidence: no quote differs any more from its prose. Only what a
dispute says about a figure that fails its own model stays, since a dispute excuses just the digits that it quotes.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from specdil_records.claims import ClaimResult
from specdil_records.claims.locating import Anchored, Field, NotLocated, anchor_place
from specdil_records.findings import Pointer
from specdil_records.mutation.ground import Ground
from specdil_records.mutation.mutants import Splice
from specdil_records.prose.numbers import find_numbers
from specdil_records.prose.verbatim import anchor as find_anchor

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a field of prose, [start, end), and what stands there instead."""

    field: Field
    start: int
    end: int
    new: str

    @property
    def old(self) -> str:
        """The piece as the prose has it."""
        return self.field.text[self.start:self.end]

    def inside(self, field: Pointer, place: Stretch | Anchored | None) -> bool:
        """Whether a stretch of a field holds the piece."""
        if place is None or field != self.field.pointer:
            return False
        start, end = (place.start, place.end) if isinstance(place, Anchored) else place
        return start <= self.start and self.end <= end


def everywhere(ground: Ground, piece: Piece) -> tuple[Splice, ...]:
    """The piece replaced in its prose and in every quote, anchor, effect and aside that holds it."""
    found = {Splice(piece.field.pointer, piece.start, piece.end, piece.new)}
    for claim in ground.claims:
        found.update(_claim(ground, piece, claim))
    found.update(_rows(ground, piece))
    for i, aside in enumerate(ground.record.data.get("asides", [])):
        found.update(_found(piece, ("asides", i, "text"), aside["text"]))
    return tuple(sorted(found, key=lambda one: (tuple(map(str, one.pointer)), one.start, one.key)))


def _claim(ground: Ground, piece: Piece, claim: ClaimResult) -> Iterator[Splice]:
    passage, number = claim.passage, claim.pointer[1]
    assert isinstance(number, int)
    if passage is None:
        return
    written = ground.record.data["claims"][number]
    here = passage.field.pointer
    if piece.inside(here, (passage.start, passage.end)):
        yield from _carried(piece, (passage.start, passage.end), (*claim.pointer, "quote"), written["quote"])
    anchors = {figure.anchor: figure.anchored for figure in claim.figures}
    anchors |= dict(claim.held.values())
    for words in claim.data.get("cites", {}):
        cited = _place(claim, words)
        if cited is not None:
            anchors[words] = cited
    for anchor, place in anchors.items():
        if piece.inside(here, place):
            yield from _anchor(ground, piece, claim, anchor, (place.start, place.end))
    for name, (field, place) in claim.inputs.items():
        spec = written.get("read", {}).get(name)
        if spec is not None and piece.inside(field.pointer, place):
            pointer: Pointer = (*claim.pointer, "read", name)
            yield from _carried(piece, (place.start, place.end), *((pointer, spec) if isinstance(spec, str)
                                                                   else ((*pointer, "at"), spec["at"])))
    yield from _disputes(ground, piece, claim)


def _place(claim: ClaimResult, words: str) -> Anchored | None:
    assert claim.passage is not None
    try:
        start, end = anchor_place(claim.passage, words)
    except NotLocated:
        return None
    return Anchored(start, end, ())


def _anchor(ground: Ground, piece: Piece, claim: ClaimResult, anchor: str, place: Stretch) -> Iterator[Splice]:
    """An anchor wherever it is a key of its claim, or what a claim that repeats this one names it by."""
    for i, other in enumerate(ground.record.data.get("claims", [])):
        if ("claims", i) == claim.pointer:
            for group in ("figures", "held", "cites", "tolerance"):
                if anchor in other.get(group, {}):
                    yield from _carried(piece, place, ("claims", i, group, anchor), anchor, key=True)
        elif other.get("same_as") == claim.id:
            for here, there in other.get("figures", {}).items():
                if there == anchor:
                    yield from _carried(piece, place, ("claims", i, "figures", here), anchor)


def _disputes(ground: Ground, piece: Piece, claim: ClaimResult) -> Iterator[Splice]:
    assert claim.passage is not None
    for i, dispute in enumerate(ground.record.data.get("disputes", [])):
        if dispute["claim"] != claim.id or dispute.get("own_model") == "fails":
            continue
        for key in ("figure", "words"):
            place = _place(claim, dispute[key]) if key in dispute else None
            if place is not None and piece.inside(claim.passage.field.pointer, place):
                yield from _carried(piece, (place.start, place.end), ("disputes", i, key), dispute[key])


def _rows(ground: Ground, piece: Piece) -> Iterator[Splice]:
    for i, row in enumerate(ground.record.data.get("hardware_parameters", [])):
        yield from _found(piece, ("hardware_parameters", i, "effect"), row["effect"])
        magnitude = row.get("magnitude", "")
        for number in find_numbers(magnitude):
            if piece.old == magnitude[number.start:number.end]:
                yield Splice(("hardware_parameters", i, "magnitude"), number.start, number.end, piece.new)


def _found(piece: Piece, pointer: Pointer, text: str) -> Iterator[Splice]:
    for place in find_anchor(text, piece.field.text):
        if piece.inside(piece.field.pointer, place):
            yield from _carried(piece, place, pointer, text)


def _carried(piece: Piece, place: Stretch, pointer: Pointer, text: Any, key: bool = False) -> Iterator[Splice]:
    """The piece in a text that repeats a stretch of the prose, white space apart."""
    prose = [at for at in range(*place) if not piece.field.text[at].isspace()]
    quoted = [at for at, character in enumerate(text) if not character.isspace()]
    inside = [i for i, at in enumerate(prose) if piece.start <= at < piece.end]
    if len(prose) == len(quoted) and inside:
        yield Splice(pointer, quoted[inside[0]], quoted[inside[-1]] + 1, piece.new, key)
