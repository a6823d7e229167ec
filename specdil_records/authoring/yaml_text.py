"""Values as YAML text, in the manner of the shipped records: block lists and mappings, quotes where they are needed."""
from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from specdil_records.reading import scalars

WIDTH = 110
_PLAIN = re.compile(r"(?:[^\W_\d]|/(?=\w))[^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]*")
_NOT_PLAIN = re.compile(r": |:$| #|[\[\]{},]")
_UNFIT_FOR_FOLDING = re.compile(r"[^\S ]|  |^ | $|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def block(data: Any, indent: int = 0) -> str:
    """A value as the text of a block, without a line end at its end; lines are indented by `indent`."""
    return "\n".join(_lines(data, indent))


def _lines(data: Any, indent: int) -> Iterator[str]:
    pad = " " * indent
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _entry(pad + scalar(str(key), key=True) + ":", value, indent)
    elif isinstance(data, list) and data:
        for item in data:
            lines = list(_lines(item, indent + 2)) if isinstance(item, dict) and item else []
            if lines:
                yield f"{pad}- {lines[0][indent + 2:]}"
                yield from lines[1:]
            else:
                yield from _entry(pad + "-", item, indent)
    else:
        yield pad + flow(data)


def _entry(lead: str, value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from text_lines(lead, value, indent)
    elif isinstance(value, list) and any(isinstance(item, dict) or " " in str(item) for item in value):
        yield lead
        yield from _lines(value, indent if lead.endswith(":") else indent + 2)
    elif isinstance(value, dict) and value and len(lead) + len(flow(value)) > WIDTH:
        yield lead
        yield from _lines(value, indent + 2)
    else:
        yield f"{lead} {flow(value)}"


def text_lines(lead: str, text: str, indent: int) -> Iterator[str]:
    """A text behind its key or dash: on the line, or folded below it when it is long."""
    lines = text.split("\n")
    long = len(lead) + len(text) + 3 > WIDTH or len(lines) > 1
    if long and " " in text and not any(_UNFIT_FOR_FOLDING.search(line) or not line for line in lines):
        yield f"{lead} >-"
        pad = " " * (indent + 2)
        for number, line in enumerate(lines):
            if number:
                yield ""  # in folded text an empty line is a line break
            yield from textwrap.wrap(line, WIDTH, initial_indent=pad, subsequent_indent=pad, break_long_words=False,
                                     break_on_hyphens=False)
    else:
        yield f"{lead} {scalar(text)}"


def flow(data: Any) -> str:
    """A value on one line."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{scalar(str(key), key=True)}: {flow(value)}" for key, value in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(flow, data)) + "]"
    if isinstance(data, str):
        return scalar(data)
    return json.dumps(data)


def scalar(text: str, key: bool = False) -> str:
    """A text on one line: plain where every reader takes it for this text, else in double quotes."""
    fits = _PLAIN.fullmatch(text) and not _NOT_PLAIN.search(text) and text == text.strip()
    if fits and scalars.resolve(text) == (text, "", ""):
        return text
    if key and re.fullmatch(r"[\d.]+(?:%|x)?", text) and scalars.resolve(text).value == text:
        return text
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
