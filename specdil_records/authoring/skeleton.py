"""A new record: what its schema requires, nothing invented, and from a text of prose whatever can be taken from it."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from specdil_records.authoring import yaml_text
from specdil_records.authoring.migrating import CannotMigrate, name_of, unverified_claims
from specdil_records.authoring.passages import sentences
from specdil_records.claims.locating import prose_fields
from specdil_records.corpus import KINDS, Corpus
from specdil_records.schemas.catalogue import schema_data, versions

FOLDERS = {kind: folder for folder, kind in KINDS.items()}
TO_FILL = "to-be-named"
"""Where another record has to be named that is not known yet."""

_ITEM = re.compile(r"[-*\u2022][ \t]+")
_STANDS = ("grow", "shrink", "fall", "rise", "fade", "drop", "scale", "increase", "decrease", "raise", "lower",
           "cost", "limit", "bound", "dominate", "vanish", "decline", "depend", "lengthen", "shorten")
"""A sentence that has one of these beside the name of a parameter says how the problem moves with it."""

SCALING_WORDS = {
    "batch_size": "batch", "draft_k": "draft length|drafted tokens?|drafts", "acceptance_rate": "acceptance",
    "draft_model_size": "draft model", "context_length": "context", "experts": "experts",
    "tensor_parallelism": "tensor parallel(?:ism)?", "kv_bytes": "kv cache|cache", "weight_bytes": "weights",
}
HARDWARE_WORDS = {
    "memory_bandwidth": "bandwidth", "memory_capacity": "memory capacity|capacity", "tdp": "power",
    "interconnect_bandwidth": "interconnect|nvlink",
}


class CannotBegin(Exception):
    """A record that cannot be made of what was given; the message says why."""


def skeleton(kind: str, identity: str) -> dict[str, Any]:
    """The keys that a record needs, each with the emptiest value that its schema allows."""
    version = versions(kind)[-1]
    head = {"schema_version": version, "id": identity}
    name = name_of(identity)
    if kind == "flop":
        return {**head, "name": name, "status": "active", "arithmetic_intensity": "", "scales_with": [],
                "affected_by_hardware": [], "hardware_parameters": [], "workarounds": [], "notes": ""}
    if kind == "accelerator":
        return {**head, "name": name, "quantities": {}}
    if kind == "model":
        shape = schema_data(version, kind)["$defs"]["shape"]
        counts = dict.fromkeys([*shape["required"], "kv_heads", "ffn_size"], 1)
        return {**head, "name": name, "shape": {key: counts[key] for key in shape["properties"] if key in counts},
                "source": TO_FILL}
    return {**head, "kind": "paper", "title": name}


def from_text(identity: str, text: str, corpus: Corpus) -> dict[str, Any]:
    """A flop record of a text: the first paragraph is its intensity, items are its workarounds, the rest its notes.

    Rows are proposed from sentences that name a parameter; every number is in a claim of basis unverified. Raises
    `CannotBegin`.
    """
    paragraphs, items = _parts(text)
    if not paragraphs:
        raise CannotBegin("the text has no paragraph of prose")
    data = skeleton("flop", identity)
    data["arithmetic_intensity"] = paragraphs[0]
    data["workarounds"] = items
    data["notes"] = "\n".join(paragraphs[1:])
    listed = [sentence for paragraph in paragraphs for sentence in _sentences(paragraph)]
    data["scales_with"] = [{"parameter": name, "effect": effect}
                           for name, effect in _rows(list(filter(_stands, listed)), SCALING_WORDS)]
    data["hardware_parameters"] = [{"parameter": name, "effect": effect, "basis": "unverified", "values_for": []}
                                   for name, effect in _rows(listed, HARDWARE_WORDS)]
    data["affected_by_hardware"] = list(_accelerators(text, corpus))
    try:
        claims = list(unverified_claims(prose_fields("flop", data)))
    except CannotMigrate as error:
        raise CannotBegin(str(error)) from None
    return {**data, "claims": claims} if claims else data


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Paragraphs with their lines joined, and the items of lists."""
    paragraphs: list[str] = []
    items: list[str] = []
    for part in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines: list[str] = []
        listing = False
        for line in filter(None, (line.strip() for line in part.split("\n"))):
            if found := _ITEM.match(line):
                items.append(line[found.end():])
                listing = True
            elif listing:
                items[-1] += " " + line
            else:
                lines.append(line)
        if lines:
            paragraphs.append(" ".join(lines))
    return paragraphs, items


def _sentences(paragraph: str) -> Iterator[str]:
    for start, end in sentences(paragraph):
        yield paragraph[start:end].rstrip(".")


def _rows(listed: list[str], words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The first sentence that names each parameter."""
    for name, pattern in words.items():
        named = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
        sentence = next((one for one in listed if named.search(one)), None)
        if sentence is not None:
            yield name, sentence


def _stands(sentence: str) -> bool:
    return any(re.search(rf"\b{word}", sentence, re.IGNORECASE) for word in _STANDS)


def _accelerators(text: str, corpus: Corpus) -> Iterator[str]:
    words = _plain(text)
    for record in corpus.of_kind("accelerator"):
        names = {_plain(record.tail), _plain(str(record.data.get("name", "")))} if record.sound else set()
        if any(name.strip() and name in words for name in names):
            yield record.tail


def _plain(text: str) -> str:
    return f" {re.sub(r'[^a-z0-9]+', ' ', text.casefold()).strip()} "


def text_of(data: Mapping[str, Any], kind: str, file: Path, project: Path) -> str:
    """The record as its file begins: the line that tells an editor its schema, and beside each empty value what it
    is for."""
    version = str(data["schema_version"])
    schema = Path(os.path.relpath(project / "schema" / version / f"{kind}.json", file.parent)).as_posix()
    lines = [f"# yaml-language-server: $schema={schema}"]
    whole = schema_data(version, kind)
    for key, value in data.items():
        known = whole["$defs"].get(key, whole["properties"][key])
        if value in ("", [], {}, TO_FILL) or key == "shape":
            lines.append(f"# {known['description']}")
        if key == "shape":
            lines.append("# Every 1 stands for a count that is still to be looked up.")
        lines.append(yaml_text.block({key: value}))
    return "\n".join(lines) + "\n"
