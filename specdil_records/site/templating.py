"""Templates. The only module that imports jinja2."""
from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from specdil_records.extras import ExtraMissing
from specdil_records.site.markup import linked

HERE = Path(__file__).resolve().parent


@cache
def _environment() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise ExtraMissing("site", "a page") from None
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, auto_reload=False)
    environment.filters["linked"] = linked
    environment.filters["percent"] = percent
    return environment


def percent(share: float) -> str:
    """A share as a percentage, never rounded up to all of it."""
    text = f"{share:.1%}".replace(".0%", "%")
    return "over 99.9%" if text == "100%" and share < 1 else text


def rendered(template: str, **values: Any) -> str:
    """A template with its values; every text among them is escaped."""
    text: str = _environment().get_template(template).render(values)
    return text


def asset(name: str) -> bytes:
    """A file that goes to every site as it is."""
    return (HERE / "assets" / name).read_bytes()
