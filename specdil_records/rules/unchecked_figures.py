"""The finding unchecked-figures."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity, Status
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.unbound_figure import OLDER


class UncheckedFigures(Rule):
    """A record of an older version holds numbers that nothing can account for."""

    name = "unchecked-figures"
    code = "N04"
    severity = Severity.WARNING
    since = "0.1"
    why = "Before version 3.0 a record has no claims, so none of its numbers is checked."
    mend = "Migrate the record to 3.0 and bind its numbers."
    bad = Sample(files={
        "records/flops/older.yaml": (
            "schema_version: \"1.0\"\n"
            "id: flops/older\n"
            "arithmetic_intensity: At batch 64 it is 68.\n"
            "scales_with: []\n"
            "affected_by_hardware: []\n"
            "workarounds: []\n"
            "notes: Nothing more.\n"
        ),
    })
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """One warning a record, which counts them."""
        if view.evaluation is None or view.record.version not in OLDER:
            return
        unbound = [entry for entry in view.evaluation.ledger if entry.status == Status.UNBOUND]
        if unbound:
            first = unbound[0]
            yield Problem(self.name, f"{len(unbound)} number{'s' if len(unbound) > 1 else ''} of this "
                          f"{view.record.version} record cannot be accounted for",
                          Place(first.pointer, first.number.start, first.number.end), data={"count": len(unbound)})
