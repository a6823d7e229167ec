"""`python -m specdil_records` is the same as `records`."""
from __future__ import annotations

from specdil_records.cli.main import main

if __name__ == "__main__":
    main()
