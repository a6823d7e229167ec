"""The finding lost-text."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class LostText(Rule):
    """Text after a blank and a # is read as a comment although it looks like part of the value."""

    name = "lost-text"
    code = "R05"
    severity = Severity.ERROR
    since = "0.1"
    why = "YAML drops everything from ' #' on; what is left may still be valid, so the loss goes unnoticed."
    mend = "Quote the value, or put a blank after the # if a comment is meant."
    bad = Sample(edits=(("flop", "name: Drafting stalls", "name: Drafting stalls, see #88"),))
    good = Sample(edits=(("flop", "name: Drafting stalls", "name: \"Drafting stalls, see #88\""),))
