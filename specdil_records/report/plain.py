"""Text for formats that other programs read: no control character, no lone surrogate; line breaks stay."""
from __future__ import annotations

from specdil_records.findings import Finding
from specdil_records.report.console import visible


def clean(text: str) -> str:
    """Text with everything but line feeds escaped as on a console."""
    return "\n".join(map(visible, text.split("\n")))


def full_message(finding: Finding) -> str:
    """What was found and how it was found out, one thing a line."""
    return "\n".join(map(visible, (finding.message, *finding.notes)))
