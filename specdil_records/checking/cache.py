"""What is kept between runs: cards of records, verdicts on them, and whole reports.

Each is known by everything that it rests on (`keys`), so that none is ever stale, and carries a checksum.
Anything that cannot be read or written, or is not what was written, is forgotten: a cache that is damaged, locked or in
the way never changes what a check says.
"""
from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from specdil_records.checking import kept
from specdil_records.checking.keys import Keys, digest, tool_digest

if TYPE_CHECKING:
    from specdil_records.checking.results import Verdict
    from specdil_records.corpus import Corpus
    from specdil_records.corpus.cards import Card
    from specdil_records.corpus.files import Contents
    from specdil_records.rules import Rule

TABLES = {"cards": 200_000, "verdicts": 200_000, "reports": 50}
"""What is kept, and how many of each: with more, the table begins anew."""
AT_ONCE = 500
DAMAGE = (sqlite3.Error, UnicodeError)
"""How a file that is damaged tells so: its own words may be damaged, too."""


def default_folder() -> Path:
    """Where caches lie: XDG_CACHE_HOME, else ~/.cache. A relative one is to be ignored, says its specification."""
    home = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".cache") / "specdil-records"


class Cache:
    """What is kept of one project, in one SQLite file. Used as a context; without a folder it keeps nothing."""

    def __init__(self, folder: Path | None = None, project: Path | None = None) -> None:
        self.file = folder / f"{digest([str(project)])[:16]}.sqlite" if folder is not None else None
        self.base: sqlite3.Connection | None = None
        self.rows: dict[str, int] = {}
        """How many rows each table has at most, once they have been counted."""

    def __enter__(self) -> Cache:
        for _ in range(2):  # a damaged file is thrown away once and made anew
            if self.file is None or self._open():
                break
            self._discard()
        return self

    def __exit__(self, *reason: object) -> None:
        self._close()

    def _close(self) -> None:
        if self.base is not None:
            with contextlib.suppress(*DAMAGE):
                self.base.close()
            self.base = None

    def _open(self) -> bool:
        assert self.file is not None
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.base = base = sqlite3.connect(self.file, timeout=2, isolation_level=None)
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            for table in TABLES:
                base.execute(f"CREATE TABLE IF NOT EXISTS {table} (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
                base.execute(f"SELECT key, value FROM {table} LIMIT 1").fetchone()  # noqa: S608 (our own names)
        except (*DAMAGE, OSError):
            self._close()
            return False
        return True

    def _discard(self) -> None:
        assert self.file is not None
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                Path(f"{self.file}{suffix}").unlink()

    def report(self, key: str) -> kept.KeptReport | None:
        """The report of a check at which everything was as it is now."""
        text = self._get("reports", [key]).get(key)
        return None if text is None else kept.read_report(text)

    def keep_report(self, key: str, report: kept.KeptReport) -> None:
        """Keep a report. One of a check in which a rule broke is worked out again."""
        if self.base is not None and not report.report.summary.broken:
            self._put("reports", {key: kept.report_text(report)})

    def cards(self, files: Iterable[Contents]) -> dict[str, Card]:
        """The cards of those files, by content, that are known."""
        if self.base is None:
            return {}
        from specdil_records.corpus import cards

        tool = tool_digest()
        found: dict[str, Card] = {}
        for key, text in self._get("cards", [f"{tool} {one.content}" for one in files]).items():
            with contextlib.suppress(ValueError, TypeError):
                found[key.partition(" ")[2]] = cards.read(text)
        return found

    def keep_cards(self, texts: Mapping[str, str]) -> None:
        """Keep cards, as text and by content."""
        tool = tool_digest() if self.base is not None else ""
        self._put("cards", {f"{tool} {content}": text for content, text in texts.items()})

    def verdicts(self, corpus: Corpus, rules: Iterable[Rule]) -> Verdicts:
        """What is kept of the verdicts of these rules on the records of a corpus."""
        return Verdicts(self, Keys(corpus, rules) if self.base is not None else None)

    def texts(self, keys: Iterable[str]) -> dict[str, str]:
        """Kept verdicts as text, of those keys that are known."""
        return self._get("verdicts", list(keys))

    def keep_texts(self, texts: Mapping[str, str]) -> None:
        """Keep verdicts as text."""
        self._put("verdicts", texts)

    def _get(self, table: str, keys: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        if self.base is None:
            return found
        try:
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start:start + AT_ONCE]
                asked = f"SELECT key, value FROM {table} WHERE key IN ({','.join('?' * len(some))})"  # noqa: S608 (our own names)
                found.update((key, text) for key, row in self.base.execute(asked, some)
                             if (text := _whole(key, row)) is not None)
        except DAMAGE as error:
            self._failed(error)
            return {}
        return found

    def _put(self, table: str, rows: Mapping[str, str]) -> None:
        if self.base is None or not rows:
            return
        checked = [(key, f"{_checksum(key, text)} {text}") for key, text in rows.items()]
        try:
            if table not in self.rows:
                (self.rows[table],) = self.base.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 (our own names)
            with self.base:
                self.base.execute("BEGIN")
                if self.rows[table] + len(rows) > TABLES[table]:
                    self.base.execute(f"DELETE FROM {table}")  # noqa: S608 (our own names)
                    self.rows[table] = 0
                self.rows[table] += len(rows)
                self.base.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", checked)  # noqa: S608 (our own names)
        except DAMAGE as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        """A file whose inside is damaged is made anew; one that is locked, or for which there is no room, may stay."""
        if not isinstance(error, sqlite3.OperationalError):
            self._close()
            self._discard()
            self._open()


class Verdicts:
    """The verdicts that a cache keeps, by the path of the record, for one corpus and one set of rules."""

    def __init__(self, cache: Cache, keys: Keys | None) -> None:
        self.cache = cache
        self.keys = keys.of_all() if keys is not None else {}
        self.beside = keys.beside if keys is not None else ""

    def known(self) -> dict[str, Verdict]:
        """The verdicts that still hold."""
        texts = self.cache.texts(self.keys.values())
        # Many records share few texts.
        verdicts = {text: kept.read_verdict(text, self.beside) for text in set(texts.values())}
        return {path: verdict for path, key in self.keys.items()
                if key in texts and (verdict := verdicts[texts[key]]) is not None}

    def keep(self, fresh: Mapping[str, Verdict]) -> None:
        """Keep new ones."""
        self.cache.keep_texts({self.keys[path]: kept.verdict_text(verdict, self.beside)
                               for path, verdict in fresh.items() if path in self.keys})


def _checksum(key: str, text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'surrogatepass'), crc32(key.encode('utf-8', 'surrogatepass'))):08x}"


def _whole(key: object, row: object) -> str | None:
    """What was kept under a key; None where it is not what was written."""
    if not isinstance(key, str) or not isinstance(row, str):
        return None
    checksum, _, text = row.partition(" ")
    return text if checksum == _checksum(key, text) else None
