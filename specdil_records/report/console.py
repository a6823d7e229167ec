"""What a console can show: escapes for control characters, colour only where it is wanted, width of characters."""
from __future__ import annotations

import os
import unicodedata
from typing import TextIO

CODES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "place": "\x1b[1;34m", "bold": "\x1b[1m", "good": "\x1b[1;32m",
         "dim": "\x1b[2m"}
RESET = "\x1b[0m"


def visible(text: str) -> str:
    """Text with control characters, surrogates and line separators written as escapes."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else _escape(ch) for ch in text)


def _escape(ch: str) -> str:
    code = ord(ch)
    if ch == "\t":
        return " "
    if unicodedata.category(ch) == "Zs":
        return ch
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)


def wants_color(stream: TextIO, asked: bool | None) -> bool:
    """Whether to colour: as asked, else NO_COLOR, FORCE_COLOR and TERM=dumb, else whether it is a terminal."""
    if asked is not None:
        return asked
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def paint(text: str, style: str, color: bool) -> str:
    """Text in a style, or as it is."""
    return f"{CODES[style]}{text}{RESET}" if color and text else text
