"""Rows as CSV text and as an SQLite database, with the standard library."""
from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from specdil_records.export.tables import Table, Value

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a spreadsheet take a cell for a formula; the wide forms count in some of them."""

NUMBER = re.compile(r"[+-](?:\d[\d.,]*(?:[eE][+-]?\d+)?(?:/\d+)?)?[ \u00a0]?%?")
"""A signed number, or a sign alone: a value of its own, which is not to be touched."""

NEEDS_QUOTES = re.compile(r"[\",\r\n]|^\s|\s$")

SQL_TYPES = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "boolean": "INTEGER"}


def csv_text(table: Table) -> str:
    """A table as CSV (RFC 4180, with line feeds): a head, then the rows; nothing at all where there is no value.

    A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers.
    """
    lines = [",".join(name for name, _ in table.columns)]
    lines += [",".join(map(_cell, row)) for row in table.rows]
    return "\n".join([*lines, ""])


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = harmless(value)
    # The standard library's writer leaves a lone carriage return bare, which readers take for the end of the row.
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) or not text else text


def harmless(text: str) -> str:
    """A text that no spreadsheet runs as a formula."""
    if not text.lstrip().startswith(FORMULA) and text[:1] not in ("\t", "\r", "\n"):
        return text
    return text if NUMBER.fullmatch(text) else "'" + text


def sqlite_database(tables: Iterable[Table]) -> bytes:
    """The tables as the bytes of an SQLite database."""
    connection = sqlite3.connect(":memory:")
    try:
        with connection:
            for table in tables:
                columns = ", ".join(f'"{name}" {SQL_TYPES[kind]}' for name, kind in table.columns)
                connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
                marks = ", ".join("?" * len(table.columns))
                connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', table.rows)  # noqa: S608 (our names)
        return connection.serialize()
    finally:
        connection.close()
