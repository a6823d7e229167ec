"""How a command ends, and how the one reason that it could not do its work is told."""
from __future__ import annotations

import os
import sys
from enum import IntEnum


class Code(IntEnum):
    """Exit codes; of several that apply the first in `WORST` wins."""

    FINE = 0
    FINDINGS = 1
    USAGE = 2
    BROKEN = 3
    NOTHING = 4


WORST = (Code.BROKEN, Code.USAGE, Code.FINDINGS, Code.NOTHING, Code.FINE)


class Exit(Exception):
    """Ends a command with a code and, on standard error, a message."""

    def __init__(self, code: Code, message: str = "") -> None:
        super().__init__(message)
        self.code, self.message = code, message


def worst(codes: set[Code]) -> Code:
    """The code that wins."""
    return next((code for code in WORST if code in codes), Code.FINE)


def prepare_streams() -> None:
    """Let every console take every text: what it cannot encode is written as an escape."""
    if sys.stdout is None:  # the caller has closed it
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (it stays open to the end)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
