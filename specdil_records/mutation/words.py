"""Mutants of quoted words: in the quotes and citations of claims, in lifted effects, and in the quotes of sources."""
from __future__ import annotations

import re
from collections.abc import Iterator

from specdil_records.findings import Pointer
from specdil_records.mutation.ground import Ground, claim_at, short
from specdil_records.mutation.mutants import Mutant, Splice
from specdil_records.mutation.numbers import other_digit
from specdil_records.prose.verbatim import anchor as find_anchor

WORD = re.compile(r"\w+(?:[-'\u2019.,]\w+)*")
WEAKER = ("seldom", "rarely")


def words(ground: Ground) -> Iterator[Mutant]:
    """Every word that a claim or a row quotes, and every word of a source that somebody cites, changed."""
    data = ground.record.data
    for i, claim in enumerate(data.get("claims", [])):
        yield from _each(ground, ("claims", i, "quote"), claim["quote"])
        for cited in claim.get("cites", {}):
            yield from _each(ground, ("claims", i, "cites", cited), cited, key=True)
    for i, row in enumerate(data.get("hardware_parameters", [])):
        if ground.evaluation is not None:
            yield from _each(ground, ("hardware_parameters", i, "effect"), row["effect"])
    if ground.record.kind == "source":
        for i, quote in enumerate(data.get("quotes", [])):
            held = cited_stretches(ground, quote["id"], quote["text"])
            for mutant in _each(ground, ("quotes", i, "text"), quote["text"]):
                at = mutant.splices[0]
                if any(start <= at.start and at.end <= end for start, end in held):
                    yield mutant


def unused_words(ground: Ground) -> int:
    """The words of a source's quotes that nobody cites."""
    if ground.record.kind != "source":
        return 0
    everything = sum(1 for quote in ground.record.data.get("quotes", []) for _ in WORD.finditer(quote["text"]))
    return everything - sum(mutant.pointer[:1] == ("quotes",) for mutant in words(ground))


def cited_stretches(ground: Ground, item: str, text: str) -> list[tuple[int, int]]:
    """The stretches of a source's quote that claims cite."""
    target = f"{ground.record.tail}#{item}"
    cited = {words for evaluation in ground.evaluations for claim in evaluation.claims
             for words, named in claim.data.get("cites", {}).items() if named == target}
    return [place for words in sorted(cited) for place in find_anchor(words, text)]


def _each(ground: Ground, pointer: Pointer, text: str, key: bool = False) -> Iterator[Mutant]:
    for found in WORD.finditer(text):
        new = weakened(found[0])
        near = short(text[max(0, found.start() - 20):found.end() + 20])
        yield ground.mutant("word", claim_at(ground, pointer), f"{found[0]} becomes {new} in {near}",
                            (Splice(pointer, found.start(), found.end(), new, key),), strict=True)


def weakened(word: str) -> str:
    """Another word, or a word with another digit."""
    digit = re.search(r"[0-9]", word)
    if digit is not None:
        return word[:digit.start()] + other_digit(digit[0]) + word[digit.end():]
    return next(one for one in WEAKER if one != word)
