"""Reports: writers that show what was found and decide nothing."""
from __future__ import annotations
