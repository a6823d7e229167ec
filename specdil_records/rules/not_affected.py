"""The finding not-affected."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class NotAffected(Rule):
    """A row has values for a product that the record does not call affected."""

    name = "not-affected"
    code = "P07"
    severity = Severity.ERROR
    since = "0.1"
    why = "The list of affected products is what others search; a row must not know more than it."
    mend = "Add the product to affected_by_hardware, or take it out of values_for."
    bad = Sample(edits=(("flop", "affected_by_hardware: [example-chip]", "affected_by_hardware: []"),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Every name in values_for that affected_by_hardware lacks."""
        affected = set(view.data.get("affected_by_hardware", []))
        for i, row in enumerate(view.data.get("hardware_parameters", [])):
            for j, name in enumerate(row["values_for"]):
                # A name that nothing has is told as that.
                if name not in affected and view.corpus.find("accelerator", name) is not None:
                    yield Problem(self.name, f"{name} is not among affected_by_hardware",
                                  Place(("hardware_parameters", i, "values_for", j)))
