"""A corpus to a folder of pages. Many records are written by several workers; each page is written where it is made."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specdil_records.checking.workers import in_batches, jobs_for
from specdil_records.claims import evaluate
from specdil_records.corpus import Corpus, Record, values_of
from specdil_records.site import overviews
from specdil_records.site.addresses import page_of, shown
from specdil_records.site.chooser import curve_file, curves, pairs
from specdil_records.site.curves import Machine, machine_of, roof
from specdil_records.site.facts import Facts, facts_of
from specdil_records.site.output import Folder
from specdil_records.site.pages import Site, flop_page, thing_page
from specdil_records.site.plots import drawn, gain_frame
from specdil_records.site.prose import contests_of
from specdil_records.site.templating import asset

ASSETS = ("site.css", "site.js", "chooser.js", "search.js", "icon.svg")
Written = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did."""

    records: int
    pages: int
    written: int
    removed: int


def build(corpus: Corpus, output: Path, jobs: int | None = None) -> Built:
    """Write the site of a corpus. Raises `SiteError` for a folder that may not be used, or a missing package."""
    drawn(gain_frame(2), (), 1.0)  # a package that is missing is told before anything is written
    overviews.ready()
    folder = Folder(output, corpus.settings.folder)
    site = Site(corpus)
    records = list(shown(corpus))
    flops = [record for record in records if record.kind == "flop"]
    things = [record for record in records if record.kind != "flop"]
    chips = _machines(things, "accelerator")
    models = _machines(things, "model")  # worked out before the workers start, who then share them
    served = [chip for chip in chips if roof(chip.thing)]
    folder.expect([*map(page_of, records), *(f"assets/{name}" for name in ASSETS),
                   *(curve_file(*pair) for pair in pairs(served, models))])

    def flop(record: Record) -> tuple[Facts, Written]:
        html, facts = flop_page(record, site)
        facts.words = overviews.searched(facts.words, len(records))
        return facts, _put(folder, facts.page, html)

    done = _each(flop, flops, jobs)
    facts = {one.id: one for one, _ in done} | {record.id: _thing_facts(record, corpus) for record in things}
    files = [written for _, written in done]
    rests = overviews.dependents(facts.values())

    def thing(record: Record) -> Written:
        return _put(folder, page_of(record), thing_page(record, site, rests.get(record.id, []), facts[record.id]))

    files += _each(thing, things, jobs)
    files += [_put(folder, f"assets/{name}", asset(name)) for name in ASSETS]
    files += _chooser(folder, served, models, jobs)
    files += _all(folder, overviews.pages(corpus, list(facts.values())))
    removed = folder.finish(name for name, _ in files)
    return Built(len(records), sum(name.endswith(".html") for name, _ in files), sum(new for _, new in files), removed)


def _machines(things: list[Record], kind: str) -> list[Machine]:
    found = [machine_of(record) for record in things if record.kind == kind]
    return [one for one in found if one is not None]


def _put(folder: Folder, name: str, content: str | bytes) -> Written:
    return name, folder.put(name, content)


def _all(folder: Folder, pages: Iterable[tuple[str, str | bytes]]) -> list[Written]:
    """Write pages that are made already."""
    pages = list(pages)
    folder.expect(name for name, _ in pages)
    return [_put(folder, name, content) for name, content in pages]


def _each(work: Callable[[Any], Any], items: list[Any], jobs: int | None) -> list[Any]:
    """The work done on each of the items, in their order, by as many workers as are worth it."""
    parts = in_batches(lambda start, end: [work(item) for item in items[start:end]], len(items),
                       jobs_for(len(items), jobs))
    return [one for part in parts for one in part]


def _thing_facts(record: Record, corpus: Corpus) -> Facts:
    evaluation = evaluate(record, corpus) if record.kind == "source" and record.data.get("claims") else None
    facts = facts_of(record, corpus, evaluation, contests_of(evaluation) if evaluation else [])
    data = record.data
    words = [str(data.get(key, "")) for key in ("vendor", "kind", "notes")]
    words += [str(value) for value in values_of(data, "identifiers").values()]
    words += [str(quote.get("text", "")) for quote in data.get("quotes", [])]
    words += [str(value.get("value", "")) for value in values_of(data, "quantities").values()]
    facts.words = " ".join(" ".join(words).split())[:2000]
    return facts


def _chooser(folder: Folder, chips: list[Machine], models: list[Machine], jobs: int | None) -> list[Written]:
    def one(pair: tuple[Machine, Machine | None]) -> tuple[tuple[str, str], Written] | None:
        content = curves(*pair)
        if content is None:
            return None
        name = curve_file(*pair)
        return (pair[0].tail, pair[1].tail if pair[1] else ""), _put(folder, name, content)

    found = [one for one in _each(one, pairs(chips, models), jobs) if one is not None]
    names = {key: written[0] for key, written in found}
    page = overviews.chooser_page([chip for chip in chips if any(key[0] == chip.tail for key in names)], models, names)
    return [written for _, written in found] + _all(folder, page)
