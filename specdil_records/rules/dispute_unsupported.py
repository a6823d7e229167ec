"""The finding dispute-unsupported."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class DisputeUnsupported(Rule):
    """A dispute names no source, no record and no claim that stands behind it."""

    name = "dispute-unsupported"
    code = "C06"
    severity = Severity.ERROR
    since = "0.1"
    why = "Whoever contradicts a record owes the same evidence as its author."
    mend = "Name the sources that contradict the record."
    bad = Sample(edits=(
        (
            "flop",
            "history:\n",
            (
                "disputes:\n"
                "- {claim: gain-at-16, figure: gain of 25%, against: \"verify.gain(batch, draft_k)\", because: a "
                "test}\n"
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
