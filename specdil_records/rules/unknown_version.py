"""The finding unknown-version."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class UnknownVersion(Rule):
    """The record does not say its schema version, or names one that is not shipped."""

    name = "unknown-version"
    code = "S02"
    severity = Severity.ERROR
    since = "0.1"
    why = (
        "A record is judged by the version that it names and by no other; an unknown one never means the "
        "newest."
    )
    mend = "Write one of the shipped versions, in quotes."
    bad = Sample(edits=(("chip", "schema_version: \"3.0\"", "schema_version: \"9.9\""),))
    good = Sample()
