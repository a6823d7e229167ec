"""`fmt`: no value, comment or line end is lost, whatever the file looks like, and a second run changes nothing."""
from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from specdil_records.authoring.formatting import Formatted, formatted
from specdil_records.reading import read_document
from specdil_records.schemas import schema_data
from tests.authoring.commands import records
from tests.authoring.writers import Writer
from tests.conftest import Build

CHUNKS, FILES = 4, 500
ORDER = list(schema_data("3.0", "flop")["properties"])


def written(seed: int) -> tuple[Writer, str]:
    writer = Writer(seed)
    return writer, writer.file()


def fmt(text: str) -> Formatted:
    document = read_document(text.encode("utf-8"), "x.yaml")
    assert not document.broken
    return formatted(document, "flop", "3.0")


def comments(text: str, writer: Writer) -> Counter[str]:
    """The comments that the writer knows of, by their own words."""
    return Counter({note: text.count(note) for note in [*writer.above.values(), *writer.beside.values()]})


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_thousands_of_files_keep_what_they_say(chunk: int) -> None:
    left = 0
    for seed in range(chunk * FILES, (chunk + 1) * FILES):
        writer, text = written(seed)
        outcome = fmt(text)
        new = outcome.text
        # A loader of our own choosing would hide our own mistakes: this one is PyYAML's.
        assert yaml.load(text, yaml.CBaseLoader) == yaml.load(new, yaml.CBaseLoader), seed
        assert comments(new, writer) == comments(text, writer), seed
        assert text.count("#") == new.count("#"), seed
        assert ("\r\n" in text) == ("\r\n" in new), seed
        assert new.replace("\r\n", "").count("\r") == 0, seed
        assert fmt(new).text == new, seed
        if outcome.left:
            left += 1
            continue
        keys = [key for key in yaml.load(new, yaml.CBaseLoader) if key in ORDER]
        assert keys == sorted(keys, key=ORDER.index), seed
        lines = new.replace("\r\n", "\n").split("\n")
        top = next(number for number, line in enumerate(lines) if line and line[0] not in "#-")
        for key, note in writer.above.items():
            at = next(number for number, line in enumerate(lines) if line == note)
            if at > top:
                assert next(line for line in lines[at + 1:] if line).lstrip('"').startswith(key), (seed, key)
    assert left < FILES // 20, "almost every file can be put in order"


@pytest.mark.parametrize(("plain", "quoted"), [
    ("no", '"no"'), ("2026-10-05", '"2026-10-05"'), ("0x1F", '"0x1F"'), ("1:30", '"1:30"'), ("1_000", '"1_000"'),
    ("010", '"010"'), ("Yes", '"Yes"'), ("=", '"="'), ("true", "true"), ("12", "12"), ("3.5", "3.5"), ("~", "~"),
    ("word", "word"), ("1e5", "1e5"),
])
def test_only_text_that_another_reader_takes_for_something_else_is_quoted(plain: str, quoted: str) -> None:
    assert fmt(f"x-one: {plain}  # kept\nx-two: [{plain}, x]\n").text \
        == f"x-one: {quoted}  # kept\nx-two: [{quoted}, x]\n"


def test_keys_inside_claims_and_rows_take_their_schema_s_order_and_names_of_one_s_own_keep_theirs() -> None:
    text = ("claims:\n- quote: q # about the quote\n  # above the id\n  id: one\n  basis: unverified\n"
            "  figures: {z: k, a: B}\n  in: notes\nx-mine: {b: 1, a: 2}\n")
    assert fmt(text).text == ("claims:\n-\n  # above the id\n  id: one\n  in: notes\n  quote: q # about the quote\n"
                              "  basis: unverified\n  figures: {z: k, a: B}\nx-mine: {b: 1, a: 2}\n")


def test_an_order_that_cannot_be_changed_safely_is_left_and_said() -> None:
    text = "notes: |\n  the last line\nid: >\n  without a line end"
    outcome = fmt(text)
    assert outcome.text == text
    assert outcome.left == ("the keys of / keep their order: a value would change",)


def test_a_file_with_very_many_mappings_out_of_order_is_left_and_said() -> None:
    text = 'schema_version: "3.0"\nclaims:\n' + "".join(f"- {{basis: x, id: c-{i}}}\n" for i in range(1001))
    outcome = fmt(text)
    assert outcome.text == text
    assert "1001 mappings are out of order" in outcome.left[0]


def test_the_header_of_a_file_stays_at_its_top() -> None:
    outcome = fmt("# yaml-language-server: $schema=x\n\nname: one\nschema_version: \"3.0\"\n")
    assert outcome.text == "# yaml-language-server: $schema=x\n\nschema_version: \"3.0\"\nname: one\n"


# The command ------------------------------------------------------------------------------------------------

SWAP = ("flop", "id: flops/example-stall\nname: Drafting stalls\n", "name: Drafting stalls\nid: flops/example-stall\n")
FLOP = "records/flops/example-stall.yaml"


def test_check_and_diff_change_nothing_and_check_fails(build: Build) -> None:
    folder = build(SWAP)
    before = (folder / FLOP).read_bytes()
    assert records(folder, "fmt", "--check").code == 1
    shown = records(folder, "fmt", "--diff")
    assert shown.code == 0
    assert "+id: flops/example-stall\n" in shown.out
    assert (folder / FLOP).read_bytes() == before
    assert records(folder, "fmt").code == 0
    assert (folder / FLOP).read_text() == before.decode().replace(SWAP[2], SWAP[1])
    assert records(folder, "fmt", "--check").code == 0
    assert records(folder, "check").code == 0


def test_only_the_named_files_are_touched(build: Build) -> None:
    folder = build(SWAP)
    assert records(folder, "fmt", "records/sources").out == "2 files: 0 formatted, 2 left as they are\n"
    assert records(folder, "fmt", "records/nosuch.yaml").code == 2
    assert records(folder, "fmt", "-").code == 2


def test_what_cannot_be_read_is_reported_and_left(build: Build) -> None:
    folder = build(SWAP, files={"records/flops/torn.yaml": "b: 1\nb: 2\n"})
    done = records(folder, "fmt")
    assert done.code == 1
    assert "records/flops/torn.yaml:2:1: duplicate-key" in done.err
    assert "1 formatted" in done.out
    assert (folder / "records/flops/torn.yaml").read_text() == "b: 1\nb: 2\n"


def test_json_is_counted_and_left(build: Build) -> None:
    text = json.dumps({"name": "n", "id": "flops/j"})
    folder = build(files={"records/flops/j.json": text})
    assert "1 JSON, left alone" in records(folder, "fmt").out
    assert (folder / "records/flops/j.json").read_text() == text


def test_without_the_extra_the_command_names_it(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "yaml_edit", None)
    done = records(build(SWAP), "fmt")
    assert done.code == 2
    assert "pip install 'specdil-records[edit]'" in done.err


def test_the_shipped_records_stay_what_they_are_for_their_readers(tmp_path: Path) -> None:
    for path in sorted(Path(__file__).parents[2].glob("records/*/*.yaml")):
        text = path.read_text(encoding="utf-8")
        document = read_document(text.encode(), path.name)
        outcome = formatted(document, path.parent.name.removesuffix("s"), "3.0")
        assert outcome.left == ()
        assert yaml.load(text, yaml.CBaseLoader) == yaml.load(outcome.text, yaml.CBaseLoader)
