"""One page a record."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from specdil_records import roofline
from specdil_records.claims import Evaluation, evaluate
from specdil_records.claims.derivations import claim_lines
from specdil_records.claims.messages import statement_lines
from specdil_records.claims.subjects import cell_text, subject
from specdil_records.corpus import Corpus, Record, values_of
from specdil_records.corpus.references import CITED
from specdil_records.planning.things import as_written
from specdil_records.rules.written import numbered
from specdil_records.site.addresses import href, page_of, up, web_address
from specdil_records.site.curves import Setting, machine_of
from specdil_records.site.facts import Facts, dispute_facts, facts_of
from specdil_records.site.figures_of_records import Kept, gain_picture, pictures, roofline_picture
from specdil_records.site.markup import Html
from specdil_records.site.prose import Contest, Mark, contests_of, field_html, marks_of, tips
from specdil_records.site.templating import rendered

MOST_DEPENDENTS = 200
MOST_TEXT = 60_000
"""Characters of the claims' derivations on one page; beyond, a claim has its quote only."""


@dataclass(frozen=True, slots=True)
class Link:
    """A name that may lead to a page."""

    text: str
    href: str = ""


class Site:
    """What every page needs: the corpus, and where its records have their pages."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.kept: Kept = {}

    def link(self, page: str, kind: str, name: str, item: str = "") -> Link:
        """A record by its name, as a link from a page."""
        record = self.corpus.find(kind, name)
        text = f"{name}#{item}" if item else name
        if record is None or not record.sound:
            return Link(text)
        return Link(text, href(page, page_of(record), f"item-{item}" if item else ""))

    def target(self, page: str, text: str) -> Link:
        """`SOURCE#ITEM` as a link."""
        name, _, item = text.partition("#")
        for kind in ("source", "flop"):
            if (record := self.corpus.find(kind, name)) is not None and record.sound:
                anchor = (f"claim-{item}" if kind == "flop" else f"item-{item}") if item else ""
                return Link(text, href(page, page_of(record), anchor))
        return Link(text)


def flop_page(record: Record, site: Site) -> tuple[str, Facts]:
    """The page of a flop record, and what the other pages keep of it."""
    evaluation = evaluate(record, site.corpus)
    page = page_of(record)
    marks, contests = marks_of(evaluation), contests_of(evaluation)
    facts = facts_of(record, site.corpus, evaluation, contests)
    facts.summary = _summary(str(record.data["arithmetic_intensity"]))
    facts.words = _words(record, evaluation)
    statuses = {(mark.entry.pointer, mark.entry.index): str(mark.entry.status)
                for field in marks.values() for mark in field}
    roof, gains = pictures(evaluation, site.corpus, statuses, site.kept)
    notes = {one.number: _note(one, page, site) for one in contests}
    fields = {pointer: _field(evaluation, pointer, marks, contests, notes) for pointer in evaluation.fields}
    data = record.data
    html = rendered(
        "flop.html", root=up(page), title=facts.name, record=record, data=data, facts=facts, fields=fields,
        scales=_scales(record, fields, evaluation), hardware=_hardware(record, page, site),
        workarounds=[fields["workarounds", i] for i in range(len(data["workarounds"]))],
        chips=[site.link(page, "accelerator", str(name)) for name in data.get("affected_by_hardware", [])],
        mentions=[site.link(page, "flop", str(name)) for name in data.get("mentions", [])],
        superseded=site.link(page, "flop", data["superseded_by"]) if "superseded_by" in data else None,
        claims=_claims(evaluation), contests=contests, sources=_sources(record, page, site), roof=roof, gains=gains,
        one_caption=gains[0].caption if len({one.caption for one in gains}) == 1 else "",
        keyed=_keyed(roof, page, site), history=data.get("history", []),
        legend=[(status, number) for status, number in facts.numbers.items() if number])
    return html, facts


def _field(evaluation: Evaluation, pointer: Any, marks: Mapping[Any, list[Mark]], contests: list[Contest],
           notes: Mapping[int, str]) -> dict[str, Any]:
    here = marks.get(pointer, [])
    told = list(tips(here))
    return {"html": field_html(evaluation.fields[pointer], here, contests, notes), "tips": told,
            "has_notes": any(one.pointer == pointer for one in contests)}


def _note(one: Contest, page: str, site: Site) -> Html:
    facts = dispute_facts(one)
    sources = [site.target(page, name) for name in facts.sources]
    return Html(rendered("note.html", one=facts, sources=sources).strip())


def _scales(record: Record, fields: Mapping[Any, Any], evaluation: Evaluation) -> list[dict[str, Any]]:
    found = []
    trends = {trend.pointer: trend for trend in evaluation.trends}
    for i, row in enumerate(record.data["scales_with"]):
        if isinstance(row, str):
            found.append({"parameter": "", "field": fields["scales_with", i], "trend": "", "state": ""})
            continue
        trend = trends.get(("scales_with", i, "trend"))
        found.append({"parameter": row["parameter"], "field": fields["scales_with", i, "effect"],
                      "trend": " ".join(statement_lines(trend)) if trend else "",
                      "state": trend.state if trend else ""})
    return found


def _hardware(record: Record, page: str, site: Site) -> list[dict[str, Any]]:
    return [{"parameter": row.get("parameter", ""), "effect": row.get("effect", ""),
             "magnitude": row.get("magnitude", ""), "basis": row.get("basis", "unverified"),
             "backed_by": _texts(row.get("backed_by")),
             "chips": [site.link(page, "accelerator", str(name)) for name in row.get("values_for", [])]}
            for row in record.data.get("hardware_parameters", []) if isinstance(row, dict)]


def _texts(value: Any) -> list[str]:
    return [] if value is None else [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _claims(evaluation: Evaluation) -> list[dict[str, Any]]:
    total = 0
    found = []
    for claim in evaluation.claims:
        told = list(claim_lines(claim, claim.figures))
        total += sum(map(len, told))
        found.append({"id": claim.id, "verdict": str(claim.verdict), "basis": claim.basis,
                      "text": "\n".join(told if total < MOST_TEXT else told[:2])})
    return found


def _sources(record: Record, page: str, site: Site) -> list[dict[str, Any]]:
    """Every source that the record names, with the items that it rests on and their locators."""
    found: dict[str, dict[str, None]] = {}
    for reference in record.references:
        target = site.corpus.resolve(reference)
        if target is not None and target.kind == "source":
            items = found.setdefault(target.id, {})
            if reference.item:
                items[reference.item] = None
    for text in _expressions(record):
        for name, item in cited_items(text):
            if (source := site.corpus.find("source", name)) is not None:
                found.setdefault(source.id, {})[item] = None
    rows = []
    for identity, items in sorted(found.items()):
        source = site.corpus.by_id[identity]
        if source.sound:
            rows.append({"link": Link(str(source.data.get("title", source.tail)), href(page, page_of(source))),
                         "id": source.tail, "kind": source.data.get("kind", ""),
                         "items": [_item(source, item, page) for item in items]})
    return rows


def _item(source: Record, item: str, page: str) -> dict[str, Any]:
    for key in ("tables", "quotes"):
        for entry in source.data.get(key, []):
            if entry["id"] == item:
                return {"link": Link(str(entry.get("locator", item)), href(page, page_of(source), f"item-{item}")),
                        "basis": entry.get("basis", ""), "seen": entry.get("seen", source.data.get("seen", ""))}
    return {"link": Link(item), "basis": "", "seen": ""}


def _expressions(record: Record) -> Iterable[str]:
    for claim in record.data.get("claims", []):
        yield from (str(text) for text in claim.get("figures", {}).values())
        yield from (str(text) for text in claim.get("holds", []))
    for dispute in record.data.get("disputes", []):
        yield from (str(dispute[key]) for key in ("against", "means") if key in dispute)
    for row in record.data.get("scales_with", []):
        if isinstance(row, dict) and "trend" in row:
            yield str(row["trend"]["of"])


def cited_items(text: str) -> Iterable[tuple[str, str]]:
    """The source and the item of each `cited(...)` in an expression."""
    return [(match["source"], match["item"]) for match in CITED.finditer(text) if match["item"] is not None]


def _keyed(roof: Any, page: str, site: Site) -> list[tuple[int, Link]]:
    if roof is None:
        return []
    found = []
    for key in roof.keys:
        link = site.link(page, "accelerator", key.page)
        found.append((key.series, Link(key.text, link.href)))
    return found


def _summary(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 220 else line[:line.rfind(" ", 0, 216)] + " …"


def _words(record: Record, evaluation: Evaluation) -> str:
    """What a search looks through."""
    prose = " ".join(field.text for field in evaluation.fields.values())
    parameters = " ".join(row["parameter"] for row in record.data["scales_with"] if isinstance(row, dict))
    chips = " ".join(str(name) for name in record.data.get("affected_by_hardware", []))
    return " ".join(f"{prose[:4000]} {parameters} {chips}".split())


# Accelerators, models, sources ------------------------------------------------------------------------------


def thing_page(record: Record, site: Site, dependents: list[dict[str, Any]], facts: Facts) -> str:
    """The page of an accelerator, a model or a source."""
    page = page_of(record)
    shown = [{**one, "href": href(page, one["page"])} for one in dependents[:MOST_DEPENDENTS]]
    common = {"root": up(page), "title": facts.name, "record": record, "data": record.data, "facts": facts,
              "dependents": shown, "more_dependents": len(dependents) - len(shown), "page": page}
    if record.kind == "accelerator":
        return rendered("accelerator.html", **common, **_accelerator(record, page, site))
    if record.kind == "model":
        return rendered("model.html", **common, **_model(record, page, site))
    return rendered("source.html", **common, **_source(record, page, site))


def _accelerator(record: Record, page: str, site: Site) -> dict[str, Any]:
    def row(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        return {"name": name, "entry": entry,
                "source": site.link(page, "source", entry["source"]) if "source" in entry else None}

    machine = machine_of(record)
    usual = "llama-3.1-8b" if site.corpus.find("model", "llama-3.1-8b") else ""
    gain = gain_picture(machine, site.corpus, Setting(model=usual), (), wide=True) if machine else None
    return {"quantities": [row(name, entry) for name, entry in values_of(record.data, "quantities").items()],
            "conflicts": [row(entry["quantity"], entry) for entry in record.data.get("conflicts", [])],
            "others": _others(record, ("name", "quantities", "conflicts", "notes")),
            "roof": roofline_picture([machine], ()) if machine else None, "gain": gain}


def _others(record: Record, known: tuple[str, ...]) -> list[tuple[str, str]]:
    shown = {key: value for key, value in record.data.items()
             if key not in (*known, "schema_version", "id") and not key.startswith("x-")}
    return [(key, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
            for key, value in shown.items() if isinstance(value, str | int)
            or (isinstance(value, list) and all(isinstance(part, str | int) for part in value))]


FORMS = {"total parameters": roofline.total_parameters, "active parameters": roofline.active_parameters,
         "parameters multiplied for a token": roofline.matmul_parameters,
         "bytes of KV cache for a token at 16 bit": roofline.kv_bytes_per_token}


def _model(record: Record, page: str, site: Site) -> dict[str, Any]:
    found = subject(record)
    worked_out = []
    if found is not None:
        try:
            machine = found.machine("it", as_written)[0]
            worked_out = [(name, f"{int(form(machine)):,}") for name, form in FORMS.items()]
        except Exception:  # a shape that is not whole: the forms have nothing to work with
            worked_out = []
    data = record.data
    return {"shape": [(key, str(value).lower() if isinstance(value, bool) else str(value))
                      for key, value in values_of(data, "shape").items()], "worked_out": worked_out,
            "source": site.link(page, "source", data["source"]) if "source" in data else None,
            "others": _others(record, ("name", "shape", "source", "notes"))}


def _source(record: Record, page: str, site: Site) -> dict[str, Any]:
    data = record.data
    tables = []
    for table in data.get("tables", []):
        columns = {name: [cell_text(cell, None) for _, cell in numbered((), cells)]
                   for name, cells in table["columns"].items()}
        height = max((len(cells) for cells in columns.values()), default=0)
        rows = [[cells[i] if i < len(cells) else ("", {}) for cells in columns.values()] for i in range(height)]
        units = table.get("unit", {}) if isinstance(table.get("unit", {}), dict) else {}
        tables.append({"entry": table, "heads": [(name, units.get(name, "")) for name in columns], "rows": rows,
                       "conditions": [(key, site.link(page, key, str(value))
                                       if key in ("accelerator", "model") else Link(str(value)))
                                      for key, value in table.get("conditions", {}).items()]})
    identifiers = [(key, str(value), _identifier(key, str(value))) for key, value in
                   {**values_of(data, "identifiers"), **({"url": data["url"]} if "url" in data else {})}.items()]
    return {"tables": tables, "quotes": data.get("quotes", []), "identifiers": identifiers,
            "others": _others(record, ("title", "kind", "identifiers", "tables", "quotes", "notes", "url"))}


def _identifier(key: str, value: str) -> str:
    """Where an identifier leads; empty where it leads nowhere."""
    if key == "arxiv" and value.replace(".", "").replace("/", "").replace("-", "").isalnum():
        return web_address(f"https://arxiv.org/abs/{value}") or ""
    if key == "doi" and value.startswith("10."):
        return web_address(f"https://doi.org/{value}") or ""
    return web_address(value) or ""
