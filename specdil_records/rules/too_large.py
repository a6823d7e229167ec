"""The finding too-large."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.written import unreadable


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

    def check(self, view: View) -> Iterable[Problem]:
        """Files, and numbers of the prose and of evidence."""
        yield from view.found(self.name)
        yield from unreadable(view, self.name)
