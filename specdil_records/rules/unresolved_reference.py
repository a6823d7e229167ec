"""The finding unresolved-reference."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.backing import missing
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.written import unknown_places


class UnresolvedReference(Rule):
    """A record, a claim, a table, a row, a quote or a place in a source that is named is not there."""

    name = "unresolved-reference"
    code = "I03"
    severity = Severity.ERROR
    since = "0.1"
    why = "What rests on something that does not exist rests on nothing."
    mend = "Correct the name (the message proposes the nearest), or add what is missing."
    bad = Sample(edits=(
        (
            "flop",
            "affected_by_hardware: [example-chip]",
            "affected_by_hardware: [example-chop]",
        ),
        (
            "flop",
            "values_for: [example-chip]",
            "values_for: []",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Every reference of the record, the places in sources that its prose names, and what claims found."""
        yield from view.found(self.name)
        for reference in view.record.references:
            if not reference.inside and (message := missing(view, reference)):
                yield Problem(self.name, message, Place(reference.pointer),
                              data={"name": reference.name, "item": reference.item})
        yield from unknown_places(view)
