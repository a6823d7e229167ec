"""Every number of a text, where it stands, what it means; and every other digit with the reason why it is none.

Each ASCII digit of a text belongs to exactly one `Found`: a number, an exempt stretch, or digits that cannot be read.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from specdil_records.figures import Digits, Figure, FigureError, compose, match_number, match_unit
from specdil_records.figures.digits import INVISIBLE, VULGAR, Unread, stated_uncertainty
from specdil_records.figures.reading import with_half
from specdil_records.figures.scales import is_count_of
from specdil_records.prose.exemptions import RUN, Exemption, digit_runs, exemptions
from specdil_records.prose.pieces import Piece
from specdil_records.prose.ranges import joined

_SHORT = 20_000
_DIGIT = re.compile(rf"[\d{VULGAR}]")
_TOKEN = re.compile(rf"[\w./\-\u2010\u2011\u0300-\u036f{INVISIBLE}]+")
_RANGE_ON = re.compile("[-\u2010\u2011][0-9]")
_LEAD = re.compile(rf"[._/\-\u2010\u2011{INVISIBLE}]*")
_SIGN_AFTER = frozenset("([{\"'\u2018\u201c\u00ab=<>~\u2248\u2264\u2265\u2260\u2243\u00b1\u00d7*:;,|$\u20ac\u00a3"
                        "\u2192")
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2026/")
"""Signs of a range, an omission or a choice: a minus right behind one is that of the next number."""


@dataclass(frozen=True, slots=True)
class Found:
    """One number of a text, or digits that are exempt or unreadable.

    [start, end) is what a caret marks: sign, digits, power, uncertainty. `stop` is the end with the unit. Exactly
    one of `figure`, `exempt` (the reason) and `problem` is set. `partner` is the index of the other end when the
    number is one end of a range.
    """

    start: int
    end: int
    stop: int
    figure: Figure | None = None
    exempt: str | None = None
    problem: FigureError | None = None
    partner: int | None = None


def find_numbers(text: str) -> tuple[Found, ...]:
    """All numbers of a text in order. Never raises; the time grows with the length of the text."""
    return _kept(text) if len(text) <= _SHORT else _last_long(text)


@lru_cache(maxsize=256)
def _kept(text: str) -> tuple[Found, ...]:
    return _found(text)


@lru_cache(maxsize=1)
def _last_long(text: str) -> tuple[Found, ...]:
    # A long text is asked about many times in a row; of several, keeping the numbers would take too much memory.
    return _found(text)


def _found(text: str) -> tuple[Found, ...]:
    pieces = joined(text, _Scan(text).pieces())
    return tuple(Found(piece.start, piece.end, piece.stop,
                       compose(text[piece.start:piece.stop], piece.digits, piece.unit)
                       if piece.digits is not None and piece.problem is None else None,
                       piece.exempt, piece.problem, piece.partner) for piece in pieces)


class _Scan:
    """One pass over a text, digit by digit, with the tokens and the exempt stretches at hand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.runs = digit_runs(text)
        self.run = 0
        self.ascii = text.isascii()
        self.exempt: list[Exemption] = exemptions(text, self.runs)
        self.passed = 0
        self.token = (0, 0, False)

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        at = 0
        while (hit := self._next_digit(at)) is not None:
            piece = self._piece(hit, at)
            found.append(piece)
            at = piece.stop
        return found

    def _next_digit(self, at: int) -> int | None:
        """The first digit from `at` on; the digits of other scripts and fractions of one character count."""
        if not self.ascii:
            hit = _DIGIT.search(self.text, at)
            return hit.start() if hit else None
        while self.run < len(self.runs) and self.runs[self.run][1] <= at:
            self.run += 1
        return max(at, self.runs[self.run][0]) if self.run < len(self.runs) else None

    def _piece(self, at: int, floor: int) -> Piece:
        while self.passed < len(self.exempt) and self.exempt[self.passed][1] <= at:
            self.passed += 1
        if self.passed < len(self.exempt) and self.exempt[self.passed][0] <= at:
            start, end, reason = self.exempt[self.passed]
            return Piece(max(start, floor), end, end, exempt=reason)
        if self._in_name(at):
            run = RUN.match(self.text, at)  # not where a fraction of one character stands
            end = run.end() if run else at + 1
            return Piece(at, end, end, exempt="name")
        return self._number(at, floor)

    def _in_name(self, at: int) -> bool:
        """Whether a digit lies in a token that starts with a letter."""
        self._advance(at)
        return self.token[2] and self.token[0] <= at

    def _advance(self, at: int) -> None:
        """Go on to the first token that ends behind `at`."""
        if self.token[1] > at:
            return
        # A token holds no blank, so the search may begin behind the last one.
        for following in _TOKEN.finditer(self.text, max(self.token[1], self.text.rfind(" ", 0, at) + 1)):
            if following.end() > at:
                lead = _LEAD.match(self.text, following.start())
                first = lead.end() if lead else following.start()
                self.token = (following.start(), following.end(), self.text[first:first + 1].isalpha())
                return

    def _number(self, at: int, floor: int) -> Piece:
        text = self.text
        begin = at
        if at > floor and text[at - 1] == "." and self._may_begin(at - 1, floor):
            begin = at - 1
        signed = None
        if begin > floor and text[begin - 1] in "+-\u2212" and self._stands_free(begin - 1):
            signed = begin - 1
        read = match_number(text, begin, signed)
        if isinstance(read, Unread):
            return Piece(begin if signed is None else signed, read.end, read.end, problem=read.error)
        return self._with_unit(read, at)

    def _with_unit(self, digits: Digits, at: int) -> Piece:
        text = self.text
        found = match_unit(text, digits.end, at)
        stop = found.stop
        if found.problem is not None:
            return Piece(digits.start, digits.end, digits.end, digits, problem=found.problem)
        if found.unit is None:
            if text[digits.end:digits.end + 1] in ("x", "X") and is_count_of(text, at, digits.end):
                self.token = (digits.end, self.token[1], True)  # 4xH100: the product's own digits are its name
            return Piece(digits.start, digits.end, digits.end, digits)
        if _RANGE_ON.match(text, stop):
            self._advance(stop)  # 10 MB-2 GB: behind a unit the hyphen makes a range and no name
            self.token = (stop, self.token[1], False)
        stated = None if digits.stated else stated_uncertainty(text, stop)
        if isinstance(stated, Unread):
            return Piece(digits.start, stated.end, stated.end, problem=stated.error)
        if stated is not None:
            other = match_unit(text, stated.end)
            if other.problem is not None or (other.unit is not None and other.unit != found.unit):
                error = other.problem or FigureError("unreadable-number", "the number and its uncertainty have "
                                                     "different units")
                return Piece(digits.start, stated.end, stated.end, problem=error)
            digits, stop = with_half(digits, stated), other.stop
        return Piece(digits.start, digits.end, stop, digits, found.unit)

    def _may_begin(self, at: int, floor: int) -> bool:
        """Whether a point at `at` begins a number, perhaps behind a sign: `.5`, `-.5`, but not `1..5`."""
        signed = at > floor and self.text[at - 1] in "+-\u2212"
        return self._stands_free(at - 1 if signed else at)

    def _stands_free(self, at: int) -> bool:
        """Whether a sign or point at `at` stands where a number can begin."""
        if at == 0 or self.text[at - 1].isspace() or self.text[at - 1] in _SIGN_AFTER:
            return True
        return self.text[at] == "\u2212" and self.text[at - 1] in _DASHES  # as in a range from -62 to -60
