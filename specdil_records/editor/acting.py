"""What the editor offers to do at a place of a record."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from specdil_records.authoring.binding import OLDER, UNPROVED, proposals
from specdil_records.authoring.passages import field_name, quotable
from specdil_records.authoring.repairs import repairs
from specdil_records.authoring.skeleton import HARDWARE_WORDS
from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.locating import Field
from specdil_records.claims.results import FigureResult
from specdil_records.corpus import Record
from specdil_records.editor.answers import Action, Change
from specdil_records.editor.inserting import appended
from specdil_records.editor.sheet import Sheet
from specdil_records.editor.vocabulary import keys_at, version_of
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Finding, Place

TO_SAY = "say why"
"""What stands in a skeleton where only its author knows the words."""


def actions(workspace: Workspace, record: Record, start: int, end: int,
            findings: Sequence[Finding] = ()) -> list[Action]:
    """Everything that can be done about the stretch [start, end); `findings` are those that are shown there."""
    sheet, file = workspace.sheet(record), workspace.file(record)
    found = list(_repairs(workspace, record, file, findings))
    evaluation = workspace.evaluation(record)
    if evaluation is None or record.kind != "flop":
        return found
    place = _in_prose(sheet, evaluation, start, end)
    if place is not None:
        if record.version not in OLDER:
            found += _bindings(workspace, record, evaluation, place)
        found += _of_sentence(sheet, file, record, place)
    found += _disputes(sheet, file, evaluation, start, end)
    return found


def _repairs(workspace: Workspace, record: Record, file: Path, findings: Sequence[Finding]) -> Iterator[Action]:
    """The repairs that `records fix` makes by itself, for the findings at hand, each as one change of the text."""
    wanted = {finding.name: finding.code for finding in findings}
    if not wanted:
        return
    text = record.document.text
    raw = text.encode("utf-8", "surrogatepass")
    for repair in repairs(record, raw, workspace.evaluation(record)):
        if repair.name in wanted and not repair.refused:
            yield Action(f"{repair.name}: {repair.what}", (difference(file, text, repair.content.decode("utf-8")),),
                         wanted[repair.name], True)


def difference(file: Path, old: str, new: str) -> Change:
    """The one stretch in which two texts differ."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    return Change(file, start, len(old) - end, new[start:len(new) - end])


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _in_prose(sheet: Sheet, evaluation: Evaluation, start: int, end: int) -> tuple[Field, int, int] | None:
    """The field of prose that a stretch lies in, and the stretch in the field's own text."""
    node = sheet.at(start)
    field = evaluation.fields.get(node.pointer) if node is not None and not node.key else None
    if field is None:
        return None
    first = _decoded(sheet, field, start)
    return field, first, max(first, _decoded(sheet, field, end))


def _decoded(sheet: Sheet, field: Field, offset: int) -> int:
    """An offset of the file as one in a field's text: the last character that does not stand behind it."""
    low, high = 0, max(len(field.text) - 1, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if sheet.offsets(Place(field.pointer, middle, middle + 1))[0] <= offset:
            low = middle
        else:
            high = middle - 1
    return low


def _of_sentence(sheet: Sheet, file: Path, record: Record, place: tuple[Field, int, int]) -> Iterator[Action]:
    field, start, end = place
    passage = quotable(field, start, max(end, start + 1))
    if passage is None:
        return
    if field.inside(passage.start, passage.end):
        claim: dict[str, Any] = {"id": _free(record, "unverified"), "in": field_name(field), "quote": passage.quote}
        if passage.occurrence is not None:
            claim["occurrence"] = passage.occurrence
        yield from _adding(sheet, file, "claims", {**claim, "basis": "unverified"},
                           "Mark the numbers of this sentence unverified")
    if passage.occurrence is None:
        row = {"parameter": _quantity(passage.quote), "effect": passage.quote, "basis": "unverified",
               "values_for": list(record.data["affected_by_hardware"])}
        yield from _adding(sheet, file, "hardware_parameters", row, "Lift this sentence into a hardware row")


def _bindings(workspace: Workspace, record: Record, evaluation: Evaluation,
              place: tuple[Field, int, int]) -> Iterator[Action]:
    """For each number at hand that nothing recomputes, the claims that would, the likeliest first."""
    field, start, end = place
    for entry in evaluation.ledger:
        number = entry.number
        if entry.pointer != field.pointer or not (number.start <= end and start <= number.stop):
            continue
        if entry.status in UNPROVED and number.figure is not None:
            for proposal in proposals(record, workspace.corpus, field, entry.index, evaluation.fields):
                yield from _adding(workspace.sheet(record), workspace.file(record), "claims", proposal.claim,
                                   f"Bind {entry.written} to {proposal.expression}")


def _quantity(sentence: str) -> str:
    """The quantity that a sentence names; the commonest where it names none."""
    return next((name for name, words in HARDWARE_WORDS.items()
                 if re.search(rf"\b(?:{words})\b", sentence, re.IGNORECASE)), "memory_bandwidth")


def _disputes(sheet: Sheet, file: Path, evaluation: Evaluation, start: int, end: int) -> Iterator[Action]:
    for claim, figure in _figures(sheet, evaluation, start, end):
        if any(dispute.data.get("figure") == figure.anchor for dispute in claim.disputes):
            continue
        dispute: dict[str, Any] = {"claim": claim.id, "figure": figure.anchor}
        dispute |= {"own_model": "fails"} if figure.state == "drifts" else {"against": figure.expression}
        yield from _adding(sheet, file, "disputes", {**dispute, "because": TO_SAY},
                           f"Dispute {figure.quoted} of {claim.id}")


def _figures(sheet: Sheet, evaluation: Evaluation, start: int, end: int) -> Iterator[tuple[ClaimResult, FigureResult]]:
    """The figures that a stretch touches, in the prose or where a claim gives their expressions."""
    node = sheet.at(start)
    for claim in evaluation.claims:
        seen: set[str] = set()
        for figure in claim.figures:
            if node is None or figure.anchor in seen:
                continue
            if node.pointer == figure.pointer or (node.pointer == figure.field.pointer and _touches(
                    sheet, figure, start, end)):
                seen.add(figure.anchor)
                yield claim, figure


def _touches(sheet: Sheet, figure: FigureResult, start: int, end: int) -> bool:
    first, last = sheet.offsets(Place(figure.field.pointer, figure.anchored.start, figure.anchored.end))
    return first <= end and start <= last


def _adding(sheet: Sheet, file: Path, key: str, entry: Mapping[str, Any], title: str) -> Iterator[Action]:
    data = sheet.document.data
    if not isinstance(data, dict) or key not in keys_at(version_of("flop", data), "flop", ()):
        return  # a key that came with a later version
    change = appended(sheet, key, entry)
    if change is not None:
        yield Action(title, (Change(file, *change),))


def _free(record: Record, stem: str) -> str:
    taken = {claim["id"] for claim in record.data.get("claims", [])}
    return next(f"{stem}-{number}" for number in range(1, len(taken) + 2) if f"{stem}-{number}" not in taken)
