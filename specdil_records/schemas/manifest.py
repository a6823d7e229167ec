"""The hashes of the shipped schemas: a frozen one never changes, a draft changes by one command only.

    python -m specdil_records.schemas.manifest                           # compare
    python -m specdil_records.schemas.manifest --remake-draft "why"      # take over drafts, and new files as drafts
    python -m specdil_records.schemas.manifest --publish 9.0             # freeze the drafts of that folder for ever
"""
from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from specdil_records.shipped import ShippedDataMissing, shipped_folder

MANIFEST = "manifest.json"
CHANGES = "CHANGES.md"


def differences(folder: Path | None = None) -> list[str]:
    """Sentences, one for each schema that is missing, unknown to the manifest, or other than its hash says."""
    root = folder or shipped_folder("schema")
    recorded = _recorded(root)
    said = []
    for name in sorted(set(_shipped_names(root)) | set(recorded)):
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

    A file that the manifest does not know comes in as a draft. Frozen schemas keep their recorded hashes, whatever
    their files say now. `why` is one line for the log.
    """
    root = folder or shipped_folder("schema")
    recorded = _recorded(root)
    changed = []
    for name in _shipped_names(root):
        entry = {"status": "draft", "sha256": _sha256(root / name)}
        if recorded.get(name) != entry and not _is_frozen(recorded, name):
            recorded[name] = entry
            changed.append(name)
    if changed:
        _keep(root, recorded, changed, why)
    return changed


def publish(version: str, folder: Path | None = None) -> list[str]:
    """Freeze every draft of a folder, such as `3.0` or `report`; returns their names. There is no way back.

    A draft whose file is not what its hash was made from stays a draft, and `differences` tells of it.
    """
    root = folder or shipped_folder("schema")
    recorded = _recorded(root)
    changed = [name for name in _shipped_names(root) if name.startswith(f"{version}/") and name in recorded
               and recorded[name]["sha256"] == _sha256(root / name) and not _is_frozen(recorded, name)]
    for name in changed:
        recorded[name] = {**recorded[name], "status": "frozen"}
    if changed:
        _keep(root, recorded, changed, "published")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 if all hashes agree (or were remade), 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m specdil_records.schemas.manifest", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--remake-draft", metavar="WHY", help="take over the drafts; WHY becomes a line of the log")
    parser.add_argument("--publish", metavar="VERSION", help="freeze the drafts of that folder for ever")
    given = parser.parse_args(arguments)
    if given.remake_draft is not None:
        if not given.remake_draft.strip():
            parser.error("the reason must not be empty")
        for name in remake_drafts(given.remake_draft):
            sys.stdout.write(f"remade {name}\n")
    if given.publish is not None:
        names = publish(given.publish)
        if not names:
            parser.error(f"{given.publish} has no draft whose hash is current")
        for name in names:
            sys.stdout.write(f"published {name}\n")
    said = differences()
    for sentence in said:
        sys.stderr.write(f"{sentence}\n")
    return 1 if said else 0


def _shipped_names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.glob("*/*.json"))


def _is_frozen(recorded: dict[str, dict[str, Any]], name: str) -> bool:
    return recorded.get(name, {}).get("status") == "frozen"


def _recorded(root: Path) -> dict[str, dict[str, Any]]:
    path = root / MANIFEST
    try:
        loaded: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["schemas"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ShippedDataMissing(path) from error
    return loaded


def _keep(root: Path, recorded: dict[str, dict[str, Any]], changed: list[str], why: str) -> None:
    ordered = {name: recorded[name] for name in sorted(recorded)}
    _write(root / MANIFEST, json.dumps({"schemas": ordered}, indent=2) + "\n")
    log = root / CHANGES
    _write(log, log.read_text(encoding="utf-8") + f"- {', '.join(changed)}: {' '.join(why.split())}\n")


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ShippedDataMissing(path) from error


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    raise SystemExit(main())
