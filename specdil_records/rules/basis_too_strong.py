"""The finding basis-too-strong."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.claims.disputing import STRENGTH
from specdil_records.findings import Place, Pointer, Problem, Severity
from specdil_records.rules.backing import Backing, behind, row_backing, rows_with_basis, source_backing, sourced
from specdil_records.rules.rule import Rule, Sample, View


class BasisTooStrong(Rule):
    """A stated basis is stronger than the weakest thing behind it."""

    name = "basis-too-strong"
    code = "P05"
    severity = Severity.ERROR
    since = "0.1"
    why = "A measured speedup that rests on a simulated table is a simulated speedup."
    mend = "State the basis of what stands behind; the message names it."
    bad = Sample(edits=(
        (
            "flop",
            "  basis: reported\n",
            "  basis: measured\n",
        ),
        (
            "bench",
            "- {id: fading, locator: Section 3, basis: measured",
            "- {id: fading, locator: Section 3, basis: simulated",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Claims, rows and the values of accelerators and models against the weakest of what backs them."""
        for at, value in sourced(view):
            yield from self._compared(value["basis"], (*at, "basis"), "", source_backing(view, value))
        if view.evaluation is None:
            return
        stated = [(claim.basis, (*claim.pointer, "basis"), f"claim {claim.id}: ", behind(view, claim))
                  for claim in view.evaluation.claims if claim.is_settled]
        stated += [(row["basis"], (*pointer, "basis"), "", row_backing(view, row))
                   for pointer, row in rows_with_basis(view)]
        for basis, pointer, who, backing in stated:
            yield from self._compared(basis, pointer, who, backing)

    def _compared(self, basis: str, pointer: Pointer, who: str, backing: list[Backing]) -> Iterable[Problem]:
        weakest = min(backing, key=lambda one: STRENGTH.index(one[1]), default=None)
        if weakest is not None and STRENGTH.index(basis) > STRENGTH.index(weakest[1]):
            yield Problem(self.name, f"{who}the basis is {basis}, but {weakest[0]} is {weakest[1]}", Place(pointer),
                          data={"basis": basis, "weakest": weakest[1], "because_of": weakest[0]})
