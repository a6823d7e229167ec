"""Words that were taken from somewhere, held against where they were taken from."""
from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from specdil_records.findings import Place, Pointer
from specdil_records.prose.matching import cuts_unit
from specdil_records.prose.numbers import Found, find_numbers
from specdil_records.prose.verbatim import (
    QuoteLost,
    QuoteMatch,
    anchor,
    find_quote,
    nearest_sentence,
    occurrences,
    token_diff,
)
from specdil_records.rules.rule import View


@dataclass(frozen=True, slots=True)
class Lifted:
    """Words that were lifted from a text: found there, found but for typography, followed elsewhere, or lost.

    `moved` means that the text changed in numbers only, each of which has a finding of its own already.
    """

    pointer: Pointer
    state: Literal["found", "typography", "moved", "lost"]
    target: str = ""
    points: tuple[str, ...] = ()
    nearest: str = ""
    difference: str = ""


def lifted_effects(view: View) -> list[Lifted]:
    """The effect of every hardware row against the record's own prose."""
    if view.evaluation is None:
        return []
    kept = view.record.notes.get("effects")
    if kept is None or kept[0] is not view.evaluation:
        texts = [(field.pointer, field.text, field.numbers) for field in view.evaluation.fields.values()]
        told = [problem.where for problem in view.evaluation.problems
                if problem.name in ("figure-drift", "quote-not-verbatim") and isinstance(problem.where, Place)]
        found = [_lifted(("hardware_parameters", i, "effect"), row["effect"], texts, told)
                 for i, row in enumerate(view.data.get("hardware_parameters", []))]
        kept = view.record.notes["effects"] = (view.evaluation, found)
    effects: list[Lifted] = kept[1]
    return effects


Text = tuple[Pointer, str, tuple[Found, ...]]


def _lifted(pointer: Pointer, words: str, texts: list[Text], told: Collection[Place]) -> Lifted:
    # Most effects stand in some field as they are, and the looser ways to look are slow.
    if words.strip() and any(not cuts_unit(numbers, end) for _, text, numbers in texts
                             for _, end in occurrences(words, text, numbers)):
        return Lifted(pointer, "found")
    typographic: tuple[str, ...] | None = None
    moved = 0
    for place, text, numbers in texts:
        match = find_quote(words, text, numbers)
        if not isinstance(match, QuoteMatch):
            if any(not cuts_unit(numbers, end) for _, end in anchor(words, text)):
                return Lifted(pointer, "found")  # several places will do: it was lifted from one of them
            continue
        if cuts_unit(numbers, match.end):
            continue
        if match.changed:
            spans = [Place(place, numbers[index].start, numbers[index].end) for index, _ in match.changed]
            moved += all(any(place.holds(span) for place in told) for span in spans)
        elif match.differences:
            typographic = match.differences
        else:
            return Lifted(pointer, "found")
    if typographic is not None:
        return Lifted(pointer, "typography", points=typographic)
    if moved == 1:
        return Lifted(pointer, "moved")
    nearest = next((near for _, text, _ in texts if (near := nearest_sentence(words, text))), "")
    return Lifted(pointer, "lost", nearest=nearest, difference=token_diff(nearest, words) if nearest else "")


def cited_words(view: View) -> Iterator[Lifted]:
    """The words of every citation that are not, to the letter, in the quote of the source that it names."""
    if view.evaluation is None:
        return
    for claim in view.evaluation.claims:
        for words, target in claim.data.get("cites", {}).items():
            text = quoted_text(view, target)
            if text is None or not any(target == one for one, _ in claim.cited):
                continue  # an unresolved reference, or words that the claim itself lost: told elsewhere
            pointer = (*claim.pointer, "cites", words)
            match = find_quote(words, text)
            if isinstance(match, QuoteLost) or (isinstance(match, QuoteMatch) and (
                    match.changed or cuts_unit(find_numbers(text), match.end))):
                yield Lifted(pointer, "lost", target, difference=token_diff(text, words))
            elif isinstance(match, QuoteMatch) and match.differences:
                yield Lifted(pointer, "typography", target, match.differences)


def quoted_text(view: View, target: str) -> str | None:
    """The text of a source's quote, by SOURCE#quote; None when there is no such quote."""
    name, _, item = target.partition("#")
    record = view.corpus.find("source", name)
    if record is None or not record.sound:
        return None
    return next((str(quote["text"]) for quote in record.data.get("quotes", []) if quote["id"] == item), None)
