"""The finding withdrawn-reference."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class WithdrawnReference(Rule):
    """A record refers to one that was withdrawn or superseded."""

    name = "withdrawn-reference"
    code = "I05"
    severity = Severity.WARNING
    since = "0.1"
    why = "What was withdrawn is no longer held to be true; what builds on it should be looked at again."
    mend = "Refer to the record that took its place, or drop the reference."
    bad = Sample(edits=(("flop", "hardware_parameters:", "mentions: [old-view]\nhardware_parameters:"),), files={
        "records/flops/old-view.yaml": (
            "schema_version: \"3.0\"\n"
            "id: flops/old-view\n"
            "name: An old view\n"
            "status: withdrawn\n"
            "arithmetic_intensity: Nothing more.\n"
            "scales_with: []\n"
            "affected_by_hardware: []\n"
            "hardware_parameters: []\n"
            "workarounds: []\n"
            "notes: Nothing more.\n"
        ),
    })
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """A chain of superseded records is fine as long as it ends in one that stands."""
        for reference in view.record.references:
            named = view.corpus.resolve(reference)
            if named is None or named.card is None:
                continue
            status = named.card.status
            if status == "withdrawn" or (status == "superseded" and reference.pointer != ("superseded_by",)):
                yield Problem(self.name, f"{named.id} is {status}", Place(reference.pointer))
