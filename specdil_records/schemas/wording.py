"""Errors of the schema validator in plain words: which node is to blame, and what was expected there."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from specdil_records.findings import Pointer

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_SHORT = 48
_LONGEST = 290
_TYPES = {
    "string": "text",
    "object": "a mapping",
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing (null)",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the finding's name, the node (or its key), what to say, and the schema keyword that failed."""

    name: str
    pointer: Pointer
    message: str
    keyword: str
    at_key: bool = False
    missing: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """What the validator says of one failure: the keyword and its value, the subschema around it, the data, the way."""

    keyword: str
    wanted: Any
    schema: Mapping[str, Any]
    instance: Any
    pointer: Pointer
    in_names: bool


def faults_of(error: ValidationError) -> Iterable[Fault]:
    """The faults in one error of the validator: several where one mapping has several unknown keys."""
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    failed = Failure(
        keyword=str(error.validator),
        wanted=error.validator_value,
        schema=schema,
        instance=error.instance,
        pointer=tuple(error.absolute_path),
        in_names="propertyNames" in error.absolute_schema_path,
    )
    return _faults(failed)


def _faults(failed: Failure) -> Iterable[Fault]:
    pointer = failed.pointer
    keyword = failed.keyword
    if keyword == "additionalProperties":
        yield from _unknown_keys(failed)
        return
    if keyword in ("required", "dependentRequired"):
        yield from _missing_keys(failed)
        return
    name = _name(failed)
    if failed.in_names:
        key = str(failed.instance)
        yield Fault(name, (*pointer, key), _cut(f"{_quoted(key)} is not {_expected(failed)}"), keyword, at_key=True)
        return
    message, help_text = _SAY.get(keyword, _say_anything)(failed, _field(pointer))
    yield Fault(name, pointer, _cut(message), keyword, help=_cut(help_text))


def _name(failed: Failure) -> str:
    if failed.keyword == "type":
        return "wrong-type" if failed.pointer else "schema"
    said = failed.schema.get("x-finding")
    return said if isinstance(said, str) else "schema"


def _unknown_keys(failed: Failure) -> Iterable[Fault]:
    known = list(failed.schema.get("properties", {}))
    free = [re.compile(pattern) for pattern in failed.schema.get("patternProperties", {})]
    thing = failed.schema.get("title", "this mapping")
    for key in failed.instance:
        if key in known or any(pattern.search(key) for pattern in free):
            continue
        message = f"{thing} has no key {_quoted(key)}{_near(key, known)}"
        help_text = f"keys of {thing}: {_listed(known)}; keys of your own begin with x-"
        at = (*failed.pointer, key)
        yield Fault("schema", at, _cut(message), failed.keyword, at_key=True, help=_cut(help_text))


def _missing_keys(failed: Failure) -> Iterable[Fault]:
    thing = failed.schema.get("title", "this mapping")
    if failed.keyword == "required":
        wanted = [(key, "") for key in failed.wanted]
    else:
        wanted = [
            (key, f" beside {_quoted(given)}")
            for given, keys in failed.wanted.items()
            if given in failed.instance
            for key in keys
        ]
    for key, beside in wanted:
        if key not in failed.instance:
            message = f"{thing} needs the key {_quoted(key)}{beside}"
            # the validator repeats this error for each missing key: the slot keeps one of them
            yield Fault("schema", failed.pointer, _cut(message), failed.keyword, missing=key)


def _say_type(failed: Failure, field: str) -> tuple[str, str]:
    wanted = failed.wanted if isinstance(failed.wanted, list) else [failed.wanted]
    expected = " or ".join(_TYPES[name] for name in wanted)
    help_text = ""
    if "string" in wanted and isinstance(failed.instance, (bool, int, float)):
        help_text = "put it in quotes: what is written is then kept to the last digit"
    return f"{field} is {_kind(failed.instance)}, expected {expected}", help_text


def _say_enum(failed: Failure, field: str) -> tuple[str, str]:
    allowed = [str(value) for value in failed.wanted]
    message = f"{field} cannot be {_shown(failed.instance)}{_near(failed.instance, allowed)}"
    return message, f"allowed: {_listed(allowed)}"


def _say_const(failed: Failure, field: str) -> tuple[str, str]:
    return f"{field} is {_shown(failed.instance)}, expected {_shown(failed.wanted)}", ""


def _say_form(failed: Failure, field: str) -> tuple[str, str]:
    return f"{field} is {_shown(failed.instance)}, expected {_expected(failed)}", ""


def _say_date(failed: Failure, field: str) -> tuple[str, str]:
    return f"{field} is {_shown(failed.instance)}, which is no calendar date (YYYY-MM-DD)", ""


def _say_bound(failed: Failure, field: str) -> tuple[str, str]:
    side = "at least" if failed.keyword == "minimum" else "at most"
    return f"{field} is {_shown(failed.instance)}, expected {side} {failed.wanted}", ""


def _say_empty(failed: Failure, field: str) -> tuple[str, str]:
    return f"{field} is {_kind(failed.instance)} without entries: leave it out, or give at least one", ""


def _say_one_of(failed: Failure, field: str) -> tuple[str, str]:
    thing = failed.schema.get("title", field)
    return f"{thing} needs {_expected(failed)}", ""


def _say_anything(failed: Failure, field: str) -> tuple[str, str]:
    return f"{field} breaks the schema's rule {failed.keyword!r}", ""


_SAY: dict[str, Callable[[Failure, str], tuple[str, str]]] = {
    "type": _say_type,
    "enum": _say_enum,
    "const": _say_const,
    "pattern": _say_form,
    "format": _say_date,
    "minimum": _say_bound,
    "maximum": _say_bound,
    "minItems": _say_empty,
    "minProperties": _say_empty,
    "anyOf": _say_one_of,
}


def _expected(failed: Failure) -> str:
    return str(failed.schema.get("x-says", "what the schema asks for"))


def _field(pointer: Pointer) -> str:
    """The last key of a pointer, with the list's name before an index: `workarounds[2]`."""
    if not pointer:
        return "the document"
    last = pointer[-1]
    if isinstance(last, int):
        owner = next((part for part in reversed(pointer) if isinstance(part, str)), "item")
        return f"{_quoted(owner)}, item {last + 1},"
    return _quoted(last)


def _kind(value: Any) -> str:
    if value is None:
        return "empty (null)"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {_shown(value)}"
    if isinstance(value, str):
        return f"the text {_shown(value)}"
    return "a list" if isinstance(value, list) else "a mapping"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return "(too long to show)"
    return _shortened(str(value)) if isinstance(value, (int, float)) else _kind(value)


def _quoted(text: str) -> str:
    return '"' + _shortened(text) + '"'


def _shortened(text: str) -> str:
    plain = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
    return plain if len(plain) <= _SHORT else plain[: _SHORT - 1] + "…"


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def _near(word: Any, known: list[str]) -> str:
    close = get_close_matches(word[:80], known, n=1, cutoff=0.7) if isinstance(word, str) else []
    return f"; did you mean {_quoted(close[0])}?" if close else ""


def _cut(message: str) -> str:
    return message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…"
