"""The rules: one class a finding, one file a class. A file put here is a rule; nothing else has to change."""
from __future__ import annotations

import importlib
import pkgutil

from specdil_records.rules.rule import FAMILIES, REGISTRY, Rule, RuleError, Sample, View

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

RULES: tuple[Rule, ...] = tuple(sorted(REGISTRY.values(), key=lambda rule: rule.code))
"""Every rule, in the order of the codes."""

NAMES = frozenset(REGISTRY)
"""The name of every finding."""


def by_name(name: str) -> Rule | None:
    """A rule by its name or its code."""
    return next((rule for rule in RULES if name in (rule.name, rule.code)), None)


__all__ = ["FAMILIES", "NAMES", "RULES", "Rule", "RuleError", "Sample", "View", "by_name"]
