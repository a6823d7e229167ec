"""The finding typography-differs."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.lifting import cited_words, lifted_effects
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
        """Effects of rows, the quotes of claims, and cited words."""
        yield from view.found(self.name)
        for lifted in lifted_effects(view):
            if lifted.state == "typography":
                points = ", ".join(lifted.points)
                yield Problem(self.name, f"the effect and the prose differ in typography: {points}",
                              Place(lifted.pointer), data={"code_points": list(lifted.points)})
        for cited in cited_words(view):
            if cited.state == "typography":
                points = ", ".join(cited.points)
                yield Problem(self.name, f"the cited words and {cited.target} differ in typography: {points}",
                              Place(cited.pointer, key=True), data={"code_points": list(cited.points)})
