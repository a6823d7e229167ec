"""The corpus over time and in thought: what depends on a record, what would move, what changed in meaning."""
from __future__ import annotations
