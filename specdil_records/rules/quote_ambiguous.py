"""The finding quote-ambiguous."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class QuoteAmbiguous(Rule):
    """A quote, or an anchor, stands at several places of its field."""

    name = "quote-ambiguous"
    code = "P09"
    severity = Severity.ERROR
    since = "0.1"
    why = "Which of them is meant has to be said, or the wrong one is proved."
    mend = "Quote more words, or say which one is meant with occurrence."
    bad = Sample(edits=(
        (
            "flop",
            "- Draft less when the batch is large.",
            "- The gain fades as the batch grows. The gain fades as the batch grows.",
        ),
        (
            "flop",
            "- id: gain-fades\n  in: arithmetic_intensity",
            "- id: gain-fades\n  in: /workarounds/0",
        ),
    ))
    good = Sample(edits=(
        (
            "flop",
            "- Draft less when the batch is large.",
            "- The gain fades as the batch grows. The gain fades as the batch grows.",
        ),
        (
            "flop",
            "- id: gain-fades\n  in: arithmetic_intensity",
            "- id: gain-fades\n  occurrence: 2\n  in: /workarounds/0",
        ),
    ))
