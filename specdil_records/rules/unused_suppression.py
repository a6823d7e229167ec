"""The finding unused-suppression."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class UnusedSuppression(Rule):
    """A suppression silences nothing, or its time is up."""

    name = "unused-suppression"
    code = "X01"
    severity = Severity.WARNING
    since = "0.1"
    why = "A suppression that is kept for nothing will silence the next fault unseen."
    mend = "Remove it from pyproject.toml."
    bad = Sample(files={
        "pyproject.toml": (
            "[tool.records]\n"
            "\n"
            "[[tool.records.suppress]]\n"
            "name = \"unbound-figure\"\n"
            "path = \"records/flops/example-stall.yaml\"\n"
            "because = \"source to follow\"\n"
        ),
    })
    good = Sample(edits=(
        (
            "flop",
            "- Draft less when the batch is large.",
            "- Draft less than 3 tokens when the batch is large.",
        ),
    ), files={
        "pyproject.toml": (
            "[tool.records]\n"
            "\n"
            "[[tool.records.suppress]]\n"
            "name = \"unbound-figure\"\n"
            "path = \"records/flops/example-stall.yaml\"\n"
            "because = \"source to follow\"\n"
        ),
    })
