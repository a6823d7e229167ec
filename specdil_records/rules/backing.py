"""What stands behind a basis, and whether what is named is there."""
from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from specdil_records.claims import ClaimResult
from specdil_records.claims.disputing import STRENGTH
from specdil_records.claims.quantities import Leaf
from specdil_records.corpus import Corpus, Record, Reference, values_of
from specdil_records.corpus.cards import Backed
from specdil_records.findings import Pointer
from specdil_records.prose.folding import fold
from specdil_records.rules.rule import View

Backing = tuple[str, str]
"""What backs a statement, in words, and the basis that it has."""


def behind(view: View, claim: ClaimResult) -> list[Backing]:
    """Everything that stands behind a settled claim; empty when nothing does."""
    found = backed(view, claim.data)
    for figure in claim.figures:
        found += computed(figure.used)
    for statement in claim.statements:
        found += computed(statement.truth.used if statement.truth else ())
    for target, _ in claim.cited:
        found += _item(view.corpus, target)
    return found


def computed(used: tuple[Leaf, ...]) -> list[Backing]:
    """A result of cited cells and record values is as strong as they are; of conditions alone, it is derived."""
    sourced = {leaf.reference: leaf.basis or "unverified" for leaf in used if leaf.kind in ("record", "cell")}
    return list(sourced.items()) or [("what is computed from the claim's own inputs", "derived")]


def rows_with_basis(view: View) -> Iterable[tuple[Pointer, Mapping[str, Any]]]:
    """Every row of the record that states a basis, with its place."""
    for key in ("scales_with", "hardware_parameters"):
        for i, row in enumerate(view.data.get(key, [])):
            if isinstance(row, dict) and "basis" in row:
                yield (key, i), row


def row_backing(view: View, row: Mapping[str, Any]) -> list[Backing]:
    """What backs a row: what it names, and a trend of its own, which is derived."""
    return backed(view, row) + ([("the row's trend", "derived")] if "trend" in row else [])


def sourced(view: View) -> Iterable[tuple[Pointer, Mapping[str, Any]]]:
    """The values of an accelerator, and a model as a whole, that state a basis and name a source."""
    if not view.record.sound:
        return
    stated: list[tuple[Pointer, Mapping[str, Any]]] = [((), view.data)] if view.record.kind == "model" else []
    if view.record.kind == "accelerator":
        stated = [(("quantities", name), value) for name, value in values_of(view.data, "quantities").items()]
    yield from ((at, value) for at, value in stated if "basis" in value and "source" in value)


def source_backing(view: View, value: Mapping[str, Any]) -> list[Backing]:
    """What stands at the very place that a value names in its source, the strongest of it; and the source as such.

    A data sheet specifies; nobody has measured there.
    """
    source = view.corpus.find("source", value["source"])
    if source is None or not source.sound:
        return []
    place = fold(str(value.get("locator", ""))).text.casefold()
    there = [one["basis"] for key in ("tables", "quotes") for one in source.data.get(key, [])
             if place and fold(one.get("locator", "")).text.casefold() == place]
    found = [(f"{source.tail}, {value['locator']},", max(there, key=STRENGTH.index))] if there else []
    return [*found, (f"{source.tail}, a data sheet,", "specified")] if source.data["kind"] == "data-sheet" else found


def backed(view: View, data: Mapping[str, Any]) -> list[Backing]:
    """What `backed_by` names, each with its basis."""
    named = data.get("backed_by", [])
    found: list[Backing] = []
    for target in [named] if isinstance(named, str) else named:
        found += _named(view, target)
    return found


def _named(view: View, target: str) -> list[Backing]:
    if "#" in target:
        return _item(view.corpus, target)
    claims = view.data.get("claims", [])
    own = next((claim for claim in claims if claim["id"] == target), None)
    if own is not None:
        return [(f"claim {target}", basis_of(own, claims))]
    name, _, quantity = target.rpartition(".")
    record = view.corpus.find("accelerator", name) or view.corpus.find("model", name)
    if record is None or not record.sound:
        return [(target, "measured")]  # not there: told as an unresolved reference, and no second time
    if record.kind == "accelerator":
        entry = record.data["quantities"].get(quantity, {"basis": "measured"})  # not there: told likewise
        return [(target, entry["basis"])]
    return [(target, record.data.get("basis", "reported"))]


def _item(corpus: Corpus, target: str) -> list[Backing]:
    name, _, item = target.partition("#")
    record = corpus.find("source", name) or corpus.find("flop", name)
    if record is None or not record.sound:
        return [(target, "measured")]
    entries = [*record.data.get("tables", []), *record.data.get("quotes", []), *record.data.get("claims", [])]
    entry = next((one for one in entries if one["id"] == item), None)
    if entry is None:
        return [(target, "measured")]
    return [(target, basis_of(entry, record.data.get("claims", [])))]


def basis_of(entry: Mapping[str, Any], claims: list[Mapping[str, Any]]) -> str:
    """The basis of a claim, table or quote; a claim that repeats another has that one's."""
    base: Mapping[str, Any] = next((claim for claim in claims if claim["id"] == entry.get("same_as")), {})
    return str(entry.get("basis", base.get("basis", "unverified")))


def missing(view: View, reference: Reference) -> str | None:
    """What is not there of what a reference names; None when it resolves."""
    if not reference.kinds:
        claims = [claim["id"] for claim in view.data.get("claims", [])]
        if reference.name in claims:
            return None
        return (f"no claim of this record is called {reference.name!r}{nearest(reference.name, claims)}; a source is "
                "named as SOURCE#item, an accelerator as ACCELERATOR.quantity")
    record = view.corpus.resolve(reference)
    if record is None:
        known = [tail for kind in reference.kinds for tail in view.corpus.tails(kind)]
        return f"there is no {' or '.join(reference.kinds)} {reference.name!r}{nearest(reference.name, known)}"
    if not record.sound:
        return None
    if reference.item is None:
        return None if reference.whole else f"{record.tail} as a whole backs nothing; name its item: {record.tail}#..."
    items = [*values_of(record.data, "quantities"), *values_of(record.data, "shape")]
    items += [one["id"] for key in ("tables", "quotes", "claims") for one in record.data.get(key, [])]
    if "cites" in reference.pointer:
        items = [one["id"] for one in record.data.get("quotes", [])]
    if reference.item in items:
        return None
    return f"{record.tail} has no {reference.item!r}{nearest(reference.item, items)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """The nearest known name as the end of a message, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


@dataclass(frozen=True, slots=True)
class Node:
    """A member of a chain: a record, or one of its claims."""

    path: str
    name: str
    pointer: Pointer


def cycles(corpus: Corpus) -> list[tuple[Node, ...]]:
    """Every circle of records that supersede, or of claims that back, each other."""
    if "cycles" not in corpus.notes:
        corpus.notes["cycles"] = _circles(_edges(corpus))
    found: list[tuple[Node, ...]] = corpus.notes["cycles"]
    return found


def _circles(edges: dict[Node, set[Node]]) -> list[tuple[Node, ...]]:
    found: list[tuple[Node, ...]] = []
    while True:
        try:
            TopologicalSorter(edges).prepare()
            return found
        except CycleError as error:
            nodes: list[Node] = error.args[1][:-1]
            # graphlib lists a circle against its direction; turn it, and open it for the next search.
            members = tuple(reversed(nodes))
            found.append(members)
            for node in members:
                edges[node] = edges[node] - set(members)


def _edges(corpus: Corpus) -> dict[Node, set[Node]]:
    edges: dict[Node, set[Node]] = {}
    for record in corpus.own:
        card = record.card
        if card is None:
            continue
        if card.superseded_by is not None:
            other = corpus.find(card.kind, card.superseded_by)
            if other is not None:
                edges.setdefault(_record_node(record), set()).add(_record_node(other))
        for backing in card.backing:
            for target in backing.targets:
                there = _claim_node(corpus, record, target)
                if there is not None:
                    edges.setdefault(_node(record, backing), set()).add(there)
    return edges


def _record_node(record: Record) -> Node:
    return Node(record.path, record.tail, ("superseded_by",))


def _node(record: Record, backing: Backed) -> Node:
    return Node(record.path, f"{record.tail}#{backing.claim}", ("claims", backing.at, "backed_by"))


def _claim_node(corpus: Corpus, record: Record, target: str) -> Node | None:
    """The claim that is named, where it names others in its turn; one that does not is in no circle."""
    name, hash_, item = target.partition("#")
    there = corpus.find("flop", name) if hash_ else record
    wanted = item if hash_ else target
    if there is None or there.card is None:
        return None
    return next((_node(there, backing) for backing in there.card.backing if backing.claim == wanted), None)


__all__ = ["STRENGTH", "backed", "behind", "cycles", "missing", "nearest"]
