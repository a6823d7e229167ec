"""What a record says now against what an earlier state of it said.

White space, Unicode composition, the order of keys, empty lists, comments and the history itself are no content.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from specdil_records.claims.locating import Field, prose_fields
from specdil_records.corpus import Record, values_of
from specdil_records.findings import Place, Pointer, pointer_text
from specdil_records.prose.folding import fold
from specdil_records.rules.totals import TOTALS
from specdil_records.schemas.catalogue import schema_data

NO_CONTENT = frozenset({"history", "schema_version"})
REASON = frozenset({"because"})
ORIGIN = ("source", "seen")
"""Where evidence is from, and how far whoever wrote it down has seen that."""
ROW = ("effect", "parameter", "magnitude", "basis", "backed_by")
"""What a hardware row says of its effect. The products for which the corpus holds values may come and go."""
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
    """The entries that a history has gained. One that was written over, or says nothing, is no new one."""
    gained = entries_beyond(new, old)
    if entries_beyond(old, new):
        gained = [i for i in gained if i >= len(_entries(old))]
    return [new["history"][i] for i in gained if any(map(str.isalnum, str(new["history"][i]["change"])))]


def entries_beyond(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[int]:
    """The places of the entries of a history that another one does not have, or not as often."""
    left = Counter(_entries(other))
    found: list[int] = []
    for i, entry in enumerate(_entries(one)):
        if left[entry]:
            left[entry] -= 1
        else:
            found.append(i)
    return found


def entries_lost(old: Mapping[str, Any], new: Mapping[str, Any]) -> int:
    """By how many entries a history has become shorter."""
    return max(0, len(_entries(old)) - len(_entries(new)))


def _entries(data: Mapping[str, Any]) -> list[str]:
    """The entries of a history as texts that are equal when they say the same. An earlier state need not be sound."""
    history = data.get("history")
    return [json.dumps(folded(entry), sort_keys=True) for entry in history] if isinstance(history, list) else []


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
    yield from _word(old, new, "status", "active")
    yield from _by_name(old, new, "claims", "the claim", REASON)
    yield from _disputes(old, new)
    if now.kind == "flop":
        yield from _rows(old, new)
        yield from _scaling(old, new)
    elif now.kind == "accelerator":
        yield from _quantities(values_of(old, "quantities"), values_of(new, "quantities"))
        yield from _conflicts(old, new)
    elif now.kind == "model":
        yield from _values(values_of(old, "shape"), values_of(new, "shape"), ("shape",))
        yield from _values({name: old[name] for name in TOTALS if name in old}, new, ())
        yield from _word(old, new, "basis", "reported")
        yield from _origin(old, new)
    elif now.kind == "source":
        yield from _origin(old, new)
        yield from _values(values_of(old, "identifiers"), values_of(new, "identifiers"), ("identifiers",))
        yield from _by_name(old, new, "tables", "the table", frozenset({"notes", "caption", "locator"}))
        yield from _by_name(old, new, "quotes", "the quote", frozenset({"notes", "locator"}))


def _word(old: Mapping[str, Any], new: Mapping[str, Any], key: str, unsaid: str) -> Iterator[Changed]:
    before, now = old.get(key, unsaid), new.get(key, unsaid)
    if before != now:
        yield Changed(f"the {key}", Place((key,) if key in new else ("id",)), before, now)


def _origin(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    """Where a record's evidence is from, if that was said."""
    for key in ORIGIN:
        if key in old:
            yield from _word(old, new, key, "")


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
    """Hardware rows that were there."""
    rows, now = old.get("hardware_parameters", []), new["hardware_parameters"]
    for a, b in aligned([_row(row) for row in rows], [_row(row) for row in now]):
        if a is not None and b is None:
            yield Changed("an effect", Place(("hardware_parameters",)), rows[a]["effect"])
        elif a is not None and b is not None:
            yield from _row_changed(_row(rows[a]), _row(now[b]), ("hardware_parameters", b))


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_listed(row.get(key)) for key in ROW)


def _row_changed(then: tuple[str, ...], here: tuple[str, ...], at: Pointer) -> Iterator[Changed]:
    """The first thing in which a row is not as it was."""
    for key, before, now in zip(ROW, then, here, strict=True):
        if before != now:
            yield Changed("an effect" if key == "effect" else f"the {key} of an effect", Place((*at, key)), before, now)
            return


def _listed(value: Any) -> str:
    return ", ".join(folded(value if isinstance(value, list) else [value or ""]))


def _scaling(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    """The trends of scaling rows that were there, and what they rest on."""
    kept = list(_beside(new["scales_with"]))
    for one in _beside(old["scales_with"]):
        if one in kept:
            kept.remove(one)
        else:
            yield Changed(one[0], Place(("scales_with",)))


def _beside(rows: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    for row in (row for row in rows if isinstance(row, dict)):
        if "trend" in row:
            trend = _said(row["trend"], REASON)
            yield f"the trend of {trend['of']}", trend
        behind = [_listed(row.get(key)) for key in ("basis", "backed_by")]
        if any(behind):
            yield f"what stands behind the effect of {row['parameter']}", behind


def _by_name(old: Mapping[str, Any], new: Mapping[str, Any], group: str, what: str,
             free: frozenset[str]) -> Iterator[Changed]:
    now = {item["id"]: (i, item) for i, item in enumerate(new.get(group, []))}
    for item in old.get(group, []):
        i, here = now.get(item["id"], (None, {}))
        if i is None:
            yield Changed(f"{what} {item['id']}", Place((group,)), "there", "gone")
            continue
        where = next(differing(_said(item, free), _said(here, free)), None)
        if where is not None:
            yield Changed(f"{what} {item['id']} ({pointer_text(where)[1:]})", Place((group, i, *where)))


def _said(item: Mapping[str, Any], free: frozenset[str]) -> dict[str, Any]:
    return {key: _cells(value) if key == "columns" else folded(value) for key, value in item.items()
            if key not in free and not key.startswith("x-")}


def _cells(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: [_cell(cell) for cell in cells] if isinstance(cells, list) else _cell(cells)
            for name, cells in columns.items()}


def _cell(cell: Any) -> Any:
    """A cell without its remark. One that says nothing beside its value is that value."""
    said = _said(cell, frozenset({"note"})) if isinstance(cell, dict) else {"value": folded(cell)}
    return said if len(said) > 1 else said["value"]


def _disputes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    now = [_said(item, REASON) for item in new.get("disputes", [])]
    for item in old.get("disputes", []):
        if _said(item, REASON) not in now:
            yield Changed(f"a dispute about the claim {item['claim']}", Place(("disputes",)))


def _quantities(then: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[Changed]:
    for name, value in then.items():
        if name not in here:
            yield Changed(f"the value of {name}", Place(("quantities",)), value["value"])
            continue
        for key in ("value", "uncertainty", "basis", *ORIGIN):
            before, now = value.get(key, ""), here[name].get(key, "")
            if folded(before) != folded(now) and (before or key not in ORIGIN):
                yield Changed(f"the {key} of {name}", Place(("quantities", name)), before, now)


def _values(then: Mapping[str, Any], here: Mapping[str, Any], at: Pointer) -> Iterator[Changed]:
    for name, value in then.items():
        if name not in here:
            yield Changed(f"the value of {name}", Place(at or ("id",)), str(value))
        elif folded(value) != folded(here[name]):
            yield Changed(f"the value of {name}", Place((*at, name)), str(value), str(here[name]))


def _conflicts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Changed]:
    now = [(entry["quantity"], folded(entry["value"])) for entry in new.get("conflicts", [])]
    for entry in old.get("conflicts", []):
        if (entry["quantity"], folded(entry["value"])) not in now:
            yield Changed(f"a conflicting value of {entry['quantity']}", Place(("conflicts",)), entry["value"], "gone")


def shorten(text: str, longest: int = 60) -> str:
    """A text for a message."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[:longest - 1] + "…"
