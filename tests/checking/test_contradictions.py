"""Two tables that state one quantity of one thing: which of them cannot be right together, and who says so."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from specdil_records.checking import Options, check
from specdil_records.checking.cache import Cache
from specdil_records.checking.surveying import new_cards
from specdil_records.corpus.files import contents_of, files_on_disk
from specdil_records.corpus.loading import corpus_of
from specdil_records.corpus.settings import find_settings
from tests.conftest import Build

CHIP = "{accelerator: example-chip}"


def source(name: str, *tables: str, more: str = "") -> dict[str, str]:
    """A source of some tables, each the text of its columns, its conditions and its units."""
    text = f'schema_version: "3.0"\nid: sources/{name}\nkind: blog\ntitle: About {name}\n{more}tables:\n'
    for i, table in enumerate(tables, 1):
        text += f"- {{id: table-{i}, locator: Table {i}, basis: reported, seen: full-text, {table}}}\n"
    return {f"records/sources/{name}.yaml": text}


def says(value: str, conditions: str = CHIP, *, quantity: str = "tdp", rest: str = "") -> str:
    return f"conditions: {conditions}, columns: {{{rest}{quantity}: {value}}}"


def contradictions(folder: Path, cache: Path | None = None, **options: Any) -> list[tuple[str, str]]:
    settings = find_settings(folder)
    with Cache(cache, folder) as kept:
        files = contents_of(settings, files_on_disk(settings))
        corpus = corpus_of(settings, files, kept.cards(files))
        kept.keep_cards(new_cards(corpus))
        findings = check(corpus, Options(cache=kept, **options)).findings
    return [(one.path.rpartition("/")[2], one.message) for one in findings if one.name == "contradiction"]


def found(build: Build, first: str, second: str, *edits: tuple[str, str, str]) -> list[tuple[str, str]]:
    return contradictions(build(*edits, files={**source("a-blog", first), **source("b-blog", second)}))


TOLD = [("b-blog.yaml", "example-chip has tdp 600 W here, 500 W in a-blog#table-1")]


@pytest.mark.parametrize(("first", "second", "told"), [
    (says('["500 W"]'), says('["600 W"]'), TOLD), (says('"500 W"'), says('["600 W"]'), TOLD),
    (says('["500 W"]'), says('["500.2 W"]'), []),  # 500 W is all from 499.5 W to 500.5 W
    (says('["500 W"]'), says('["0.5 kW"]'), []),
    (says('["500 W"]'), says('[{value: "600 W", uncertainty: "150 W"}]'), []),
    (says('["500 W"]'), says('["600 GB"]'), []),  # another fault
    (says('["500 W"]'), says('["much"]'), []), (says('["500 W"]'), says('["-"]'), []),
    (says('["500 W"]'), says('["600 W"]', "{accelerator: accelerators/example-chip}"), TOLD),
    (says('["500 W"]'), says('["600 W"]', "{accelerator: other-chip}"), []),
    (says('["500 W"]', "{accelerator: other chip}"), says('["600 W"]', "{accelerator: other chip}"),
     [("b-blog.yaml", "other chip has tdp 600 W here, 500 W in a-blog#table-1")]),
    # The conditions have to be the same, all of them.
    (says('["500 W"]'), says('["600 W"]', "{accelerator: example-chip, cooling: water}"), []),
    (says('["500 W"]', "{accelerator: example-chip, batch: 8}"),
     says('["600 W"]', '{batch: "8", accelerator: example-chip}'), TOLD),
    (says('["500 W"]', "{accelerator: example-chip, batch: 8}"),
     says('["600 W"]', "{accelerator: example-chip, batch: 9}"), []),
    # So does what tells one row from another.
    (says('["500 W", "300 W"]', rest='mode: ["fast", "slow"], '), says('["300 W", "600 W"]',
                                                                     rest='mode: ["slow", "fast"], '), TOLD),
    (says('["500 W"]', rest='mode: ["fast"], '), says('["600 W"]', rest='mode: ["slow"], '), []),
    (says('["500 W"]', rest='mode: ["fast"], '), says('["600 W"]'), []),
    (says('"500 W"', rest='mode: "fast", '), says('["600 W"]', rest='mode: ["fast"], '), TOLD),
    (says('"500 W"', rest='mode: ["fast", "slow"], '), says('"600 W"', rest='mode: ["fast", "slow"], '), TOLD),
    (says('["500 W", "300 W"]', rest='mode: ["fast", "slow"], '), says('["300 W"]', rest='mode: ["fast", "slow"], '),
     [("b-blog.yaml", "example-chip has tdp 300 W here, 500 W in a-blog#table-1")]),  # a cell short: told elsewhere
    (says('["500 W", "300 W"]'), says('["300 W", "600 W"]'), []),  # nothing tells these rows apart
    (says('["500 W"]', rest='speed: ["1"], ') + ", unit: {speed: x}",
     says('["600 W"]', rest='speed: ["2"], ') + ", unit: {speed: x}", TOLD),  # a result is no condition
    (says('["500"]') + ", unit: {tdp: W}", says('["600"]') + ", unit: {tdp: W}",
     [("b-blog.yaml", "example-chip has tdp 600 W here, 500 W in a-blog#table-1")]),
    # A model's quantity.
    (says('["32"]', "{model: some-model}", quantity="layers"), says('["33"]', "{model: some-model}", quantity="layers"),
     [("b-blog.yaml", "some-model has layers 33 here, 32 in a-blog#table-1")]),
    (says('["32"]', "{model: some-model}", quantity="gain"), says('["33"]', "{model: some-model}", quantity="gain"),
     []),
])
def test_two_tables(build: Build, first: str, second: str, told: list[tuple[str, str]]) -> None:
    assert found(build, first, second) == told


@pytest.mark.parametrize("listed", ["500 W", "600 W"])
def test_a_conflict_that_the_thing_lists_settles_it(build: Build, listed: str) -> None:
    edit = ("chip", "quantities:", f"conflicts:\n- {{quantity: tdp, value: {listed}, source: chip-sheet}}\nquantities:")
    assert found(build, says('["500 W"]'), says('["600 W"]'), edit) == []


def test_what_contradicts_the_thing_itself_is_told_once(build: Build) -> None:
    tdp = '  tdp: {value: "500 W", basis: specified, source: chip-sheet, locator: page 1}\n'
    edit = ("chip", "  memory_bandwidth:", tdp + "  memory_bandwidth:")
    assert found(build, says('["500 W"]'), says('["600 W"]'), edit) == [
        ("b-blog.yaml", "example-chip has tdp 500 W, this table 600 W")]


def test_one_value_that_contradicts_two_others_is_told_once(build: Build, tmp_path: Path) -> None:
    texts = {name: says('["500 W"]') for name in ("a-blog", "b-blog", "c-blog")}
    folder, cache = build(files={path: text for name in texts for path, text in source(name, texts[name]).items()}), \
        tmp_path / "cache"
    assert contradictions(folder, cache) == []
    for name in ("a-blog", "b-blog"):
        path = folder / f"records/sources/{name}.yaml"
        path.write_text(path.read_text().replace("500 W", "600 W"))
    told = [("c-blog.yaml", "example-chip has tdp 500 W here, 600 W in a-blog#table-1")]
    assert contradictions(folder, cache) == contradictions(folder) == told


def test_two_tables_of_one_source_are_told_of_by_the_later(build: Build) -> None:
    folder = build(files=source("a-blog", says('["500 W"]'), says('["600 W"]')))
    assert contradictions(folder) == [("a-blog.yaml", "example-chip has tdp 600 W here, 500 W in a-blog#table-1")]


@pytest.mark.parametrize("more", ["status: withdrawn\n", "status: superseded\nsuperseded_by: sources/bench-report\n"])
def test_a_source_that_is_no_longer_in_force_says_nothing(build: Build, more: str) -> None:
    folder = build(files={**source("a-blog", says('["500 W"]'), more=more), **source("b-blog", says('["600 W"]'))})
    assert contradictions(folder) == []


@pytest.mark.parametrize("named", [
    "sources/a-blog", "sources/b-blog", "accelerators/example-chip"])
def test_it_is_told_whichever_of_the_two_is_named(build: Build, named: str) -> None:
    folder = build(files={**source("a-blog", says('["500 W"]')), **source("b-blog", says('["600 W"]'))})
    settings = find_settings(folder)
    corpus = corpus_of(settings, contents_of(settings, files_on_disk(settings)))
    path = f"records/{named}.yaml"
    assert contradictions(folder, scope=frozenset(corpus.scope_of({path}))) == TOLD


@pytest.mark.parametrize("name", ["a-blog", "b-blog"])
def test_a_kept_verdict_does_not_hide_it(build: Build, tmp_path: Path, name: str) -> None:
    folder = build(files={**source("a-blog", says('["500 W"]')), **source("b-blog", says('["500 W"]'))})
    path, cache = folder / f"records/sources/{name}.yaml", tmp_path / "cache"
    assert contradictions(folder, cache) == []
    path.write_text(path.read_text().replace("500 W", "600 W"))
    here, there = ("500 W", "600 W") if name == "a-blog" else ("600 W", "500 W")
    assert contradictions(folder, cache) == [
        ("b-blog.yaml", f"example-chip has tdp {here} here, {there} in a-blog#table-1")]
    path.unlink()
    assert contradictions(folder, cache) == []
