"""Repairs tried one after another, each kept only if the record is the better for it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from specdil_records.authoring.proof import layout, same
from specdil_records.authoring.repairs import Repair, repairs
from specdil_records.authoring.selection import Chosen
from specdil_records.authoring.splicing import planned
from specdil_records.authoring.trial import findings, with_bytes
from specdil_records.claims import evaluate
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Pointer, pointer_text
from specdil_records.reading import Document

MOST_REPAIRS = 200
"""Repairs tried in one file; a file that asks for more is repaired by running the command again."""

Found = Counter[tuple[str, str, str]]
Settled = tuple[str, str, frozenset[Pointer]]


@dataclass(slots=True)
class Fixed:
    """A file after its repairs: its bytes, what was repaired, and what was not and why."""

    content: bytes
    made: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def fixed(one: Chosen, corpus: Corpus) -> Fixed:
    """One record with every repair that leaves fewer findings than before, and none that was not there."""
    outcome = Fixed(one.raw)
    path = one.record.path
    corpus = with_bytes(corpus, {path: one.raw})
    scope = frozenset(corpus.scope_of({path}))
    before: Found | None = None
    settled: set[Settled] = set()
    for _ in range(MOST_REPAIRS):
        record = _record(corpus, path)
        repair = _next(record, outcome.content, corpus, settled)
        if repair is None:
            break
        why = repair.refused
        if not why:
            before = _found(corpus, scope) if before is None else before
            trial = with_bytes(corpus, {path: repair.content})
            after = _found(trial, scope)
            why = _objection(before, after) or _beyond(record, repair, _record(trial, path))
        if why:
            settled.add(_settled(repair))
            outcome.refused.append(f"{repair.name}: {repair.what}: {why}")
        else:
            corpus, before = trial, after
            outcome.content = repair.content
            outcome.made.append(f"{repair.name}: {repair.what}")
    return outcome


def _record(corpus: Corpus, path: str) -> Record:
    return next(record for record in corpus.own if record.path == path)


def _next(record: Record, raw: bytes, corpus: Corpus, settled: set[Settled]) -> Repair | None:
    evaluation = evaluate(record, corpus) if record.sound and record.kind in ("flop", "source") else None
    return next((repair for repair in repairs(record, raw, evaluation) if _settled(repair) not in settled), None)


def _settled(repair: Repair) -> Settled:
    """What tells a repair that was refused from others: two numbers may become the same digits."""
    return repair.name, repair.what, frozenset(splice.pointer for splice in repair.splices)


def _found(corpus: Corpus, scope: frozenset[str]) -> Found:
    return Counter((finding.path, finding.name, pointer_text(finding.pointer))
                   for finding in findings(corpus, scope))


def _objection(before: Found, after: Found) -> str:
    """Why a repair is not kept; empty if it is."""
    if new := after - before:
        path, name, pointer = next(iter(new))
        return f"it would bring {name} at {pointer or '/'} of {path}"
    return "" if after.total() < before.total() else "it would mend nothing"


def _beyond(record: Record, repair: Repair, after: Record) -> str:
    """What a repair changes beyond its plan; empty if nothing."""
    wanted = planned(record.data, repair.splices)
    if not same(after.data, wanted):
        return "the new text does not hold what the repair plans"
    if record.document.broken or record.path.lower().endswith(".json"):
        return ""
    old, new = layout(record.document.text), layout(after.document.text)
    if old.texts != new.texts:
        return "a comment would be lost"
    return "" if old.breaks == new.breaks else "line ends would change"


def proof_of(content: bytes) -> Callable[[Document], str]:
    """The repairs have been proved one by one; the file must hold what they came to."""
    from specdil_records.reading import read_document

    def proof(after: Document) -> str:
        wanted = read_document(content, after.name)
        return "" if same(after.data, wanted.data) and after.text == wanted.text else "the disk gives back another text"

    return proof
