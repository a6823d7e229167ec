"""Every place where a record names another one, as data: kind by kind, pointer by pointer."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from specdil_records.corpus.values import values_of
from specdil_records.findings import Pointer

CITED = re.compile(r"""\bcited\(\s*(["'])(?P<source>[^"'\\]{1,200})\1(?=\s*[,)])"""
                   r"""(?:\s*,\s*(["'])(?P<item>[^"'\\]{1,200})\3(?=\s*[,)]))?""")
"""The source, and the item where one is written, of a `cited(...)` as nearly everybody writes it.

What is written otherwise is read as the expression language reads it.
"""
LONGEST_EXPRESSION = 500

TAIL = re.compile(r"[a-z0-9]+([-.][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Reference:
    """A name at a place in a record, and the kinds of record that it may mean, the first that has it winning.

    `item` is what stands behind `#`: a claim, a table or a quote of the named record. `inside` marks a name inside an
    expression, whose own evaluation tells when it does not resolve.
    """

    pointer: Pointer
    name: str
    kinds: tuple[str, ...]
    item: str | None = None
    inside: bool = False
    whole: bool = True
    """Whether the record as a whole may be meant; else an item has to be named."""


def references(kind: str | None, data: dict[str, Any]) -> tuple[Reference, ...]:
    """All references of a record that fits its schema."""
    found: list[Reference] = []
    if kind == "flop":
        found += _flop(data)
    elif kind == "accelerator":
        found += [Reference(("quantities", name, "source"), value["source"], ("source",))
                  for name, value in values_of(data, "quantities").items() if "source" in value]
        found += [Reference(("conflicts", i, "source"), entry["source"], ("source",))
                  for i, entry in enumerate(data.get("conflicts", [])) if "source" in entry]
    elif kind == "model":
        found += [Reference(("source",), data["source"], ("source",))] if "source" in data else []
    elif kind == "source":
        found += list(_conditions(data))
    if kind is not None and isinstance(data.get("superseded_by"), str):
        found.append(Reference(("superseded_by",), data["superseded_by"], (kind,)))
    found += list(_claims(data, _claim_ids(data)))
    return tuple(found)


def _claim_ids(data: dict[str, Any]) -> frozenset[str]:
    return frozenset(claim["id"] for claim in data.get("claims", []))


def _flop(data: dict[str, Any]) -> Iterator[Reference]:
    claims = _claim_ids(data)
    for i, name in enumerate(data.get("affected_by_hardware", [])):
        yield Reference(("affected_by_hardware", i), name, ("accelerator",))
    for i, row in enumerate(data.get("hardware_parameters", [])):
        for j, name in enumerate(row.get("values_for", [])):
            yield Reference(("hardware_parameters", i, "values_for", j), name, ("accelerator",))
        yield from _backed_by(row, ("hardware_parameters", i), claims)
    for i, row in enumerate(data.get("scales_with", [])):
        if isinstance(row, dict):
            yield from _backed_by(row, ("scales_with", i), claims)
            yield from cited_sources(row.get("trend", {}).get("of"), ("scales_with", i, "trend", "of"))
    for i, name in enumerate(data.get("mentions", [])):
        yield Reference(("mentions", i), name, ("flop",))


def _conditions(data: dict[str, Any]) -> Iterator[Reference]:
    for i, table in enumerate(data.get("tables", [])):
        conditions = table.get("conditions", {})
        for key, kinds in (("accelerator", ("accelerator",)), ("model", ("model",))):
            # A name in words, such as one with capitals or blanks, means something that has no record.
            if isinstance(conditions.get(key), str) and TAIL.fullmatch(conditions[key].removeprefix(f"{key}s/")):
                yield Reference(("tables", i, "conditions", key), conditions[key], kinds)


def _claims(data: dict[str, Any], claims: frozenset[str]) -> Iterator[Reference]:
    for i, claim in enumerate(data.get("claims", [])):
        at: Pointer = ("claims", i)
        for alias, name in claim.get("of", {}).items():
            yield Reference((*at, "of", alias), name, ("accelerator", "model"))
        for words, target in claim.get("cites", {}).items():
            yield split((*at, "cites", words), target, ("source",))
        yield from _backed_by(claim, at, claims)
        for anchor, text in claim.get("figures", {}).items():
            yield from cited_sources(text, (*at, "figures", anchor))
        for j, text in enumerate(claim.get("holds", [])):
            yield from cited_sources(text, (*at, "holds", j))
    for i, dispute in enumerate(data.get("disputes", [])):
        at = ("disputes", i)
        for j, name in enumerate(dispute.get("sources", [])):
            yield split((*at, "sources", j), name, ("source",), whole=True)
        if "basis" in dispute and isinstance(dispute.get("against"), str):
            yield split((*at, "against"), dispute["against"], ("source",))
        elif isinstance(dispute.get("against"), str):
            yield from cited_sources(dispute["against"], (*at, "against"))
        if isinstance(dispute.get("means"), str):
            yield from cited_sources(dispute["means"], (*at, "means"))


def _backed_by(data: dict[str, Any], at: Pointer, claims: frozenset[str]) -> Iterator[Reference]:
    backing = data.get("backed_by")
    listed = isinstance(backing, list)
    for j, target in enumerate(backing if isinstance(backing, list) else [backing]):
        if not isinstance(target, str):
            continue
        pointer: Pointer = (*at, "backed_by", j) if listed else (*at, "backed_by")
        name, _, quantity = target.rpartition(".")
        if "#" in target:
            yield split(pointer, target, ("flop",) if target.startswith("flops/") else ("source", "flop"))
        elif name and quantity.isidentifier() and target not in claims:  # the id of a claim may hold a dot
            yield Reference(pointer, name, ("accelerator", "model"), quantity)
        else:
            yield Reference(pointer, target, ())  # a claim of the record's own


def split(pointer: Pointer, target: str, kinds: tuple[str, ...], whole: bool = False) -> Reference:
    """A reference written `NAME#ITEM`."""
    name, hash_, item = target.partition("#")
    return Reference(pointer, name, kinds, item or None, whole=whole and not hash_)


def cited_sources(text: Any, pointer: Pointer) -> Iterator[Reference]:
    """The sources that an expression cites, found without evaluating it: enough to know what depends on what."""
    if isinstance(text, str) and "cited" in text:
        for name in _cited_names(text):
            yield Reference(pointer, name, ("source",), None, True)


def _cited_names(text: str) -> list[str]:
    names = [match["source"] for match in CITED.finditer(text)]
    if len(names) == text.count("cited") or not text.isascii() or len(text.strip()) > LONGEST_EXPRESSION:
        return names
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(" ".join(text.split()), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return names  # no expression: its own evaluation says so
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    first = (node.args[0] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "cited")
    return [part.value for part in first if isinstance(part, ast.Constant) and isinstance(part.value, str)]
