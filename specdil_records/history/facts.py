"""A record as single statements that can be compared: each with a name that survives moving and rewording.

Prose is not among them, nor are remarks; the numbers of the prose are compared in their order.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from specdil_records.claims.subjects import cell_text
from specdil_records.corpus import Record, values_of
from specdil_records.findings import Pointer
from specdil_records.rules.changed import folded, shorten

NUMBER = re.compile(r"[0-9][0-9.,]*")
DESCRIPTIVE = frozenset({"name", "title", "because", "note", "notes", "caption", "locator", "vendor", "memory_type",
                         "interconnect", "retrieved", "published", "authors", "year", "version", "quote", "in", "at",
                         "read", "text", "change", "by"})
"""Keys whose values are remarks, or follow the prose."""

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: its category and subject are its name, `value` is compared, `shown` is what a reader sees."""

    category: str
    subject: str
    value: str
    pointer: Pointer
    shown: str

    @property
    def key(self) -> Key:
        """What makes two facts the same statement."""
        return self.category, self.subject


def facts(record: Record) -> dict[Key, Fact]:
    """Every fact of a sound record; of several of one name, the later ones are numbered.

    Of the facts about one item of a list (a claim, a table, a row) the first stands for the item itself.
    """
    found: dict[Key, Fact] = {}
    seen: Counter[Key] = Counter()
    for fact in _facts(record):
        seen[fact.key] += 1
        if seen[fact.key] > 1:
            fact = Fact(fact.category, f"{fact.subject} ({seen[fact.key]})", fact.value, fact.pointer, fact.shown)
        found[fact.key] = fact
    return found


def _facts(record: Record) -> Iterator[Fact]:
    data = record.data
    yield _fact("record", "status", data.get("status", "active"), ("status",))
    if "superseded_by" in data:
        yield _fact("reference", "superseded by", data["superseded_by"], ("superseded_by",))
    yield from _claims(data)
    yield from _disputes(data)
    for i, aside in enumerate(data.get("asides", [])):
        yield _fact("aside", plain(aside["text"]), aside["kind"], ("asides", i))
    yield from {"flop": _flop, "accelerator": _accelerator, "model": _model, "source": _source}[str(record.kind)](data)


def _fact(category: str, subject: str, value: Any, pointer: Pointer, shown: str | None = None) -> Fact:
    text = value if isinstance(value, str) else _written(value)
    return Fact(category, " ".join(subject.split()), str(folded(text)), pointer, text if shown is None else shown)


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_written(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    return "true" if value is True else "false" if value is False else str(value)


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def plain(anchor: str) -> str:
    """An anchor without its digits, so that it stays the same one when they are edited."""
    return shorten(NUMBER.sub("#", anchor), 80)


# Claims and disputes ----------------------------------------------------------------------------------------


def _claims(data: Mapping[str, Any]) -> Iterator[Fact]:
    for i, claim in enumerate(data.get("claims", [])):
        at: Pointer = ("claims", i)
        label = f"claim {claim['id']}"
        yield _fact("claim", label, "", at, shorten(claim["quote"], 100))
        if "basis" in claim:
            yield _fact("basis", label, claim["basis"], (*at, "basis"))
        for anchor, text in claim.get("figures", {}).items():
            yield _fact("expression", f"{label}, {plain(anchor)}", text, (*at, "figures", anchor))
        for j, text in enumerate(claim.get("holds", [])):
            yield _fact("conclusion", f"{label}: {text}", "", (*at, "holds", j), "")
        yield from _conditions(claim, label, at)
        yield from _names(claim, label, at)


def _conditions(claim: Mapping[str, Any], label: str, at: Pointer) -> Iterator[Fact]:
    for anchor, name in claim.get("held", {}).items():
        yield _fact("condition", f"{label}, {plain(anchor)} is held as", name, (*at, "held", anchor))
    for key in ("assume", "over", "tolerance"):
        for name, value in claim.get(key, {}).items():
            yield _fact("condition", f"{label}, {key} {plain(name)}", value, (*at, key, name))
    for name in claim.get("read", {}):
        yield _fact("condition", f"{label}, reads {name}", "", (*at, "read", name), "")


def _names(claim: Mapping[str, Any], label: str, at: Pointer) -> Iterator[Fact]:
    for alias, name in claim.get("of", {}).items():
        yield _fact("reference", f"{label}, {alias}", name, (*at, "of", alias))
    for words, target in claim.get("cites", {}).items():
        yield _fact("reference", f"{label} cites {target}", "", (*at, "cites", words), "")
    if "same_as" in claim:
        yield _fact("reference", f"{label} repeats", claim["same_as"], (*at, "same_as"))
    for target in _listed(claim.get("backed_by")):
        yield _fact("reference", f"{label} is backed by {target}", "", (*at, "backed_by"), "")


def _disputes(data: Mapping[str, Any]) -> Iterator[Fact]:
    for i, dispute in enumerate(data.get("disputes", [])):
        about = str(dispute.get("figure") or dispute.get("words") or dispute.get("basis") or "")
        label = f"claim {dispute['claim']}, {plain(about)}"
        said = {key: dispute[key] for key in ("against", "means", "at", "basis", "own_model") if key in dispute}
        yield _fact("dispute", label, said, ("disputes", i))
        for j, name in enumerate(dispute.get("sources", [])):
            yield _fact("reference", f"dispute about {label}: {name}", "", ("disputes", i, "sources", j), "")


# The kinds --------------------------------------------------------------------------------------------------


def _flop(data: Mapping[str, Any]) -> Iterator[Fact]:
    for i, row in enumerate(data["scales_with"]):
        if isinstance(row, str):
            yield _fact("effect", f"scales with {row.partition(' (')[0]}", "", ("scales_with", i), "")
            continue
        label = f"scales with {row['parameter']}"
        yield _fact("effect", label, "", ("scales_with", i), "")
        if "trend" in row:
            said = {key: row["trend"][key] for key in ("is", "of", "in", "over", "assume") if key in row["trend"]}
            yield _fact("conclusion", f"trend of {row['parameter']}", said, ("scales_with", i, "trend"))
        yield from _behind(row, label, ("scales_with", i))
    for i, row in enumerate(data.get("hardware_parameters", [])):
        label = f"row {row['parameter']}"
        yield _fact("effect", label, row["effect"], ("hardware_parameters", i, "effect"))
        if "magnitude" in row:
            yield _fact("figure", f"{label}, magnitude", row["magnitude"], ("hardware_parameters", i, "magnitude"))
        yield from _behind(row, label, ("hardware_parameters", i))
        for j, name in enumerate(row["values_for"]):
            yield _fact("reference", f"{label} has values for {name}", "", ("hardware_parameters", i, "values_for", j),
                        "")
    for key, words in (("affected_by_hardware", "affects"), ("mentions", "mentions")):
        for i, name in enumerate(data.get(key, [])):
            yield _fact("reference", f"{words} {name}", "", (key, i), "")


def _behind(row: Mapping[str, Any], label: str, at: Pointer) -> Iterator[Fact]:
    if "basis" in row:
        yield _fact("basis", label, row["basis"], (*at, "basis"))
    for target in _listed(row.get("backed_by")):
        yield _fact("reference", f"{label} is backed by {target}", "", (*at, "backed_by"), "")


def _accelerator(data: Mapping[str, Any]) -> Iterator[Fact]:
    for name, entry in values_of(data, "quantities").items():
        at: Pointer = ("quantities", name)
        yield _fact("value", name, _with_uncertainty(entry["value"], entry), (*at, "value"))
        yield from _provenance(entry, name, at)
    for i, entry in enumerate(data.get("conflicts", [])):
        label = f"conflicting {entry['quantity']} of {entry.get('source', 'no source')}"
        yield _fact("value", label, entry["value"], ("conflicts", i, "value"))
        yield from _provenance({key: value for key, value in entry.items() if key != "source"}, label, ("conflicts", i))


def _provenance(entry: Mapping[str, Any], label: str, at: Pointer) -> Iterator[Fact]:
    for key in ("basis", "seen"):
        if key in entry:
            yield _fact("basis", label if key == "basis" else f"{label}, seen", entry[key], (*at, key))
    if "source" in entry:
        yield _fact("reference", f"{label}, source", entry["source"], (*at, "source"))


def _with_uncertainty(text: str, entry: Mapping[str, Any]) -> str:
    return f"{text} ± {entry['uncertainty']}" if "uncertainty" in entry else text


def _model(data: Mapping[str, Any]) -> Iterator[Fact]:
    for name, value in values_of(data, "shape").items():
        yield _fact("value", name, value, ("shape", name))
    for name in ("parameters", "active_parameters", "matmul_parameters", "kv_bytes_per_token"):
        if name in data:
            yield _fact("value", name, data[name], (name,))
    yield from _provenance(data, "the shape", ())


def _source(data: Mapping[str, Any]) -> Iterator[Fact]:
    yield _fact("record", "kind of source", data["kind"], ("kind",))
    for name, value in values_of(data, "identifiers").items():
        yield _fact("reference", name, value, ("identifiers", name))
    if "seen" in data:
        yield _fact("basis", "the source, seen", data["seen"], ("seen",))
    for i, table in enumerate(data.get("tables", [])):
        yield from _table(table, ("tables", i))
    for i, quote in enumerate(data.get("quotes", [])):
        yield _fact("quote", f"#{quote['id']}", quote["text"], ("quotes", i, "text"))
        yield from _item(quote, ("quotes", i))


def _item(item: Mapping[str, Any], at: Pointer) -> Iterator[Fact]:
    for key in ("basis", "seen"):
        if key in item:
            yield _fact("basis", f"#{item['id']}" + (", seen" if key == "seen" else ""), item[key], (*at, key))
    for name, value in item.get("conditions", {}).items():
        yield _fact("condition", f"#{item['id']}, {name}", value, (*at, "conditions", name))


def _table(table: Mapping[str, Any], at: Pointer) -> Iterator[Fact]:
    rows = row_names(table)
    columns = len(table["columns"])
    yield _fact("table", f"#{table['id']}", "", at, f"{columns} column{'s' if columns != 1 else ''} of "
                f"{len(rows) or 1} cell{'s' if len(rows) > 1 else ''}")
    yield from _item(table, at)
    for name, unit in table.get("unit", {}).items():
        yield _fact("cell", f"#{table['id']}, unit of {name}", unit, (*at, "unit", name))
    for name, cells in table["columns"].items():
        listed = cells if isinstance(cells, list) else [cells]
        for row, cell in enumerate(listed):
            text, details = cell_text(cell, None)
            pointer: Pointer = (*at, "columns", name) + ((row,) if isinstance(cells, list) else ())
            label = f"#{table['id']}, {name}" + (f" at {rows[row]}" if row < len(rows) else "")
            yield _fact("cell", label, _with_uncertainty(text, details), pointer)


def row_names(table: Mapping[str, Any]) -> list[str]:
    """What tells the rows of a table apart: the fewest first columns that do, else their numbers.

    Columns without a unit come first: those with one hold what was measured.
    """
    lists = {name: [cell_text(cell, None)[0] for cell in cells] for name, cells in
             sorted(table["columns"].items(), key=lambda column: column[0] in table.get("unit", {}))
             if isinstance(cells, list)}
    count = max(map(len, lists.values()), default=0)
    chosen: list[str] = []
    for name, cells in lists.items():
        if len(cells) != count:
            continue
        chosen.append(name)
        labels = [", ".join(f"{key}={lists[key][row]}" for key in chosen) for row in range(count)]
        if len(set(labels)) == count:
            return labels
        if len(chosen) == 4:
            break
    return [f"row {row + 1}" for row in range(count)]


__all__ = ["DESCRIPTIVE", "Fact", "Key", "facts", "plain", "row_names"]
