"""The finding schema."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class Schema(Rule):
    """The record does not have the shape that its schema version asks for."""

    name = "schema"
    code = "S03"
    severity = Severity.ERROR
    since = "0.1"
    why = "A misspelt key is a key that nobody reads."
    mend = (
        "Follow the message: it names the key, what was expected and, where there is one, the nearest right "
        "word."
    )
    bad = Sample(edits=(("flop", "status: active", "status: activ"),))
    good = Sample()
