"""The finding basis-unbacked."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.corpus import values_of
from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.backing import behind, rows_with_basis
from specdil_records.rules.rule import Rule, Sample, View


class BasisUnbacked(Rule):
    """A basis other than unverified is stated, and nothing stands behind it."""

    name = "basis-unbacked"
    code = "P04"
    severity = Severity.ERROR
    since = "0.1"
    why = "A statement with nothing concrete behind it is unverified; it must not be dressed up."
    mend = "Name what backs it (cites, cited, of, holds, backed_by), or state the basis unverified."
    bad = Sample(edits=(("flop", "  basis: unverified\n  values_for", "  basis: measured\n  values_for"),))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Rows, claims and values of accelerators with a basis, and nothing that it could rest on."""
        for pointer, row in rows_with_basis(view):
            if row["basis"] != "unverified" and not row.get("backed_by") and "trend" not in row:
                yield Problem(self.name, f"the basis is {row['basis']}, but nothing backs this row",
                              Place((*pointer, "basis")))
        if view.record.kind == "accelerator" and view.record.sound:
            for name, entry in values_of(view.data, "quantities").items():
                if entry["basis"] != "unverified" and not entry.get("source"):
                    yield Problem(self.name, f"the basis is {entry['basis']}, but no source is named",
                                  Place(("quantities", name, "basis")))
        if view.evaluation is None:
            return
        for claim in view.evaluation.claims:
            cites = claim.data.get("cites")  # what does not resolve is told elsewhere
            if claim.basis != "unverified" and claim.is_settled and not cites and not behind(view, claim):
                yield Problem(self.name, f"claim {claim.id}: the basis is {claim.basis}, but nothing backs it",
                              Place((*claim.pointer, "basis")), data={"claim": claim.id})
