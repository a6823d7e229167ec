"""The finding duplicate-key."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class DuplicateKey(Rule):
    """A key stands twice in the same mapping."""

    name = "duplicate-key"
    code = "R02"
    severity = Severity.ERROR
    since = "0.1"
    why = "Most readers silently keep one of the two values, so the other one is never checked by anybody."
    mend = "Remove one of the two entries; the message names the line of the first."
    bad = Sample(edits=(("flop", "status: active\n", "status: active\nstatus: withdrawn\n"),))
    good = Sample()
