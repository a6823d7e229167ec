"""A field of prose as markup: its own characters, its numbers marked, what contests a sentence beside it.

The characters of the prose stay in one piece. Derivations stand behind the field, so that whoever copies, searches
or listens to a sentence gets the sentence.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from specdil_records.claims import Evaluation
from specdil_records.claims.derivations import brief_lines, claim_lines, claims_by_number, reason
from specdil_records.claims.locating import Field
from specdil_records.claims.results import ClaimResult, DisputeResult
from specdil_records.findings import Pointer, Status
from specdil_records.prose.ledger import LedgerEntry
from specdil_records.prose.verbatim import anchor
from specdil_records.site.markup import Html, escaped

SENTENCE_ENDS = re.compile(r"[.!?]['\")\]]*(?=\s)|\n\s*\n|\Z")
PARAGRAPH = re.compile(r"\n\s*\n")


MOST_TEXT = 45_000
"""Characters of derivations at the numbers of one page; beyond, the rest of each is told with its claim only."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A number as the page shows it."""

    id: str
    entry: LedgerEntry
    drifts: bool
    lines: tuple[str, ...]

    @property
    def is_explained(self) -> bool:
        """Whether there is more to tell than that it is a name or a date."""
        return self.entry.status != Status.EXEMPT


@dataclass(frozen=True, slots=True)
class Contest:
    """A dispute with the stretch of prose that it contests."""

    number: int
    claim: ClaimResult
    dispute: DisputeResult
    pointer: Pointer | None
    start: int = 0
    end: int = 0

    @property
    def what(self) -> str:
        """The figure, the words or the basis that is contested."""
        data = self.dispute.data
        return str(data.get("figure") or data.get("words") or data.get("basis") or "")


def marks_of(evaluation: Evaluation) -> dict[Pointer, list[Mark]]:
    """Every number of the prose with its derivation, field by field."""
    claims = claims_by_number(evaluation)
    found: dict[Pointer, list[Mark]] = {}
    total = 0
    for count, entry in enumerate(evaluation.ledger, 1):
        here = claims.get((entry.pointer, entry.index), [])
        drifts = any(figure.state == "drifts" and not figure.excused for _, figures in here for figure in figures)
        told: list[str] = []
        if entry.status != Status.EXEMPT:
            for claim, figures in here:
                whole = list(claim_lines(claim, figures))
                told += [*([""] if told else []), *(whole if total < MOST_TEXT else brief_lines(claim, figures))]
            told = told or [reason(entry)]
        total += sum(map(len, told))
        found.setdefault(entry.pointer, []).append(Mark(f"n{count}", entry, drifts, tuple(told)))
    return found


def contests_of(evaluation: Evaluation) -> list[Contest]:
    """The disputes of a record in their order, each with what it contests."""
    found: dict[int, Contest] = {}
    for claim in evaluation.claims:
        for dispute in claim.disputes:
            number = dispute.pointer[1]
            assert isinstance(number, int)
            pointer, start, end = _contested(claim, dispute)
            found.setdefault(number, Contest(number + 1, claim, dispute, pointer, start, end))
    return [found[number] for number in sorted(found)]


def _contested(claim: ClaimResult, dispute: DisputeResult) -> tuple[Pointer | None, int, int]:
    if claim.passage is None:
        return None, 0, 0
    passage = claim.passage
    where = passage.field.pointer
    if "figure" in dispute.data:
        for figure in claim.figures:
            if figure.anchor == dispute.data["figure"]:
                return where, figure.anchored.start, figure.anchored.end
    if "words" in dispute.data:
        places = anchor(str(dispute.data["words"]), passage.text)
        if places:
            return where, passage.start + places[0][0], passage.start + places[0][1]
    return where, passage.start, passage.end


def field_html(field: Field, marks: Sequence[Mark], contests: Iterable[Contest],
               notes: Mapping[int, str]) -> Html:
    """The field's prose. `notes` holds the markup of each dispute, by its number, to set beside its sentence."""
    here = [one for one in contests if one.pointer == field.pointer]
    after: dict[int, list[int]] = {}
    for one in here:
        after.setdefault(sentence_end(field.text, one.end), []).append(one.number)
    cuts = sorted({0, len(field.text), *after, *(one.start for one in here), *(one.end for one in here),
                   *(mark.entry.number.start for mark in marks), *(mark.entry.number.stop for mark in marks)})
    numbers = {mark.entry.number.start: mark for mark in marks}
    parts: list[str] = ["<p>"]
    inside: Mark | None = None
    for start, end in zip(cuts, [*cuts[1:], len(field.text)], strict=True):
        parts += [notes[number] for number in after.get(start, []) if start]
        if start == end:
            break
        if inside is not None and inside.entry.number.stop <= start:
            inside = None
        inside = numbers.get(start, inside)
        by = [one for one in here if one.start <= start and end <= one.end]
        ending = [one.number for one in by if one.end == end]
        parts.append(_stretch(field.text[start:end], numbers.get(start), inside, ending if by else None))
    parts.append("</p>")
    return Html("".join(parts))


def _stretch(text: str, begins: Mark | None, inside: Mark | None, ending: list[int] | None) -> str:
    """A stretch that no boundary crosses. `ending` names the disputes whose words end here; None without a dispute."""
    shown = escaped(text)
    if inside is not None:
        shown = _number(shown, inside, begins is inside)
    elif ending is None or PARAGRAPH.search(shown):
        return PARAGRAPH.sub(lambda gap: f"</p>{gap[0]}<p>", shown)
    if ending is None:
        return shown
    by = f' data-by="{",".join(map(str, ending))}"' if ending else ""
    return f'<span class="contested"{by}>{shown}</span>'


def _number(shown: str, mark: Mark, first: bool) -> str:
    status = f"{mark.entry.status}{' drifts' if mark.drifts else ''}"
    if not mark.is_explained:
        return f'<span class="num exempt">{shown}</span>'
    if not first:  # a contested stretch ends inside the number, so that it is shown in two pieces
        return f'<span class="num {status}">{shown}</span>'
    key = mark.id
    return (f'<a class="num {status}" id="{key}" href="#t{key[1:]}" style="anchor-name:--{key}" '
            f'aria-describedby="s{key[1:]}">{shown}</a>')


def sentence_end(text: str, at: int) -> int:
    """Where the sentence ends that holds an offset."""
    found = SENTENCE_ENDS.search(text, max(at - 1, 0))
    assert found is not None
    end = found.end() if not found[0].isspace() else found.start()
    return max(end, at)


def tips(marks: Iterable[Mark]) -> Iterator[dict[str, object]]:
    """What the page tells about each number of a field."""
    for mark in marks:
        if mark.is_explained:
            yield {"id": mark.id[1:], "written": mark.entry.written, "status": str(mark.entry.status),
                   "drifts": mark.drifts, "text": "\n".join(mark.lines)}
