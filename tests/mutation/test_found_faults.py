"""Holes in the validator that mutants came through once."""
from __future__ import annotations

from specdil_records.rules.samples import BASE
from tests.claims.support import judge

BENCH = "records/sources/other-bench.yaml"


def test_a_cited_cell_that_holds_words_is_told() -> None:
    bench = BASE["bench"].replace("sources/bench-report", "sources/other-bench").replace(
        'batch: ["1", "16"]', 'batch: ["1", "16"], engine: [one, other]')
    claim = {"basis": "measured", "figures": {"gives 1.25x": 'cited("other-bench", "table-1", "engine", batch=16)'}}
    done = judge("It gives 1.25x there.", claim, files={BENCH: bench})
    assert done.names == ["undecided"]
    assert "engine is 'other'" in done.messages


def test_a_cited_cell_that_cannot_be_read_is_told_once_where_it_stands() -> None:
    bench = BASE["bench"].replace("sources/bench-report", "sources/other-bench").replace('"1.25"', '"about two"')
    claim = {"basis": "measured", "figures": {"gives 1.25x": 'cited("other-bench", "table-1", "speedup", batch=16)'}}
    done = judge("It gives 1.25x there.", claim, files={BENCH: bench})
    assert done.names == []
    assert [finding.name for finding in done.report.findings] == ["unreadable-number"]


def test_a_number_in_a_term_with_a_percent_sign_is_another_number() -> None:
    claim = {"over": {"k": "1..8"}, "figures": {"of k + 1%": "draft_budget.tokens(1, k)"}}
    assert judge("A share of k + 1% is added.", claim).names == ["formula"]
    plain = {"over": {"k": "1..8"}, "figures": {"of k + 1": "draft_budget.tokens(1, k)"}}
    assert judge("A count of k + 1 times is added.", plain).names == []
