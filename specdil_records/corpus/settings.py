"""What `[tool.records]` in the nearest pyproject.toml says about a corpus, and where the corpus lies."""
from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

KINDS = {"flops": "flop", "accelerators": "accelerator", "models": "model", "sources": "source"}
"""The folder of each kind, which is also the first segment of its ids."""

KNOWN_KEYS = {"corpus", "extends", "exclude", "severity", "suppress"}


class SettingsError(Exception):
    """A setting that cannot be used, or a path that belongs to no corpus."""


class NoCorpus(SettingsError):
    """There is no corpus at or above a path."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One finding name silenced for one path (and pointer), with the reason for it."""

    name: str
    path: str
    pointer: str | None
    because: str
    until: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a corpus lies and how it wants to be checked. `project` is what paths in reports are relative to."""

    project: Path
    folder: Path
    extends: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    severities: Mapping[str, str] = field(default_factory=dict)
    suppressions: tuple[Suppression, ...] = ()
    file: Path | None = None
    url: str | None = None
    """Where the project lies when that is no folder of this machine; `project` then only names it."""


def find_settings(start: Path) -> Settings:
    """The corpus that a path belongs to, or that a folder holds.

    Looks upwards for a pyproject.toml with `[tool.records]`, a folder named `records`, or a folder of records of
    one kind. Raises `SettingsError` when there is none.
    """
    start = start.absolute()
    here = start if start.is_dir() else start.parent
    if (found := _read(here)) is not None:
        return found
    above = (here, *here.parents)
    outer = [settings for folder in above if (settings := _read(folder)) is not None]
    beside = here / "records"
    for settings in outer:
        if _inside(start, settings.folder) or settings.folder == beside:
            return settings
    if beside.is_dir() and here.name != "records":
        return _plain(beside)
    for folder in above:
        if folder.name == "records":
            return _plain(folder)
        if folder.name in KINDS:
            return _plain(folder.parent)
        if any((folder / kind).is_dir() for kind in KINDS):
            return _plain(folder)
    if outer:
        return outer[0]
    raise NoCorpus(f"no corpus for {start}: neither a pyproject.toml with [tool.records] nor a records folder")


def _inside(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _plain(folder: Path) -> Settings:
    return Settings(project=folder.parent, folder=folder)


def _read(folder: Path) -> Settings | None:
    file = folder / "pyproject.toml"
    if not file.is_file():
        return None
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from None
    return read_settings_text(file, text)


def read_settings_text(file: Path, text: str) -> Settings | None:
    """The settings in the text of a pyproject.toml; None without `[tool.records]`. Raises `SettingsError`."""
    try:
        table = tomllib.loads(text).get("tool", {}).get("records")
    except ValueError as error:
        raise SettingsError(f"{file} cannot be read: {error}") from None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: tool.records is no table")
    heads = [number for number, line in enumerate(text.splitlines(), 1)
             if line.replace(" ", "").startswith("[[tool.records.suppress]]")]
    return _settings(file.parent, file, table, heads)


def _settings(folder: Path, file: Path, table: dict[str, Any], lines: list[int]) -> Settings:
    unknown = set(table) - KNOWN_KEYS
    if unknown:
        raise SettingsError(f"{file}: [tool.records] has no setting {', '.join(sorted(unknown))}; "
                            f"there are {', '.join(sorted(KNOWN_KEYS))}")
    corpus = table.get("corpus", "records")
    if not isinstance(corpus, str) or not corpus:
        raise SettingsError(f"{file}: corpus is the name of a folder")
    return Settings(
        project=folder,
        folder=(folder / corpus),
        extends=_texts(file, table, "extends"),
        exclude=_texts(file, table, "exclude"),
        severities=_severities(file, table.get("severity", {})),
        suppressions=tuple(_suppressions(file, table.get("suppress", []), lines)),
        file=file,
    )


def _texts(file: Path, table: dict[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{file}: {key} is a list of texts")
    return tuple(value)


def _severities(file: Path, table: Any) -> dict[str, str]:
    if not isinstance(table, dict) or not all(value in ("error", "warning", "off") for value in table.values()):
        raise SettingsError(f"{file}: severity maps the name of a finding to error, warning or off")
    return dict(table)


def is_date(text: str) -> bool:
    """Whether a text is a calendar date, written YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _suppressions(file: Path, entries: Any, lines: list[int]) -> list[Suppression]:
    if not isinstance(entries, list):
        raise SettingsError(f"{file}: suppress is a list of tables, [[tool.records.suppress]]")
    found = []
    for position, entry in enumerate(entries):
        allowed = {"name", "path", "pointer", "because", "until"}
        if (not isinstance(entry, dict) or set(entry) - allowed or not all(isinstance(entry.get(key), str)
                                                                          for key in ("name", "path"))):
            raise SettingsError(f"{file}: suppression {position + 1} takes name, path, pointer, because, until")
        because = entry.get("because", "")
        if not isinstance(because, str):
            raise SettingsError(f"{file}: suppression {position + 1}: because is a reason in words, not {because}")
        until = entry.get("until")
        if until is not None and not is_date(str(until)):
            raise SettingsError(f"{file}: suppression {position + 1}: until is a date such as 2027-01-31, not {until}")
        found.append(Suppression(entry["name"], entry["path"], entry.get("pointer"), because,
                                 None if until is None else str(until),
                                 lines[position] if position < len(lines) else 1))
    return found
