"""The finding too-large."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class TooLarge(Rule):
    """The file, its depth, its number of values or one of its numbers is beyond every sensible size."""

    name = "too-large"
    code = "R06"
    severity = Severity.ERROR
    since = "0.1"
    why = "A limit keeps one broken or hostile file from stalling the check of all others."
    mend = "Split the record; a number of more than 400 digits is a mistake."
    bad = Sample(edits=(
        (
            "flop",
            "name: Drafting stalls",
            (
                "name: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
                "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
                "]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
            ),
        ),
    ))
    good = Sample()
