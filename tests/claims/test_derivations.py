"""A derivation says everything that a verdict rests on, and for every number which claims have to do with it."""
from __future__ import annotations

import pytest

from specdil_records.checking.selftest import sample_corpus
from specdil_records.claims import Evaluation, evaluate
from specdil_records.claims.derivations import brief_lines, claim_lines, claims_by_number, reason
from specdil_records.findings import Status
from specdil_records.rules.samples import Sample
from tests.claims.support import judge

RUMOUR = "- {id: rumour, in: /workarounds/0, quote: some say 7 at most, basis: unverified}\n"
DISPUTE = """\
disputes:
- {claim: gain-at-16, figure: gain of 25%, against: "verify.gain(batch, draft_k)", because: b, sources: [bench-report]}
"""
EDITS = (
    ("flop", "- Draft less when the batch is large.", "- Draft less, some say 7 at most, on most chips of 2026-01-01."),
    ("flop", "- id: gain-fades", RUMOUR + "- id: gain-fades"),
    ("flop", "history:", DISPUTE + "history:"),
)


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    corpus = sample_corpus(Sample(EDITS))
    return evaluate(corpus.by_id["flops/example-stall"], corpus)


def test_a_claim_is_told_whole(evaluation: Evaluation) -> None:
    claim = next(one for one in evaluation.claims if one.id == "gain-at-16")
    told = list(claim_lines(claim, claim.figures))
    assert told[0] == "claim gain-at-16: disputed (basis derived)"
    assert [line.split()[0] for line in told if line.startswith("  ") and line[2] != " "] == [
        "quote", "read", "read", "figure", "figure", "figure", "disputed"]
    assert "  read      batch = 16, from the prose: At batch 16" in told
    assert "    against verify.gain(batch, draft_k)" in told


def test_a_claim_s_own_words_are_told() -> None:
    judged = judge("At batch  16\nit is 20.", {"read": {"batch": "At batch 16"}, "figures": {"is 20": "batch + 4"},
                                              "quote": "At batch  16\nit is 20", "because": "so it is counted"})
    told = list(claim_lines(judged.evaluation.claims[0], []))
    assert told == ["claim claim-1: recomputed (basis derived)", "  quote     At batch 16 it is 20",
                    "  read      batch = 16, from the prose: At batch  16", "  because   so it is counted"]


def test_what_gave_a_number_its_status() -> None:
    judged = judge("At batch 16 on H100 it is 20, not 7.", {"read": {"batch": "At batch 16"},
                                                            "quote": "At batch 16 on H100 it is 20",
                                                            "figures": {"is 20": "batch + 4"}},
                   {"read": {"batch": {"in": "notes", "at": "batch 16"}}, "quote": "it is 20", "holds": ["batch > 4"]})
    assert [(entry.written, reason(entry)) for entry in judged.evaluation.ledger] == [
        ("16", "claim-1, claim-2"), ("100", "name"), ("20", "claim-1"), ("7", "nothing accounts for it")]


def test_only_the_disputes_of_the_figures_shown_are_told(evaluation: Evaluation) -> None:
    claim = next(one for one in evaluation.claims if one.id == "gain-at-16")
    told = {figure.anchor: any(line.startswith("  disputed") for line in claim_lines(claim, [figure]))
            for figure in claim.figures}
    assert told == {"from 16": False, "to 20": False, "gain of 25%": True}
    assert any(line.startswith("  disputed") for line in claim_lines(claim, [])), "without figures, every dispute"
    assert not any(line.startswith(("  disputed", "  quote", "  read")) for line in brief_lines(claim, claim.figures))


def test_a_number_has_every_claim_that_has_to_do_with_it_once() -> None:
    judged = judge("At batch 16 it is 20.", {"read": {"batch": "At batch 16"}, "figures": {"is 20": "batch + 4"}},
                   {"read": {"batch": "At batch 16"}, "holds": ["batch > 4"]}, {"basis": "unverified"})
    found = claims_by_number(judged.evaluation)
    assert [[(claim.id, [figure.anchor for figure in figures]) for claim, figures in found[("notes",), index]]
            for index in (0, 1)] == [
        [("claim-1", []), ("claim-2", []), ("claim-3", [])], [("claim-1", ["is 20"]), ("claim-3", [])]]


def test_every_number_but_exempt_and_unbound_ones_has_a_claim(evaluation: Evaluation) -> None:
    claims = claims_by_number(evaluation)
    for entry in evaluation.ledger:
        here = [claim.id for claim, _ in claims.get((entry.pointer, entry.index), [])]
        assert bool(here) == (entry.status not in (Status.EXEMPT, Status.UNBOUND)), entry.written
        assert reason(entry)
    (rumour,) = (entry for entry in evaluation.ledger if entry.written == "7")
    assert rumour.status == Status.UNVERIFIED
    ((claim, figures),) = claims[rumour.pointer, rumour.index]
    assert (claim.id, figures) == ("rumour", [])
