"""Answers that are no number: always, never, or ranges of batches beside a crossing."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from specdil_records.arithmetic import Interval, lower, maximum, minimum, upper
from specdil_records.roofline.errors import Undecided

Kind = Literal["always", "never", "batches"]
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Where something pays: everywhere, nowhere, or at some batches (or contexts).

    `ranges` are the closed ranges of whole batches, up to `batch_max`, at which the speedup is at least 1;
    `crossing` is the real threshold where there is exactly one, else None; `beyond` says that it pays from there on
    (a costly draft may need a large batch first) rather than up to there.
    """

    kind: Kind
    ranges: Ranges = ()
    crossing: Any = None
    batch_max: int | None = None
    beyond: bool = False

    @property
    def value(self) -> Any:
        """The crossing where there is exactly one, else this answer itself."""
        return self if self.crossing is None else self.crossing

    def __str__(self) -> str:
        if self.kind != "batches":
            return self.kind
        return ", ".join(f"{first}-{last}" for first, last in self.ranges) or f"at no batch up to {self.batch_max}"


NEVER = Answer("never")


def hull(low: Any, high: Any) -> Any:
    """What two results at opposite corners of a box of inputs say together.

    Numbers give their interval (or the number, if they are the same); equal answers themselves; answers with a
    crossing each an answer with an interval of crossings. Anything else raises `Undecided`.
    """
    if isinstance(low, Answer | str) or isinstance(high, Answer | str):
        return _hull_of_words(low, high)
    ends = (lower(low), upper(high))
    return low if low is high or (not isinstance(low, Interval) and _same(*ends)) else Interval(*ends)


def _hull_of_words(low: Any, high: Any) -> Any:
    if low == high:
        return low
    if not _alike(low, high):
        raise Undecided(f"the inputs' intervals allow both {low} and {high}")
    # At the lower corner speculation gains least: what pays there pays at every value of the inputs.
    return Answer("batches", low.ranges, _around(low.crossing, high.crossing), low.batch_max, low.beyond)


def _alike(a: Any, b: Any) -> bool:
    """Whether both are answers with one crossing each, in the same direction."""
    if not (isinstance(a, Answer) and isinstance(b, Answer)):
        return False
    return a.crossing is not None and b.crossing is not None and a.beyond == b.beyond


def _around(a: Any, b: Any) -> Interval:
    return Interval(min(lower(a), lower(b)), max(upper(a), upper(b)))


def joined(a: Any, b: Any) -> Any:
    """The least that holds two results in no particular order. Raises `Undecided` as `hull` does."""
    if _alike(a, b):
        sure = _in_both(a.ranges, b.ranges)
        return Answer("batches", sure, _around(a.crossing, b.crossing), a.batch_max, a.beyond)
    if isinstance(a, Answer | str) or isinstance(b, Answer | str):
        return _hull_of_words(a, b)
    return hull(minimum(lower(a), lower(b)), maximum(upper(a), upper(b)))


def _in_both(some: Ranges, others: Ranges) -> Ranges:
    found = [(max(a, c), min(b, d)) for a, b in some for c, d in others]
    return tuple(sorted((first, last) for first, last in found if first <= last))


def _same(a: Any, b: Any) -> bool:
    return bool(isinstance(a == b, bool) and a == b)
