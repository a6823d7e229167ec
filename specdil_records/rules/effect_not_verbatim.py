"""The finding effect-not-verbatim."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.lifting import lifted_effects
from specdil_records.rules.rule import Rule, Sample, View


class EffectNotVerbatim(Rule):
    """The effect of a hardware row is not in the record's prose, character for character."""

    name = "effect-not-verbatim"
    code = "P01"
    severity = Severity.ERROR
    since = "0.1"
    why = "Rows are lifted from the prose; a row with words of its own is a second, unproved claim."
    mend = "Copy the words from the prose, or write the sentence there first."
    bad = Sample(edits=(
        (
            "flop",
            "effect: More bandwidth lowers the ridge",
            "effect: More bandwidth raises the ridge",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Every row whose effect no field of prose holds."""
        for lifted in lifted_effects(view):
            if lifted.state == "lost":
                near = f"; the nearest sentence differs by {lifted.difference}" if lifted.difference else ""
                yield Problem(self.name, "the effect is not in the record's prose" + near, Place(lifted.pointer),
                              data={"nearest": lifted.nearest, "difference": lifted.difference})
