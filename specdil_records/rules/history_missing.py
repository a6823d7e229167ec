"""The finding history-missing."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity, pointer_text
from specdil_records.rules.changed import content, differing, entries_lost, keeps_history, new_entries
from specdil_records.rules.rule import Rule, Sample, View

ADDED = (
    "flop",
    "kind: created}\n",
    "kind: created}\n- {date: \"2026-11-02\", change: another workaround, kind: content}\n",
)
WORKAROUND = ("flop", "- Draft less when the batch is large.", "- Draft less, or not at all, when the batch is large.")


class HistoryMissing(Rule):
    """The content of a record changed against the named revision, and its history has no new entry."""

    name = "history-missing"
    code = "P12"
    severity = Severity.ERROR
    since = "0.1"
    historic = True
    why = "Whoever relied on the record has to be able to see that it says something else now, and why."
    mend = ("Add an entry to history that says what changed: kind content, evidence, correction, editorial or "
            "status. Entries that were lost belong back.")
    bad = Sample(edits=(WORKAROUND,), before=())
    good = Sample(edits=(WORKAROUND, ADDED), before=())

    def check(self, view: View) -> Iterable[Problem]:
        """Only with an earlier state, and only for records that were there and could be read."""
        record = view.record
        if view.corpus.before is None or not record.sound:
            return
        before = view.corpus.before.by_id.get(record.id)
        if before is None or before.document.broken or before.document.text == record.document.text:
            return
        if not keeps_history(record):
            if keeps_history(before):
                yield Problem(self.name, f"it was a record of version {before.version} with a history; version "
                              f"{record.version} has none", Place(("schema_version",)))
            return
        if lost := entries_lost(before.data, record.data):
            yield Problem(self.name, f"history has lost {lost} of its entries",
                          Place(("history",), key=True) if "history" in record.data else Place(("id",)))
            return
        if new_entries(before.data, record.data):
            return
        where = list(differing(content(before.data), content(record.data)))
        if where:
            first = pointer_text(where[0])[1:]
            more = f" and {len(where) - 1} more place{'s' if len(where) > 2 else ''}" if len(where) > 1 else ""
            has = "history" in record.data
            yield Problem(self.name, f"{first}{more} changed, and history has no new entry",
                          Place(("history",), key=True) if has else Place(("id",)),
                          data={"changed": [pointer_text(one) for one in where[:20]]})
