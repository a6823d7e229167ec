"""The finding schema-pass-changed-content."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Problem, Severity, pointer_text
from specdil_records.rules.changed import keeps_history, new_entries, touched
from specdil_records.rules.rule import Rule, Sample, View

PASS = ("flop", "kind: created}\n", "kind: created}\n- {date: \"2026-11-02\", change: rows added, kind: schema}\n")


class SchemaPassChangedContent(Rule):
    """Every new entry of the history says that only the shape changed, yet a claim, figure or effect did."""

    name = "schema-pass-changed-content"
    code = "P13"
    severity = Severity.ERROR
    since = "0.1"
    historic = True
    why = (
        "A pass over the shape of many records is read by nobody line by line; a figure that changes in one must not "
        "go with it."
    )
    mend = (
        "Take the change back, or add an entry of its own for it: kind content, evidence, correction or editorial. A "
        "schema pass may add rows, claims, disputes and asides."
    )
    bad = Sample(edits=(
        PASS,
        ("flop", "  effect: More bandwidth lowers the ridge", "  effect: The gain fades as the batch grows"),
    ), before=())
    good = Sample(edits=(
        PASS,
        (
            "flop",
            "workarounds:",
            (
                "- parameter: peak_bf16_dense\n"
                "  effect: The gain fades as the batch grows\n"
                "  basis: unverified\n"
                "  values_for: [example-chip]\n"
                "workarounds:"
            ),
        ),
    ), before=())

    def check(self, view: View) -> Iterable[Problem]:
        """Only with an earlier state; one finding, at the first thing that changed."""
        record = view.record
        if view.corpus.before is None or not record.sound or not keeps_history(record):
            return
        before = view.corpus.before.by_id.get(record.id)
        if before is None or not before.sound or before.kind != record.kind:
            return
        entries = new_entries(before.data, record.data)
        if not entries or any(entry["kind"] != "schema" for entry in entries):
            return
        found = list(touched(before, record))
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            yield Problem(self.name, f"the history speaks of a schema pass, but {found[0]} changed{more}"
                          if not found[0].old and not found[0].new else
                          f"the history speaks of a schema pass, but this changed: {found[0]}{more}", found[0].where,
                          notes=tuple(f"changed   {one}" for one in found[1:10]),
                          data={"changed": [pointer_text(one.where.pointer) for one in found[:20]]})
