"""Names that a package offers and imports only when one of them is asked for (PEP 562).

A check in which nothing has changed needs a few modules of `corpus`, `reading` and `checking`, and none of what they
would bring: reading YAML, judging claims, and numpy cost more time than the rest of such a run.
"""
from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def on_demand(package: str, **names: str) -> Callable[[str], Any]:
    """A package's `__getattr__`: for each module the names, separated by blanks, that the package offers from it."""
    home = {name: module for module, listed in names.items() for name in listed.split()}

    def offered(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return offered
