"""What the rest of a corpus has to know of a record, so small that it is kept between runs.

An index card in place of the book: a corpus of which nothing but cards is at hand resolves every reference, tells who
rests on whom and which claims back each other, and reads the records themselves only when they are judged.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from specdil_records.corpus.references import references


class Name(NamedTuple):
    """Another record as a record names it, and the kinds that it may be of, the first that has it winning."""

    kinds: tuple[str, ...]
    name: str


class Backed(NamedTuple):
    """A claim, by its place in the record and its id, and the claims that are said to back it."""

    at: int
    claim: str
    targets: tuple[str, ...]


class Stated(NamedTuple):
    """A table, by its place in its source, that says something of an accelerator or a model."""

    at: int
    kind: str
    thing: str
    conditions: tuple[tuple[str, str], ...]
    """What else held for it, by name."""
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One sound record, for the others."""

    id: str
    kind: str
    version: str
    names: tuple[Name, ...] = ()
    title: str = ""
    places: tuple[str, ...] = ()
    """The locators of a source's tables and quotes."""
    superseded_by: str | None = None
    status: str = "active"
    backing: tuple[Backed, ...] = ()
    stated: tuple[Stated, ...] = ()


def card_of(identity: str, kind: str, version: str, data: dict[str, Any]) -> Card:
    """The card of a record that fits its schema."""
    named = dict.fromkeys(Name(one.kinds, one.name) for one in references(kind, data) if one.kinds)
    title = data.get("title")
    superseded = data.get("superseded_by")
    return Card(
        identity, kind, version, tuple(named), title if isinstance(title, str) else "",
        tuple(one["locator"] for key in ("tables", "quotes") for one in data.get(key, []) if "locator" in one),
        superseded if isinstance(superseded, str) else None, data.get("status", "active"),
        tuple(Backed(i, claim["id"], _texts(claim["backed_by"])) for i, claim in enumerate(data.get("claims", []))
              if claim.get("backed_by")),
        tuple(_stated(data) if kind == "source" else ()))


def _stated(source: dict[str, Any]) -> Iterator[Stated]:
    for at, table in enumerate(source.get("tables", [])):
        conditions = {name: str(value) for name, value in table.get("conditions", {}).items()}
        for kind in ("accelerator", "model"):
            if kind in conditions:
                others = sorted((name, value) for name, value in conditions.items() if name != kind)
                yield Stated(at, kind, conditions[kind], tuple(others), tuple(table["columns"]))


def _texts(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@cache
def _name(kinds: tuple[str, ...], name: str) -> Name:
    """A name, once for all the records that name it."""
    return Name(kinds, name)


def written(card: Card) -> str:
    """A card as text."""
    return json.dumps([card.id, card.kind, card.version, card.names, card.title, card.places, card.superseded_by,
                       card.status, card.backing, card.stated], ensure_ascii=True, separators=(",", ":"))


def read(text: str) -> Card:
    """A card from its text. Raises `ValueError` or `TypeError` for another text."""
    identity, kind, version, names, title, places, superseded, status, backing, stated = json.loads(text)
    kind, version, status = map(sys.intern, (kind, version, status))  # one of each, not one a card
    return Card(identity, kind, version, tuple(_name(tuple(kinds), name) for kinds, name in names), title,
                tuple(places), superseded, status,
                tuple(Backed(at, claim, tuple(targets)) for at, claim, targets in backing),
                tuple(Stated(at, kind, thing, tuple((name, value) for name, value in conditions), tuple(columns))
                      for at, kind, thing, conditions, columns in stated))
