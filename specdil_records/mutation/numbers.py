"""Mutants of the numbers of the prose: digits, values, signs, units, and the comparators in front of them."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.claims.locating import Field
from specdil_records.claims.results import FigureResult
from specdil_records.figures import Figure
from specdil_records.findings import Status
from specdil_records.mutation.ground import Ground, short
from specdil_records.mutation.mutants import Mutant, Splice
from specdil_records.mutation.quoting import Piece, everywhere
from specdil_records.prose.ledger import LedgerEntry
from specdil_records.prose.numbers import Found, find_numbers

LEFT_OUT = (Status.EXEMPT, Status.UNVERIFIED, Status.UNBOUND)
MANTISSA = re.compile(r"[0-9]+(?:[,\u00a0\u2009\u202f][0-9]{3})*(?:\.[0-9]+)?")
GROUPS = re.compile("[,\u00a0\u2009\u202f]")
FACTORS = (Fraction(2), Fraction(1, 2), Fraction(100), Fraction(1, 100))
OTHER_UNITS = {"%": "x", "percent": "x", "x": "%", "\u00d7": "%", "times": "%", "K": "M", "k": "M", "M": "T", "B": "M",
               "-fold": "%", "points": "x"}
PREFIXED = re.compile(r"(?P<prefix>[kMGTP])(?P<rest>i?(?:FLOP|B|b|W|J))")
OPPOSITES = {
    "<": ">", ">": "<", "\u2264": "\u2265", "\u2265": "\u2264", "at least": "at most", "at most": "at least",
    "more than": "less than", "less than": "more than", "fewer than": "more than", "above": "below", "below": "above",
    "beyond": "below", "under": "over", "over": "under", "exceeds": "undercuts", "up to": "down to", "within": "beyond",
}
COMPARATOR = re.compile("|".join(rf"(?<!\w){word}(?!\w)" if word.isascii() and word[0].isalpha() else word
                                 for word in sorted(OPPOSITES, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the prose that something accounts for, and the figures that are judged by it."""

    entry: LedgerEntry
    field: Field
    figures: tuple[FigureResult, ...]
    where: str

    @property
    def found(self) -> Found:
        """Where it stands."""
        return self.entry.number

    @property
    def group(self) -> str:
        """What all mutants of one kind of this number have in common."""
        return f"{self.entry.pointer} {self.entry.index}"

    @property
    def is_judged(self) -> bool:
        """Whether its own value is compared with something, and not only used."""
        return bool(self.figures) or self.entry.status == Status.CITED

    @property
    def width(self) -> Fraction:
        """The width of what is computed for it plus the width of what it stands for: what no change within can show."""
        figure = self.found.figure
        assert figure is not None
        own = Fraction(0) if figure.exact else 2 * figure.half_unit
        judged = [one.agreement for one in self.figures if one.agreement is not None]
        return min((Fraction(one.computed.hi - one.computed.lo + one.quoted.hi - one.quoted.lo) for one in judged),
                   default=own)


def numbers(ground: Ground) -> Iterator[Number]:
    """Every number of the record's prose that is neither exempt nor unverified."""
    if ground.evaluation is None:
        return
    figures: dict[tuple[object, int], list[FigureResult]] = {}
    for claim in ground.claims:
        for figure in claim.figures:
            for index in figure.numbers:
                figures.setdefault((figure.field.pointer, index), []).append(figure)
    fit = {claim.id for claim in ground.fit}
    for entry in ground.evaluation.ledger:
        if entry.status not in LEFT_OUT and entry.number.figure is not None and fit.issuperset(entry.by):
            yield Number(entry, ground.evaluation.fields[entry.pointer],
                         tuple(figures.get((entry.pointer, entry.index), ())), ", ".join(entry.by))


def digits(ground: Ground) -> Iterator[Mutant]:
    """Every digit of every number, changed in the prose alone."""
    for number in numbers(ground):
        field = number.field
        for at in range(number.found.start, number.found.end):
            digit = field.text[at]
            if digit.isascii() and digit.isdigit():
                new = other_digit(digit)
                written = field.text[number.found.start:at] + new + field.text[at + 1:number.found.stop]
                yield ground.mutant("digit", number.where, f"{short(number.entry.written)} becomes {short(written)}",
                                    (Splice(field.pointer, at, at + 1, new),), strict=True)
    yield from magnitudes(ground)


def magnitudes(ground: Ground) -> Iterator[Mutant]:
    """Every digit of a row's magnitude, changed there alone; not into another number that the prose holds."""
    if ground.evaluation is None:
        return
    held = {shown(number.figure) for field in ground.evaluation.fields.values() for number in field.numbers}
    for i, row in enumerate(ground.record.data.get("hardware_parameters", [])):
        text = row.get("magnitude", "")
        for at, old in enumerate(text):
            if old.isascii() and old.isdigit():
                new = other_digit(old)
                changed = find_numbers(text[:at] + new + text[at + 1:])
                here = next((number for number in changed if number.start <= at < number.end), None)
                if here is not None and here.exempt is None and shown(here.figure) not in held:
                    splice = Splice(("hardware_parameters", i, "magnitude"), at, at + 1, new)
                    yield ground.mutant("digit", f"hardware_parameters/{i}", f"{old} becomes {new} in {short(text)}",
                                        (splice,), strict=True)


def shown(figure: Figure | None) -> object:
    """What a number says: its value, its last place and its dimension."""
    return None if figure is None else (figure.value, figure.half_unit, dimension(figure))


def other_digit(digit: str) -> str:
    """The next digit."""
    return str(int(digit) + 1) if digit != "9" else "8"


def values(ground: Ground) -> Iterator[Mutant]:
    """Every number raised and lowered by just more than its width, in the prose and wherever that is quoted.

    One that is only used has no width of its own, and what rests on it may not tell so much: it is made twice and a
    hundred times as large and as small as well, and one of these has to be found.
    """
    for number in numbers(ground):
        pieces = [moved(number, 1), moved(number, -1)]
        if not number.is_judged:
            pieces += [resized(number, factor) for factor in FACTORS]
        for piece in dict.fromkeys(pieces):
            if piece is not None:
                yield _consistent(ground, "value", number, piece, number.is_judged)


def signs(ground: Ground) -> Iterator[Mutant]:
    """Every number with the other sign, in the prose and wherever that is quoted."""
    for number in numbers(ground):
        start, figure = number.found.start, number.found.figure
        first = number.field.text[start]
        piece = Piece(number.field, start, start + 1, "" if first in "-\u2212" else "-" + first.lstrip("+"))
        new = rescanned(number, piece)
        if figure is not None and new is not None and new.value == -figure.value != figure.value:
            yield _consistent(ground, "sign", number, piece, number.is_judged)


def units(ground: Ground) -> Iterator[Mutant]:
    """Every number with another unit, in the prose and wherever that is quoted."""
    for number in numbers(ground):
        found, text = number.found, number.field.text
        written = text[found.end:found.stop]
        if found.figure is None:
            continue
        if not written.strip():
            if found.partner is not None and found.figure.unit is not None:
                continue  # the other end of the range has the unit
            piece = Piece(number.field, found.end - 1, found.end, text[found.end - 1] + "%")
        else:
            other = other_unit(written.strip())
            lead = len(written) - len(written.lstrip())
            piece = Piece(number.field, found.end + lead, found.stop, other)
        new = rescanned(number, piece)
        old = found.figure
        if new is not None and (new.value != old.value or dimension(new) != dimension(old)):
            yield _consistent(ground, "unit", number, piece, number.is_judged)


def comparators(ground: Ground) -> Iterator[Mutant]:
    """Every word or sign that compares, turned round in the prose of a claim."""
    for claim in ground.fit:
        if claim.passage is None:
            continue
        field, start, end = claim.passage.field, claim.passage.start, claim.passage.end
        for found in COMPARATOR.finditer(field.text, start, end):
            yield ground.word("comparator", claim.id, field.pointer, found[0], OPPOSITES[found[0]], found.start(),
                              strict=True)


def _consistent(ground: Ground, kind: str, number: Number, piece: Piece, strict: bool) -> Mutant:
    text, found = number.field.text, number.found
    start, stop = min(found.start, piece.start), max(found.stop, piece.end)
    new = text[start:piece.start] + piece.new + text[piece.end:stop]
    return ground.mutant(kind, number.where, f"{short(text[start:stop])} becomes {short(new)}, wherever it is quoted",
                         everywhere(ground, piece), strict=strict, pointer=number.field.pointer,
                         group="" if strict else f"{kind} {number.group}")


# Other numbers ----------------------------------------------------------------------------------------------


def moved(number: Number, direction: int) -> Piece | None:
    """The number changed by the fewest units in its last place that make more than its width."""
    figure = number.found.figure
    assert figure is not None
    step = 1
    for _ in range(3):
        piece = shifted(number, direction * step)
        new = rescanned(number, piece) if piece is not None else None
        if piece is None or new is None:
            return None
        change = abs(new.value - figure.value)
        if change > number.width:
            return piece
        step = int(number.width / (change / step)) + 1 if change else step + 1
    return None


def resized(number: Number, factor: Fraction) -> Piece | None:
    """The number so many times as large."""
    digits = int(re.sub(r"\D", "", mantissa(number)[2]))
    piece = shifted(number, int(digits * factor) - digits)
    new = rescanned(number, piece) if piece is not None else None
    return piece if new is not None and new != number.found.figure else None


def mantissa(number: Number) -> tuple[int, int, str]:
    """Where the digits before any power or uncertainty stand, and what they are."""
    match = MANTISSA.search(number.field.text, number.found.start, number.found.end)
    assert match is not None
    return match.start(), match.end(), match[0]


def shifted(number: Number, steps: int) -> Piece | None:
    """So many units in the last place more; None when that would be less than nothing."""
    start, end, text = mantissa(number)
    new = shifted_text(text, steps)
    return None if new is None else Piece(number.field, start, end, new)


def shifted_text(text: str, steps: int) -> str | None:
    """Digits with so many units in the last place more, written as before; None when that is less than nothing."""
    group = GROUPS.search(text)
    whole, point, decimals = GROUPS.sub("", text).partition(".")
    amount = int(whole + decimals) + steps
    if amount < 0:
        return None
    written = str(amount).zfill(len(decimals) + 1)
    cut = len(written) - len(decimals)
    head = written[:cut]
    if group is not None:
        head = f"{int(head):,}".replace(",", group[0])
    return head + point + written[cut:]


def rescanned(number: Number, piece: Piece) -> Figure | None:
    """The number as it is read once a piece of it is changed; None when it is no longer one number at its place."""
    text = number.field.text[:piece.start] + piece.new + number.field.text[piece.end:]
    found = find_numbers(text)
    if len(found) != len(number.field.numbers):
        return None
    here, partner = found[number.entry.index], number.found.partner
    return here.figure if here.partner == partner else None


def other_unit(text: str) -> str:
    """Another unit than this: of another size where it has a prefix, else of another kind."""
    if text in OTHER_UNITS:
        return OTHER_UNITS[text]
    prefixed = PREFIXED.match(text)
    if prefixed is not None:
        return ("G" if prefixed["prefix"] != "G" else "T") + text[1:]
    return "%"


def dimension(figure: Figure) -> Dimension:
    """What a figure is measured in."""
    return figure.unit.dimension if figure.unit is not None else PURE
