"""How large a record may be. Beyond these nothing is read any further, so that no file can stall a check."""
from __future__ import annotations

MOST_BYTES = 4 * 1024 * 1024
"""Bytes of a file."""

MOST_DEPTH = 100
"""Lists and mappings inside one another."""

MOST_NODES = 100_000
"""Keys and values together."""

MOST_DIGITS = 400
"""Digits of one number."""

MOST_FAULTS = 1000
"""Faults of one name that are kept for one file; the last one kept says how many more there are."""
