"""Symbolic terms in prose: `k`, `kx`, `B + k`, `k/B`, in the inputs of a claim."""
from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import accumulate, groupby

TOKEN = re.compile(r"(?P<word>[^\W\d_]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<operator>\s*[-+*/·×\u2212]\s*)"
                   r"|(?P<open>\()|(?P<close>\))|(?P<other>\s+|.)", re.DOTALL)
OPERATORS = {"·": "*", "×": "*", "\u2212": "-"}


@dataclass(frozen=True, slots=True)
class Term:
    """A term as it stands in a text, and as an expression."""

    start: int
    end: int
    text: str
    expression: str
    compound: bool
    """True when it is more than one name: only then digits inside belong to it."""


GOES_ON = re.compile(r"\s*[-+*/·×\u2212]\s*(?![aI]\b)(?:[^\W\d_]\b|\d|\()")
CAME_FROM = re.compile(r"(?:\b(?![aI]\b)[^\W\d_]|\d|\))\s*[-+*/·×\u2212]\s*$")


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a term goes on beyond these offsets: with an operator and another symbol or number."""
    return bool(GOES_ON.match(text, end) or CAME_FROM.search(text, max(0, start - 20), start))


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    kind: str
    text: str


def find_terms(text: str, names: Collection[str]) -> list[Term]:
    """The longest symbolic terms of a text, left to right."""
    if not any(name in text for name in names):
        return []
    found: list[Term] = []
    for ends, run in groupby(_pieces(text, names), lambda piece: piece.kind == "other"):
        if not ends:
            found += _terms(text, list(run))
    return found


def _pieces(text: str, names: Collection[str]) -> list[_Piece]:
    found = []
    for match in TOKEN.finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        if kind == "word":
            kind = "name" if piece in names else "other"
            if kind == "other" and piece.endswith("x") and piece[:-1] in names:
                found.append(_Piece(match.start(), match.end() - 1, "name", piece[:-1]))
        found.append(_Piece(match.start(), match.end(), kind, piece))
    return found


def _terms(text: str, run: list[_Piece]) -> list[Term]:
    """The terms in a run of names, numbers, operators and brackets."""
    while run and (run[0].kind in ("operator", "close") or (run[0].kind == "open" and _depths(run)[-1] > 0)):
        run = run[1:]
    while run and (run[-1].kind in ("operator", "open") or (run[-1].kind == "close" and _depths(run)[-1] < 0)):
        run = run[:-1]
    if not any(piece.kind == "name" for piece in run) or _depths(run)[-1] != 0 or min(_depths(run)) < 0:
        return []
    if run[0].kind == "open" and run[-1].kind == "close" and sum(piece.kind == "open" for piece in run) == 1:
        return _terms(text, run[1:-1])
    words: list[str] = []
    for before, piece in zip([None, *run], run, strict=False):
        if before is not None and before.kind != "operator" and before.kind != "open" \
                and piece.kind in ("name", "number", "open"):
            words.append("*")
        words.append(OPERATORS.get(piece.text.strip(), piece.text.strip()))
    start, end = run[0].start, run[-1].end
    return [Term(start, end, text[start:end], " ".join(words), len(run) > 1)]


def _depths(run: list[_Piece]) -> list[int]:
    """How many brackets are open behind each piece."""
    return list(accumulate((piece.kind == "open") - (piece.kind == "close") for piece in run))
