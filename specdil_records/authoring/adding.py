"""A claim added to a record, with the proof that everything else stays as it is."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from specdil_records.authoring import json_text, yaml_text
from specdil_records.authoring.lossless import Lossless, NotEditable
from specdil_records.authoring.proof import layout, layout_fault, same
from specdil_records.reading import Document


def with_claim(document: Document, claim: Mapping[str, Any]) -> str:
    """The text of a record with one more claim at the end of its claims. Raises `NotEditable`."""
    data = wanted(document, claim)
    if document.name.lower().endswith(".json"):
        return json_text.rewritten(document.text, data)
    if document.style(()) != "m":
        raise NotEditable("its top is written in braces; write one key a line first")
    line_end = "\r\n" if "\r\n" in document.text else "\n" if "\n" in document.text else "\r"
    editor = Lossless(document.text)

    def piece(value: Any) -> str:
        return yaml_text.block(value).replace("\n", line_end) + line_end

    if document.data.get("claims") and document.style(("claims",)) == "s":
        editor.append("claims", piece(dict(claim)))
    elif document.data.get("claims"):
        raise NotEditable("its claims are written in brackets; write one claim a line first")
    elif "claims" in document.data:
        editor.set("claims", piece([dict(claim)]))
    else:
        editor.insert_after(_before_claims(document), "claims", piece([dict(claim)]))
    return editor.text


def wanted(document: Document, claim: Mapping[str, Any]) -> dict[str, Any]:
    """The record as it has to read with the claim."""
    if "claims" in document.data:
        return {**document.data, "claims": [*document.data["claims"], dict(claim)]}
    new: dict[str, Any] = {}
    for key, value in document.data.items():
        new[key] = value
        if key == _before_claims(document):
            new["claims"] = [dict(claim)]
    return new


def _before_claims(document: Document) -> str:
    return "notes" if "notes" in document.data else str(list(document.data)[-1])


def proof_of(document: Document, claim: Mapping[str, Any]) -> Callable[[Document], str]:
    """Whether a new text holds the claim and otherwise just what the old one held."""
    def proof(after: Document) -> str:
        if after.broken or not same(after.data, wanted(document, claim)):
            return "the new text does not hold the record with the claim"
        if document.name.lower().endswith(".json"):
            return ""
        empty = [("claims",)] if not document.data.get("claims") else []
        return layout_fault(layout(document.text), layout(after.text), empty)

    return proof
