"""Kept verdicts: never a stale one, never another report, and never in the way."""
from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from specdil_records.checking import Options, check, keys
from specdil_records.checking.cache import TABLES, Cache, default_folder
from specdil_records.checking.surveying import new_cards
from specdil_records.corpus.files import contents_of, files_on_disk
from specdil_records.corpus.loading import corpus_of
from specdil_records.corpus.settings import find_settings
from specdil_records.report import json_report
from specdil_records.rules import by_name
from tests.conftest import Build

TREND = 'of: "additive.gain(B, k)", in: B, is: decreasing, over: {B: 1..64, k: 1..8}'


def report(folder: Path, cache: Path | None, **options: object) -> str:
    """A check that keeps cards and verdicts, but no whole report."""
    settings = find_settings(folder)
    with Cache(cache, folder) as kept:
        files = contents_of(settings, files_on_disk(settings))
        corpus = corpus_of(settings, files, kept.cards(files))
        kept.keep_cards(new_cards(corpus))
        return json_report.write(check(corpus, Options(cache=kept, **options)))  # type: ignore[arg-type]


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The records that were really judged."""
    from specdil_records.rules import rule

    judged: list[str] = []
    real = rule.evaluate

    def spy(record: object, corpus: object) -> object:
        judged.append(record.path)  # type: ignore[attr-defined]
        return real(record, corpus)  # type: ignore[arg-type]

    monkeypatch.setattr(rule, "evaluate", spy)
    return judged


def test_what_did_not_change_is_not_judged_again(build: Build, tmp_path: Path, evaluations: list[str]) -> None:
    folder, cache = build(), tmp_path / "cache"
    cold = report(folder, cache)
    assert "records/flops/example-stall.yaml" in evaluations
    evaluations.clear()
    assert report(folder, cache) == cold == report(folder, None)
    assert evaluations == ["records/flops/example-stall.yaml", "records/sources/bench-report.yaml",
                           "records/sources/chip-sheet.yaml"], "only the run without a cache judged anything"


@pytest.mark.parametrize(("name", "old", "new", "finding"), [
    ("accelerators/example-chip", "2.00 TB/s", "2.10 TB/s", "figure-drift"),
    ("sources/bench-report", '"1.25"', '"1.35"', "figure-drift"),
    ("sources/bench-report", "gains fade", "gains grow", "cited-quote-differs"),
    ("sources/bench-report", "Section 3", "Section 4", None),
    ("flops/example-stall", "a gain of 25%.", "a gain of 26%.", "figure-drift"),
])
def test_a_verdict_goes_with_anything_that_it_rests_on(build: Build, tmp_path: Path, name: str, old: str, new: str,
                                                       finding: str | None) -> None:
    folder, cache = build(), tmp_path / "cache"
    report(folder, cache)
    path = folder / f"records/{name}.yaml"
    kept = path.read_text()
    path.write_text(kept.replace(old, new))
    changed = report(folder, cache)
    assert changed == report(folder, None)
    assert (finding or '"errors": 0') in changed
    path.write_text(kept)
    assert '"errors": 0' in report(folder, cache)
    path.unlink()
    assert report(folder, cache) == report(folder, None)


def test_what_was_found_is_not_judged_again(build: Build, tmp_path: Path, evaluations: list[str]) -> None:
    folder, cache = build(("flop", "a gain of 25%.", "a gain of 26%.")), tmp_path / "cache"
    cold = report(folder, cache)
    assert "figure-drift" in cold
    evaluations.clear()
    assert report(folder, cache) == cold
    assert evaluations == []


def test_what_was_found_is_put_into_words_anew_beside_other_records(build: Build, tmp_path: Path) -> None:
    folder, cache = build(("flop", "lies at 200 FLOP/byte.", "lies at 400 FLOP/byte."),
                          ("flop", "lies at 200 FLOP/byte\n", "lies at 400 FLOP/byte\n"),
                          ("flop", "at 200 FLOP/byte:", "at 400 FLOP/byte:")), tmp_path / "cache"
    before = report(folder, cache)
    assert "figure-drift" in before
    chip = (folder / "records/accelerators/example-chip.yaml").read_text()
    (folder / "records/accelerators/other-chip.yaml").write_text(
        chip.replace("example-chip", "other-chip").replace("2.00 TB/s", "1.00 TB/s"))
    beside = report(folder, cache)
    assert "it would be right for other-chip" in beside, "which the record names nowhere"
    assert beside == report(folder, None)
    (folder / "records/accelerators/other-chip.yaml").unlink()
    assert report(folder, cache) == before


def test_names_that_are_proposed_for_a_lost_one_are_never_old(build: Build, tmp_path: Path) -> None:
    folder, cache = build(("flop", 'cited("bench-report"', 'cited("bench-repart"')), tmp_path / "cache"
    assert "bench-report" in report(folder, cache)
    path = folder / "records/sources/bench-report.yaml"
    path.write_text(path.read_text().replace("sources/bench-report", "sources/bench-repert"))
    path.rename(path.with_name("bench-repert.yaml"))
    assert report(folder, cache) == report(folder, None)


def test_a_record_with_findings_of_all_records_is_asked_by_all_rules(build: Build, tmp_path: Path) -> None:
    twin = '{"schema_version": "3.0", "id": "sources/chip-sheet", "kind": "data-sheet", "title": "Twin"}'
    folder, cache = build(files={"records/sources/chip-sheet.json": twin}), tmp_path / "cache"
    cold = report(folder, cache)
    assert "duplicate-id" in cold
    assert report(folder, cache) == cold
    (folder / "records/sources/chip-sheet.json").unlink()
    assert report(folder, cache) == report(folder, None)


def test_what_looks_outward_is_asked_again(build: Build, tmp_path: Path) -> None:
    folder, cache = build(), tmp_path / "cache"
    report(folder, cache)
    (folder / "records/flops/example-stall.yaml").unlink()
    (folder / "records/accelerators/example-chip.yaml").unlink()
    assert report(folder, cache).count('"unused-source"') == 2
    (folder / "records/sources/chip-sheet.json").write_text(
        '{"schema_version": "3.0", "id": "sources/chip-sheet", "kind": "data-sheet", "title": "Twin"}')
    assert "duplicate-id" in report(folder, cache)


def test_other_rules_are_another_verdict(build: Build, tmp_path: Path) -> None:
    folder, cache = build(("flop", "a gain of 25%.", "a gain of 52%.")), tmp_path / "cache"
    assert '"errors": 0' in report(folder, cache, select=frozenset({"schema"}))
    assert '"errors": 1' in report(folder, cache)
    rule = by_name("figure-drift")
    assert rule is not None


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\x00" + b"\xff" * 200])
def test_a_damaged_cache_is_made_anew(build: Build, tmp_path: Path, damage: bytes) -> None:
    folder, cache = build(), tmp_path / "cache"
    cold = report(folder, cache)
    (file,) = cache.glob("*.sqlite")
    file.write_bytes(damage)
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    assert report(folder, cache) == cold
    assert report(folder, cache) == cold


@pytest.mark.parametrize(("old", "new"), [
    (b"CREATE TABLE cards (key", b"CREATE TABLE cards (k\xe8y"),
    (b"CREATE TABLE verdicts (", b"CREATE TABLE verdict\xe8 ("),
    (b"CREATE TABLE reports", b"CRE\xe8TE T\xe8BLE reports"),
])
def test_a_cache_whose_own_words_are_damaged_is_made_anew(build: Build, tmp_path: Path, old: bytes, new: bytes) -> None:
    folder, cache = build(), tmp_path / "cache"
    cold = report(folder, cache)
    (file,) = cache.glob("*.sqlite")
    assert old in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(old, new))
    assert report(folder, cache) == cold
    with Cache(cache, folder) as kept:
        files = contents_of(find_settings(folder), files_on_disk(find_settings(folder)))
        assert len(kept.cards(files)) == len(files)


def test_rows_that_cannot_be_read_are_judged_anew(build: Build, tmp_path: Path) -> None:
    folder, cache = build(), tmp_path / "cache"
    cold = report(folder, cache)
    (file,) = cache.glob("*.sqlite")
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("UPDATE verdicts SET value = '{\"claims\": 3}'")
        base.execute("UPDATE cards SET value = '[3]'")
    assert report(folder, cache) == cold


@pytest.mark.parametrize(("table", "old", "new"), [
    ("verdicts", '"recomputed": 2', '"recomputed": 7'), ("cards", '"chip-sheet"', '"chip-shoot"'),
    ("cards", '"source"', '"souhce"'), ("reports", '"errors": 0', '"errors": 1'),
])
def test_a_row_that_is_not_what_was_written_is_forgotten(build: Build, tmp_path: Path, table: str, old: str,
                                                         new: str) -> None:
    folder, cache = build(), tmp_path / "cache"
    command = [sys.executable, "-m", "specdil_records", "check", "--format", "json"]
    environment = {"XDG_CACHE_HOME": str(cache), "PATH": ""}
    cold = subprocess.run(command, cwd=folder, capture_output=True, env=environment, check=True).stdout
    (file,) = cache.glob("*/*.sqlite")
    with closing(sqlite3.connect(file)) as base, base:
        if table != "reports":
            base.execute("DELETE FROM reports")
        assert base.execute(f"UPDATE {table} SET value = replace(value, ?, ?) WHERE instr(value, ?)",
                            (old, new, old)).rowcount, "the row has what is changed"
    assert subprocess.run(command, cwd=folder, capture_output=True, env=environment, check=True).stdout == cold


def test_a_row_of_another_key_is_forgotten(tmp_path: Path) -> None:
    with Cache(tmp_path, tmp_path) as cache:
        cache.keep_texts({"a": "one"})
        assert cache.base is not None
        cache.base.execute("UPDATE verdicts SET key = 'b'")
        assert cache.texts(["a", "b"]) == {}
        cache.keep_texts({"b": "two"})
        assert cache.texts(["a", "b"]) == {"b": "two"}


def test_a_file_whose_inside_is_damaged_keeps_again(tmp_path: Path) -> None:
    texts = {f"{number:040}": "some verdict that takes its room" for number in range(2000)}
    with Cache(tmp_path, tmp_path) as cache:
        cache.keep_texts(texts)
    (file,) = tmp_path.glob("*.sqlite")
    content = file.read_bytes()
    middle = len(content) // 2 // 4096 * 4096
    file.write_bytes(content[:middle] + b"\xff" * 4096 * 8 + content[middle + 4096 * 8:])
    with Cache(tmp_path, tmp_path) as cache:
        assert len(cache.texts(texts)) < len(texts)
        cache.keep_texts(texts)
    with Cache(tmp_path, tmp_path) as cache:
        assert cache.texts(texts) == texts


def test_a_table_that_is_full_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLES, "verdicts", 10)
    with Cache(tmp_path, tmp_path) as cache:
        for number in range(5):
            cache.keep_texts({f"{number} {one}": "" for one in range(4)})
        assert sorted(cache.texts(f"{number} {one}" for number in range(5) for one in range(4))) == [
            f"4 {one}" for one in range(4)]


def test_a_cache_that_cannot_be_written_is_no_failure(build: Build, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    folder = build()
    assert report(folder, tmp_path / "cache") == report(folder, None)


def test_runs_at_the_same_time_agree(build: Build, tmp_path: Path) -> None:
    folder = build()
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": ""}
    runs = [subprocess.Popen([sys.executable, "-m", "specdil_records", "check", "--format", "json"], cwd=folder,
                             stdout=subprocess.PIPE, env=environment) for _ in range(4)]
    outputs = {run.communicate(timeout=120)[0] for run in runs}
    assert len(outputs) == 1
    assert {run.returncode for run in runs} == {0}


@pytest.mark.parametrize(("given", "home"), [("/var/tmp/x", "/var/tmp/x"), ("", "/home/x/.cache"),
                                             ("here", "/home/x/.cache"), ("./here", "/home/x/.cache")])
def test_a_cache_never_lies_in_the_folder_that_is_checked(monkeypatch: pytest.MonkeyPatch, given: str,
                                                          home: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/x"))
    assert default_folder() == Path(home) / "specdil-records"


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    with Cache(None, tmp_path) as cache:
        assert cache.texts(["x"]) == {}
        assert cache.report("x") is None
        assert cache.cards([]) == {}
        cache.keep_texts({"x": ""})
        assert cache.texts(["x"]) == {}


def test_a_place_that_only_the_prose_names_is_looked_up_again(build: Build, tmp_path: Path) -> None:
    told = ('schema_version: "3.0"\nid: flops/told\nname: Told\nstatus: active\n'
            "arithmetic_intensity: The bench report, Section 3, tells all.\nscales_with: []\naffected_by_hardware: []\n"
            "hardware_parameters: []\nworkarounds: []\nnotes: Nothing more.\n")
    folder, cache = build(files={"records/flops/told.yaml": told}), tmp_path / "cache"
    assert '"errors": 0' in report(folder, cache)
    path = folder / "records/sources/bench-report.yaml"
    for place, found in (("Section 4", True), ("Section 3 below", False), ("Chapter 3", True)):
        path.write_text(path.read_text().replace("Section 3,", f"{place},"))
        changed = report(folder, cache)
        assert changed == report(folder, None)
        assert ("has no place 'Section 3'" in changed) is found
        path.write_text(path.read_text().replace(f"{place},", "Section 3,"))


def test_a_verdict_rests_on_what_only_a_trend_cites(build: Build, tmp_path: Path) -> None:
    told = ('schema_version: "3.0"\nid: sources/told\nkind: benchmark\ntitle: Told\ntables:\n- id: t\n'
            '  locator: Table 1\n  basis: measured\n  seen: full-text\n'
            '  columns: {batch: ["1", "16"], gain: ["2.10", "1.25"]}\n')
    trend = "of: 'cited (\"told\", \"t\", \"gain\", batch=B)', in: B, is: decreasing, over: {B: [1, 16]}"
    folder, cache = build(("flop", TREND, trend), files={"records/sources/told.yaml": told}), tmp_path / "cache"
    assert '"findings": []' in report(folder, cache)
    (folder / "records/sources/told.yaml").write_text(told.replace("1.25", "3.25"))
    assert '"conclusion-false"' in report(folder, cache)
    assert report(folder, cache) == report(folder, None)


def test_a_verdict_rests_on_every_file_that_carries_an_id(build: Build, tmp_path: Path) -> None:
    folder, cache = build(("flop", "  More bandwidth lowers the ridge.\nclaims:\n", """\
  More bandwidth lowers the ridge. Its twin moves 2.00 TB/s.
claims:
- id: twin
  in: notes
  quote: Its twin moves 2.00 TB/s
  basis: specified
  of: {first: example-chip, twin: chip-b}
  figures: {twin moves 2.00 TB/s: twin.memory_bandwidth}
  holds: ["agrees(first.memory_bandwidth, twin.memory_bandwidth)"]
""")), tmp_path / "cache"
    chip, twin = (folder / f"records/accelerators/{name}.yaml" for name in ("example-chip", "chip-b"))
    twin.write_text(chip.read_text())
    assert '"errors": 1' in report(folder, cache), "the id that is not its path"
    twin.write_text(chip.read_text().replace("2.00 TB/s", "3.00 TB/s"))
    assert '"figure-drift"' in report(folder, cache)
    assert report(folder, cache) == report(folder, None)


def test_a_record_is_held_against_what_the_corpus_stands_on_as_it_is_now(
        build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, shared, cache = build(), tmp_path / "shared/records", tmp_path / "cache"
    (folder / "pyproject.toml").write_text('[tool.records]\nextends = ["specdil"]\n')
    own = folder / "records/accelerators/example-chip.yaml"
    (shared / "accelerators").mkdir(parents=True)
    monkeypatch.setattr("specdil_records.corpus.files.shipped_folder", lambda _: shared)
    for value, found in (("2.00 TB/s", False), ("3.00 TB/s", True), ("2.00 TB/s", False)):
        (shared / "accelerators/example-chip.yaml").write_text(own.read_text().replace("2.00 TB/s", value))
        told = report(folder, cache)
        assert told == report(folder, None)
        assert ("contradiction" in told) is found


def test_another_library_is_another_tool(build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, cache = build(), tmp_path / "cache"
    report(folder, cache)
    files = contents_of(find_settings(folder), files_on_disk(find_settings(folder)))
    with Cache(cache, folder) as kept:
        assert len(kept.cards(files)) == len(files)
    library = tmp_path / "lib/yaml_rs/__init__.py"
    library.parent.mkdir(parents=True)
    library.write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    monkeypatch.delitem(sys.modules, "yaml_rs", raising=False)
    keys.tool_digest.cache_clear()
    try:
        with Cache(cache, folder) as kept:
            assert kept.cards(files) == {}
    finally:
        keys.tool_digest.cache_clear()
