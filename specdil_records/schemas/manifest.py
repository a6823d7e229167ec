"""The hashes of the published schemas: a frozen one never changes, a draft changes by one command only.

    python -m specdil_records.schemas.manifest                           # compare
    python -m specdil_records.schemas.manifest --remake-draft "why"      # take over the drafts as they are now
"""
from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from specdil_records.schemas.catalogue import kinds, versions
from specdil_records.shipped import ShippedDataMissing, shipped_folder

DRAFTS = frozenset({"3.0"})
MANIFEST = "manifest.json"
CHANGES = "CHANGES.md"


def differences(folder: Path | None = None) -> list[str]:
    """Sentences, one for each schema that is missing, unknown to the manifest, or other than its hash says."""
    root = folder or shipped_folder("schema")
    recorded = _recorded(root)
    said = []
    for name in sorted(set(_shipped_names()) | set(recorded)):
        path = root / name
        entry = recorded.get(name)
        if entry is None:
            said.append(f"{name} is not in the manifest")
        elif not path.is_file():
            said.append(f"{name} is in the manifest, but the file is missing")
        elif entry.get("sha256") != _sha256(path):
            said.append(f"{name} ({entry.get('status')}) is not what the manifest's hash was made from")
    return said


def remake_drafts(why: str, folder: Path | None = None) -> list[str]:
    """Take the hashes of all draft schemas anew and log the reason; returns the names that changed.

    Frozen schemas keep their recorded hashes, whatever their files say now. `why` is one line for the log.
    """
    root = folder or shipped_folder("schema")
    recorded = _recorded(root) if (root / MANIFEST).exists() else {}
    changed = []
    for name in _shipped_names():
        draft = name.split("/")[0] in DRAFTS
        if not draft and name in recorded:
            continue
        entry = {"status": "draft" if draft else "frozen", "sha256": _sha256(root / name)}
        if recorded.get(name) != entry:
            recorded[name] = entry
            changed.append(name)
    if changed:
        ordered = {name: recorded[name] for name in sorted(recorded)}
        _write(root / MANIFEST, json.dumps({"schemas": ordered}, indent=2) + "\n")
        log = root / CHANGES
        before = log.read_text(encoding="utf-8") if log.exists() else "# Changes of the schemas\n\n"
        _write(log, before + f"- {', '.join(changed)}: {' '.join(why.split())}\n")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 if all hashes agree (or were remade), 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m specdil_records.schemas.manifest", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--remake-draft", metavar="WHY", help="take over the drafts; WHY becomes a line of the log")
    why = parser.parse_args(arguments).remake_draft
    if why is not None:
        if not why.strip():
            parser.error("the reason must not be empty")
        for name in remake_drafts(why):
            sys.stdout.write(f"remade {name}\n")
    said = differences()
    for sentence in said:
        sys.stderr.write(f"{sentence}\n")
    return 1 if said else 0


def _shipped_names() -> list[str]:
    return [f"{version}/{kind}.json" for kind in kinds() for version in versions(kind)]


def _recorded(root: Path) -> dict[str, dict[str, Any]]:
    path = root / MANIFEST
    try:
        loaded: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["schemas"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ShippedDataMissing(path) from error
    return loaded


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ShippedDataMissing(path) from error


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    raise SystemExit(main())
