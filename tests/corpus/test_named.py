"""What a record rests on is among the records that it names, however it names them."""
from __future__ import annotations

import pytest

from specdil_records.checking import check
from specdil_records.corpus import Corpus, Record
from specdil_records.corpus.loading import load_corpus
from specdil_records.corpus.references import CITED as PLAINLY_CITED
from specdil_records.corpus.references import cited_sources
from specdil_records.shipped import shipped_folder
from tests.conftest import Build

CITED = 'cited("bench-report", "table-1", "speedup", batch=batch)'
ANOTHER = """\
schema_version: "3.0"
id: sources/other
kind: benchmark
title: Another
tables:
- id: table-1
  locator: Table 1
  basis: measured
  seen: full-text
  columns: {batch: ["1", "16"], speedup: ["2.10", "1.25"]}
"""


@pytest.mark.parametrize("text", [
    'cited("other", "table-1", "speedup", batch=batch)', "cited( 'other' ,'table-1', 'speedup', batch=batch)",
    'cited ("other", "table-1", "speedup", batch=batch)', '(cited)("other", "table-1", "speedup", batch=batch)',
    'cited(("other"), "table-1", "speedup", batch=batch)', 'cited("oth" "er", "table-1", "speedup", batch=batch)',
    'cited(r"other", "table-1", "speedup", batch=batch)', 'cited("oth\\x65r", "table-1", "speedup", batch=batch)',
    'cited("""other""", "table-1", "speedup", batch=batch)',
])
def test_a_source_is_found_in_whatever_way_an_expression_cites_it(build: Build, text: str) -> None:
    folder = build(("flop", CITED, "'" + text.replace("'", "''") + "'"), files={"records/sources/other.yaml": ANOTHER})
    corpus = load_corpus(folder)
    assert check(corpus).findings == (), "no finding, and the source is used"
    assert "records/flops/example-stall.yaml" in corpus.scope_of({"records/sources/other.yaml"})


@pytest.mark.parametrize(("text", "found"), [
    ("2*cited('other', \"table-1\", \"x\") + cited( 'more' , 'table-2')", [("other", "table-1"), ("more", "table-2")]),
    ('cited("other")', [("other", None)]), ('cited("other", "tab" "le-1", "x")', [("other", None)]),
    ('cited("oth" "er", "table-1")', []), ("cited(\"other', \"table-1\")", []), ('recited("other", "table-1")', []),
])
def test_source_and_item_of_a_plain_citation(text: str, found: list[tuple[str, str | None]]) -> None:
    assert [(one["source"], one["item"]) for one in PLAINLY_CITED.finditer(text)] == found


def test_what_is_no_expression_cites_nothing() -> None:
    for text in ("cited(", 'cited ("a"', "cited " + "(" * 400, "cited" + "+cited" * 100_000, 'cit\u00e9 cited ("a")',
                 None):
        assert list(cited_sources(text, ())) == []


def test_a_trend_names_the_sources_of_its_expression(build: Build) -> None:
    old = 'of: "additive.gain(B, k)", in: B, is: decreasing, over: {B: 1..64, k: 1..8}'
    new = "of: 'cited(\"other\", \"table-1\", \"speedup\", batch=B)', in: B, is: decreasing, over: {B: [1, 16]}"
    folder = build(("flop", old, new), files={"records/sources/other.yaml": ANOTHER})
    corpus = load_corpus(folder)
    assert check(corpus).findings == ()
    assert "records/flops/example-stall.yaml" in corpus.scope_of({"records/sources/other.yaml"})


def test_whatever_is_looked_up_for_a_shipped_record_is_named_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = load_corpus(shipped_folder("records"))
    real = Corpus.find
    looked_up: set[str] = set()

    def spy(self: Corpus, kind: str, name: str) -> Record | None:
        record = real(self, kind, name)
        if record is not None:
            looked_up.add(record.path)
        return record

    from specdil_records.claims import evaluate

    for record in corpus.own:
        with monkeypatch.context() as patch:
            patch.setattr(Corpus, "find", spy)
            looked_up.clear()
            evaluate(record, corpus)
        named = {one.path for _, one in corpus.named_by(record) if one is not None}
        assert looked_up <= {record.path, *named}, record.path
