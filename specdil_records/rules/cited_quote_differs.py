"""The finding cited-quote-differs."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.findings import Place, Problem, Severity
from specdil_records.rules.lifting import cited_words
from specdil_records.rules.rule import Rule, Sample, View


class CitedQuoteDiffers(Rule):
    """Words cited from a source are not in the source's quote."""

    name = "cited-quote-differs"
    code = "P10"
    severity = Severity.ERROR
    since = "0.1"
    why = "Words in quotation marks are the source's own; a changed word makes it say something else."
    mend = "Copy the words from the source's record, or mend the record if it is wrong."
    bad = Sample(edits=(
        (
            "flop",
            "cites: {gains fade with every request: bench-report#fading}",
            "cites: {gains fade with every request: bench-report#fading}",
        ),
        (
            "bench",
            "gains fade with every request",
            "gains fade with some requests",
        ),
    ))
    good = Sample()

    def check(self, view: View) -> Iterable[Problem]:
        """Every citation against the quote that it names."""
        yield from view.found(self.name)
        for cited in cited_words(view):
            if cited.state == "lost":
                yield Problem(self.name, f"{cited.target} does not say this: {cited.difference}",
                              Place(cited.pointer, key=True),
                              data={"source": cited.target, "difference": cited.difference})
