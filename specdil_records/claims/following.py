"""What follows when a number of the prose is written anew: the quotes, anchors and lifted effects that repeat it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from specdil_records.claims.locating import Anchored, Field
from specdil_records.claims.results import ClaimResult
from specdil_records.findings import Pointer, Splice
from specdil_records.prose.numbers import find_numbers
from specdil_records.prose.verbatim import QuoteMatch, find_quote
from specdil_records.prose.verbatim import anchor as find_anchor

if TYPE_CHECKING:
    from specdil_records.claims.evaluation import Evaluation

Key = tuple[Pointer, int]
"""A number of the prose: its field and its index there."""

MAPS = ("figures", "held", "cites", "tolerance")
"""The parts of a claim whose keys are anchors."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words of a quote as another part of the record names them."""

    pointer: Pointer
    text: str
    key: bool


def followers(evaluation: Evaluation, digits: Mapping[Key, str]) -> list[Splice]:
    """Every replacement that quotes, anchors and effects need when these numbers of the prose have these digits."""
    found: list[Splice] = []
    for claim in evaluation.claims:
        found += _of_claim(evaluation, claim, digits)
    for i, row in enumerate(evaluation.record.data.get("hardware_parameters", [])):
        found += _of_effect(evaluation, ("hardware_parameters", i, "effect"), row["effect"], digits)
    return list(dict.fromkeys(found))


def _of_claim(evaluation: Evaluation, claim: ClaimResult, digits: Mapping[Key, str]) -> Iterator[Splice]:
    passage = claim.passage
    if passage is not None:
        inside = passage.field.inside(passage.start, passage.end)
        quoted = find_numbers(passage.quote)
        changes = {order: digits[passage.field.pointer, index] for order, index in enumerate(inside)
                   if (passage.field.pointer, index) in digits}
        if changes and len(inside) == len(quoted):
            yield from _numbers((*claim.pointer, "quote"), passage.quote, changes)
            for one in anchors(evaluation.record.data, claim):
                yield from _of_anchor(one, passage.quote, changes)
    for name, (field, place) in claim.inputs.items():
        yield from _of_input(evaluation.record.data, claim, name, field, place, digits)


def anchors(data: Mapping[str, Any], claim: ClaimResult) -> Iterator[Anchor]:
    """Every anchor that is looked for in a claim's quote, where the record writes it."""
    index = claim.pointer[1]
    assert isinstance(index, int)
    own = data["claims"][index]
    for part in MAPS:
        for text in own.get(part, {}):
            yield Anchor((*claim.pointer, part, text), text, True)
    for name, spec in own.get("read", {}).items():
        if isinstance(spec, str):
            yield Anchor((*claim.pointer, "read", name), spec, False)
    for i, other in enumerate(data["claims"]):
        if other.get("same_as") == claim.id:
            for here, there in other.get("figures", {}).items():
                yield Anchor(("claims", i, "figures", here), there, False)
    for i, dispute in enumerate(data.get("disputes", [])):
        if dispute.get("claim") == claim.id:
            for part in ("figure", "words"):
                if isinstance(dispute.get(part), str):
                    yield Anchor(("disputes", i, part), dispute[part], False)


def _of_anchor(one: Anchor, quote: str, changes: Mapping[int, str]) -> Iterator[Splice]:
    places = find_anchor(one.text, quote)
    if len(places) != 1:
        return
    start, end = places[0]
    covered = [order for order, number in enumerate(find_numbers(quote))
               if number.start >= start and number.end <= end]
    own = {covered.index(order): text for order, text in changes.items() if order in covered}
    if own and len(find_numbers(one.text)) == len(covered):
        yield from _numbers(one.pointer, one.text, own, one.key)


def _of_input(data: Mapping[str, Any], claim: ClaimResult, name: str, field: Field, place: Anchored,
              digits: Mapping[Key, str]) -> Iterator[Splice]:
    """The anchor of an input that lies outside the quote."""
    index = claim.pointer[1]
    assert isinstance(index, int)
    spec = data["claims"][index].get("read", {}).get(name)
    if spec is None:
        return
    pointer: Pointer = (*claim.pointer, "read", name)
    text = spec
    if isinstance(spec, dict):
        pointer, text = (*pointer, "at"), spec["at"]
    covered = field.inside(place.start, place.end)
    changes = {order: digits[field.pointer, number] for order, number in enumerate(covered)
               if (field.pointer, number) in digits}
    if changes and len(find_numbers(text)) == len(covered):
        yield from _numbers(pointer, text, changes)


def _of_effect(evaluation: Evaluation, pointer: Pointer, effect: str, digits: Mapping[Key, str]) -> Iterator[Splice]:
    for field in evaluation.fields.values():
        match = find_quote(effect, field.text, field.numbers)
        if not isinstance(match, QuoteMatch):
            continue
        inside = field.inside(match.start, match.end)
        changes = {order: digits[field.pointer, index] for order, index in enumerate(inside)
                   if (field.pointer, index) in digits}
        if changes and len(find_numbers(effect)) == len(inside):
            yield from _numbers(pointer, effect, changes)
            return


def _numbers(pointer: Pointer, text: str, changes: Mapping[int, str], key: bool = False) -> Iterator[Splice]:
    """The numbers of a text, by their order, with other digits."""
    for order, number in enumerate(find_numbers(text)):
        if order in changes and text[number.start:number.end] != changes[order]:
            yield Splice(pointer, number.start, number.end, changes[order], key)
