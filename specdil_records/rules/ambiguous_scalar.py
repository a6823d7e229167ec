"""The finding ambiguous-scalar."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class AmbiguousScalar(Rule):
    """An unquoted value would be read as something else by a YAML 1.1 reader."""

    name = "ambiguous-scalar"
    code = "R07"
    severity = Severity.WARNING
    since = "0.1"
    why = (
        "Here it is text exactly as written, but other tools may read a truth value, a date or a number in "
        "another base."
    )
    mend = "Put the value in quotes."
    bad = Sample(edits=(("flop", "date: \"2026-10-05\"", "date: 2026-10-05"),))
    good = Sample()
