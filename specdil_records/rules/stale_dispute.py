"""The finding stale-dispute."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class StaleDispute(Rule):
    """A dispute no longer disagrees."""

    name = "stale-dispute"
    code = "C05"
    severity = Severity.ERROR
    since = "0.1"
    why = "A dispute that outlives its reason accuses a statement that is right."
    mend = "Remove the dispute."
    bad = Sample(edits=(
        (
            "flop",
            "history:\n",
            (
                "disputes:\n"
                "- {claim: gain-at-16, figure: gain of 25%, against: draft_k / batch, because: a test, sources: "
                "[bench-report]}\n"
                "history:\n"
            ),
        ),
    ))
    good = Sample(edits=(
        (
            "flop",
            "history:\n",
            (
                "disputes:\n"
                "- {claim: gain-at-16, figure: gain of 25%, against: \"verify.gain(batch, draft_k)\", because: a "
                "test, sources: [bench-report]}\n"
                "history:\n"
            ),
        ),
    ))
