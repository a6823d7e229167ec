"""YAML that holds no surprises, read by a quicker parser: the same tree as the events give, or nothing.

The quick parser (yaml-rs, the extra `fast`) gives no places, and it takes some plain scalars, anchors and tags as YAML
1.2's core schema has them and not as a record is read. So a text that holds anything the two could take differently, or
that deserves a finding, is left to the events, as is one that the quick parser refuses. What is looked for first costs
one search of memory each; what is looked for in the tree, one look at each value.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from math import isfinite
from typing import Any

from specdil_records.reading.characters import has_suspect_escape
from specdil_records.reading.limits import MOST_DEPTH
from specdil_records.reading.scalars import WORDS, resolve

_LONGEST = 256 * 1024
"""A longer text could hold too many nodes, or nest deeper than a parser's stack."""

_NEVER = ("\t", "\r", "\ufeff", "<<", "\n---", "\n...", "\n%", ":,", ":]", ":}", "\n:", " :", "[:", "{:", ",:", "::")
"""Merge keys, second documents, directives, white space that parsers disagree about, keys in braces without a value,
colons that begin a key."""

_INDICATORS = frozenset("\n[{,:-?")
_ALONE = r"(?:^|[:\[{,-]) *VALUE(?= *(?:$|[,\]}]| #))"
"""What may be a plain scalar, wherever it stands: 2024-01-05 behind a colon, but not as a word of a sentence."""
_NUMBER = re.compile(_ALONE.replace("VALUE", r"([-+_.]*[0-9][\w.+-]*)"), re.MULTILINE)
_SAFE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_BLOCK = re.compile(r"[|>]-?\n +[^ \n]")
"""The header of a block scalar, and text on the line below it; parsers disagree about blocks that are empty."""
_LONGEST_WORD = 40
"""No text that is longer is a word, a time or a number of YAML 1.1 that the quick parser takes for text."""
_QUOTED = re.compile(r'"[^"]*"|\'[^\']*\'')
_BREAKABLE = frozenset(("[", "{", ","))
_CAPITALS = ("True", "TRUE", "False", "FALSE", "Null", "NULL")


def tree_of(text: str) -> dict[str, Any] | None:
    """The data of a YAML mapping in which nothing is out of the ordinary, else None. Never raises."""
    loads = _loads()
    if loads is None or len(text) > _LONGEST or _has_surprises(text):
        return None
    try:
        data = loads(text, parse_datetime=False)
    except Exception:
        return None
    return data if isinstance(data, dict) and data and _is_ordinary(data, text, loads) else None


@cache
def _loads() -> Callable[..., Any] | None:
    try:
        from yaml_rs import loads
    except ImportError:
        return None
    return loads


def _has_surprises(text: str) -> bool:
    """Whether there may be an anchor, an alias, a tag, a complex key, lost text, or an unusual block or document."""
    if text[0:1] in " -.%&*!?{[|>:" or text[-1:] != "\n" or any(sign in text for sign in _NEVER):
        return True
    if has_suspect_escape(text):
        return True
    if any(text[at - 1] in "[]{},\"'" or (text[at - 1] == " " and text[at + 1:at + 2] not in ("", " ", "\n"))
           for at in _places(text, "#")):
        return True
    if any(_starts_node(text, at) for sign in "&*!?" for at in _places(text, sign)):
        return True
    if any(_starts_node(text, at) and not _BLOCK.match(text, at) for sign in "|>" for at in _places(text, sign)):
        return True
    return not _brackets_are_plain(text)


def _places(text: str, sign: str) -> Iterator[int]:
    at = text.find(sign, 1)
    while at >= 0:
        yield at
        at = text.find(sign, at + 1)


def _starts_node(text: str, at: int) -> bool:
    """Whether a sign stands where a value may begin: first on its line, or after an indicator."""
    while text[at - 1] == " ":
        at -= 1
    return text[at - 1] in _INDICATORS


def _brackets_are_plain(text: str) -> bool:
    """Whether brackets and braces pair up, and lines end inside them after a comma or an opening one only.

    Elsewhere the quick parser is more generous than it should be. Those of unquoted prose are counted like the others,
    which makes the answer more careful; those in quotes are taken out.
    """
    square = curly = 0
    for line in text.split("\n"):
        if "[" in line or "]" in line or "{" in line or "}" in line:
            if '"' in line or "'" in line:
                line = _QUOTED.sub("", line)
            square += line.count("[") - line.count("]")
            curly += line.count("{") - line.count("}")
            if square < 0 or curly < 0:
                return False
        if (square or curly) and line.rstrip()[-1:] not in _BREAKABLE:
            return False
    return not square and not curly


def _is_ordinary(data: dict[str, Any], text: str, loads: Callable[..., Any]) -> bool:
    """Whether every key is text, no collection lies too deep, and every plain scalar means the same everywhere."""
    kinds: set[type] = set()
    level: list[Any] = [data]
    for _ in range(MOST_DEPTH):
        below: list[Any] = []
        for one in level:
            if type(one) is dict and not all(type(key) is str for key in one):
                return False
            for value in one.values() if type(one) is dict else one:
                kind = type(value)
                if kind is str:
                    if len(value) <= _LONGEST_WORD and _may_be_plain(value, text):
                        return False
                elif kind is dict or kind is list:
                    below.append(value)
                elif kind is float and not isfinite(value):
                    return False
                else:
                    kinds.add(kind)
        if not below:
            return _are_plain(kinds, text, loads)
        level = below
    return False


def _are_plain(kinds: set[type], text: str, loads: Callable[..., Any]) -> bool:
    """Whether the words and numbers of a text are spelled in the one way in which all read them alike."""
    words = bool in kinds or type(None) in kinds
    if words and any(word in text for word in _CAPITALS):
        return False
    numbers = int in kinds or float in kinds
    return not (numbers and any(_surprises(found[1], loads) for found in _NUMBER.finditer(text)))


def _may_be_plain(value: str, text: str) -> bool:
    """Whether a text that YAML 1.1 would read as something else stands anywhere without quotes."""
    if value not in WORDS and value[0] not in "0123456789+-":
        return False
    if not resolve(value).elsewhere or text.count(value) == text.count(f'"{value}"') + text.count(f"'{value}'"):
        return False
    return re.search(_ALONE.replace("VALUE", re.escape(value)), text, re.MULTILINE) is not None


def _surprises(token: str, loads: Callable[..., Any]) -> bool:
    """Whether a token is no plain decimal, and yet no text either."""
    return not _SAFE_NUMBER.fullmatch(token) and not isinstance(loads(token, parse_datetime=False), str)
