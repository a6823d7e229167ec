"""The finding duplicate-id."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus.records import folded
from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


def repeated_items(view: View) -> Iterable[Problem]:
    """Claims, and tables and quotes together, that carry the id of an earlier one of the same record."""
    for keys in (("claims",), ("tables", "quotes")):
        seen: dict[str, str] = {}
        for key in keys:
            for i, item in enumerate(view.data.get(key, [])):
                place = (key, i, "id")
                if item["id"] in seen:
                    yield Problem("duplicate-id", f"{item['id']} is also the id of {seen[item['id']]}", Place(place))
                seen.setdefault(item["id"], f"/{key}/{i}")


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
        yield from repeated_items(view)
        yield from self.outside(view)

    def outside(self, view: View) -> Iterable[Problem]:
        """Whether another file has come."""
        record = view.record
        if record.id != record.path_id:
            return
        twins = view.corpus.twins.get(folded(record.id), (record.path,))
        if twins[0] != record.path:
            yield Problem(self.name, f"{record.id} is also the id of {twins[0]}",
                          Place(("id",) if "id" in record.data else ()), related=tuple(twins), data={"first": twins[0]})
