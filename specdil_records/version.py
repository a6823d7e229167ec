"""The version of the tool, in one place."""
from __future__ import annotations

VERSION = "0.1.0"
