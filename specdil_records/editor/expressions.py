"""Where expressions stand in a record, and what the names in one of them mean."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from specdil_records import roofline
from specdil_records.claims.language import FUNCTIONS, STATEMENTS
from specdil_records.claims.subjects import QUANTITIES, SHAPE
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Pointer

ABOUT = {
    "min": "min(a, b, …): the least of them", "max": "max(a, b, …): the greatest of them",
    "abs": "abs(a): without its sign", "ceil": "ceil(a): rounded up to a whole number",
    "floor": "floor(a): rounded down to a whole number",
    "bytes_per": 'bytes_per("bf16"): bytes of one element of a number format',
    "cited": 'cited("source", "table", "column", key=value): a cell of a table of a source',
    "increasing": "increasing(a, x): a grows with x at every point", "decreasing": "decreasing(a, x): a falls with x",
    "constant": "constant(a, x): a does not move with x", "tends": "tends(a, x, limit): what a comes to as x grows",
    "agrees": "agrees(a, b): the intervals meet",
}
"""The functions and statements of the language that are no catalogue entries."""


def is_expression(pointer: Pointer) -> bool:
    """Whether the value at a pointer is an expression or a statement."""
    match pointer:
        case ("claims", _, "figures", _) | ("claims", _, "holds", _) | ("disputes", _, "against" | "means"):
            return True
        case ("scales_with", _, "trend", "of"):
            return True
    return False


def claim_of(data: Mapping[str, Any], pointer: Pointer) -> Mapping[str, Any]:
    """The claim whose names an expression may use: the one around it, or the one that a dispute is about."""
    match pointer:
        case ("claims", int(index), *_):
            return item(data.get("claims"), index)
        case ("disputes", int(index), *_):
            wanted = item(data.get("disputes"), index).get("claim")
            claims = data.get("claims")
            return next((claim for claim in claims if isinstance(claim, dict) and claim.get("id") == wanted), {}) \
                if isinstance(claims, list) else {}
        case ("scales_with", int(index), *_):
            trend = item(data.get("scales_with"), index).get("trend")
            return trend if isinstance(trend, dict) else {}
    return {}


def item(entries: Any, index: int) -> Mapping[str, Any]:
    """An entry of a list as a mapping; empty when it is none."""
    if isinstance(entries, list) and 0 <= index < len(entries) and isinstance(entries[index], dict):
        found: Mapping[str, Any] = entries[index]
        return found
    return {}


def names_of(claim: Mapping[str, Any]) -> dict[str, str]:
    """The names that a claim brings in, each with what it stands for."""
    found: dict[str, str] = {}
    for part, words in (("read", "read from the prose: {}"), ("assume", "assumed: {}"), ("over", "over {}"),
                        ("of", "the record {}")):
        entries = claim.get(part)
        if isinstance(entries, dict):
            for name, value in entries.items():
                shown = value.get("at", "") if isinstance(value, dict) else value
                found[name] = words.format(shown)
    return found


def subject(claim: Mapping[str, Any], alias: str, corpus: Corpus) -> Record | None:
    """The accelerator or model that a claim brings in under a name."""
    of = claim.get("of")
    name = of.get(alias) if isinstance(of, dict) else None
    if not isinstance(name, str):
        return None
    return corpus.find("accelerator", name) or corpus.find("model", name)


def quantities_of(record: Record) -> dict[str, str]:
    """What `alias.QUANTITY` may name of a record, with the value where the record has one."""
    if record.kind == "model":
        shape = record.data.get("shape", {})
        return {name: str(shape[name]) for name in SHAPE if shape.get(name) is not None}
    quantities = record.data.get("quantities", {})
    return {name: str(quantities[name].get("value", "")) for name in QUANTITIES if name in quantities}


def about_entry(entry: roofline.Entry) -> str:
    """A catalogue entry in Markdown: signature, summary, formula, unit, source."""
    lines = [f"```python\n{roofline.signature(entry)}\n```", entry.summary, "",
             f"- formula: `{entry.formula}`", f"- unit: {str(entry.dimension) or 'a bare number'}",
             f"- source: {entry.source}", f"- exactness: {entry.exactness}"]
    lines += [f"- {direction} in `{argument}`" for argument, direction in entry.monotone.items()]
    return "\n".join(lines)


__all__ = ["ABOUT", "FUNCTIONS", "STATEMENTS", "about_entry", "claim_of", "is_expression", "item", "names_of",
           "quantities_of", "subject"]
