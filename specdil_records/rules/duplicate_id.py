"""The finding duplicate-id."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus.records import folded
from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class DuplicateId(Rule):
    """Two files carry the same id, or two claims, tables or quotes of one record."""

    name = "duplicate-id"
    code = "I02"
    severity = Severity.ERROR
    since = "0.1"
    why = "Whoever refers to the id gets one of the two, and nobody sees which."
    mend = "Rename or remove one of the files."
    across = True
    bad = Sample(files={
        "records/sources/chip-sheet.json": (
            "{\"schema_version\": \"3.0\", \"id\": \"sources/chip-sheet\",\n"
            " \"kind\": \"data-sheet\", \"title\": \"Data sheet of the example chip\"}\n"
        ),
    })
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Whether an earlier file has the same id; a file whose path does not match its id has another fault."""
        yield from (problem for problem in view.record.problems if problem.name == self.name)
        yield from self.recheck(view)

    def recheck(self, view: View) -> Iterable[Problem]:
        """Whether another file has come."""
        record = view.record
        if record.id != record.path_id:
            return
        twins = view.corpus.twins.get(folded(record.id), (record.path,))
        if twins[0] != record.path:
            yield Problem(self.name, f"{record.id} is also the id of {twins[0]}",
                          Place(("id",) if "id" in record.data else ()), related=tuple(twins), data={"first": twins[0]})
