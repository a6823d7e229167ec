"""JSON records rewritten in the style that they are written in."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import product
from typing import Any

_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")


def rewritten(text: str, data: Mapping[str, Any]) -> str:
    """New data in the style of the old text: its indentation, its separators, its escapes, its line ends."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    found = _INDENT.search(text)
    indent = found[1] if found else None
    tail = text[len(text.rstrip()):]
    old = json.loads(text)
    ascii_only = text.isascii()
    for escape, separators in product((ascii_only, not ascii_only), ((",", ": "), (", ", ": "), (",", ":"))):
        if _dump(old, indent, escape, separators).replace("\n", line_end) == text.rstrip():
            return _dump(data, indent, escape, separators).replace("\n", line_end) + tail
    separators = (",", ": ") if indent else (", ", ": ")
    return _dump(data, indent, ascii_only, separators).replace("\n", line_end) + tail


def _dump(data: Any, indent: str | None, ascii_only: bool, separators: tuple[str, str]) -> str:
    return json.dumps(data, indent=indent, ensure_ascii=ascii_only, separators=separators)
