"""Verdicts kept between runs: of records in which nothing at all was found, and only while nothing has changed.

A verdict is known by everything that it rests on: the tool's own files, the rules that ran, the record's text, and the
text of every record that it names, however far. Anything that cannot be read or written is forgotten: a cache that is
damaged, locked or in the way never changes what a check says.
"""
from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from specdil_records.checking.results import Tally
from specdil_records.corpus import Corpus, Record
from specdil_records.rules import Rule
from specdil_records.shipped import shipped_folder
from specdil_records.version import VERSION

PACKAGE = Path(__file__).resolve().parents[1]
LAYOUT = "1"
MOST_KEPT = 200_000


def default_folder() -> Path:
    """Where caches lie: XDG_CACHE_HOME, else ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "specdil-records"


@cache
def tool_digest() -> str:
    """The tool as it is installed: its version and every file of its code and schemas, by size and time of change."""
    files = [*PACKAGE.rglob("*.py"), *shipped_folder("schema").rglob("*.json")]
    stamps = sorted(f"{file}:{status.st_size}:{status.st_mtime_ns}" for file in files if (status := file.stat()))
    return digest([LAYOUT, VERSION, *stamps])


def digest(parts: Iterable[str]) -> str:
    """One hash of texts, none of which can run into the next."""
    hashed = blake2b(digest_size=20)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        hashed.update(len(raw).to_bytes(8, "big"))
        hashed.update(raw)
    return hashed.hexdigest()


class Keys:
    """Works out what each record's verdict rests on, for one corpus and one set of rules."""

    def __init__(self, corpus: Corpus, rules: Iterable[Rule]) -> None:
        self.corpus = corpus
        self.contents: dict[str, str] = {}
        places = (f"{record.tail}\n{record.data.get('title')}\n" + "\n".join(
            str(one.get("locator")) for key in ("tables", "quotes") for one in record.data.get(key, []))
            for record in sorted(corpus.of_kind("source"), key=lambda record: record.id) if record.sound)
        self.common = digest([tool_digest(), *sorted(rule.name for rule in rules),
                              json.dumps(sorted(corpus.settings.severities.items())), *places])

    def of(self, record: Record) -> str:
        """The key of a record's verdict."""
        parts = [self.common, record.path, record.path_id, self._content(record)]
        seen, todo = {record.id}, [record]
        while todo:
            for reference in todo.pop().references:
                named = self.corpus.resolve(reference) if reference.kinds else None
                if named is None:
                    parts.append(f"absent {reference.name}")
                elif named.id not in seen:
                    seen.add(named.id)
                    todo.append(named)
                    parts.append(f"{named.id} {self._content(named)}")
        return digest(parts)

    def _content(self, record: Record) -> str:
        if record.path not in self.contents:
            self.contents[record.path] = digest([record.document.name, record.document.text])
        return self.contents[record.path]


class Cache:
    """Kept verdicts of one project, in one SQLite file. Used as a context; without a file it keeps nothing."""

    def __init__(self, folder: Path | None, project: Path) -> None:
        self.file = folder / f"{digest([str(project)])[:16]}.sqlite" if folder is not None else None
        self.base: sqlite3.Connection | None = None

    def __enter__(self) -> Cache:
        for _ in range(2):  # a damaged file is thrown away once and made anew
            if self.file is None or self._open():
                break
            self._discard()
        return self

    def __exit__(self, *reason: object) -> None:
        if self.base is not None:
            with contextlib.suppress(sqlite3.Error):
                self.base.close()
            self.base = None

    def _open(self) -> bool:
        assert self.file is not None
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            base = sqlite3.connect(self.file, timeout=2, isolation_level=None)
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, counts TEXT NOT NULL)")
            base.execute("SELECT count(*) FROM verdicts").fetchone()
        except (sqlite3.Error, OSError):
            return False
        self.base = base
        return True

    def _discard(self) -> None:
        assert self.file is not None
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                Path(f"{self.file}{suffix}").unlink()

    def keys(self, corpus: Corpus, rules: Iterable[Rule], scope: frozenset[str] | None) -> dict[str, str]:
        """The key of every own record in scope whose verdict may be kept, by its path."""
        if self.base is None:
            return {}
        worked_out = Keys(corpus, rules)
        return {record.path: worked_out.of(record) for record in corpus.own
                if record.sound and (scope is None or record.path in scope)}

    def get(self, keys: Iterable[str]) -> dict[str, Tally]:
        """The kept counts of those keys that are known."""
        found: dict[str, Tally] = {}
        if self.base is None:
            return found
        wanted = set(keys)
        try:
            for key, counts in self.base.execute("SELECT key, counts FROM verdicts"):
                if key in wanted and (tally := read_tally(counts)) is not None:
                    found[key] = tally
        except sqlite3.Error:
            return {}
        return found

    def put(self, verdicts: dict[str, Tally]) -> None:
        """Keep the counts of records in which nothing was found."""
        if self.base is None or not verdicts:
            return
        rows = [(key, json.dumps({"claims": tally.claims, "numbers": tally.numbers}))
                for key, tally in verdicts.items()]
        with contextlib.suppress(sqlite3.Error):
            if self.base.execute("SELECT count(*) FROM verdicts").fetchone()[0] > MOST_KEPT:
                self.base.execute("DELETE FROM verdicts")
            self.base.execute("BEGIN")
            self.base.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", rows)
            self.base.execute("COMMIT")


def read_tally(counts: str) -> Tally | None:
    """Kept counts as a tally of one record; None when they cannot be read."""
    try:
        data = json.loads(counts)
        tally = Tally(records=1)
        tally.claims.update({str(name): int(count) for name, count in data["claims"].items()})
        tally.numbers.update({str(name): int(count) for name, count in data["numbers"].items()})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return tally
