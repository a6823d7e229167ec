"""From bytes to text: the encoding, the byte-order mark, and characters that no record may hold."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from specdil_records.reading.faults import Fault
from specdil_records.reading.limits import MOST_FAULTS

_LAST_TWO = "".join(chr(plane + low) for plane in range(0, 0x110000, 0x10000) for low in (0xFFFE, 0xFFFF))
_NONCHARACTERS = "\ufdd0-\ufdef" + _LAST_TWO
_BAD = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_NONCHARACTERS}]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# An escape that might name a surrogate or a non-character: a cheap first look at the whole text.
_SUSPECT_ESCAPE = re.compile(r"\\(?:u(?:[dD][89a-fA-F]|[fF][dD][dDeE]|[fF]{3}[eEfF])|U00(?:0[0-9a-fA-F]|10))")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|U0000[dD][89a-fA-F][0-9a-fA-F]{2})")

_UTF8_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file without its byte-order mark; `whole` is false where bytes could not be decoded."""

    text: str
    faults: tuple[Fault, ...]
    whole: bool


def decode(raw: bytes) -> Decoded:
    """UTF-8, whatever the locale. Wrong bytes are found at their exact place and never guessed at."""
    faults: list[Fault] = []
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
        advice = "save it as UTF-8 without a mark"
        faults.append(Fault("byte-order-mark", "the file begins with a byte-order mark", 0, 0, advice))
    other = _other_encoding(raw)
    if other:
        faults.append(Fault("not-yaml", f"the file is not UTF-8: it looks like {other}", 0, 0, "save it as UTF-8"))
        return Decoded(raw.decode("utf-8", "replace"), tuple(faults), False)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.append(_undecodable(raw, error))
        return Decoded(raw.decode("utf-8", "replace"), tuple(faults), False)
    return Decoded(text, (*faults, *_bad_characters(text)), True)


def _other_encoding(raw: bytes) -> str:
    """The name of another encoding that the first bytes give away."""
    if raw.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    empty = [byte == 0 for byte in raw[:4]]
    if empty in ([True, True, True, False], [False, True, True, True]):
        return "UTF-32"
    return "UTF-16" if empty in ([True, False, True, False], [False, True, False, True]) else ""


def _undecodable(raw: bytes, error: UnicodeDecodeError) -> Fault:
    start = len(raw[: error.start].decode("utf-8"))
    if _UTF8_SURROGATE.match(raw, error.start):
        code = raw[error.start : error.start + 3].decode("utf-8", "surrogatepass")
        return Fault("bad-character", f"{code_point(code)} is half a surrogate pair and no character", start, start + 1)
    message = f"the byte 0x{raw[error.start]:02X} is not valid UTF-8 here"
    return Fault("not-yaml", message, start, start + 1, "save the file as UTF-8")


def code_point(character: str) -> str:
    """`U+200B` and, where it has one, its name."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def kind_of(character: str) -> str:
    """What is wrong with a character, in words."""
    number = ord(character)
    if number < 0xA0:
        return "a control character"
    if number in (0x2028, 0x2029):
        return "a line separator that many readers do not count as one"
    if 0xD800 <= number <= 0xDFFF:
        return "half a surrogate pair and no character"
    return "a code point that is no character"


def _bad_characters(text: str) -> list[Fault]:
    # Asking whether all is printable costs a tenth of the regular expression, and most files are.
    if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        return []
    faults: list[Fault] = []
    for found in _BAD.finditer(text):
        character = found.group()
        message = f"{code_point(character)} is {kind_of(character)}"
        advice = "remove it, or write it as an escape in double quotes" if ord(character) < 0xD800 else "remove it"
        faults.append(Fault("bad-character", message, found.start(), found.end(), advice))
        if len(faults) == MOST_FAULTS:
            break
    return faults


def mended(text: str) -> str:
    """The text with every forbidden character replaced by U+FFFD, at the same offsets, so that it can be parsed."""
    return text.translate({ord(character): 0xFFFD for character in set(text) if _BAD.match(character)})


def without_surrogates(text: str) -> str:
    """Decoded text with each lone surrogate replaced by U+FFFD, so that it can be written out."""
    return _SURROGATE.sub("\ufffd", text)


def spare_character(text: str) -> str | None:
    """A private-use character that the text does not hold; None if it holds all of them."""
    taken = set(text)
    return next((chr(code) for code in range(0xE000, 0xF900) if chr(code) not in taken), None)


def has_suspect_escape(text: str) -> bool:
    """Whether an escape somewhere may name a surrogate or a non-character."""
    return "\\" in text and _SUSPECT_ESCAPE.search(text) is not None


def mend_escapes(text: str) -> str:
    """The text with each escape of a surrogate replaced by one of U+FFFD of the same length."""
    return _SURROGATE_ESCAPE.sub(lambda found: r"\ufffd" if len(found.group()) == 6 else r"\U0000fffd", text)


def bad_escapes(text: str, start: int, end: int, pairs: bool) -> Iterator[Fault]:
    """The escapes in the quoted scalar text[start:end] that name a surrogate or a non-character.

    With `pairs`, two escapes that make a surrogate pair name one good character, as in JSON.
    """
    position = start
    while (position := text.find("\\", position, end)) >= 0:
        found = _ESCAPE.match(text, position, end)
        if found is None:
            return
        position = found.end()
        digits = found.group(1) or found.group(2)
        code = int(digits, 16) if digits else 0
        if code > 0x10FFFF or not code or not _BAD.match(chr(code)) or code < 0xD800:
            continue
        if pairs and 0xD800 <= code < 0xDC00 and (low := _low_half(text, position, end)):
            position += 6
            full = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            if not _BAD.match(chr(full)):
                continue
            code = full
        message = f"the escape names {code_point(chr(code))}, {kind_of(chr(code))}"
        yield Fault("bad-character", message, found.start(), position)


def _low_half(text: str, start: int, end: int) -> int | None:
    """The second half of a surrogate pair, if an escape of one stands at `start`."""
    found = _ESCAPE.match(text, start, end)
    code = int(found.group(1), 16) if found and found.group(1) else 0
    return code if 0xDC00 <= code <= 0xDFFF else None
