"""The finding formula."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class Formula(Rule):
    """An expression is refused, or proves nothing about the number beside it."""

    name = "formula"
    code = "C04"
    severity = Severity.ERROR
    since = "0.1"
    why = "An expression without an input, an unknown name or a wrong dimension looks like a proof and is none."
    mend = "Follow the message; records quantities lists the names that may be used."
    bad = Sample(edits=(
        (
            "flop",
            "gain of 25%: additive.gain(batch, draft_k)",
            "gain of 25%: additive.gains(batch, draft_k)",
        ),
    ))
    good = Sample()
