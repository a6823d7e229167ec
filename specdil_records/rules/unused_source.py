"""The finding unused-source."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class UnusedSource(Rule):
    """No record refers to this source."""

    name = "unused-source"
    code = "I06"
    severity = Severity.WARNING
    since = "0.1"
    outward = True
    why = "Evidence that nothing rests on is not kept up to date by anybody."
    mend = "Refer to it where it is evidence, or remove it."
    bad = Sample(files={
        "records/sources/lonely.yaml": (
            "schema_version: \"3.0\"\n"
            "id: sources/lonely\n"
            "kind: paper\n"
            "title: A paper that nobody cites\n"
        ),
    })
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Own sources only; those that another corpus brings in may go unused."""
        record = view.record
        if record.kind != "source" or not record.sound:
            return
        if not view.corpus.named.isdisjoint((record.id, record.path_id)):
            return
        # A record that cannot be read may well name it: then its silence is a consequence, not a fault.
        if not any(not one.data or record.tail in one.document.text for one in view.corpus.unsound):
            yield Problem(self.name, f"nothing refers to {record.id}", Place(("id",)))
