"""What a record says now against what an earlier state of it said.

White space, Unicode composition, the order of keys, empty lists, comments and the history itself are no content.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from specdil_records.claims.locating import Field, prose_fields
from specdil_records.corpus import Record
from specdil_records.findings import Place, Pointer, pointer_text
from specdil_records.prose.folding import fold
from specdil_records.schemas.catalogue import schema_data

NO_CONTENT = frozenset({"history", "schema_version"})
MOST_ALIGNED = 3000
"""Sequences that are longer are not aligned but compared place by place: aligning takes the square of their length."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that is not as it was: what it is in words, its place now, its text then and now."""

    what: str
    where: Place
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        if not self.old and not self.new:
            return self.what
        return f"{self.what}, {shorten(self.old) or 'nothing'} -> {shorten(self.new) or 'nothing'}"


def keeps_history(record: Record) -> bool:
    """Whether records of this kind and version have a history at all; the first versions had none."""
    if record.kind is None or record.version is None:
        return False
    return "history" in schema_data(record.version, record.kind)["properties"]


def content(data: Mapping[str, Any]) -> Any:
    """What a record says, in a form in which equal content is equal."""
    return {key: folded(value) for key, value in data.items()
            if key not in NO_CONTENT and not key.startswith("x-") and value not in ([], {}, None)}


def folded(value: Any) -> Any:
    """Data with every text folded, as verbatim comparison folds it."""
    if isinstance(value, str):
        return fold(value).text.strip()
    if isinstance(value, dict):
        return {key: folded(inner) for key, inner in value.items()}
    return [folded(inner) for inner in value] if isinstance(value, list) else value


def differing(old: Any, new: Any, at: Pointer = ()) -> Iterator[Pointer]:
    """The deepest places at which two states of content differ, by their pointers now."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            yield from differing(old.get(key), new.get(key), (*at, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (before, now) in enumerate(zip(old, new, strict=True)):
            yield from differing(before, now, (*at, i))
    elif type(old) is not type(new) or old != new:
        yield at


def new_entries(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries that a history has gained. One that was written over is no new one."""
    before, now = list(map(_entry, old.get("history") or [])), list(map(_entry, new.get("history") or []))
    left = Counter(before)
    gained: list[int] = []
    for i, entry in enumerate(now):
        if left[entry]:
            left[entry] -= 1
        else:
            gained.append(i)
    if sum(left.values()):
        gained = [i for i in gained if i >= len(before)]
    return [new["history"][i] for i in gained]


def _entry(entry: Any) -> Hashable:
    return repr(sorted(folded(entry).items())) if isinstance(entry, dict) else repr(entry)


def aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of places in two sequences that belong together; None where one has no partner."""
    if max(len(old), len(new)) > MOST_ALIGNED:
        for i in range(max(len(old), len(new))):
            yield i if i < len(old) else None, i if i < len(new) else None
        return
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for step in range(max(b - a, d - c)):
            yield a + step if a + step < b else None, c + step if c + step < d else None


# What a schema pass may not touch -------------------------------------------------------------------------


def touched(before: Record, now: Record) -> Iterator[Changed]:
    """Prose, figures, effects, claims and evidence that were there and are not as they were. What is new is not told.

    Both records have to be sound.
    """
    old, new = before.data, now.data
    yield from _prose(before, now)
    yield from _status(old, new)
    yield from _by_name(old, new, "claims", "the claim", frozenset({"because"}))
    yield from _disputes(old, new)
    if now.kind == "flop":
        yield from _rows(old, new)
    elif now.kind == "accelerator":
        yield from _values(old, new, "quantities", ("value", "uncertainty", "basis"))
        yield from _conflicts(old, new)
    elif now.kind == "model":
        yield from _values(old, new, "shape", ())
    elif now.kind == "source":
        yield from _by_name(old, new, "tables", "the table", frozenset({"notes", "caption", "locator"}))
        yield from _by_name(old, new, "quotes", "the quote", frozenset({"notes", "locator"}))


def _status(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    before, now = str(old.get("status", "active")), str(new.get("status", "active"))
    if before != now:
        yield Changed("the status", Place(("status",)), before, now)


def groups(record: Record) -> dict[str, list[Field]]:
    """The fields of prose by their first key, in order."""
    found: dict[str, list[Field]] = {}
    for pointer, field in prose_fields(record.kind, record.data).items():
        found.setdefault(str(pointer[0]), []).append(field)
    return found


def numbers_of(fields: Sequence[Field]) -> list[tuple[str, Field, int]]:
    """Every number of some fields that is not exempt: as it is written, with its field and its index there."""
    return [(fold(field.text[number.start:number.stop]).text, field, i) for field in fields
            for i, number in enumerate(field.numbers) if number.exempt is None]


def _prose(before: Record, now: Record) -> Iterator[Changed]:
    old, new = groups(before), groups(now)
    for name in [*new, *(name for name in old if name not in new)]:
        then, here = old.get(name, []), new.get(name, [])
        if words(before, then) == words(now, here):
            continue
        figures = list(_figures(then, here, Place((name,))))
        yield from figures
        if not figures:
            yield from _texts(before, now, then, here, name)


def _figures(then: list[Field], here: list[Field], lost: Place) -> Iterator[Changed]:
    old, new = numbers_of(then), numbers_of(here)
    for a, b in aligned([text for text, *_ in old], [text for text, *_ in new]):
        if a is not None and b is not None and old[a][0] == new[b][0]:
            continue
        where = lost
        if b is not None:
            _, field, index = new[b]
            where = Place(field.pointer, field.numbers[index].start, field.numbers[index].end)
        yield Changed("a figure", where, "" if a is None else old[a][0], "" if b is None else new[b][0])


def words(record: Record, fields: Sequence[Field]) -> list[str]:
    """Folded texts in the form that versions share: a scaling row is its parameter and its effect."""
    found = []
    for field in fields:
        text = fold(field.text).text.strip()
        if len(field.pointer) == 3 and field.pointer[0] == "scales_with":
            text = f"{record.data['scales_with'][field.pointer[1]]['parameter']} ({text})"
        found.append(text)
    return found


def _texts(before: Record, now: Record, then: list[Field], here: list[Field], name: str) -> Iterator[Changed]:
    what = "an effect" if name == "scales_with" else "the prose"
    old, new = words(before, then), words(now, here)
    for a, b in aligned(old, new):
        if a is None or b is None or old[a] != new[b]:
            where = Place(here[b].pointer) if b is not None else Place((name,))
            yield Changed(what, where, "" if a is None else old[a], "" if b is None else new[b])


def _rows(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    """Hardware rows and trends that were there."""
    def key(row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(repr(folded(row.get(name))) for name in ("parameter", "effect", "magnitude", "basis", "backed_by"))

    rows, now = old.get("hardware_parameters", []), new.get("hardware_parameters", [])
    for a, b in aligned([key(row) for row in rows], [key(row) for row in now]):
        if a is not None and (b is None or key(rows[a]) != key(now[b])):
            where: Pointer = ("hardware_parameters",) if b is None else ("hardware_parameters", b, "effect")
            yield Changed("an effect", Place(where), rows[a]["effect"], "" if b is None else now[b]["effect"])
    trends = [folded(row["trend"]) for row in old["scales_with"] if isinstance(row, dict) and "trend" in row]
    kept = [folded(row["trend"]) for row in new["scales_with"] if isinstance(row, dict) and "trend" in row]
    for trend in trends:
        if trend in kept:
            kept.remove(trend)
        else:
            yield Changed("the trend of " + str(trend["of"]), Place(("scales_with",)))


def _by_name(old: Mapping[str, Any], new: Mapping[str, Any], group: str, what: str,
             free: frozenset[str]) -> Iterator[Changed]:
    now = {item["id"]: (i, item) for i, item in enumerate(new.get(group, []))}
    for item in old.get(group, []):
        i, here = now.get(item["id"], (None, {}))
        if i is None:
            yield Changed(f"{what} {item['id']}", Place((group,)), "there", "gone")
        elif _said(item, free) != _said(here, free):
            where = next(differing(_said(item, free), _said(here, free)), ())
            yield Changed(f"{what} {item['id']} ({pointer_text(where)[1:]})", Place((group, i, *where)))


def _said(item: Mapping[str, Any], free: frozenset[str]) -> dict[str, Any]:
    return {key: folded(value) for key, value in item.items() if key not in free and not key.startswith("x-")}


def _disputes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    now = [_said(item, frozenset({"because"})) for item in new.get("disputes", [])]
    for item in old.get("disputes", []):
        if _said(item, frozenset({"because"})) not in now:
            yield Changed(f"a dispute about the claim {item['claim']}", Place(("disputes",)))


def _values(old: Mapping[str, Any], new: Mapping[str, Any], group: str, keys: Sequence[str]) -> Iterator[Changed]:
    for name, value in old.get(group, {}).items():
        now = new.get(group, {}).get(name)
        if keys and now is not None:
            same = all(folded(value.get(key)) == folded(now.get(key)) for key in keys)
        else:
            same = folded(value) == folded(now)
        if not same:
            texts = [str(one.get("value") if isinstance(one, dict) else "" if one is None else one)
                     for one in (value, now)]
            yield Changed(f"the value of {name}", Place((group, name) if now is not None else (group,)), *texts)


def _conflicts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    now = [(entry["quantity"], folded(entry["value"])) for entry in new.get("conflicts", [])]
    for entry in old.get("conflicts", []):
        if (entry["quantity"], folded(entry["value"])) not in now:
            yield Changed(f"a conflicting value of {entry['quantity']}", Place(("conflicts",)), entry["value"], "gone")


def shorten(text: str, longest: int = 60) -> str:
    """A text for a message."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[:longest - 1] + "…"
