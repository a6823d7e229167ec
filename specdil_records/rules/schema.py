"""The finding schema."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.rule import Rule, Sample, View


class Schema(Rule):
    """The record does not have the shape that its schema version asks for, or a table's columns do not fit together."""

    name = "schema"
    code = "S03"
    severity = Severity.ERROR
    since = "0.1"
    why = "A misspelt key is a key that nobody reads."
    mend = (
        "Follow the message: it names the key, what was expected and, where there is one, the nearest right "
        "word."
    )
    bad = Sample(edits=(("flop", "status: active", "status: activ"),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """What the schema says, and what no schema can say of a table."""
        yield from view.found(self.name)
        for i, table in enumerate(view.data.get("tables", [])):
            lengths = {name: len(cells) for name, cells in table["columns"].items() if isinstance(cells, list)}
            longest = max(lengths.values(), default=0)
            for name, length in lengths.items():
                if length < longest:
                    yield Problem(self.name, f"the column {name} has {length} cells where another has {longest}",
                                  Place(("tables", i, "columns", name)))
            for name in table.get("unit", {}):
                if name not in table["columns"]:
                    yield Problem(self.name, f"unit names {name}, which is no column of the table",
                                  Place(("tables", i, "unit", name), key=True))
