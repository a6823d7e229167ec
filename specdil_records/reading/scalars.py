"""What a plain scalar means here, and whether YAML 1.1 would have read it otherwise."""
from __future__ import annotations

import math
import re
from typing import NamedTuple

from specdil_records.reading.limits import MOST_DIGITS

Plain = str | int | float | bool | None


class Resolved(NamedTuple):
    """The value of a plain scalar; `elsewhere` says what YAML 1.1 makes of it, if that is something else."""

    value: Plain
    elsewhere: str = ""
    refused: str = ""
    """`not-finite` or `too-long`: there is no value to give."""


def _words() -> dict[str, Resolved]:
    words = {"true": Resolved(True), "false": Resolved(False)}
    words |= {empty: Resolved(None) for empty in ("null", "~", "")}
    for truth, names in (("true", ("yes", "on", "true", "y")), ("false", ("no", "off", "false", "n"))):
        for spelling in (cased for name in names for cased in (name, name.capitalize(), name.upper())):
            words.setdefault(spelling, Resolved(spelling, f"the boolean {truth}"))
    for spelling in ("Null", "NULL"):
        words[spelling] = Resolved(spelling, "null")
    words["<<"] = Resolved("<<", "a merge key")
    words["="] = Resolved("=", "a default value key")
    return words


WORDS = _words()
SUSPECT_FIRST = frozenset("0123456789+-.") | {word[0] for word in WORDS if word}
"""A plain scalar that begins otherwise is text everywhere."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_OLD_FLOAT = re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
)
_OLD_SIXTY = re.compile(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*")
_OLD_INTEGERS = (
    (re.compile(r"[-+]?0b[01_]+"), "a binary integer"),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+"), "a hexadecimal integer"),
    (re.compile(r"[-+]?0[0-7_]+"), "an octal integer"),
    (re.compile(r"[-+]?(?:0|[1-9][0-9_]*)"), "an integer"),
)
_OLD_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)


def resolve(text: str) -> Resolved:
    """The meaning of a plain scalar. Never raises; linear in the length of the text."""
    known = WORDS.get(text)
    if known is not None:
        return known
    if text[0] not in "0123456789+-.":
        return Resolved(text)
    if _NUMBER.fullmatch(text):
        return number(text)
    if _NOT_FINITE.fullmatch(text):
        return Resolved(None, refused="not-finite")
    return Resolved(text, _elsewhere(text))


def number(text: str) -> Resolved:
    """An integer or a float as JSON writes them; `text` has that shape."""
    if len(text) > MOST_DIGITS and sum(map(str.isdigit, text)) > MOST_DIGITS:
        return Resolved(None, refused="too-long")
    if _INTEGER.fullmatch(text):
        return Resolved(int(text))
    value = float(text)
    if math.isinf(value):
        return Resolved(None, refused="not-finite")
    return Resolved(value, "" if _OLD_FLOAT.fullmatch(text) else "text")


def _elsewhere(text: str) -> str:
    for pattern, what in _OLD_INTEGERS:
        if pattern.fullmatch(text):
            return what
    if _OLD_FLOAT.fullmatch(text):
        return "a float"
    if _OLD_SIXTY.fullmatch(text):
        return "a number in base 60"
    return "a date" if _OLD_TIME.fullmatch(text) else ""
