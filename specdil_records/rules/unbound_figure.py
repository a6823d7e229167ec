"""The finding unbound-figure."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity, Status
from specdil_records.rules.rule import Rule, Sample, View

OLDER = ("1.0", "2.0")
"""Versions in which numbers are not bound; one warning counts them there."""


class UnboundFigure(Rule):
    """A number of the prose is accounted for by nothing."""

    name = "unbound-figure"
    code = "N01"
    severity = Severity.ERROR
    since = "0.1"
    why = "Nobody recomputes it, so it will drift."
    mend = (
        "Bind it with a claim, call it unverified in one, or set it aside if it is part of a name, a date or "
        "a version."
    )
    bad = Sample(edits=(
        (
            "flop",
            "- Draft less when the batch is large.",
            "- Draft less than 3 tokens when the batch is large.",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Every entry of the ledger that nothing accounts for and no other finding explains."""
        if view.evaluation is None or view.record.version in OLDER:
            return
        for entry in view.evaluation.ledger:
            if entry.status == Status.UNBOUND and not entry.explained:
                yield Problem(self.name, f"nothing accounts for {entry.written}",
                              entry.place, data={"figure": entry.written})
