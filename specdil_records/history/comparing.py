"""Two states of a corpus, compared by what they mean: figures, bases, conclusions, references, not lines of text."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from specdil_records.claims import Evaluation
from specdil_records.claims.disputing import STRENGTH
from specdil_records.claims.locating import Field
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Place, Pointer
from specdil_records.history.dependence import evaluations_of
from specdil_records.history.facts import DESCRIPTIVE, Fact, Key, facts
from specdil_records.history.supposing import where
from specdil_records.prose.folding import fold
from specdil_records.rules.changed import (
    aligned,
    content,
    differing,
    entries_beyond,
    groups,
    numbers_of,
    shorten,
    words,
)

CATEGORIES = ("record", "figure", "value", "table", "cell", "quote", "basis", "claim", "expression", "conclusion",
              "verdict", "dispute", "effect", "workaround", "condition", "aside", "reference", "status", "history")
"""Kinds of change, those first that a reader should see first."""

ITEMS = frozenset({"claims", "disputes", "tables", "quotes", "quantities", "conflicts", "hardware_parameters",
                   "scales_with"})

SEEN = ("second-hand", "computed", "figure-reading", "excerpt", "full-text")
"""How far a source was seen, from the weakest to the strongest."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of meaning: what, as it was and as it is (empty where there was or is nothing), and where.

    `note` says more in a word: added, removed, weakened, strengthened, flipped.
    """

    category: str
    what: str
    old: str
    new: str
    place: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecordDiff:
    """What changed in one record; `wording` counts passages that say the same in other words."""

    record: str
    path: str
    changes: tuple[Change, ...]
    wording: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every record in which something changed, in the order of paths."""

    records: tuple[RecordDiff, ...]
    compared: int

    @property
    def counts(self) -> dict[str, int]:
        """Changes by category, in the order of the categories; wording last."""
        found = Counter(change.category for record in self.records for change in record.changes)
        counts = {category: found[category] for category in CATEGORIES if found[category]}
        wording = sum(record.wording for record in self.records)
        return {**counts, "wording": wording} if wording else counts


def compare(old: Corpus, new: Corpus) -> Comparison:
    """What changed in meaning from one state of a corpus to another. Records are matched by id."""
    then, now = _by_id(old), _by_id(new)
    renamed = _renamed({name: one for name, one in then.items() if name not in now},
                       {name: one for name, one in now.items() if name not in then})
    changed = {name for name in then.keys() & now.keys() if then[name].document.text != now[name].document.text}
    ids = changed | (then.keys() ^ now.keys())
    reached = _reached(old, then, ids) | _reached(new, now, ids)
    both = [name for name in reached if name in then and name in now]
    before, after = evaluations_of(old, map(then.get, both)), evaluations_of(new, map(now.get, both))  # type: ignore[arg-type]
    found: list[RecordDiff] = []
    for name in then.keys() | now.keys():
        one, two = then.get(name), now.get(name)
        if one is None or two is None:
            found += _come_or_gone(one, two, renamed)
        elif name in reached:
            diff = _record(one, two, before.get(name), after.get(name))
            found += [diff] if diff.changes or diff.wording else []
    return Comparison(tuple(sorted(found, key=lambda diff: (diff.path, diff.record))), len(then.keys() | now.keys()))


def _by_id(corpus: Corpus) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for record in corpus.own:
        found.setdefault(record.id, record)
    return found


def _reached(corpus: Corpus, records: Mapping[str, Record], ids: set[str]) -> set[str]:
    paths = corpus.scope_of({records[name].path for name in ids if name in records}, set(ids))
    return {name for name, record in records.items() if record.path in paths}


# Records ----------------------------------------------------------------------------------------------------


def _renamed(gone: Mapping[str, Record], come: Mapping[str, Record]) -> dict[str, str]:
    """New ids by old ones, where a record is there again under another id with nothing else changed."""
    left = dict(come)
    found: dict[str, str] = {}
    for name, record in gone.items():
        for other, candidate in left.items():
            if record.kind == candidate.kind and record.data and _but_id(record) == _but_id(candidate):
                found[name] = other
                del left[other]
                break
    return found


def _but_id(record: Record) -> object:
    return content({key: value for key, value in record.data.items() if key != "id"})


def _come_or_gone(old: Record | None, new: Record | None, renamed: Mapping[str, str]) -> Iterator[RecordDiff]:
    if old is not None:
        if old.id not in renamed:
            yield RecordDiff(old.id, old.path, (Change("record", title(old), "there", "", old.path, "removed"),))
    elif new is not None:
        former = next((name for name, now in renamed.items() if now == new.id), None)
        change = Change("record", title(new), "", "there", new.path, "added") if former is None else \
            Change("record", "id", former, new.id, new.path, "renamed")
        yield RecordDiff(new.id, new.path, (change,))


def title(record: Record) -> str:
    """A record in a few words."""
    return shorten(str(record.data.get("name") or record.data.get("title") or record.id), 100)


def _record(old: Record, new: Record, before: Evaluation | None, after: Evaluation | None) -> RecordDiff:
    changes: list[Change] = []
    wording = 0
    if old.document.text != new.document.text:
        if old.sound and new.sound and old.kind == new.kind:
            changes += _facts(old, new)
            figures, wording = _prose(old, new)
            changes += figures
            changes += _history(old, new)
            wording += _remarks(old, new)
            if not changes and not wording and content(old.data) != content(new.data):
                wording = 1
        elif old.sound != new.sound or content(old.data) != content(new.data):
            changes.append(Change("record", "the whole record", _shape(old), _shape(new), new.path))
    if before is not None and after is not None:
        changes += _verdicts(before, after)
        changes += _statuses(before, after)
    order = {category: i for i, category in enumerate(CATEGORIES)}
    return RecordDiff(new.id, new.path, tuple(sorted(changes, key=lambda change: order[change.category])), wording)


def _shape(record: Record) -> str:
    return "fits its schema" if record.sound else "does not read or fit its schema"


# Facts ------------------------------------------------------------------------------------------------------


def _facts(old: Record, new: Record) -> Iterator[Change]:
    then, now = facts(old), facts(new)
    heads_then, heads_now = _heads(then), _heads(now)
    for key, fact in now.items():
        before = then.get(key)
        if before is None:
            if heads_now.get(fact.pointer[:2], key) == key or heads_now[fact.pointer[:2]] in then:
                yield _change(fact, "", fact.shown, where(new, Place(fact.pointer)), "added")
        elif before.value != fact.value:
            yield _change(fact, before.shown, fact.shown, where(new, Place(fact.pointer)),
                          strength(before.value, fact.value) if fact.category == "basis" else "")
    for key, fact in then.items():
        if key not in now and (heads_then.get(fact.pointer[:2], key) == key or heads_then[fact.pointer[:2]] in now):
            yield _change(fact, fact.shown, "", where(old, Place(fact.pointer)), "removed")


def _heads(here: Mapping[Key, Fact]) -> dict[Pointer, Key]:
    """The fact that stands for each item of a list: where it comes or goes, the item's other facts are not told."""
    found: dict[Pointer, Key] = {}
    for key, fact in here.items():
        if len(fact.pointer) > 1 and fact.pointer[0] in ITEMS:
            found.setdefault(fact.pointer[:2], key)
    return found


def _change(fact: Fact, old: str, new: str, place: str, note: str) -> Change:
    return Change(fact.category, fact.subject, shorten(old, 160), shorten(new, 160), place, note)


def strength(old: str, new: str) -> str:
    """Whether a basis, or how far a source was seen, became weaker or stronger."""
    for order in (STRENGTH, SEEN):
        if old in order and new in order:
            return "strengthened" if order.index(new) > order.index(old) else "weakened"
    return ""


def _history(old: Record, new: Record) -> Iterator[Change]:
    for note, places, record in (("added", entries_beyond(new.data, old.data), new),
                                 ("removed", entries_beyond(old.data, new.data), old)):
        for at in (("history", place) for place in places):
            entry = record.data["history"][at[1]]
            text = f"{entry['date']} {entry['kind']}: {shorten(entry['change'], 120)}"
            yield Change("history", "entry", "" if note == "added" else text, text if note == "added" else "",
                         where(record, Place(at)), note)


# Prose ------------------------------------------------------------------------------------------------------


def _prose(old: Record, new: Record) -> tuple[list[Change], int]:
    """The numbers of the prose that changed, workarounds that came or went, and passages that were only reworded."""
    changes: list[Change] = []
    wording = 0
    then, now = groups(old), groups(new)
    for name in [*now, *(name for name in then if name not in now)]:
        one, two = then.get(name, []), now.get(name, [])
        changes += _figures(old, new, one, two)
        for before, after, same in _passages(old, new, one, two):
            if before is None or after is None:
                field, note = (after, "added") if after is not None else (before, "removed")
                if name == "workarounds" and field is not None:
                    text, record = shorten(field.text, 160), new if after is not None else old
                    changes.append(Change("workaround", "workaround", "" if after is not None else text,
                                          text if after is not None else "", where(record, Place(field.pointer)), note))
            elif not same:
                wording += [text for text, *_ in numbers_of([before])] == [text for text, *_ in numbers_of([after])]
    return changes, wording


def _passages(old: Record, new: Record, then: list[Field],
              now: list[Field]) -> Iterator[tuple[Field | None, Field | None, bool]]:
    """Passages that belong together, and whether they have the same words."""
    before, after = words(old, then), words(new, now)
    for a, b in aligned(before, after):
        yield (then[a] if a is not None else None, now[b] if b is not None else None,
               a is not None and b is not None and before[a] == after[b])


def _figures(old: Record, new: Record, then: list[Field], now: list[Field]) -> Iterator[Change]:
    before, after = numbers_of(then), numbers_of(now)
    for a, b in aligned([text for text, *_ in before], [text for text, *_ in after]):
        if a is not None and b is not None and before[a][0] == after[b][0]:
            continue
        record, (_, field, index) = (new, after[b]) if b is not None else (old, before[a or 0])
        number = field.numbers[index]
        yield Change("figure", "/".join(map(str, field.pointer)), "" if a is None else before[a][0],
                     "" if b is None else after[b][0],
                     where(record, Place(field.pointer, number.start, number.end)),
                     "added" if a is None else "removed" if b is None else "")


def _remarks(old: Record, new: Record) -> int:
    """How many remarks were reworded: reasons, names, captions, notes that are no prose."""
    prose = {field.pointer for fields in groups(new).values() for field in fields}
    count = 0
    for pointer in differing(content(old.data), content(new.data)):
        keys = [part for part in pointer if isinstance(part, str)]
        if pointer in prose or not keys or pointer[:1] == ("columns",):
            continue
        last = next((key for key in reversed(keys) if key in DESCRIPTIVE), "")
        in_claim = pointer[0] == "claims" and len(pointer) > 2 and pointer[2] in ("quote", "in", "read", "at")
        follows = pointer[0] == "quotes" or in_claim or "columns" in pointer or "conditions" in pointer
        count += bool(last) and not follows
    return count


# Verdicts ---------------------------------------------------------------------------------------------------


def _verdicts(old: Evaluation, new: Evaluation) -> Iterator[Change]:
    then = {claim.id: claim for claim in old.claims}
    for claim in new.claims:
        before = then.get(claim.id)
        if before is None:
            continue
        place = where(new.record, Place(claim.pointer))
        if before.verdict != claim.verdict:
            yield Change("verdict", f"claim {claim.id}", str(before.verdict), str(claim.verdict), place)
        states = {one.text: one.state for one in before.statements}
        for statement in claim.statements:
            if states.get(statement.text, statement.state) != statement.state:
                yield Change("conclusion", f"claim {claim.id}: {statement.text}", states[statement.text],
                             statement.state, where(new.record, Place(statement.pointer)), "flipped")
        stands = {str(one.data): one.state for one in before.disputes}
        for dispute in claim.disputes:
            if stands.get(str(dispute.data), dispute.state) != dispute.state:
                yield Change("dispute", f"claim {claim.id}", stands[str(dispute.data)], dispute.state,
                             where(new.record, Place(dispute.pointer)), "flipped")
    trends = {one.text: one.state for one in old.trends}
    for trend in new.trends:
        if trends.get(trend.text, trend.state) != trend.state:
            yield Change("conclusion", trend.text, trends[trend.text], trend.state,
                         where(new.record, Place(trend.pointer)), "flipped")


def _statuses(old: Evaluation, new: Evaluation) -> Iterator[Change]:
    """How many numbers that stayed have another status in the ledger."""
    before, after = ([(fold(entry.written).text, entry.status) for entry in one.ledger if entry.number.exempt is None]
                     for one in (old, new))
    moved: Counter[tuple[str, str]] = Counter()
    for a, b in aligned([text for text, _ in before], [text for text, _ in after]):
        if a is not None and b is not None and before[a][0] == after[b][0] and before[a][1] != after[b][1]:
            moved[str(before[a][1]), str(after[b][1])] += 1
    for (then, now), count in sorted(moved.items()):
        yield Change("status", f"{count} number{'s' if count != 1 else ''} of the prose", then, now, new.record.path)


__all__ = ["CATEGORIES", "Change", "Comparison", "RecordDiff", "compare"]
