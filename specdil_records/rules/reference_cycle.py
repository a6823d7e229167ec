"""The finding reference-cycle."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus import Corpus
from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.backing import cycles
from specdil_records.rules.rule import Rule, Sample, View


class ReferenceCycle(Rule):
    """Records that supersede, or claims that back, each other in a circle."""

    name = "reference-cycle"
    code = "I04"
    severity = Severity.ERROR
    since = "0.1"
    why = "A chain that comes back to its start never says what is true now."
    mend = "Break the circle: one member has to stand on something else."
    across = True
    bad = Sample(files={
        "records/flops/chicken.yaml": (
            "schema_version: \"3.0\"\n"
            "id: flops/chicken\n"
            "name: chicken\n"
            "status: superseded\n"
            "superseded_by: egg\n"
            "arithmetic_intensity: Nothing more.\n"
            "scales_with: []\n"
            "affected_by_hardware: []\n"
            "hardware_parameters: []\n"
            "workarounds: []\n"
            "notes: Nothing more.\n"
        ),
        "records/flops/egg.yaml": (
            "schema_version: \"3.0\"\n"
            "id: flops/egg\n"
            "name: egg\n"
            "status: superseded\n"
            "superseded_by: chicken\n"
            "arithmetic_intensity: Nothing more.\n"
            "scales_with: []\n"
            "affected_by_hardware: []\n"
            "hardware_parameters: []\n"
            "workarounds: []\n"
            "notes: Nothing more.\n"
        ),
    })
    good = Sample()

    def prepare(self, corpus: Corpus) -> None:
        """Find the circles of the whole corpus."""
        cycles(corpus)

    def check(self, view: View) -> Iterable[Problem]:
        """A circle is told once, at its first member in the order of paths and of the file."""
        for cycle in cycles(view.corpus):
            first = min(cycle, key=lambda node: (node.path, node.pointer))
            if first.path == view.record.path:
                names = " -> ".join(node.name for node in (*cycle, cycle[0]))
                yield Problem(self.name, f"a circle: {names}", Place(first.pointer),
                              related=tuple(sorted({node.path for node in cycle})))
