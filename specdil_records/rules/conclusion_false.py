"""The finding conclusion-false."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class ConclusionFalse(Rule):
    """A statement that is claimed to hold, or a trend, is false at some point of its grid."""

    name = "conclusion-false"
    code = "C02"
    severity = Severity.ERROR
    since = "0.1"
    why = "A conclusion that fails for one batch is no conclusion for every batch."
    mend = "Narrow the grid or the statement to what is true, or dispute the words."
    bad = Sample(edits=(
        (
            "flop",
            "holds: [\"decreasing(additive.gain(B, k), B)\"]",
            "holds: [\"additive.gain(B, k) < 1\"]",
        ),
    ))
    good = Sample()
