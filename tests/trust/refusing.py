"""Runs a command on a disk that takes no more, or in folders that may not be written.

A script: `python tests/trust/refusing.py full|closed|none ARGUMENTS...`. `full` lets no file grow beyond 64 bytes;
`closed` gives up the right of a superuser to write where the mode forbids it, and ends with 77 where it cannot.
"""
from __future__ import annotations

import ctypes
import os
import resource
import sys

SMALL = 64
NOT_HERE = 77
DROP_FROM_BOUNDS, OVERRIDE, SEARCH = 24, 1, 2  # prctl's PR_CAPBSET_DROP; CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


def main() -> None:
    how, *arguments = sys.argv[1:]
    if how == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
    elif how == "closed" and os.getuid() == 0:
        system = ctypes.CDLL(None, use_errno=True)
        if any(system.prctl(DROP_FROM_BOUNDS, one, 0, 0, 0) for one in (OVERRIDE, SEARCH)):
            sys.exit(NOT_HERE)
    # The bounds hold from the next program on.
    os.execv(sys.executable, [sys.executable, "-m", "specdil_records", *arguments])


if __name__ == "__main__":
    main()
