"""The finding quote-not-verbatim."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class QuoteNotVerbatim(Rule):
    """A quote, or words that a claim names, are not in the prose, character for character."""

    name = "quote-not-verbatim"
    code = "P08"
    severity = Severity.ERROR
    since = "0.1"
    why = "A claim is about the words that stand there; about other words it proves nothing."
    mend = (
        "Copy the words from the prose. If the prose is right and only a number moved, the quote and its "
        "anchors follow the prose."
    )
    bad = Sample(edits=(
        (
            "flop",
            "  quote: The gain fades as the batch grows\n",
            "  quote: The gain vanishes as the batch grows\n",
        ),
    ))
    good = Sample()
