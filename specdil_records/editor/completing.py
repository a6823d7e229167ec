"""What may be written where the cursor stands."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from specdil_records import roofline
from specdil_records.authoring.binding import anchor_of
from specdil_records.authoring.passages import Quotable, sentences
from specdil_records.authoring.yaml_text import scalar
from specdil_records.claims.locating import Field, prose_texts
from specdil_records.corpus import Record
from specdil_records.editor.answers import Suggestion, SuggestionKind
from specdil_records.editor.context import Context, context_at
from specdil_records.editor.expressions import (
    ABOUT,
    about_entry,
    claim_of,
    is_expression,
    names_of,
    quantities_of,
    subject,
)
from specdil_records.editor.hovering import about_record
from specdil_records.editor.vocabulary import keys_at, version_of, words_at
from specdil_records.editor.workspace import Workspace
from specdil_records.findings import Pointer
from specdil_records.prose.numbers import find_numbers

MOST_SENTENCES = 40
CITING = re.compile(r"""cited\(\s*["']([^"']*)(?:["']\s*,\s*["']([^"']*)(?:["']\s*,\s*["']([^"']*))?)?$""")
TYPED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*$")


class Completion:
    """One request: the record as it reads now or as it last read, and the context of the cursor."""

    def __init__(self, workspace: Workspace, file: Path, record: Record, offset: int) -> None:
        self.workspace, self.record, self.offset = workspace, record, offset
        self.data: dict[str, Any] = workspace.readable(file)
        self.context: Context = context_at(record.document.text, offset)

    def suggestions(self) -> list[Suggestion]:
        """Everything that may stand here, the likeliest kind first."""
        pointer = self.context.pointer
        found: list[Suggestion] = []
        if self.context.may_be_value:
            found += self._values(pointer)
        if self.context.may_be_key:
            found += self._keys(pointer)
        return found

    def make(self, label: str, kind: SuggestionKind, detail: str = "", about: str = "", text: str | None = None,
             start: int | None = None) -> Suggestion:
        """A suggestion that replaces what is typed."""
        return Suggestion(label, kind, label if text is None else text,
                          self.context.start if start is None else start, self.offset, detail, about)

    # Values ------------------------------------------------------------------------------------------------

    def _values(self, pointer: Pointer) -> Iterable[Suggestion]:
        if is_expression(pointer):
            return self._expression(pointer)
        if (kinds := _kinds(pointer)):
            return self._records(kinds)
        match pointer:
            case ("claims", _, "cites", _):
                return self._items()
            case (*_, "backed_by") | (*_, "backed_by", int()):
                return self._backing()
            case ("disputes", _, "claim") | ("claims", _, "same_as"):
                return [self.make(str(claim["id"]), "value", str(claim.get("quote", "")))
                        for claim in self._claims() if "id" in claim]
            case ("claims" | "asides", _, "in") | ("claims", _, "read", _, "in"):
                return [self.make(name, "value") for name, _ in self._prose()]
            case ("claims", _, "quote"):
                return self._sentences(pointer)
            case ("claims", _, "read", _):
                return self._anchors(claim_of(self.data, pointer), False)
            case ("disputes", _, "figure"):
                figures = claim_of(self.data, pointer).get("figures")
                return [self.make(text, "text", text=scalar(text)) for text in figures] \
                    if isinstance(figures, dict) else []
        kind = self.record.kind
        words = words_at(version_of(kind, self.data), kind, pointer) if kind is not None else []
        return [self.make(word, "value") for word in words]

    def _records(self, kinds: tuple[str, ...]) -> Iterator[Suggestion]:
        for kind in kinds:
            for record in self.workspace.corpus.of_kind(kind):
                if record is not self.record:
                    name = str(record.data.get("name") or record.data.get("title") or "")
                    yield self.make(record.tail, "record", name, about_record(record))

    def _items(self) -> Iterator[Suggestion]:
        """`SOURCE#item` for every table and quote."""
        for source in self.workspace.corpus.of_kind("source"):
            for entry in (*source.data.get("quotes", []), *source.data.get("tables", [])) if source.sound else ():
                yield self.make(f"{source.tail}#{entry['id']}", "record", str(entry.get("locator", "")),
                                str(entry.get("text", "")))

    def _backing(self) -> Iterator[Suggestion]:
        yield from (self.make(str(claim["id"]), "value", "a claim of this record")
                    for claim in self._claims() if "id" in claim)
        yield from self._items()
        for accelerator in self.workspace.corpus.of_kind("accelerator"):
            for name, value in (quantities_of(accelerator) if accelerator.sound else {}).items():
                yield self.make(f"{accelerator.tail}.{name}", "record", value)

    def _claims(self) -> list[Mapping[str, Any]]:
        claims = self.data.get("claims")
        return [claim for claim in claims if isinstance(claim, dict)] if isinstance(claims, list) else []

    def _prose(self) -> list[tuple[str, str]]:
        """The fields of prose, as claims name them."""
        try:
            listed = list(prose_texts(self.record.kind, self.data))
        except (KeyError, TypeError):  # a record without all that its schema asks for
            listed = [(("arithmetic_intensity",), self.data.get("arithmetic_intensity", "")),
                      (("notes",), self.data.get("notes", ""))]
        return [(str(pointer[0]) if len(pointer) == 1 else "/" + "/".join(map(str, pointer)), text)
                for pointer, text in listed if isinstance(text, str)]

    def _sentences(self, pointer: Pointer) -> Iterator[Suggestion]:
        wanted = claim_of(self.data, pointer).get("in")
        for name, text in self._prose():
            if wanted in (None, name):
                for start, end in sentences(text)[:MOST_SENTENCES]:
                    sentence = " ".join(text[start:end].split())
                    yield self.make(sentence, "text", name, text=scalar(sentence.rstrip(".")))

    def _anchors(self, claim: Mapping[str, Any], as_key: bool) -> Iterator[Suggestion]:
        """For each number of the claim's quote the fewest words that stand there once."""
        quote = claim.get("quote")
        if not isinstance(quote, str):
            return
        quote = " ".join(quote.split())
        field = Field((), quote, find_numbers(quote))
        for index, number in enumerate(field.numbers):
            if number.exempt is None:
                anchor = anchor_of(field, index, Quotable(0, len(quote), quote))
                if anchor is not None:
                    text = scalar(anchor, key=as_key)
                    yield self.make(anchor, "text", "from the quote", text=f"{text}: " if as_key else text)

    # Keys --------------------------------------------------------------------------------------------------

    def _keys(self, pointer: Pointer) -> Iterator[Suggestion]:
        match pointer:
            case ("claims", _, "figures" | "held" | "tolerance"):
                yield from self._anchors(claim_of(self.data, pointer), True)
                return
        if self.record.kind is None:
            return
        present = self._present(pointer)
        for key, about in keys_at(version_of(self.record.kind, self.data), self.record.kind, pointer).items():
            if key not in present:
                yield self.make(key, "key", about, text=f"{key}: ")

    def _present(self, pointer: Pointer) -> set[str]:
        node: Any = self.data
        for part in pointer:
            if isinstance(part, int):
                node = node[part] if isinstance(node, list) and part < len(node) else None
            else:
                node = node.get(part) if isinstance(node, dict) else None
        return set(node) if isinstance(node, dict) else set()

    # Expressions -------------------------------------------------------------------------------------------

    def _expression(self, pointer: Pointer) -> Iterator[Suggestion]:
        claim = claim_of(self.data, pointer)
        if (citing := CITING.search(self.context.typed)) is not None:
            yield from self._cited(citing)
            return
        typed = TYPED_NAME.search(self.context.typed)
        start = self.offset - len(typed[0]) if typed is not None else self.offset
        alias = typed[0].partition(".")[0] if typed is not None and "." in typed[0] else ""
        thing = subject(claim, alias, self.workspace.corpus) if alias else None
        if thing is not None:
            if thing.sound:
                yield from (self.make(f"{alias}.{name}", "name", value, start=start)
                            for name, value in quantities_of(thing).items())
            return
        yield from (self.make(name, "name", words, start=start) for name, words in names_of(claim).items())
        for name, entry in sorted(roofline.CATALOGUE.items()):
            yield self.make(name, "function", roofline.signature(entry), about_entry(entry), start=start)
        yield from (self.make(name, "function", words, start=start) for name, words in ABOUT.items())

    def _cited(self, citing: re.Match[str]) -> Iterator[Suggestion]:
        source, table, column = citing.groups()
        typed = next(part for part in (column, table, source) if part is not None)
        start = self.offset - len(typed)
        record = self.workspace.corpus.find("source", source) if table is not None else None
        if table is None:
            for one in self.workspace.corpus.of_kind("source"):
                yield self.make(one.tail, "record", str(one.data.get("title", "")), start=start)
        elif record is not None and record.sound:
            for entry in record.data.get("tables", []):
                if column is None:
                    yield self.make(str(entry["id"]), "value", str(entry.get("locator", "")), start=start)
                elif entry["id"] == table:
                    yield from (self.make(name, "value", start=start) for name in entry.get("columns", {}))


def _kinds(pointer: Pointer) -> tuple[str, ...]:
    """The kinds of record that a value at a pointer names."""
    match pointer:
        case ("affected_by_hardware", int()) | ("hardware_parameters", _, "values_for", int()):
            return ("accelerator",)
        case ("claims", _, "of", _):
            return ("accelerator", "model")
        case ("tables", _, "conditions", "accelerator" | "model" as kind):
            return (str(kind),)
        case ("mentions", int()) | ("superseded_by",):
            return ("flop",)
        case ("disputes", _, "sources", int()) | (*_, "source"):
            return ("source",)
    return ()


def complete(workspace: Workspace, file: Path, record: Record, offset: int) -> list[Suggestion]:
    """The completions at an offset. A file of JSON has none."""
    if record.path.lower().endswith(".json"):
        return []
    return Completion(workspace, file, record, offset).suggestions()

