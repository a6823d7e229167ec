"""Text that a `#` swallows: the rest of the line is a comment, though its author meant it as text.

A remark is written with a blank before and after its sign. Where none follows, and what stands before it on the line is
a plain value (or nothing), the sign was most likely meant as text: `see #88` ends at `see`. Where none stands before it
(`[#88]`, `"a"#b`), YAML has no remark at all, but its parsers take it for one.
"""
from __future__ import annotations

import re
from bisect import bisect_right

from specdil_records.reading.faults import Fault
from specdil_records.reading.lines import Lines
from specdil_records.reading.marks import PLAIN, Marks

_CLOSE = "[]{},\"'"
"""What a sign may stand behind without a blank, and still be taken for the beginning of a remark."""
_CANDIDATE = re.compile(rf"(?:[ \t]#(?=\S)|[{re.escape(_CLOSE)}]#)")
_INDICATORS = re.compile(r"[ \t]*(?:[-?:][ \t]+)+")
_EMPTY_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_BLANK = re.compile(r"[ \t]*")
_AFTER_VALUE = re.compile(r"[ \t]*,?[ \t]+")
_AFTER_KEY = re.compile(r"[ \t]*:[ \t]+")
_LOOK_BACK = 200
"""Lines looked at before a failure."""


def may_hold_any(text: str) -> bool:
    """A cheap first look at the whole text."""
    return "#" in text and ("\t#" in text or any(f"{one}#" in text for one in f" {_CLOSE}"))


def lost_text(text: str, marks: Marks, lines: Lines) -> list[Fault]:
    """A fault at each sign that swallows text; spans the whole of what is lost."""
    if not may_hold_any(text) or not marks.nodes:
        return []
    faults = []
    position = 0
    while found := _CANDIDATE.search(text, position):
        sign = found.start() + 1
        # Starts never descend, so the last node before the sign is found by bisection.
        node = bisect_right(marks.starts, sign) - 1
        if node >= 0 and marks.texts[node] is not None and marks.ends[node] > sign:
            position = marks.ends[node]
            continue
        # Outside of all scalars the sign begins a comment, so the rest of the line holds no other one.
        start, position = lines.bounds(lines.number(sign))
        if _swallows(text, marks, node, start, sign):
            lost = text[sign:position].rstrip()
            message = "the text from this sign on is taken as a comment and lost"
            advice = "put the value in quotes, or write a remark with a blank after its sign"
            faults.append(Fault("lost-text", message, sign, sign + len(lost), advice, {"lost": lost[:200]}))
    return faults


def _swallows(text: str, marks: Marks, node: int, line: int, sign: int) -> bool:
    """Whether no blank, a plain value, or nothing after a key or a dash stands before the sign on its line."""
    if text[sign - 1] in _CLOSE:
        last = -1 if node < 0 else marks.starts[node] if marks.texts[node] is None else marks.ends[node]
        return "#" not in text[max(line, last):sign]  # else it stands in a remark that began before it
    if node < 0 or _BLANK.fullmatch(text, line, sign):
        return False
    if _INDICATORS.fullmatch(text, line, sign):
        return _pending_is_plain(marks, node, line)
    end = marks.ends[node]
    if marks.texts[node] is None or end < line:
        return False
    if _AFTER_KEY.fullmatch(text, end, sign):
        return node + 1 < len(marks.nodes) and marks.styles[node + 1] == PLAIN
    is_plain = marks.styles[node] == PLAIN and marks.parents[node] >= 0
    return is_plain and _AFTER_VALUE.fullmatch(text, end, sign) is not None


def _pending_is_plain(marks: Marks, node: int, line: int) -> bool:
    """Whether the item whose dash alone stands before the sign is empty here, or is plain text further down."""
    if marks.starts[node] > line and marks.texts[node] == "" and marks.styles[node] == PLAIN:
        return True
    return node + 1 < len(marks.nodes) and marks.styles[node + 1] == PLAIN


def content_lines_before(text: str, lines: Lines, offset: int, most: int) -> list[tuple[int, int]]:
    """The line of `offset` and those shortly before it that hold more than a comment: the nearest first."""
    found: list[tuple[int, int]] = []
    last = lines.number(offset)
    for number in range(last, max(last - _LOOK_BACK, 0), -1):
        start, end = lines.bounds(number)
        if not _EMPTY_LINE.fullmatch(text, start, end):
            found.append((start, end))
            if len(found) == most:
                break
    return found


def cause_of_failure(text: str, lines: Lines, offset: int) -> list[Fault]:
    """The lost text, if any, that made libyaml fail at `offset`.

    Text that goes on after a swallowed rest of a line has no valid structure. So each line shortly before the failure
    that has a candidate is read as the last one of the file, to see what would have been lost there.
    """
    from specdil_records.reading.yaml_events import read_yaml  # not on import, as in `document`

    for start, end in reversed(content_lines_before(text, lines, offset, 4)):
        if _CANDIDATE.search(text, start, end) is None:
            continue
        prefix = text[:end]
        found = [fault for fault in lost_text(prefix, read_yaml(prefix).marks, lines) if fault.start >= start]
        if found:
            return found
    return []
