"""Every text is shown character for character, and none becomes markup."""
from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.claims.locating import Field
from specdil_records.corpus import load_corpus
from specdil_records.findings import Pointer, Status
from specdil_records.prose.ledger import LedgerEntry
from specdil_records.prose.numbers import find_numbers
from specdil_records.rules.samples import BASE
from specdil_records.site.addresses import bare_addresses, web_address
from specdil_records.site.building import build as build_site
from specdil_records.site.chooser import script
from specdil_records.site.markup import escaped, linked
from specdil_records.site.prose import Mark, field_html, sentence_end
from tests.site.conftest import Page

pytest.importorskip("jinja2", reason="NOT RUN: the extra `site` is not installed")
pytest.importorskip("matplotlib", reason="NOT RUN: the extra `site` is not installed")
Build = Callable[..., Path]
HOSTILE = 'A</script><script>x()</script><!-- B & "c" \'d\' &amp; <img src=q onerror=x> -- ... (c) {{ 7*7 }} {% x %}'
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=80)
prose = st.lists(st.sampled_from(["At batch 32", " 12.5%", "<b>", "&amp;", ". ", "\n\n", "A", " k=4", "H100", "1.38x"]),
                 max_size=20).map("".join)


def shown(html: str) -> str:
    return Page(f"<div>{html}</div>").text


@given(texts)
def test_an_escaped_text_is_read_back_as_it_was(text: str) -> None:
    assert shown(escaped(text)) == text
    assert Page(f'<p title="{escaped(text)}"></p>').attributes == [("p", "title", text)]


@given(texts)
def test_links_change_no_character(text: str) -> None:
    assert shown(linked(f"see https://example.org/{text}")) == f"see https://example.org/{text}"


@given(prose)
def test_marked_prose_is_the_prose(text: str) -> None:
    pointer: Pointer = ("notes",)
    found = find_numbers(text)
    marks = [Mark(f"n{i}", LedgerEntry(pointer, i, one, text[one.start:one.stop], Status.HELD), False, ("why",))
             for i, one in enumerate(found)]
    html = field_html(Field(pointer, text, found), marks, [], {})
    assert shown(html) == text
    assert Page(f"<div>{html}</div>").names == [mark.id for mark in marks]


@pytest.mark.parametrize(("text", "at", "end"), [
    ("One. Two 1.5 is it. Three", 6, 19), ("No end", 2, 6), ("It is (so.) Then", 3, 11), ("One\n\nTwo.", 2, 3)])
def test_the_end_of_a_sentence(text: str, at: int, end: int) -> None:
    assert sentence_end(text, at) == end


@pytest.mark.parametrize("address", [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:x", "java\nscript:x", "data:text/html,x", "vbscript:x",
    "file:///etc/passwd", "https:", "http:///x", "//example.org", "https://a b", "https://exa\tmple.org", "x", ""])
def test_addresses_that_are_none(address: str) -> None:
    assert web_address(address) is None
    assert f'href="{address}"' not in linked(f"[a]({address})")


@pytest.mark.parametrize("address", ["https://example.org/a?b=c&d=1#e", "HTTP://example.org", "mailto:a@example.org"])
def test_addresses_that_are_some(address: str) -> None:
    assert web_address(address) == address
    assert list(bare_addresses(f"see {address}.")) == [(4, 4 + len(address))]


@given(texts)
def test_a_script_of_data_ends_nowhere_else(text: str) -> None:
    import json

    made = script(json.dumps(text), "recordsIndex")
    assert "</" not in made and "\u2028" not in made and "<!--" not in made
    assert json.loads(made.removeprefix("recordsIndex(").removesuffix(");\n")) == text


def hostile_corpus(build: Build) -> Path:
    """The base example with hostile words wherever a record holds free text."""
    flop, chip, sheet, bench = (yaml.safe_load(BASE[name]) for name in ("flop", "chip", "sheet", "bench"))
    flop.update(name=HOSTILE, notes=f"{flop['notes']}\n{HOSTILE}", workarounds=[HOSTILE], asides=[
        {"in": "notes", "text": "7*7", "kind": "other"}, {"in": "/workarounds/0", "text": "7*7", "kind": "other"}])
    flop["claims"].append({"id": "hostile", "in": "/workarounds/0", "quote": HOSTILE, "basis": "unverified",
                           "because": HOSTILE})
    flop["disputes"] = [{"claim": "hostile", "words": "<img src=q onerror=x>", "means": "1 > 2", "because": HOSTILE,
                         "sources": ["bench-report"]}]
    flop["history"] = [{"date": "2026-10-05", "change": HOSTILE, "kind": "created"}]
    chip.update(name=HOSTILE, notes=HOSTILE, vendor=HOSTILE)
    chip["quantities"]["memory_bandwidth"].update(locator=HOSTILE, note=HOSTILE)
    sheet.update(title=HOSTILE, notes=HOSTILE, identifiers={"repository": HOSTILE})
    bench["tables"][0].update(locator=HOSTILE, caption=HOSTILE, notes=HOSTILE,
                              conditions={"hardware": HOSTILE, "accelerator": "example-chip"})
    bench["tables"][0]["columns"]["words"] = [HOSTILE, HOSTILE]
    bench["quotes"][0].update(locator=HOSTILE)
    dump = partial(yaml.safe_dump, allow_unicode=True, sort_keys=False)
    return build(files={"records/flops/example-stall.yaml": dump(flop),
                        "records/accelerators/example-chip.yaml": dump(chip),
                        "records/sources/chip-sheet.yaml": dump(sheet),
                        "records/sources/bench-report.yaml": dump(bench)})


def test_hostile_words_are_shown_and_do_nothing(build: Build) -> None:
    root = hostile_corpus(build)
    corpus = load_corpus(root)
    assert [record.id for record in corpus.unsound] == []
    build_site(corpus, root / "site", 1)
    pages = {path.relative_to(root / "site").as_posix(): Page(path.read_text(encoding="utf-8"))
             for path in (root / "site").rglob("*.html")}
    assert HOSTILE in pages["index.html"].text
    assert pages["flops/example-stall.html"].text.count(HOSTILE) >= 6
    assert pages["accelerators/example-chip.html"].text.count(HOSTILE) >= 5
    assert pages["sources/bench-report.html"].text.count(HOSTILE) >= 6
    for name, page in pages.items():
        assert not any(attribute.startswith("on") for _, attribute, _ in page.attributes), name
        assert not any("x()" in part for part in page.scripts), name
        assert {tag for tag, _, _ in page.attributes} & {"img", "iframe", "object"} == set(), name
        assert all(urlsplit(value).scheme in ("", "http", "https", "mailto") for value in page.values("href", "src"))
        assert "49" not in re.findall(r"\d+", page.by_class.get("lede", [""])[0])
    assert "<script>x()" not in (root / "site/assets/search-index.js").read_text(encoding="utf-8")
