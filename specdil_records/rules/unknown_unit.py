"""The finding unknown-unit."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.written import unreadable


class UnknownUnit(Rule):
    """A unit is nearly one that is known, or is none of its quantity."""

    name = "unknown-unit"
    code = "N03"
    severity = Severity.ERROR
    since = "0.1"
    why = "KB may be 1000 or 1024 bytes or kelvin; a guess would be a factor."
    mend = "Write the unit with its exact letters: kB, KiB, Gb, GB, FLOP, FLOP/s."
    bad = Sample(edits=(("chip", "\"2.00 TB/s\"", "\"2.00 tb/s\""),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Numbers of the prose and of evidence."""
        yield from view.found(self.name)
        yield from unreadable(view, self.name)
