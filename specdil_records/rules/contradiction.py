"""The finding contradiction."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.totals import totals_against_shape
from specdil_records.rules.written import contradictions


class Contradiction(Rule):
    """Two places give the same quantity of the same thing two values that cannot both be right.

    Two records do, or a model's record whose stated totals are not those of its shape.
    """

    name = "contradiction"
    code = "P11"
    severity = Severity.ERROR
    since = "0.1"
    why = "A reader gets one or the other, depending on where he looks."
    mend = "Correct one of them, or list the other value under conflicts of the thing's own record."
    across = True
    bad = Sample(edits=(
        (
            "bench",
            "- id: table-1",
            (
                "- id: table-0\n"
                "  locator: Table 0\n"
                "  basis: specified\n"
                "  conditions: {accelerator: example-chip}\n"
                "  columns: {row: [\"first\"], memory_bandwidth: [\"3.0\"]}\n"
                "  unit: {memory_bandwidth: TB/s}\n"
                "- id: table-1"
            ),
        ),
    ))
    good = Sample(edits=(
        (
            "bench",
            "- id: table-1",
            (
                "- id: table-0\n"
                "  locator: Table 0\n"
                "  basis: specified\n"
                "  conditions: {accelerator: example-chip}\n"
                "  columns: {row: [\"first\"], memory_bandwidth: [\"2.0\"]}\n"
                "  unit: {memory_bandwidth: TB/s}\n"
                "- id: table-1"
            ),
        ),
    ))

    def check(self, view: View) -> Iterable[Problem]:
        """Tables against the thing's own record, own records against those brought in, totals against a shape."""
        yield from contradictions(view)
        if view.record.kind == "model" and view.record.sound and view.record.own:
            yield from totals_against_shape(view)

    def recheck(self, view: View) -> Iterable[Problem]:  # noqa: ARG002 (the signature of every rule)
        """Nothing: all that takes part is named, or has the same id in what the corpus stands on."""
        return ()
