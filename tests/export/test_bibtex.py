"""Sources as BibTeX: well-formed whatever their titles hold."""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from specdil_records.corpus import load_corpus
from specdil_records.export.bibtex import SPECIAL, bibtex, entry, escaped

Build = Callable[..., Path]
FIELD = re.compile(r"  ([a-z]+) = (.*),")


def parsed(text: str) -> dict[str, dict[str, str]]:
    """A bibliography read line by line: one field a line, braces balanced in every value."""
    found: dict[str, dict[str, str]] = {}
    here: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("@"):
            here = found.setdefault(line.removeprefix("@misc{").removesuffix(","), {})
        elif line and line != "}":
            field = FIELD.fullmatch(line)
            assert field is not None, line
            depth = 0
            for character in field[2]:
                depth += {"{": 1, "}": -1}.get(character, 0)
                assert depth >= 0
            assert depth == 0
            here[field[1]] = field[2]
    return found


def unescaped(text: str) -> str:
    for character, command in sorted(SPECIAL.items(), key=lambda pair: -len(pair[1])):
        text = text.replace(command, f"\0{ord(character)}\1")
    return re.sub("\0(\\d+)\1", lambda code: chr(int(code[1])), text)


def test_every_source_is_an_entry(build: Build) -> None:
    found = parsed(bibtex(load_corpus(build())))
    assert found == {"bench-report": {"title": "{{Bench report}}", "keywords": "{benchmark}"},
                     "chip-sheet": {"title": "{{Data sheet of the example chip}}", "keywords": "{data-sheet}"}}


def test_identifiers_authors_and_dates() -> None:
    text = entry("eagle-3", {
        "title": "EAGLE-3: 5% & more", "kind": "paper", "authors": ["A. Li", "Group of Bo and Co", "Le, Q."],
        "published": "2025-03-04", "retrieved": "2026-06-27",
        "identifiers": {"arxiv": "2503.01840", "doi": "10.1145/14_98%7B", "url": "https://example.org/a_b?c={d}"}})
    assert parsed(text)["eagle-3"] == {
        "title": r"{{EAGLE-3: 5\% \& more}}", "author": "{A. Li and {Group of Bo and Co} and {Le, Q.}}",
        "year": "{2025}", "month": "mar", "eprint": "{2503.01840}", "archiveprefix": "{arXiv}",
        "doi": "{10.1145/14_98%7B}", "url": "{https://example.org/a_b?c=%7Bd%7D}", "urldate": "{2026-06-27}",
        "keywords": "{paper}"}


def test_a_place_in_a_repository() -> None:
    text = entry("code", {"title": "Code", "kind": "documentation", "identifiers": {
        "repository": "own_er/name", "path": "a/b.py", "commit": "629a07a0"}})
    assert parsed(text)["code"]["howpublished"] == r"{own\_er/name, a/b.py at 629a07a0}"


@given(st.text(st.sampled_from("a {}\\%$#_&~^\"@,=é\n"), max_size=20))
def test_any_title_stays_inside_its_field_and_comes_back(title: str) -> None:
    found = parsed(entry("key", {"title": title, "kind": "paper"}))
    assert list(found) == ["key"]
    assert unescaped(found["key"]["title"][2:-2]) == " ".join(title.split())
    assert escaped(title).count("\n") == 0
