"""From one version of the record format to the next, one step at a time, with the proof that nothing else changed."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from specdil_records.authoring import json_text, yaml_text
from specdil_records.authoring.lossless import Lossless, NotEditable
from specdil_records.authoring.passages import field_name, quotable
from specdil_records.authoring.proof import Layout, Owner, comments_fault, layout, same
from specdil_records.claims.locating import Field, prose_fields
from specdil_records.prose.numbers import find_numbers
from specdil_records.reading import Document, read_document
from specdil_records.schemas.catalogue import schema_data, versions

EDITOR_LINE = re.compile(r"(?m)^(#[ \t]*yaml-language-server:[ \t]*\$schema=\S*?)(\d+\.\d+)(/flop\.json[ \t]*\r?)$")
SCALING = re.compile(r"(?P<name>[a-z][a-z0-9_]*) \((?P<effect>.+)\)\s*", re.DOTALL)
KIND = "flop"


class CannotMigrate(Exception):
    """A record that cannot be taken to the next version as it is; the message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: from a version to the next, as data. `plan` gives the record as it has to read afterwards, with an
    entry for its history where the version has one."""

    old: str
    new: str
    plan: Callable[[Mapping[str, Any], Mapping[str, str]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Migrated:
    """A migrated text, the data that it has to hold, and what the proof looked at."""

    text: str
    data: dict[str, Any]
    numbers: int
    effects: int


def migrated(document: Document, version: str, to: str, today: date) -> Migrated:
    """A sound record of a version as one of a later version. Raises `CannotMigrate`, `ExtraMissing`."""
    text = document.text
    name = "record.json" if document.name.lower().endswith(".json") else "record.yaml"
    entry = {"date": today.isoformat(), "change": f"migrated from schema {version} to {to}", "kind": "schema"}
    outcome: Migrated | None = None
    for step in steps(version, to):
        before = read_document(text.encode("utf-8"), name)
        wanted = step.plan(before.data, entry)
        numbers, effects = _unchanged(before.data, wanted)
        try:
            text = json_text.rewritten(text, wanted) if name.endswith("json") else _edited(before, wanted)
        except NotEditable as error:
            raise CannotMigrate(str(error)) from None
        if fault := migration_fault(before, read_document(text.encode("utf-8"), name), wanted):
            # A block of text that the file ends in would get a line end that it does not have.
            torn = "" if before.text.endswith(("\n", "\r")) else "; the last line has no line end, add one first"
            raise CannotMigrate(fault + torn)
        outcome = Migrated(text, wanted, numbers, effects)
    assert outcome is not None, "a migration has at least one step"
    return outcome


def steps(version: str, to: str) -> Iterator[Step]:
    """The steps from one version to a later one."""
    shipped = versions(KIND)
    for old, new in zip(shipped[shipped.index(version):shipped.index(to)],
                        shipped[shipped.index(version) + 1:], strict=False):
        yield next(step for step in STEPS if (step.old, step.new) == (old, new))


# What each step makes of a record ---------------------------------------------------------------------------


def _to_hardware_rows(data: Mapping[str, Any], _: Mapping[str, str]) -> dict[str, Any]:
    """1.0 to 2.0: rows for the quantities of hardware, none of them yet."""
    return _with(data, {"schema_version": "2.0"}, {"affected_by_hardware": {"hardware_parameters": []}})


def _to_claims(data: Mapping[str, Any], entry: Mapping[str, str]) -> dict[str, Any]:
    """2.0 to 3.0: a name, a status, scaling rows, and every number in a claim of basis unverified."""
    rows = [scaling_row(text) for text in data["scales_with"]]
    new = {**data, "scales_with": rows}
    claims = list(unverified_claims(prose_fields(KIND, new)))
    behind: dict[str, Any] = {"claims": claims} if claims else {}
    return _with(data, {"schema_version": "3.0", "scales_with": rows}, {
        "id": {"name": name_of(str(data["id"])), "status": "active"}, "notes": {**behind, "history": [dict(entry)]}})


STEPS = (Step("1.0", "2.0", _to_hardware_rows), Step("2.0", "3.0", _to_claims))


def _with(data: Mapping[str, Any], changed: Mapping[str, Any],
          behind: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Data with some values changed and some entries put behind others."""
    new: dict[str, Any] = {}
    for key, value in data.items():
        new[key] = changed.get(key, value)
        new.update(behind.get(key, {}))
    return new


def scaling_row(text: str) -> dict[str, str]:
    """`name (explanation)` as a row. Raises `CannotMigrate` for a text that is put together otherwise."""
    found = SCALING.fullmatch(text)
    depth, closed = 0, 0
    for character in found["effect"] if found else "":
        depth += {"(": 1, ")": -1}.get(character, 0)
        closed += depth < 0
    if found is None or closed or depth:
        raise CannotMigrate(f"{_short(text)!r} in scales_with is not put together as NAME (EXPLANATION)")
    known = schema_data("3.0", KIND)["$defs"]["scales_row"]["properties"]["parameter"]["enum"]
    if found["name"] not in known:
        raise CannotMigrate(f"{found['name']!r} in scales_with is not in the list of parameters; "
                            "write one of the list before its explanation")
    return {"parameter": found["name"], "effect": found["effect"]}


def name_of(identity: str) -> str:
    """A name in words from the last part of an id."""
    words = identity.rpartition("/")[2].replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def unverified_claims(fields: Mapping[Any, Field], taken: int = 0) -> Iterator[dict[str, Any]]:
    """A claim of basis unverified for every passage that holds a number, in the order of the prose.

    Raises `CannotMigrate` for a number that no passage can hold.
    """
    for field in fields.values():
        covered = 0
        for number in field.numbers:
            if number.exempt is not None or number.end <= covered:
                continue
            partner = field.numbers[number.partner].end if number.partner is not None else number.end
            found = quotable(field, number.start, max(number.end, partner))
            if found is None:
                raise CannotMigrate(f"no passage around {field.text[number.start:number.stop]!r} in "
                                    f"{field_name(field)} can be quoted")
            covered = found.end
            taken += 1
            claim: dict[str, Any] = {"id": f"unverified-{taken}", "in": field_name(field), "quote": found.quote}
            if found.occurrence is not None:
                claim["occurrence"] = found.occurrence
            yield {**claim, "basis": "unverified"}


# The text of a step -----------------------------------------------------------------------------------------


def _edited(before: Document, wanted: Mapping[str, Any]) -> str:
    """The YAML text with what the step changes, each piece in its place."""
    if before.style(()) != "m":
        raise NotEditable("its top is written in braces; write one key a line first")
    line_end = "\r\n" if "\r\n" in before.text else "\n" if "\n" in before.text else "\r"
    editor = Lossless(before.text)

    def piece(value: Any) -> str:
        return yaml_text.block(value).replace("\n", line_end) + line_end

    last = ""
    for key, value in wanted.items():
        if key not in before.data:
            if isinstance(value, str):
                editor.insert_after(last, key, yaml_text.scalar(value) + line_end)
            else:
                editor.insert_after(last, key, piece(value))
        elif key == "scales_with" and not same(before.data[key], value):
            if before.style((key,)) == "s":
                for i, row in enumerate(value):
                    editor.replace_item(key, i, piece(row))
            else:
                editor.set(key, piece(value))
        elif not same(before.data[key], value):
            editor.set(key, f'"{value}"{line_end}')
        last = key
    return _editor_line(editor.text, str(wanted["schema_version"]))


def _editor_line(text: str, version: str) -> str:
    """The comment that tells an editor which schema to use follows the version: it is an instruction, no remark."""
    return EDITOR_LINE.sub(lambda found: found[1] + version + found[3], text)


# The proof --------------------------------------------------------------------------------------------------


def migration_fault(before: Document, after: Document, wanted: Mapping[str, Any]) -> str:
    """What a step has changed beyond its plan; empty if nothing."""
    if after.broken or not same(after.data, dict(wanted)):
        return "the new text does not hold what the step plans"
    if before.name.endswith(".json"):
        return ""
    old, new = layout(_editor_line(before.text, str(wanted["schema_version"]))), layout(after.text)
    changing = {"schema_version"} | ({"scales_with"} if not same(before.data["scales_with"], wanted["scales_with"])
                                     else set())
    for place, source in old.written.items():
        if new.written.get(place) != source and not (place[0] and place[0][0] in changing):
            return "a value would be written otherwise"
    if not new.breaks <= old.breaks and old.breaks:
        return "line ends would change"
    return comments_fault(_by_row(old), _by_row(new))


def _by_row(one: Layout) -> Layout:
    """Comments inside a scaling row stand at the row: the string that they stood at is now more than one value."""
    found = Layout(top=one.top)
    for (text, owner), count in one.comments.items():
        place: Owner = owner[:2] if isinstance(owner, tuple) and owner[:1] == ("scales_with",) else owner
        found.comments[text, place] += count
    return found


def _unchanged(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[int, int]:
    """How many numbers and effects two versions of a record share. Raises `CannotMigrate` unless they share them all:
    the numbers of every field of prose in their order, every effect and magnitude, every claim that was there."""
    old, new = (list(prose_fields(KIND, data).values()) for data in (before, after))
    if len(old) != len(new):
        raise CannotMigrate("a field of prose would be lost")
    count = 0
    for one, two in zip(old, new, strict=True):
        if one.pointer != two.pointer[:len(one.pointer)] or _numbers(one.text) != _numbers(two.text):
            raise CannotMigrate(f"the numbers of {field_name(one)} would change")
        count += len(one.numbers)
        if one.pointer[0] != "scales_with" and one.text != two.text:
            raise CannotMigrate(f"the words of {field_name(one)} would change")
    rows = before.get("hardware_parameters", [])
    if not same(rows, after.get("hardware_parameters", [])) or any(
            not same(before[key], after.get(key)) for key in ("claims", "disputes", "asides") if key in before):
        raise CannotMigrate("a row or a claim would change")
    return count, len(rows)


def _numbers(text: str) -> list[tuple[str, bool]]:
    return [(text[number.start:number.stop], number.exempt is None) for number in find_numbers(text)]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
