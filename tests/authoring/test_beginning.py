"""`new` and `bind`: beginnings that fit their schema, and proposals that the judge accepts."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.authoring import yaml_text
from specdil_records.claims import evaluate
from specdil_records.corpus import load_corpus
from specdil_records.findings import Status
from specdil_records.reading import read_document
from tests.authoring.commands import records
from tests.conftest import Build

TEXT = """\
Drafting stalls when the verify step is compute-bound. At batch 64 a step with k=4 drafts
gains only 6.25%. The gain shrinks as the batch grows.

On an Example Chip the memory bandwidth limits decode. (See Table 3.)

- Draft less at batch 128 and
  beyond.
* Turn it off.
"""
FLOP = "records/flops/example-stall.yaml"


# Values as text ---------------------------------------------------------------------------------------------

TEXTS = st.text(st.one_of(st.sampled_from("abc 019.,:#-'\"\\[]{}&*!|>%@`=~?\n\té→\u00a0\u2028\x85\x07\ufeff😀"),
                          st.characters(exclude_categories=["Cs"])), max_size=160).filter(
    lambda text: not any(ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF for character in text))
KEYS = st.sampled_from(["x", "y", "12.5%", "to k", "36"])
TREES = st.dictionaries(st.sampled_from("abcde"), st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8),
    min_size=1)


@given(TREES)
def test_every_tree_reads_back_as_it_was_written(tree: dict[str, Any]) -> None:
    document = read_document(yaml_text.block(tree).encode("utf-8"), "x.yaml")
    assert [problem for problem in document.problems if problem.name != "too-large"] == []
    assert document.data == tree


@pytest.mark.parametrize(("text", "written"), [
    ("plain words", "plain words"), ("no", '"no"'), ("12", '"12"'), ("2026-10-05", '"2026-10-05"'), ("a: b", '"a: b"'),
    ("a #b", '"a #b"'), ("/notes", "/notes"), ("- a", '"- a"'), ("", '""'), ("only 12.5%", "only 12.5%"),
])
def test_text_is_quoted_only_where_it_must_be(text: str, written: str) -> None:
    assert yaml_text.scalar(text) == written


def test_long_text_is_folded_and_paragraphs_stay_apart() -> None:
    text = "word " * 40 + "end\nand more"
    written = yaml_text.block({"notes": text})
    assert written.startswith("notes: >-\n  word")
    assert max(map(len, written.split("\n"))) <= yaml_text.WIDTH
    assert yaml.safe_load(written) == {"notes": text}


# new --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["flop", "accelerator", "model", "source", "flops"])
def test_a_skeleton_fits_its_schema_and_is_in_canonical_form(build: Build, kind: str) -> None:
    folder = build()
    done = records(folder, "new", kind, "some-thing")
    assert (done.code, done.err) == (0, "")
    path = folder / done.out.removeprefix("wrote ").strip()
    name = kind.removesuffix("s")
    assert path.read_text().startswith(f"# yaml-language-server: $schema=../../schema/3.0/{name}.json\n")
    record = load_corpus(folder).by_id[f"{name}s/some-thing"]
    assert record.sound
    assert record.problems == ()
    assert records(folder, "fmt", "--check").code == 0


def test_a_file_that_is_there_is_never_written_over(build: Build) -> None:
    folder = build(files={"records/flops/other.json": "{}"})
    before = (folder / FLOP).read_bytes()
    done = records(folder, "new", "flop", "flops/example-stall")
    assert done.code == 2
    assert "there already" in done.err
    assert (folder / FLOP).read_bytes() == before
    assert records(folder, "new", "flop", "other").code == 2
    assert not (folder / "records/flops/other.yaml").exists()


@pytest.mark.parametrize("identity", ["Upper", "a b", "con", "../up", "a/../../b", "a_b", "-a", ""])
def test_an_id_that_is_none_is_refused(build: Build, identity: str) -> None:
    folder = build()
    before = sorted(folder.rglob("*"))
    done = records(folder, "new", "flop", "--", identity)
    assert done.code == 2
    assert sorted(folder.rglob("*")) == before


def test_wrong_arguments_are_told(build: Build) -> None:
    folder = build()
    assert "there are flop, accelerator, model, source" in records(folder, "new", "thing", "x").err
    assert records(folder, "new", "source", "x", "--from-text", "pyproject.toml").code == 2
    assert records(folder, "new", "flop", "x", "--from-text", "nosuch.txt").code == 2
    (folder / "empty.txt").write_text("\n \n")
    assert "no paragraph" in records(folder, "new", "flop", "x", "--from-text", "empty.txt").err


def test_a_text_becomes_a_record_in_which_every_number_is_unverified(build: Build) -> None:
    folder = build()
    (folder / "stall.txt").write_text(TEXT)
    done = records(folder, "new", "flop", "stall", "--from-text", "stall.txt")
    assert done.code == 0
    assert "2 rows and 2 unverified claims" in done.out
    data = load_corpus(folder).by_id["flops/stall"].data
    assert data["arithmetic_intensity"].startswith("Drafting stalls when")
    assert data["notes"] == "On an Example Chip the memory bandwidth limits decode. (See Table 3.)"
    assert data["workarounds"] == ["Draft less at batch 128 and beyond.", "Turn it off."]
    assert data["scales_with"] == [{"parameter": "batch_size", "effect": "The gain shrinks as the batch grows"}]
    assert data["hardware_parameters"][0]["parameter"] == "memory_bandwidth"
    assert data["affected_by_hardware"] == ["example-chip"]
    assert {claim["basis"] for claim in data["claims"]} == {"unverified"}
    report = json.loads(records(folder, "check", "--format", "json").out)
    assert report["summary"]["errors"] == 0
    assert report["summary"]["numbers"]["unbound"] == 0
    assert records(folder, "fmt", "--check").code == 0


def test_a_corpus_may_begin_with_its_first_record(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.records]\ncorpus = \"knowledge\"\n")
    assert records(tmp_path, "new", "flop", "first").code == 0
    assert (tmp_path / "knowledge/flops/first.yaml").read_text().startswith(
        "# yaml-language-server: $schema=../../schema/3.0/flop.json\n")


# bind -------------------------------------------------------------------------------------------------------


def unbound(build: Build, prose: str, claims: str = "") -> Path:
    """The base example with a line of prose that nothing accounts for."""
    return build(("flop", "  More bandwidth lowers the ridge.\nclaims:\n",
                  f"  More bandwidth lowers the ridge.\n  {prose}\nclaims:\n{claims}"))


def status_of(folder: Path, written: str) -> list[Status]:
    corpus = load_corpus(folder)
    record = corpus.by_id["flops/example-stall"]
    return [entry.status for entry in evaluate(record, corpus).ledger
            if entry.written == written and entry.pointer == ("notes",)]


@pytest.mark.parametrize(("prose", "expression"), [
    ("At batch 8 and k=2 the gain is 25.0%.", "additive.gain(batch, draft_k)"),
    ("With k=3 drafts batch 12 has an intensity of 15.", "additive.intensity(batch, draft_k)"),
    ("It took 30 ms of 40 ms, 75%.", "first / second"),
    ("The example chip has a ridge of 200 FLOP/byte.", "ridge(example)"),
    ("The example chip moves 2.0 TB/s.", "example.memory_bandwidth"),
])
def test_the_likeliest_expression_comes_first(build: Build, prose: str, expression: str) -> None:
    folder = unbound(build, prose)
    done = records(folder, "bind", "example-stall")
    assert done.code == 0
    firsts = [line.split("  ")[2].split(" = ")[0] for line in done.out.splitlines() if line.startswith("  1  ")]
    assert expression in firsts, done.out


def test_at_most_five_proposals_are_made_for_a_number(build: Build) -> None:
    folder = unbound(build, "Here are 36, there 36, now 32, then 32: it is 12.5%.")
    lines = records(folder, "bind", "example-stall").out.splitlines()
    assert any(line.startswith("  5  ") for line in lines)
    assert not any(line.startswith("  6  ") for line in lines)


def test_apply_writes_one_claim_and_the_number_is_recomputed(build: Build) -> None:
    folder = unbound(build, "At batch 8 and k=2 the gain is 25.0%.")
    before = (folder / FLOP).read_text()
    assert status_of(folder, "25.0%") == [Status.UNBOUND]
    done = records(folder, "bind", "example-stall", "--apply", "1")
    assert (done.code, done.err) == (0, "")
    assert status_of(folder, "25.0%") == [Status.RECOMPUTED]
    after = (folder / FLOP).read_text()
    claim = ("- id: bound-1\n  in: notes\n  quote: At batch 8 and k=2 the gain is 25.0%\n  basis: derived\n"
             "  read: {draft_k: k=2, batch: batch 8}\n  figures: {25.0%: \"additive.gain(batch, draft_k)\"}\n")
    assert after == before.replace("history:\n", claim + "history:\n")
    report = json.loads(records(folder, "check", "--format", "json").out)
    assert report["findings"] == []
    assert records(folder, "fmt", "--check").code == 0


@pytest.mark.parametrize("claims", ["claims: []  # none yet\n", ""])
def test_the_first_claim_of_a_record_is_put_behind_its_notes(build: Build, claims: str) -> None:
    folder = build()
    text = (folder / FLOP).read_text()
    head, _, rest = text.partition("claims:\n")
    head = head.replace("At batch 16 a step with k=4 drafts raises the intensity from 16 to 20, a gain of 25%.",
                        "Batch 16 with k=4 drafts gains 25%.")
    head = head[:head.index("notes: |-")] + "notes: ''\n"
    (folder / FLOP).write_text(head + claims + "history:" + rest.partition("history:")[2])
    done = records(folder, "bind", "example-stall", "--apply", "1")
    assert (done.code, done.err) == (0, "")
    data = load_corpus(folder).by_id["flops/example-stall"].data
    assert [claim["id"] for claim in data["claims"]] == ["bound-1"]
    assert list(data).index("claims") == list(data).index("notes") + 1
    assert ("# none yet" in (folder / FLOP).read_text()) == bool(claims)


def test_unbound_numbers_come_before_unverified_ones(build: Build) -> None:
    folder = unbound(build, "It took 30 ms of 40 ms, 75%. Then 3 of 4, 75 %, were done.",
                     "- id: early\n  in: notes\n  quote: It took 30 ms of 40 ms, 75%\n  basis: unverified\n")
    assert "binds '75 %' to" in records(folder, "bind", "example-stall", "--apply", "1").out
    assert "binds '30 ms' to" in records(folder, "bind", "example-stall", "--apply", "1").out


def test_a_record_that_cannot_be_bound_says_why(build: Build) -> None:
    folder = build(files={"records/flops/old.yaml": (
        'schema_version: "2.0"\nid: flops/old\narithmetic_intensity: ""\nscales_with: []\naffected_by_hardware: []\n'
        'hardware_parameters: []\nworkarounds: []\nnotes: ""\n')})
    assert "records migrate" in records(folder, "bind", "old").err
    assert records(folder, "bind", "example-chip").code == 2
    assert records(folder, "bind", "example-stall", "--apply", "1").code == 1
    assert records(unbound(build, "At batch 8 and k=2 the gain is 25.0%."), "bind", "example-stall", "--apply",
                   "9").code == 2
