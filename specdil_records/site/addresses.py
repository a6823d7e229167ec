"""Which page a record has, and which addresses may become a link."""
from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from specdil_records.corpus import KINDS, Corpus, Record

PLAIN = re.compile(r"[a-z]+(/[a-z0-9]+([-.][a-z0-9]+)*)+")
LONGEST = 150
SCHEMES = ("http", "https", "mailto")
BARE = re.compile(r"https?://[^\s<>\"'`]+|mailto:[^\s<>\"'`]+", re.IGNORECASE)


def page_of(record: Record) -> str:
    """The page of a record, as a path in the site. An id that is no good path gives a page named after its hash."""
    identity = record.id
    is_plain = (PLAIN.fullmatch(identity) and identity.partition("/")[0] in KINDS and len(identity) <= LONGEST
                and ".html/" not in identity and not any(problem.name == "bad-id" for problem in record.problems))
    if is_plain:
        return f"{identity}.html"
    digest = hashlib.blake2b(identity.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
    return f"records/{digest}.html"


def shown(corpus: Corpus) -> Iterator[Record]:
    """Every record that has a page: sound, and the one that its id finds."""
    for record in corpus.records:
        if record.sound and corpus.by_id.get(record.id) is record:
            yield record


def up(page: str) -> str:
    """What leads from a page to the top of the site."""
    return "../" * page.count("/")


def href(page: str, target: str, fragment: str = "") -> str:
    """The address of a page of the site as seen from another."""
    return up(page) + quote(target) + (f"#{quote(fragment)}" if fragment else "")


def web_address(text: str) -> str | None:
    """A text as an address that may be followed: http, https and mailto only."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if parts.scheme.lower() not in SCHEMES or not text.isprintable() or re.search(r"[\s<>\"'`\\]", text):
        return None
    if parts.scheme.lower() != "mailto" and not parts.netloc:
        return None
    return text


def bare_addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses stand in a text, without the punctuation that ends the sentence around them."""
    for match in BARE.finditer(text):
        end = match.end()
        while end > match.start() and text[end - 1] in ".,;:!?)]}":
            end -= 1
        if web_address(text[match.start():end]):
            yield match.start(), end
