"""The finding bad-character."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class BadCharacter(Rule):
    """The file holds a control character, a lone surrogate, a line separator or a character that is none."""

    name = "bad-character"
    code = "R04"
    severity = Severity.ERROR
    since = "0.1"
    why = "It cannot be seen, breaks reports, and makes two texts differ that look the same."
    mend = "Delete the character, or write it as an escape in double quotes if it is meant."
    bad = Sample(edits=(("flop", "name: Drafting stalls", "name: Drafting stalls"),))
    good = Sample()
