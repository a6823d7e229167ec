"""What there is to say about the thing under the cursor: a number, an id, a name in an expression, part of a claim."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from specdil_records import roofline
from specdil_records.claims import Evaluation
from specdil_records.claims.derivations import claim_lines, claims_by_number, reason
from specdil_records.corpus import Record, values_of
from specdil_records.editor.answers import Hover
from specdil_records.editor.expressions import ABOUT, about_entry, claim_of, is_expression, names_of, subject
from specdil_records.editor.names import Name, item_pointer, name_at, named
from specdil_records.editor.sheet import Node, Sheet
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Place
from specdil_records.prose.ledger import LedgerEntry

LONGEST = 400


def hover(workspace: Workspace, record: Record, offset: int) -> Hover | None:
    """The hover at an offset; None where there is nothing to say."""
    sheet = workspace.sheet(record)
    node = sheet.at(offset)
    if node is None:
        return _of_catalogue(sheet, offset)
    if (found := _of_number(workspace, record, sheet, node, offset)) is not None:
        return found
    if not node.key and is_expression(node.pointer) and (found := _of_word(workspace, record, sheet, node, offset)):
        return found
    if (name := name_at(workspace, record, offset)) is not None:
        return Hover(about_name(workspace, name[0]), name[1], name[2])
    return _of_claim(workspace, record, node)


def _of_number(workspace: Workspace, record: Record, sheet: Sheet, node: Node, offset: int) -> Hover | None:
    evaluation = workspace.evaluation(record)
    if evaluation is None or node.key:
        return None
    for entry in evaluation.ledger:
        if entry.pointer == node.pointer:
            start, end = sheet.offsets(Place(entry.pointer, entry.number.start, entry.number.stop))
            if start <= offset <= end:
                return Hover(fenced(entry_lines(evaluation, entry)), start, end)
    return None


def entry_lines(evaluation: Evaluation, entry: LedgerEntry) -> Iterator[str]:
    """A number's status, and the derivation of every claim that has to do with it."""
    text, number, why = evaluation.fields[entry.pointer].text, entry.number, reason(entry)
    yield f"{text[number.start:number.stop]}: {entry.status}" + (f" ({why})" if why else "")
    for claim, figures in claims_by_number(evaluation).get((entry.pointer, entry.index), []):
        yield ""
        yield from claim_lines(claim, figures)


def _of_claim(workspace: Workspace, record: Record, node: Node) -> Hover | None:
    """A claim's verdict on its id or quote; a figure's derivation on its anchor and its expression."""
    evaluation = workspace.evaluation(record)
    if evaluation is None or node.pointer[:1] != ("claims",):
        return None
    claim = next((one for one in evaluation.claims if one.pointer == node.pointer[:2]), None)
    if claim is None:
        return None
    match node.pointer[2:]:
        case ("figures" | "held" | "tolerance", str(anchor)):
            figures = [figure for figure in claim.figures if figure.anchor == anchor]
            return Hover(fenced(claim_lines(claim, figures)), node.start, node.end)
        case ("id" | "quote" | "basis",) | ("read" | "holds" | "cites", _):
            return Hover(fenced(claim_lines(claim, claim.figures)), node.start, node.end)
    return None


def _of_word(workspace: Workspace, record: Record, sheet: Sheet, node: Node, offset: int) -> Hover | None:
    """A name inside an expression: of the catalogue, of the language, an input, or a record's quantity."""
    found = sheet.word(offset)
    if found is None or (found := _inside(found, node)) is None:
        return None
    word, start, end = found
    if (entry := roofline.CATALOGUE.get(word)) is not None:
        return Hover(about_entry(entry), start, end)
    if sheet.text[end:end + 1] == "(" and word in ABOUT:
        return Hover(ABOUT[word], start, end)
    claim = claim_of(record.data, node.pointer)
    alias, _, quantity = word.partition(".")
    thing = subject(claim, alias, workspace.corpus)
    if thing is not None:
        text = about_quantity(thing, quantity) if quantity else ""
        return Hover(text or about_record(thing), start, end)
    if word in (names := names_of(claim)):
        return Hover(f"`{word}`: {escaped(names[word])}", start, end)
    return None


def _inside(word: tuple[str, int, int], node: Node) -> tuple[str, int, int] | None:
    return word if node.start <= word[1] and word[2] <= node.end else None


def _of_catalogue(sheet: Sheet, offset: int) -> Hover | None:
    """What can be said of a word in a document that does not read at the moment."""
    found = sheet.word(offset)
    if found is None or (entry := roofline.CATALOGUE.get(found[0])) is None:
        return None
    return Hover(about_entry(entry), found[1], found[2])


def about_name(workspace: Workspace, name: Name) -> str:
    """A record's name and summary, or what a claim, table or quote says."""
    record = named(workspace, name)
    if record is None:
        return f"there is no record `{name.record}`"
    if name.item is None:
        return about_record(record)
    pointer = item_pointer(record, name.item)
    if pointer is None:
        return f"`{record.id}` has no `{name.item}`"
    evaluation = workspace.evaluation(record)
    if pointer[0] == "claims" and evaluation is not None:
        claim = next(one for one in evaluation.claims if one.pointer == pointer)
        return f"`{record.id}#{name.item}`\n\n" + fenced(claim_lines(claim, claim.figures))
    index = pointer[1]
    assert isinstance(index, int)
    entry = record.data[str(pointer[0])][index]
    words = [str(entry[key]) for key in ("locator", "basis", "seen") if entry.get(key)]
    said = entry.get("text") or "columns " + ", ".join(map(str, entry.get("columns", {})))
    return f"`{record.id}#{name.item}`: {escaped(', '.join(words))}\n\n{escaped(shortened(str(said)))}"


def about_record(record: Record) -> str:
    """A record's id, name and, in a sentence or two, what it says."""
    if not record.sound:
        return f"`{record.id}` does not read or does not fit its schema"
    data = record.data
    title = data.get("name") or data.get("title") or record.id
    lines = [f"**{escaped(str(title))}** `{record.id}`", "", escaped(shortened(" ".join(summary(record).split())))]
    status = data.get("status")
    return "\n".join([*lines, "", f"status: {status}"] if isinstance(status, str) and status != "active" else lines)


def summary(record: Record) -> str:
    """What a record says, shortly: a flop's prose, an accelerator's values, a model's shape, a source's kind."""
    data = record.data
    if record.kind == "flop":
        return str(data["arithmetic_intensity"])
    if record.kind == "accelerator":
        return ", ".join(f"{name} {value.get('value', '?')}" for name, value in values_of(data, "quantities").items())
    if record.kind == "model":
        return ", ".join(f"{name} {value}" for name, value in values_of(data, "shape").items())
    identifiers = ", ".join(f"{key} {value}" for key, value in values_of(data, "identifiers").items())
    return "; ".join(part for part in (str(data["kind"]), identifiers, str(data.get("url", ""))) if part)


def about_quantity(record: Record, quantity: str) -> str:
    """A value of an accelerator or a model with its basis and source; empty when the record has none."""
    if not record.sound:
        return ""
    if record.kind == "model":
        value = record.data["shape"].get(quantity)
        return "" if value is None else f"`{record.tail}.{quantity}` = {value}"
    entry: dict[str, Any] | None = record.data["quantities"].get(quantity)
    if entry is None:
        return f"`{record.id}` has no `{quantity}`"
    behind = ", ".join(str(entry[key]) for key in ("basis", "source", "locator") if entry.get(key))
    return f"`{record.tail}.{quantity}` = {escaped(str(entry.get('value', '?')))} ({escaped(behind)})"


def fenced(lines: Iterable[str]) -> str:
    """Lines whose columns matter, as a block of code that nothing inside can end."""
    text = "\n".join(lines)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= LONGEST else text[:LONGEST - 1].rstrip() + "…"
