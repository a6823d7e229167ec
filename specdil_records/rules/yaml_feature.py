"""The finding yaml-feature."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class YamlFeature(Rule):
    """The file uses an anchor, an alias, a merge key, a tag, or a second document."""

    name = "yaml-feature"
    code = "R03"
    severity = Severity.ERROR
    since = "0.1"
    why = (
        "Such features let one value appear in many places, change its type or hide a second record; a record "
        "shows what it says."
    )
    mend = "Write the value out where it is needed; put each record into a file of its own."
    bad = Sample(edits=(("flop", "status: active", "status: &s active"),))
    good = Sample()
