"""`migrate`: a record of an older version says the same in a newer one, and the check accepts it."""
from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from specdil_records.authoring.migrating import CannotMigrate, Migrated, migrated, name_of, scaling_row
from specdil_records.claims.locating import prose_fields
from specdil_records.prose.numbers import find_numbers
from specdil_records.prose.verbatim import QuoteMatch, find_quote
from specdil_records.reading import Document, read_document
from specdil_records.schemas import validate
from tests.authoring.commands import records
from tests.authoring.writers import COMMENTS, Writer

DAY = date(2026, 12, 1)
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests/examples/good"
FILES = 250


def read(text: str, name: str = "x.yaml") -> Document:
    return read_document(text.encode("utf-8"), name)


def numbers(texts: list[str]) -> list[str]:
    return [text[number.start:number.stop] for text in texts for number in find_numbers(text)]


def texts_of(data: dict[str, Any]) -> list[str]:
    """The prose of a record of any version, field by field."""
    rows = [row if isinstance(row, str) else f"{row['parameter']} ({row['effect']})" for row in data["scales_with"]]
    return [data["arithmetic_intensity"], *rows, *data["workarounds"], data["notes"]]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_many_old_records_say_the_same_afterwards(version: str) -> None:
    for seed in range(FILES):
        text = Writer(seed).old_file(version)
        document = read(text)
        assert not document.broken
        assert validate(document, "flop", version) == []
        if text[-1:] not in "\r\n" and document.written((list(document.data)[-1],))[:2] in ("|\n", "|\r", "|+"):
            with pytest.raises(CannotMigrate, match="the last line has no line end"):
                migrated(document, version, "3.0", DAY)
            continue
        outcome = migrated(document, version, "3.0", DAY)
        after = read(outcome.text)
        assert not after.broken
        assert validate(after, "flop", "3.0") == [], seed
        assert texts_of(after.data) == texts_of(document.data), seed
        assert after.data["hardware_parameters"] == document.data.get("hardware_parameters", []), seed
        assert after.data["x-own"] == document.data["x-own"]
        for comment in (*COMMENTS, "# above", "# between", "# the id"):
            assert outcome.text.count(comment) == text.count(comment), (seed, comment)
        assert ("\r\n" in text) == ("\r\n" in outcome.text), seed
        assert "\n" not in outcome.text.replace("\r\n", "") or "\r\n" not in text, seed
        every_number_is_in_a_claim(after.data)
        untouched(text, outcome.text)


def every_number_is_in_a_claim(data: dict[str, Any]) -> None:
    for field in prose_fields("flop", data).values():
        name = field.pointer[0] if len(field.pointer) == 1 else "/" + "/".join(map(str, field.pointer))
        covered: set[int] = set()
        for claim in data.get("claims", []):
            if claim["in"] == name:
                found = find_quote(claim["quote"], field.text, field.numbers, claim.get("occurrence"))
                assert isinstance(found, QuoteMatch)
                assert found.stage == "exact"
                covered |= set(field.inside(found.start, found.end))
        wanted = {index for index, number in enumerate(field.numbers) if number.exempt is None}
        assert wanted <= covered


def untouched(old: str, new: str) -> None:
    """Every line of the old text is there still, in its order, but for those that a step rewrites."""
    lines = iter(new.splitlines())
    inside = False
    for line in old.splitlines():
        inside = line.startswith("scales_with") or (inside and (line[:1] in (" ", "-", "#", "")))
        if not inside and not line.startswith(("schema_version", "# yaml-language-server", "id:", "notes:")) \
                and line.strip():
            assert any(line == other for other in lines), line


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_the_seed_record_passes_the_check_afterwards(tmp_path: Path, version: str) -> None:
    folder = tmp_path / "records"
    for kind in ("accelerators", "models", "sources"):
        shutil.copytree(ROOT / "records" / kind, folder / kind)
    (folder / "flops").mkdir()
    path = folder / "flops/sd-batch-dilution-problem.yaml"
    path.write_bytes((EXAMPLES / version / "flop" / path.name).read_bytes())
    before = path.read_text()
    assert records(tmp_path, "check").code == 0
    done = records(tmp_path, "migrate", "--to", "3.0", "--today", "2026-12-01")
    assert (done.code, done.err) == (0, "")
    assert f"{version} ->" in done.out
    assert "40 numbers" in done.out or "43 numbers" in done.out
    report = json.loads(records(tmp_path, "check", "--format", "json").out)
    assert report["summary"]["errors"] == 0
    assert report["summary"]["numbers"]["unbound"] == 0
    after = path.read_text()
    assert after != before
    assert '- date: "2026-12-01"' in after
    assert "status: active" in after
    assert records(tmp_path, "migrate", "--to", "3.0").code == 0
    assert path.read_text() == after
    assert records(tmp_path, "fmt", "--check", "records/flops").code == 0


def test_one_step_at_a_time_comes_to_the_same() -> None:
    text = (EXAMPLES / "1.0/flop/sd-batch-dilution-problem.yaml").read_text()
    halfway = migrated(read(text), "1.0", "2.0", DAY)
    assert halfway.data["schema_version"] == "2.0"
    whole = migrated(read(text), "1.0", "3.0", DAY)
    then = migrated(read(halfway.text), "2.0", "3.0", DAY)
    assert then.data["claims"] == whole.data["claims"]
    assert then.text.replace("schema 2.0", "schema 1.0") == whole.text
    assert whole.effects == 0


def test_the_result_of_a_small_record_is_as_written_here() -> None:
    text = ('# yaml-language-server: $schema=../../schema/2.0/flop.json\n'
            'schema_version: "2.0"  # judged by this\nid: flops/draft-stall\n'
            'arithmetic_intensity: A k=4 draft stalls.\nscales_with:\n- batch_size (at batch 32 it fades)  # why\n'
            'affected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\nnotes: None.\n# end\n')
    assert migrated(read(text), "2.0", "3.0", DAY).text == (
        '# yaml-language-server: $schema=../../schema/3.0/flop.json\n'
        'schema_version: "3.0"  # judged by this\nid: flops/draft-stall\nname: Draft stall\nstatus: active\n'
        'arithmetic_intensity: A k=4 draft stalls.\nscales_with:\n-  # why\n  parameter: batch_size\n'
        '  effect: at batch 32 it fades\n'
        'affected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\nnotes: None.\n'
        'claims:\n- id: unverified-1\n  in: arithmetic_intensity\n  quote: A k=4 draft stalls\n  basis: unverified\n'
        '- id: unverified-2\n  in: /scales_with/0/effect\n  quote: at batch 32 it fades\n  basis: unverified\n'
        'history:\n- date: "2026-12-01"\n  change: migrated from schema 2.0 to 3.0\n  kind: schema\n# end\n')


def test_words_that_stand_twice_are_counted() -> None:
    text = ('schema_version: "2.0"\nid: flops/x\narithmetic_intensity: At batch 32. At batch 32.\nscales_with: []\n'
            'affected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\nnotes: ""\n')
    claims = migrated(read(text), "2.0", "3.0", DAY).data["claims"]
    every_number_is_in_a_claim(migrated(read(text), "2.0", "3.0", DAY).data)
    assert [claim.get("occurrence", 1) for claim in claims] in ([1], [1, 2])


@pytest.mark.parametrize("text", ["batch_size", "batch_size (a) and (b)", "batch_size(a)", "speed (a)",
                                  "batch_size (a"])
def test_a_scaling_string_that_does_not_split_is_refused(text: str) -> None:
    with pytest.raises(CannotMigrate):
        scaling_row(text)


def test_what_is_inside_the_brackets_is_kept_to_the_letter() -> None:
    assert scaling_row("draft_k (a (b) c:  d )") == {"parameter": "draft_k", "effect": "a (b) c:  d "}


def test_a_name_is_made_of_the_last_part_of_the_id() -> None:
    assert name_of("flops/more/sd-batch-stall") == "Sd batch stall"


def test_json_is_rewritten_in_its_own_style() -> None:
    text = (EXAMPLES / "1.0/flop/from-a-program.json").read_text()
    outcome: Migrated = migrated(read(text, "x.json"), "1.0", "2.0", DAY)
    assert outcome.text == text.replace('"1.0"', '"2.0"').replace(
        '  "workarounds"', '  "hardware_parameters": [],\n  "workarounds"')
    assert validate(read(migrated(read(text, "x.json"), "1.0", "3.0", DAY).text, "x.json"), "flop", "3.0") == []


OLD = ('schema_version: "2.0"\nid: flops/{name}\narithmetic_intensity: A stall.\nscales_with:\n- {row}\n'
       'affected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\nnotes: ""\n')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    flops = tmp_path / "records/flops"
    flops.mkdir(parents=True)
    (flops / "good.yaml").write_text(OLD.format(name="good", row="batch_size (it fades)"))
    (flops / "bad.yaml").write_text(OLD.format(name="bad", row="cleverness (it fades)"))
    return tmp_path


def test_a_record_that_cannot_go_along_stays_as_it_was_and_the_others_go(folder: Path) -> None:
    before = (folder / "records/flops/bad.yaml").read_bytes()
    done = records(folder, "migrate", "--to", "3.0")
    assert done.code == 1
    assert "records/flops/bad.yaml is left as it was: 'cleverness'" in done.err
    assert (folder / "records/flops/bad.yaml").read_bytes() == before
    assert 'schema_version: "3.0"' in (folder / "records/flops/good.yaml").read_text()


def test_an_effect_that_would_no_longer_be_verbatim_is_refused(folder: Path) -> None:
    path = folder / "records/flops/good.yaml"
    row = ("hardware_parameters:\n- parameter: tdp\n  effect: batch_size (it fades)\n  basis: unverified\n"
           "  values_for: []")
    path.write_text(path.read_text().replace("hardware_parameters: []", row))
    assert records(folder, "check", "records/flops/good.yaml").code == 0
    before = path.read_bytes()
    done = records(folder, "migrate", "records/flops/good.yaml", "--to", "3.0")
    assert done.code == 1
    assert "effect-not-verbatim" in done.err
    assert path.read_bytes() == before


def test_diff_writes_nothing_and_a_wrong_version_is_a_wrong_command(folder: Path) -> None:
    path = folder / "records/flops/good.yaml"
    before = path.read_bytes()
    assert '+schema_version: "3.0"' in records(folder, "migrate", "--diff", "--to", "3.0").out
    assert path.read_bytes() == before
    assert records(folder, "migrate", "--to", "4.0").code == 2
    assert records(folder, "migrate").code == 2
