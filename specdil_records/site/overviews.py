"""The pages about the whole corpus: start, lists, disputes, health, what rests on what, search."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from specdil_records.corpus import Corpus, values_of
from specdil_records.findings import Status, coverage
from specdil_records.site.chooser import page_values, script
from specdil_records.site.curves import Machine
from specdil_records.site.facts import STRENGTH, Facts
from specdil_records.site.graph import MOST_DRAWN, edges_of, graph
from specdil_records.site.templating import rendered

A_PAGE = 500
"""Records in one page of a list."""
WEAK_SEEN = ("second-hand", "figure-reading", "excerpt")
LISTS = {"flop": ("index", "Records"), "accelerator": ("accelerators", "Accelerators"), "model": ("models", "Models"),
         "source": ("sources", "Sources")}
Page = tuple[str, str]


def ready() -> None:
    """Raises `SiteError` where the templates' package is missing."""
    rendered("badge.html", status="held", text="held")


def pages(corpus: Corpus, facts: Sequence[Facts]) -> Iterator[Page]:
    """Every page about the whole corpus, and the index of the search."""
    facts = sorted(facts, key=lambda one: (one.kind, one.name.casefold(), one.id))
    flops = [one for one in facts if one.kind == "flop"]
    totals = _totals(flops)
    for kind, (stem, title) in LISTS.items():
        yield from _list(stem, title, [one for one in facts if one.kind == kind], "index.html" if kind == "flop" else
                         "list.html", totals=totals, facts_count=Counter(one.kind for one in facts))
    yield from _list("disputes", "Disputes", [one for one in facts if one.disputes], "disputes.html", size=200,
                     total=sum(len(one.disputes) for one in facts))
    yield from _list("health", "Health", sorted(flops, key=lambda one: one.weakest), "health.html", totals=totals,
                     strength=STRENGTH, unsound=_unsound(corpus), weak=_weak_values(corpus, facts))
    yield "graph.html", _graph(facts)
    yield "search.html", rendered("search.html", root="", title="Search")
    yield "assets/search-index.js", _index(facts)


def _list(stem: str, title: str, items: Sequence[Facts], template: str, size: int = A_PAGE,
          **values: Any) -> Iterator[Page]:
    """A list in pages of a size that a browser likes."""
    parts = [items[start:start + size] for start in range(0, len(items), size)] or [[]]
    names = [f"{stem}.html", *(f"{stem}-{number}.html" for number in range(2, len(parts) + 1))]
    for number, (name, part) in enumerate(zip(names, parts, strict=True), 1):
        yield name, rendered(template, root="", title=title, items=part, names=names, number=number,
                             count=len(items), **values)


def _totals(flops: Sequence[Facts]) -> dict[str, Any]:
    numbers: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    for one in flops:
        numbers.update(one.numbers)
        claims.update(one.claims)
    relevant = [(str(status), numbers[status]) for status in Status if status != Status.EXEMPT and numbers[status]]
    return {"numbers": numbers, "claims": claims, "coverage": float(coverage(numbers)), "bar": relevant,
            "all": sum(count for _, count in relevant), "disputes": sum(len(one.disputes) for one in flops),
            "records": len(flops)}


def _unsound(corpus: Corpus) -> list[dict[str, str]]:
    return [{"path": record.path, "why": "; ".join(dict.fromkeys(problem.message for problem in record.problems))[:300]}
            for record in corpus.unsound][:A_PAGE]


def _weak_values(corpus: Corpus, facts: Sequence[Facts]) -> list[dict[str, Any]]:
    """Values of accelerators that were not seen in the full text of a vendor's own page, weakest first."""
    found = []
    for one in facts:
        record = corpus.by_id[one.id] if one.kind == "accelerator" else None
        for name, entry in values_of(record.data if record is not None else {}, "quantities").items():
            basis, seen = str(entry.get("basis", "unverified")), str(entry.get("seen", ""))
            if basis not in ("measured", "specified") or seen in WEAK_SEEN:
                found.append({"facts": one, "name": name, "value": entry.get("value", ""), "basis": basis,
                              "seen": seen})
    order = {basis: place for place, basis in enumerate(reversed(STRENGTH))}
    return sorted(found, key=lambda row: (order.get(row["basis"], 0), row["facts"].id, row["name"]))[:A_PAGE]


def dependents(facts: Iterable[Facts]) -> dict[str, list[dict[str, Any]]]:
    """For the id of each record, who names it: with which claims, and in which lists."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in sorted(facts, key=lambda one: (one.kind != "flop", one.name.casefold(), one.id)):
        for target in dict.fromkeys((*one.uses, *one.named_in)):
            found.setdefault(target, []).append({
                "page": one.page, "name": one.name, "id": one.id, "kind": one.kind,
                "claims": one.uses.get(target, ()), "fields": one.named_in.get(target, ())})
    return found


def _graph(facts: Sequence[Facts]) -> str:
    by_id = {one.id: one for one in facts}
    upward: dict[str, list[Facts]] = {}
    for edge in edges_of(facts):
        if edge.lower in by_id:
            upward.setdefault(edge.lower, []).append(by_id[edge.upper])
    rests = [(one, upward[one.id]) for one in facts if one.id in upward]
    return rendered("graph.html", root="", title="What rests on what", rests=rests[:A_PAGE],
                    more=max(0, len(rests) - A_PAGE), picture=graph(facts) if len(facts) <= MOST_DRAWN else "")


def searched(words: str, records: int) -> str:
    """How much of a record the search looks through: all of it, or its beginning in a large corpus."""
    return words if records <= 1000 else words[:300]


def _index(facts: Sequence[Facts]) -> str:
    """Name, page, kind, summary and words of every record: all that the search has."""
    rows = [[one.name, one.page, one.kind, one.id, one.summary[:160], searched(one.words, len(facts))] for one in facts]
    return script(json.dumps(rows, separators=(",", ":"), ensure_ascii=True), "recordsIndex")


def chooser_page(chips: Sequence[Machine], models: Sequence[Machine], files: dict[tuple[str, str], str]) -> list[Page]:
    """The chooser, and what its script has to know; nothing but a word where no accelerator has curves."""
    if not chips:
        return [("chooser.html", rendered("chooser.html", root="", title="Chooser", chips=[]))]
    values = page_values(chips, models, files)
    config = values.pop("config")
    return [("assets/chooser-data.js", config),
            ("chooser.html", rendered("chooser.html", root="", title="Chooser", **values))]
