"""The finding value-missing."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class ValueMissing(Rule):
    """A row names a product of which the corpus has no sourced value of the quantity."""

    name = "value-missing"
    code = "P06"
    severity = Severity.ERROR
    since = "0.1"
    why = "A row that says where its values are has to be right about it."
    mend = "Add the value with its source to the accelerator, or take the product out of values_for."
    bad = Sample(edits=(("flop", "- parameter: memory_bandwidth", "- parameter: memory_capacity"),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Products that resolve, but have no value with a source."""
        for i, row in enumerate(view.data.get("hardware_parameters", [])):
            for j, name in enumerate(row["values_for"]):
                product = view.corpus.find("accelerator", name)
                if product is None or not product.sound:
                    continue
                if not product.data["quantities"].get(row["parameter"], {}).get("source"):
                    yield Problem(self.name, f"{name} has no sourced value of {row['parameter']}",
                                  Place(("hardware_parameters", i, "values_for", j)))
