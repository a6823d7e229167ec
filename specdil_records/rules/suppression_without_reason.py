"""The finding suppression-without-reason."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class SuppressionWithoutReason(Rule):
    """A suppression does not say why."""

    name = "suppression-without-reason"
    code = "X02"
    severity = Severity.ERROR
    since = "0.1"
    why = "What is silenced is silenced in the open, with a reason that can be judged."
    mend = "Add because to the suppression; until then it silences nothing."
    bad = Sample(files={
        "pyproject.toml": (
            "[tool.records]\n"
            "\n"
            "[[tool.records.suppress]]\n"
            "name = \"unbound-figure\"\n"
            "path = \"records/flops/example-stall.yaml\"\n"
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
