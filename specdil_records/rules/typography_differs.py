"""The finding typography-differs."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.lifting import lifted_effects
from specdil_records.rules.rule import Rule, Sample, View


class TypographyDiffers(Rule):
    """Lifted or quoted words differ from their origin in typography only."""

    name = "typography-differs"
    code = "P02"
    severity = Severity.WARNING
    since = "0.1"
    why = "Dashes, quotes and invisible characters that differ are harmless to a reader and fatal to a search."
    mend = "Copy the characters as they are; the message names their code points."
    bad = Sample(edits=(
        (
            "flop",
            "  More bandwidth lowers the ridge.",
            "  More bandwidth lowers the‑ridge.",
        ),
        (
            "flop",
            "effect: More bandwidth lowers the ridge",
            "effect: More bandwidth lowers the-ridge",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Effects of rows, and the quotes of claims."""
        yield from view.found(self.name)
        for lifted in lifted_effects(view):
            if lifted.state == "typography":
                points = ", ".join(lifted.points)
                yield Problem(self.name, f"the effect and the prose differ in typography: {points}",
                              Place(lifted.pointer), data={"code_points": list(lifted.points)})
