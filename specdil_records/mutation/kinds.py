"""The kinds of mutants: a name, what is changed, and the function that makes them. A line here is a kind."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from specdil_records.mutation import evidence, expressions, numbers, standing, words
from specdil_records.mutation.ground import Ground
from specdil_records.mutation.mutants import Mutant


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mutants. `unused` counts the places of a record on which nothing rests, where there are such."""

    name: str
    what: str
    make: Callable[[Ground], Iterator[Mutant]]
    unused: Callable[[Ground], int] = lambda _: 0


def _evidence(ground: Ground) -> Iterator[Mutant]:
    yield from evidence.values(ground)
    yield from evidence.cells(ground)


def _unused(ground: Ground) -> int:
    return evidence.unused_values(ground) + evidence.unused_cells(ground)


KINDS: tuple[Kind, ...] = (
    Kind("digit", "every digit of a number, in the prose alone", numbers.digits),
    Kind("value", "every number, by just more than its width, with all that quotes it", numbers.values),
    Kind("sign", "every number's sign, with all that quotes it", numbers.signs),
    Kind("unit", "every number's unit, with all that quotes it", numbers.units),
    Kind("comparator", "every comparing word or sign of a quoted sentence", numbers.comparators),
    Kind("operator", "every operator of an expression", expressions.operators),
    Kind("comparison", "every comparison and trend, denied", expressions.comparisons),
    Kind("literal", "every number and vocabulary word in an expression", expressions.literals),
    Kind("name", "every name in an expression, for another", expressions.names),
    Kind("input", "every input, read elsewhere or assumed otherwise", expressions.inputs),
    Kind("reference", "every reference, to nothing", standing.references),
    Kind("exchange", "every record, quote, column and row that a claim rests on, for another", standing.exchanges),
    Kind("basis", "every basis, too strong", standing.bases),
    Kind("weaker basis", "every basis that a claim rests on, taken away", evidence.weaker_bases),
    Kind("word", "every word of a quote", words.words, words.unused_words),
    Kind("evidence", "every value and cell that something rests on", _evidence, _unused),
)
"""In the order in which they are told."""
