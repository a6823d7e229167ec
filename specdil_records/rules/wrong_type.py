"""The finding wrong-type."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class WrongType(Rule):
    """A value has the wrong type, or is a number that is not finite."""

    name = "wrong-type"
    code = "S01"
    severity = Severity.ERROR
    since = "0.1"
    why = (
        "A figure that is read as a float has lost its digits; a version that is read as a number has lost "
        "its last zero."
    )
    mend = "Write figures, dates and versions as text in quotes, counts as whole numbers."
    bad = Sample(edits=(("chip", "value: \"2.00 TB/s\"", "value: 2.00"),))
    good = Sample()
