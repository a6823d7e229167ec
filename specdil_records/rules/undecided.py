"""The finding undecided."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class Undecided(Rule):
    """Whether a figure or a statement is right cannot be told."""

    name = "undecided"
    code = "C03"
    severity = Severity.ERROR
    since = "0.1"
    why = "Cannot tell is neither a pass nor a fault; left alone it would look like a pass."
    mend = "Supply the missing value, or write the figure with fewer digits than its inputs carry."
    bad = Sample(edits=(
        (
            "flop",
            "at 200 FLOP/byte: ridge(chip, \"bf16\")",
            "at 200 FLOP/byte: ridge(chip, \"fp8\")",
        ),
    ))
    good = Sample()
