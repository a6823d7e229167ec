"""A site of the shipped corpus, built once, and pages read as a browser reads them."""
from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from specdil_records.corpus import load_corpus
from specdil_records.shipped import shipped_folder
from specdil_records.site.building import build

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """Texts, links, names and the balance of a page's elements."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.names: list[str] = []
        self.open: list[str] = []
        self.by_class: dict[str, list[str]] = {}
        self._kept: list[tuple[int, str]] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def values(self, *names: str) -> list[str]:
        return [value for _, name, value in self.attributes if name in names]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
            for name in dict(attrs).get("class", "").split() if dict(attrs).get("class") else []:
                self._kept.append((len(self.open), name))
                self.by_class.setdefault(name, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.names += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self._kept = [(depth, name) for depth, name in self._kept if depth < len(self.open)]
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.scripts.append(data)
            return
        self.texts.append(data)
        for _, name in self._kept:
            self.by_class[name][-1] += data


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the corpus that ships."""
    output = tmp_path_factory.mktemp("shipped") / "site"
    build(load_corpus(shipped_folder("records")), output, 1)
    return output
