"""What others do with the same files: the command of each peer, as its own package manager installs it.

    python -m venv benchmarks/peers
    benchmarks/peers/bin/pip install check-jsonschema yamllint ryl
    npm install --prefix benchmarks/peers @sourcemeta/jsonschema

They check syntax or the JSON Schema of flop records, and nothing else; none is left out silently.
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from measuring import Commands

from specdil_records.shipped import shipped_folder

INSTALLED = Path(__file__).parent / "peers"
SAMPLE = 500
"""Files that the slow peers are measured on; their time grows with the number of files."""
SCHEMA = str(shipped_folder("schema") / "3.0" / "flop.json")


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer's commands on some files, of which there are `files`; `start` is what the same takes for one file."""

    name: str
    does: str
    commands: Commands
    files: int


def executable(name: str) -> str | None:
    """The program of a peer, where the commands above put it."""
    for folder in (INSTALLED / "bin", INSTALLED / "node_modules" / ".bin"):
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    return None


def check_jsonschema(files: list[str]) -> list[str] | None:
    """check-jsonschema on these files."""
    program = executable("check-jsonschema")
    return [program, "--schemafile", SCHEMA, *files] if program else None


def halves(flops: Path, scratch: Path) -> list[Path]:
    """The files of a folder in two, as links in two folders."""
    found = [scratch / "half-0", scratch / "half-1"]
    for folder in found:
        folder.mkdir(exist_ok=True)
    for number, file in enumerate(sorted(flops.iterdir())):
        link = found[number % 2] / file.name
        if not link.exists():
            os.link(file, link)
    return found


def peers(flops: Path, scratch: Path) -> tuple[list[Peer], list[str]]:
    """Every peer that is installed, on a folder of flop records, and the names of those that are not."""
    count = sum(1 for _ in flops.iterdir())
    some = sorted(map(str, flops.iterdir()))[:SAMPLE]
    found: list[Peer] = []
    absent: list[str] = []

    def add(program: str, name: str, does: str, commands: list[list[str]], files: int) -> None:
        if executable(program):
            found.append(Peer(name, does, commands, files))
        else:
            absent.append(name)

    # It stops at its first failure unless it is told to go on.
    fast = [executable("jsonschema") or "", "validate", SCHEMA, "--extension", ".yaml", "--fast", "--continue"]
    add("jsonschema", "@sourcemeta/jsonschema", "schema", [[*fast, str(flops)]], count)
    if count > 1:
        add("jsonschema", "@sourcemeta/jsonschema, two", "schema, a half each",
            [[*fast, str(half)] for half in halves(flops, scratch)], count)
    add("ryl", "ryl", "YAML, keys", [[executable("ryl") or "", "check", "--no-cache", "--enable", "key-duplicates",
                                      str(flops)]], count)
    add("yamllint", "yamllint", "YAML, keys", [[executable("yamllint") or "", "-d",
                                                "{rules: {key-duplicates: enable}}", *some]], len(some))
    add("check-jsonschema", "check-jsonschema", "schema", [check_jsonschema(some) or []], len(some))
    return found, absent
