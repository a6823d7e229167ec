"""Every rule finds its bad sample and nothing else, passes its good one, and cannot be put together wrongly."""
from __future__ import annotations

from dataclasses import replace

import pytest

from specdil_records.checking import Options
from specdil_records.checking.pipeline import chosen_rules
from specdil_records.checking.selftest import check_sample, sample_corpus, sample_faults
from specdil_records.findings import Severity
from specdil_records.rules import NAMES, RULES, Rule, RuleError, Sample, by_name
from specdil_records.rules.rule import REGISTRY


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_bad_sample_is_found_and_nothing_else(rule: Rule) -> None:
    findings = check_sample(rule.bad)
    assert {finding.name for finding in findings} == {rule.name}
    assert all(finding.code == rule.code and finding.severity == rule.severity for finding in findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_good_sample_is_fine(rule: Rule) -> None:
    assert check_sample(rule.good) == ()


def test_a_rule_that_raises_is_no_rule_that_is_content(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = by_name("new-figure")
    assert rule is not None
    monkeypatch.setattr(type(rule), "check", lambda self, view: 1 // 0)
    with pytest.raises(RuleError, match="new-figure"):
        check_sample(rule.good)
    assert len(list(sample_faults(rule))) == 2


def test_rules_about_history_run_only_beside_an_earlier_state() -> None:
    historic = {rule.name for rule in RULES if rule.historic}
    assert historic == {"history-missing", "schema-pass-changed-content"}
    now = sample_corpus(Sample())
    assert {rule.name for rule in chosen_rules(now, Options())} == NAMES - historic
    assert {rule.name for rule in chosen_rules(replace(now, before=now), Options())} == NAMES


def test_codes_are_in_their_families_and_never_twice() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)
    assert by_name("C01") is by_name("figure-drift")


TEXTS = {"severity": Severity.ERROR, "since": "0.1", "why": "w", "mend": "m", "bad": Sample(), "good": Sample(),
         "__doc__": "What."}


@pytest.mark.parametrize(("changes", "complaint"), [
    ({"name": "figure-drifts", "code": "C90", "__module__": "rules.figure_drift"}, "file of that name"),
    ({"name": "history-missing", "code": "C01"}, "repeats"),
    ({"name": "figure-drift", "code": "C91"}, "repeats"),
    ({"name": "history-missing", "code": "Z01"}, "no code"),
    ({"name": "history-missing", "code": "P12", "why": ""}, "lacks why"),
    ({"name": "history-missing", "code": "P12", "__doc__": None}, "lacks __doc__"),
])
def test_a_rule_put_together_wrongly_fails_when_it_is_imported(changes: dict[str, object], complaint: str) -> None:
    before = dict(REGISTRY)
    with pytest.raises(RuleError, match=complaint):
        type("Wrong", (Rule,), {"__module__": f"rules.{changes['name']}", **TEXTS, **changes})
    assert before == REGISTRY
