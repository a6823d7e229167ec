"""What others do with the same files: the command of each peer, as its own package manager installs it.

    python -m venv benchmarks/peers
    benchmarks/peers/bin/pip install check-jsonschema yamllint ryl
    npm install --prefix benchmarks/peers @sourcemeta/jsonschema

They check syntax or the JSON Schema of flop records, and nothing else; none is left out silently.
"""
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import Commands

from specdil_records.reading import read_document
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


def executable(name: str, place: str = "bin") -> str | None:
    """The program of a peer, where the commands above put it. More than one is called jsonschema."""
    program = INSTALLED / place / name
    return str(program) if os.access(program, os.X_OK) else None


def check_jsonschema(files: list[str]) -> list[str] | None:
    """check-jsonschema on these files."""
    program = executable("check-jsonschema")
    return [program, "--schemafile", SCHEMA, *files] if program else None


def works(command: Sequence[str], scratch: Path) -> bool:
    """Whether a peer's command looks at what it is given: it has to name a file in which every peer finds a fault."""
    bad = scratch / "has-a-key-twice.yaml"
    bad.write_text("id: flops/a\nid: flops/b\n", encoding="utf-8")
    done = subprocess.run([*command, str(bad)], capture_output=True, text=True, check=False)
    return done.returncode != 0 and bad.stem in done.stdout + done.stderr


def linked(files: Iterable[Path], folder: Path) -> Path:
    """A folder of links to files."""
    folder.mkdir(exist_ok=True)
    for file in files:
        link = folder / file.name
        if not link.exists():
            os.link(file, link)
    return folder


def peers(corpus: Path, scratch: Path) -> tuple[list[Peer], list[str]]:
    """Every peer that is installed, on the flop records of a folder, and the names of those that are not.

    A file that is no YAML, or has a key twice, is left out: @sourcemeta/jsonschema ends at the first of them, whatever
    it is told, and would be measured on a part.
    """
    files = [file for file in sorted(corpus.iterdir()) if not read_document(file.read_bytes(), file.name).broken]
    flops = linked(files, scratch / "readable")
    halves = [linked(files[::2], scratch / "half-0"), linked(files[1::2], scratch / "half-1")]
    count = len(files)
    some = list(map(str, files[:SAMPLE]))
    found: list[Peer] = []
    absent: list[str] = []

    def add(program: str | None, name: str, does: str, options: Sequence[str], paths: list[list[str]],
            files: int) -> None:
        command = [program or "", *options]
        if program is not None and works(command, scratch):
            found.append(Peer(name, does, [[*command, *some] for some in paths], files))
        else:
            absent.append(name)

    # It stops at the first record that does not fit unless it is told to go on.
    fast, go_on = executable("jsonschema", "node_modules/.bin"), ("validate", SCHEMA, "--extension", ".yaml", "--fast",
                                                                  "--continue")
    keys, schema = "YAML, keys", "schema"
    add(fast, "@sourcemeta/jsonschema", schema, go_on, [[str(flops)]], count)
    add(fast, "@sourcemeta/jsonschema, two", "schema, a half each", go_on, [[str(half)] for half in halves], count)
    add(executable("ryl"), "ryl", keys, ("check", "--no-cache", "--enable", "key-duplicates"), [[str(flops)]], count)
    add(executable("yamllint"), "yamllint", keys, ("-d", "{rules: {key-duplicates: enable}}"), [some], len(some))
    add(executable("check-jsonschema"), "check-jsonschema", schema, ("--schemafile", SCHEMA), [some], len(some))
    return found, absent
