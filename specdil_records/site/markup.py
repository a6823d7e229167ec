"""Text on its way to a page: escaped once, and never a second time."""
from __future__ import annotations

from html import escape as _escape

from specdil_records.site.addresses import bare_addresses


class Html(str):
    """Markup made here. Templates escape every other text; this they take as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def escaped(text: object) -> str:
    """A text such that a browser shows it character for character, between tags and in attributes alike."""
    return _escape(str(text), quote=True).replace("\r", "&#13;")


def linked(text: str) -> Html:
    """A text whose bare web addresses can be followed; not a character of it changes."""
    parts, at = [], 0
    for start, end in bare_addresses(text):
        address = escaped(text[start:end])
        parts += [escaped(text[at:start]), f'<a href="{address}" rel="noreferrer">{address}</a>']
        at = end
    return Html("".join([*parts, escaped(text[at:])]))
