"""The sources of a corpus as a BibTeX bibliography."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from specdil_records.corpus import Corpus
from specdil_records.export.tables import in_force

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SPECIAL = {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "$": r"\$", "&": r"\&",
           "#": r"\#", "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def bibtex(corpus: Corpus) -> str:
    """Every source in force, in the order of the ids; the last part of its id is its key."""
    sources = sorted((record.tail, record.data) for record in in_force(corpus) if record.kind == "source")
    return "\n".join(entry(key, data) for key, data in sources)


def entry(key: str, data: Mapping[str, Any]) -> str:
    """One source. Papers with a number at arXiv or a DOI say so; everything else is `misc`."""
    lines = [f"@misc{{{key.replace('/', ':')},"]
    lines += [f"  {name} = {value}," for name, value in fields(data)]
    return "\n".join([*lines, "}", ""])


def fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and values of an entry, in a fixed order."""
    identifiers = data.get("identifiers", {})
    yield "title", f"{{{{{escaped(data['title'])}}}}}"  # twice: the capitals are the author's
    if data.get("authors"):
        yield "author", "{" + " and ".join(map(author, data["authors"])) + "}"
    published = str(data.get("published", ""))
    if year := data.get("year") or published[:4]:
        yield "year", f"{{{year}}}"
    if published:
        yield "month", MONTHS[int(published[5:7]) - 1]
    if "arxiv" in identifiers:
        yield "eprint", f"{{{escaped(identifiers['arxiv'])}}}"
        yield "archiveprefix", "{arXiv}"
    for name in ("doi", "isbn"):
        if name in identifiers:
            yield name, f"{{{address(identifiers[name])}}}"
    if "url" in identifiers:
        yield "url", f"{{{address(identifiers['url'])}}}"
    elif "repository" in identifiers:
        yield "howpublished", f"{{{escaped(repository(identifiers))}}}"
    if "retrieved" in data:
        yield "urldate", f"{{{data['retrieved']}}}"
    if "version" in data:
        yield "version", f"{{{escaped(data['version'])}}}"
    yield "keywords", f"{{{escaped(data['kind'])}}}"


def repository(identifiers: Mapping[str, Any]) -> str:
    """A place in a repository in words."""
    parts = [identifiers["repository"], identifiers.get("path", "")]
    where = ", ".join(part for part in parts if part)
    return f"{where} at {identifiers['commit']}" if "commit" in identifiers else where


def author(name: str) -> str:
    """One author; a name that would be taken for two, or for a surname first, stays whole in braces."""
    text = escaped(name)
    return f"{{{text}}}" if re.search(r"\band\b|,", name, re.IGNORECASE) else text


def escaped(text: Any) -> str:
    """Text in which TeX sees nothing but text. No brace stands alone: BibTeX counts one whatever stands before it."""
    return "".join(SPECIAL.get(character, character) for character in " ".join(str(text).split()))


def address(text: str) -> str:
    """An address or DOI, which is taken as it stands: only what would end the field is written as its code."""
    return quote(text, safe="!\"#$%&'()*+,-./:;<=>?@[]^_`|~")
