"""What reading a text gives, whichever language it is written in."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from specdil_records.reading.faults import Fault, TooLargeError
from specdil_records.reading.limits import MOST_DEPTH, MOST_DIGITS, MOST_FAULTS, MOST_NODES
from specdil_records.reading.lines import Lines
from specdil_records.reading.marks import Marks
from specdil_records.reading.scalars import Resolved


@dataclass(slots=True)
class Tree:
    """Plain data, the marks of its nodes, and the faults found on the way; `whole` is false where reading broke off."""

    data: Any = None
    marks: Marks = field(default_factory=Marks)
    faults: list[Fault] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    """Key nodes that repeat an earlier key of the same mapping."""
    whole: bool = True


def check_size(nodes: int, depth: int, start: int, end: int) -> None:
    """Raise `TooLargeError` when the node about to be added is one too many or too deep."""
    if depth > MOST_DEPTH:
        raise TooLargeError(f"lists and mappings are nested more than {MOST_DEPTH} deep here", start, end)
    if nodes >= MOST_NODES:
        raise TooLargeError(f"the file has more than {MOST_NODES:,} nodes", start, end)


def refusal(resolved: Resolved, start: int, end: int, node: int) -> Fault:
    """The fault of a number that is not finite; raises `TooLargeError` for one with too many digits."""
    if resolved.refused == "too-long":
        raise TooLargeError(f"a number has more than {MOST_DIGITS} digits", start, end)
    advice = "put it in quotes if it is meant as text"
    return Fault("wrong-type", "the number is not finite", start, end, advice, node=node)


def repetition_faults(tree: Tree, lines: Lines) -> list[Fault]:
    """A fault for each repeated key, which names the line of the first."""
    faults = []
    marks = tree.marks
    for node in tree.repeated[:MOST_FAULTS]:
        key = marks.texts[node] or ""
        first = marks.entries(marks.parents[node])[key]
        line = lines.position(marks.starts[first])[0]
        shown = key if len(key) <= 60 else key[:60] + "..."
        message = f"the key {shown!r} is given twice; the first is on line {line}"
        faults.append(
            Fault("duplicate-key", message, marks.starts[node], marks.ends[node], "remove or rename one of the two",
                  {"key": shown, "first_line": line}, node)
        )
    return faults
