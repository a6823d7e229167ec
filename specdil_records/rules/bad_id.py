"""The finding bad-id."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus import KINDS
from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class BadId(Rule):
    """The id is malformed, or does not match the file's path."""

    name = "bad-id"
    code = "I01"
    severity = Severity.ERROR
    since = "0.1"
    why = (
        "Records find each other by id; an id that is not its path is found by some tools and missed by "
        "others."
    )
    mend = (
        "Let the id be the path without the folder of the corpus and without the ending, in lower-case "
        "letters, digits, dots and hyphens."
    )
    bad = Sample(edits=(("bench", "id: sources/bench-report", "id: sources/bench-reports"),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """The schema's complaints about the id, else whether it is the path."""
        record = view.record
        complaints = list(view.found(self.name))
        yield from complaints
        if complaints or record.document.broken or not isinstance(record.data.get("id"), str):
            return
        if record.kind is None:
            kinds = ", ".join(f"{kind}/" for kind in KINDS)
            yield Problem(self.name, f"the file lies in no folder of a kind of record ({kinds})", Place(("id",)))
        elif record.id != record.path_id:
            yield Problem(self.name, f"the id is {record.id}, but the path says {record.path_id}", Place(("id",)),
                          data={"id": record.id, "path_id": record.path_id})
        elif not record.path.endswith((".yaml", ".json")):
            yield Problem(self.name, "a record file ends in .yaml or .json", Place(("id",)))
