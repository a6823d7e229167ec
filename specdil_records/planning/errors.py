"""What a plan can refuse. Both errors are built from one text, so that they survive a trip between processes."""
from __future__ import annotations


class PlanningError(ValueError):
    """An argument that cannot be used; the text begins with its name."""


class UnsoundRecord(Exception):
    """A record that was asked for has faults of its own, so nothing may rest on it."""
