"""The finding contradiction."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus import Corpus
from specdil_records.findings import Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View
from specdil_records.rules.stated import contradictions, contradictions_of_tables, tables_by_topic
from specdil_records.rules.totals import totals_against_shape


class Contradiction(Rule):
    """Two places give the same quantity of the same thing two values that cannot both be right.

    Two records do, two tables under the same conditions, or a model's stated totals and its shape.
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

    def prepare(self, corpus: Corpus) -> None:
        """Find the tables of the whole corpus that have a topic in common."""
        tables_by_topic(corpus)

    def check(self, view: View) -> Iterable[Problem]:
        """Tables against the thing's own record and each other, own records against those brought in, totals."""
        yield from contradictions(view)
        if view.record.kind == "model" and view.record.sound and view.record.own:
            yield from totals_against_shape(view)

    def recheck(self, view: View) -> Iterable[Problem]:
        """Whether another source's table has come; all else that takes part is named, or has the record's own id."""
        return contradictions_of_tables(view)
