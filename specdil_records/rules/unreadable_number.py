"""The finding unreadable-number."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.written import unreadable


class UnreadableNumber(Rule):
    """A number cannot be read without guessing."""

    name = "unreadable-number"
    code = "N02"
    severity = Severity.ERROR
    since = "0.1"
    why = "12,5 is twelve and a half to one reader and two numbers to the next."
    mend = "Write a decimal point with digits on both sides, group thousands by three, and let ranges ascend."
    bad = Sample(edits=(
        (
            "flop",
            "- Draft less when the batch is large.",
            "- Draft less by 12,5 when the batch is large.",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Numbers of the prose and of evidence."""
        yield from view.found(self.name)
        yield from unreadable(view, self.name)
