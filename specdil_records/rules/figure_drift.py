"""The finding figure-drift."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class FigureDrift(Rule):
    """A figure is not what its expression gives."""

    name = "figure-drift"
    code = "C01"
    severity = Severity.ERROR
    since = "0.1"
    why = "This is the number that has drifted: it was copied wrongly, or what it rests on has changed."
    mend = (
        "Correct the figure, or the expression if that is wrong. If the author's figure has to stay, dispute "
        "it."
    )
    bad = Sample(edits=(("flop", "a gain of 25%.", "a gain of 52%."),))
    good = Sample()
