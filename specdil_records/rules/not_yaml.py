"""The finding not-yaml."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class NotYaml(Rule):
    """The file is no YAML or JSON document in UTF-8."""

    name = "not-yaml"
    code = "R01"
    severity = Severity.ERROR
    since = "0.1"
    why = "Nothing in a file that cannot be parsed is looked at, so it must not pass as a record."
    mend = "Mend the syntax at the place shown; an unbalanced quote, bracket or indentation is the usual cause."
    bad = Sample(edits=(("flop", "status: active", "status: [active"),))
    good = Sample()
