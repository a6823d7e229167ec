"""Single mutants: what is changed, that the file says it, and that nothing but what it touches is judged again."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from specdil_records.checking import Options
from specdil_records.checking.pipeline import chosen_rules
from specdil_records.checking.selftest import sample_corpus
from specdil_records.claims import evaluate
from specdil_records.corpus import Corpus, load_corpus
from specdil_records.mutation.judging import Bench, RuleFailed
from specdil_records.mutation.kinds import KINDS
from specdil_records.mutation.mutants import Mutant, Splice, changed, value_at
from specdil_records.mutation.numbers import other_unit, shifted_text
from specdil_records.mutation.running import grounds_of
from specdil_records.mutation.words import weakened
from specdil_records.rules import Rule, Sample
from specdil_records.rules.samples import BASE, PATHS
from tests.conftest import Build
from tests.mutation.corpora import RICH

FLOP = "flops/example-stall"
AGAIN = """\
- id: again
  in: arithmetic_intensity
  quote: Again the gain is 25%
  same_as: gain-at-16
  figures: {gain is 25%: gain of 25%}
"""
DISPUTE = """\
disputes:
- {claim: gain-at-16, figure: gain of 25%, against: "verify.gain(batch, draft_k)", because: b, sources: [bench-report]}
"""
REPEATED = (
    ("flop", "  effect: More bandwidth lowers the ridge\n", "  effect: a gain of 25%\n  magnitude: 25%\n"),
    ("flop", "batch grows.\nscales", "batch grows. Again the gain is 25%.\nscales"),
    ("flop", "- id: gain-fades", AGAIN + "- id: gain-fades"),
    ("flop", "history:\n", DISPUTE + "history:\n"),
)
"""The base example with a row, a claim and a dispute that repeat one of its numbers."""


def bench(corpus: Corpus) -> Bench:
    return Bench(corpus, chosen_rules(corpus, Options()))


def mutants(desk: Bench, record: str, kind: str) -> list[Mutant]:
    (ground,) = grounds_of(desk, frozenset({desk.corpus.by_id[record].path}))
    return [mutant for each in KINDS if each.name == kind for mutant in each.make(ground)]


@pytest.fixture(scope="module")
def base() -> Bench:
    return bench(sample_corpus(Sample(RICH)))


def find(desk: Bench, record: str, kind: str, words: str) -> Mutant:
    (found,) = (mutant for mutant in mutants(desk, record, kind) if words in mutant.what)
    return found


def changes(desk: Bench, mutant: Mutant) -> dict[str, Any]:
    """Every text of the record that is another one than before, by its place."""
    old = desk.corpus.by_id[mutant.record]
    before, after = texts(old.data), texts(changed(old, mutant).data)
    return {place: after[place] for place in after if after[place] != before.get(place)}


def texts(data: Any, place: str = "") -> dict[str, Any]:
    if isinstance(data, dict):
        return {name: text for key, value in data.items() for name, text in texts(value, f"{place}/{key}").items()}
    if isinstance(data, list):
        return {name: text for i, value in enumerate(data) for name, text in texts(value, f"{place}/{i}").items()}
    return {place: data}


def test_a_digit_is_changed_in_the_prose_alone(base: Bench) -> None:
    done = changes(base, find(base, FLOP, "digit", "25% becomes 26%"))
    assert list(done) == ["/arithmetic_intensity"]
    assert "from 16 to 20, a gain of 26%." in done["/arithmetic_intensity"]


def test_a_value_is_changed_by_more_than_its_width_wherever_it_is_quoted(base: Bench) -> None:
    done = changes(base, find(base, FLOP, "value", "25% becomes 27%"))
    assert "a gain of 27%." in done["/arithmetic_intensity"]
    assert done["/claims/0/quote"].endswith("from 16 to 20, a gain of 27%")
    assert done["/claims/0/figures/gain of 27%"] == "additive.gain(batch, draft_k)"
    assert len(done) == 3


def test_an_input_is_changed_with_the_anchor_that_it_is_read_by(base: Bench) -> None:
    done = changes(base, find(base, FLOP, "value", "4 becomes 5"))
    assert done["/claims/0/read/draft_k"] == "with k=5 drafts"
    assert "with k=5 drafts" in done["/claims/0/quote"]


def test_disputes_and_effects_and_repeats_follow_a_changed_number() -> None:
    desk = bench(sample_corpus(Sample(REPEATED)))
    assert not any(desk.before[PATHS["flop"]])
    first = next(mutant for mutant in mutants(desk, FLOP, "value") if mutant.what.startswith("25% becomes 27%"))
    done = changes(desk, first)
    assert done["/hardware_parameters/0/effect"] == "a gain of 27%"
    assert done["/hardware_parameters/0/magnitude"] == "27%"
    assert done["/disputes/0/figure"] == "gain of 27%"
    assert done["/claims/1/figures/gain is 25%"] == "gain of 27%"
    assert desk.outcome(first).by == "figure-drift"


def test_a_change_that_needs_quotes_in_the_file_gets_them(base: Bench) -> None:
    splice = Splice(("claims", 0, "read", "batch"), 0, 11, "a, b: c")
    mutant = Mutant("input", FLOP, PATHS["flop"], "", "", splice.pointer, (splice,))
    assert changes(base, mutant) == {"/claims/0/read/batch": "a, b: c"}


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_mutant_says_in_its_file_what_it_means_and_nothing_else(base: Bench, kind: str) -> None:
    made = [mutant for record in base.corpus.own for mutant in mutants(base, record.id, kind)]
    assert made
    for mutant in made:
        old = base.corpus.by_id[mutant.record]
        new = changed(old, mutant)
        assert new.data != old.data
        assert (new.id, new.path, new.path_id, new.kind, new.own) == (old.id, old.path, old.path_id, old.kind, old.own)


def test_a_record_in_json_is_changed_as_well() -> None:
    desk = bench(sample_corpus(Sample(files={
        "records/flops/in-json.json": json.dumps({**yaml.safe_load(BASE["flop"]), "id": "flops/in-json"}, indent=1)})))
    mutant = find(desk, "flops/in-json", "digit", "25% becomes 26%")
    assert "a gain of 26%." in changes(desk, mutant)["/arithmetic_intensity"]
    assert desk.outcome(mutant).by == "figure-drift"


def test_what_is_kept_judges_as_judging_anew_does(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = bench(load_corpus(build(*RICH)))
    made = [mutant for kind in KINDS for record in desk.corpus.own for mutant in mutants(desk, record.id, kind.name)]
    kept = [(outcome.result, outcome.by) for outcome in map(desk.outcome, made)]
    monkeypatch.setattr(type(desk.memory), "again", lambda self, record, corpus, changed: evaluate(record, corpus))
    assert [(outcome.result, outcome.by) for outcome in map(desk.outcome, made)] == kept
    assert len(kept) > 200


def test_a_rule_that_raises_is_the_tools_fault(base: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = find(base, FLOP, "digit", "25% becomes 26%")

    def fails(self: Rule, view: object) -> list[object]:
        raise KeyError("lost")

    monkeypatch.setattr(type(base.rules[0]), "check", fails)
    with pytest.raises(RuleFailed, match="KeyError"):
        base.outcome(mutant)


def test_a_finding_that_is_suppressed_is_none(tmp_path: Path) -> None:
    settings = '[tool.records]\n[[tool.records.suppress]]\nname = "figure-drift"\npath = "*"\nbecause = "a test"\n'
    corpus = sample_corpus(Sample(files={"pyproject.toml": settings}))
    silent = bench(corpus)
    mutant = find(silent, FLOP, "digit", "25% becomes 26%")
    assert silent.outcome(mutant).result == "survived"
    told = bench(replace(corpus, settings=replace(corpus.settings, suppressions=())))
    assert told.outcome(mutant).result == "killed"


@pytest.mark.parametrize(("text", "steps", "expected"), [
    ("12.5", 2, "12.7"), ("9.99", 1, "10.00"), ("0.05", -1, "0.04"), ("114,512", 1, "114,513"), ("1,000", -1, "999"),
    ("999", 1, "1000"), ("7", -8, None), ("0.0", 1, "0.1"),
])
def test_a_number_keeps_its_decimals_and_groups(text: str, steps: int, expected: str | None) -> None:
    assert shifted_text(text, steps) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("%", "x"), ("x", "%"), ("TB/s", "GB/s"), ("GB", "TB"), ("TFLOP/s", "GFLOP/s"), ("MiB", "GiB"), ("FLOP/byte", "%"),
])
def test_another_unit_is_another_value(text: str, expected: str) -> None:
    assert other_unit(text) == expected


@pytest.mark.parametrize(("word", "expected"), [("gains", "seldom"), ("seldom", "rarely"), ("H100", "H200"),
                                                ("9", "8")])
def test_a_word_becomes_another(word: str, expected: str) -> None:
    assert weakened(word) == expected


def test_values_at_pointers() -> None:
    assert value_at({"a": [{"b": 1}]}, ("a", 0, "b")) == 1
