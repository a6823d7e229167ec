"""Whether the tests would notice: every room's functions are changed one place at a time, and its tests are run.

    .ci/mutants [--survivors] [ROOM | ROOM.MODULE]...

mutmut makes the mutants and tries them, as `[tool.mutmut]` of `pyproject.toml` says; this file gives it a copy of the
tree to work in, tells it which tests belong to a room, and looks at what is left once more. docs/mutants.md says what
came out and why some mutants may live.

What survives mutmut is tried again in a fresh process with all tests of the room, because mutmut forks from a process
that has imported the package: tables that are built on import, and values that a cache holds, come from the unchanged
code there. `--survivors` tries only the survivors of the last run again, with the tests as they are now.

Ends with status 1 when a mutant survives that is not of words alone.
"""
from __future__ import annotations

import argparse
import ast
import copy
import difflib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import jsonschema
import jsonschema_rs
import numpy as np
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".ci/mutation"
LIBRARIES = (hypothesis, jsonschema, jsonschema_rs, np, pytest, yaml)
"""Imported here, once, for every process that is forked."""
SECONDS = 900
"""How long the tests of a room may take with one mutant, before it counts as killed by the clock."""
OUTCOMES = {
    0: "survived", 5: "untested", 33: "untested", 37: "types", 36: "clock", 24: "clock", -24: "clock", 152: "clock",
    255: "clock", None: "untried", 2: "untried",
}
"""What mutmut's exit codes mean; every other code is a test that failed."""
WORDS = re.compile(r"\w\W*\s\W*\w|\s.*\s")
"""A literal that is a piece of a message: two words, or something with a blank on either side."""


@dataclass(frozen=True)
class Mutant:
    """One change to one function, as mutmut names it, with what came of it."""

    name: str
    outcome: str


def say(text: str) -> None:
    print(text, flush=True)


def tests_by_room() -> dict[str, list[str]]:
    """The rooms that are mutated, and the tests that are put to each."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        rooms: dict[str, list[str]] = tomllib.load(file)["tool"]["mutmut"]["rooms"]
    return rooms


def copy_tree(to: Path) -> None:
    """Copy every file that git knows or would take on, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def settle(folder: Path, target: str, tests: list[str]) -> None:
    """Write what holds for one room or module only into the copy's configuration."""
    room, _, module = target.partition(".")
    path = f"specdil_records/{room}/{module}.py" if module else f"specdil_records/{room}"
    types = ["mypy", "--no-warn-unused-ignores", "--cache-dir", str(WORK / "mypy"), "--output", "json", path]
    settings = {
        "only_mutate": [path if module else f"{path}/*"],
        "pytest_add_cli_args_test_selection": tests,
        "type_check_command": types,
    }
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    configuration = folder / "pyproject.toml"
    text = configuration.read_text("utf-8")
    assert text.count("\n[tool.mutmut]\n") == 1
    configuration.write_text(text.replace("\n[tool.mutmut]\n", f"\n[tool.mutmut]\n{lines}"), "utf-8")


def tried(folder: Path, tests: list[str], mutant: str) -> int:
    """The exit status of the tests on the mutated copy, with the package imported anew; negative for a signal.

    The process is forked from this one, which has the libraries, but neither the package nor its tests.
    """
    child = os.fork()
    if child == 0:
        try:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os.chdir(folder / "mutants")
            os.environ["MUTANT_UNDER_TEST"] = mutant
            signal.alarm(SECONDS)
            sys.path.insert(0, os.getcwd())
            status = int(pytest.main(["-x", "-p", "no:cacheprovider", *tests]))
        except BaseException:
            status = 1
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


SPEAKING = frozenset({"FormulaError", "Undecided", "Unavailable", "BrokenReference", "CatalogueError", "RuleError",
                      "MissingValue", "NoNumber", "ValueError", "TypeError"})
"""Exceptions whose only argument is their message."""


class Source:
    """A mutated file: both versions of every function that was changed."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text("utf-8"))
        self._found = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    def versions(self, name: str) -> tuple[ast.FunctionDef, ast.FunctionDef]:
        """The function before and after a mutant, under one name."""
        key = name.rpartition(".")[2]
        before, after = self._found[re.sub(r"[0-9]+$", "orig", key)], self._found[key]
        before.name = after.name = "it"
        return before, after

    def difference(self, name: str) -> list[str]:
        """The lines that a mutant changes, before and after, without comments or layout."""
        before, after = (ast.unparse(version).splitlines() for version in self.versions(name))
        lines = difflib.unified_diff(before, after, lineterm="", n=0)
        return [line for line in lines if not re.match(r"@@|---|\+\+\+", line)]

    def only_words(self, name: str) -> bool:
        """Whether a mutant changes nothing but the words of a message."""
        before, after = (ast.dump(Wordless().visit(copy.deepcopy(version))) for version in self.versions(name))
        return before == after


class Wordless(ast.NodeTransformer):
    """Takes away what only people read: pieces of messages, what joins words, what an exception says."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("words") if isinstance(node.value, str) and WORDS.search(node.value) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Name) and function.id in SPEAKING:
            return ast.Call(function, [ast.Constant("words")], [])
        if isinstance(function, ast.Attribute) and function.attr == "join" and isinstance(function.value, ast.Constant):
            function.value = ast.Constant("words")
        return self.generic_visit(node)


def recorded(folder: Path) -> Iterator[tuple[Mutant, Source]]:
    """What mutmut has written down about every mutant, overruled by the second look."""
    second = folder / "second.json"
    later: dict[str, str] = json.loads(second.read_text()) if second.exists() else {}
    for meta in sorted((folder / "mutants").rglob("*.py.meta")):
        source = Source(meta.with_suffix(""))
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            outcome = later.get(name, OUTCOMES.get(code, "killed"))
            words = outcome in ("survived", "untested") and source.only_words(name)
            yield Mutant(name, "words" if words else outcome), source


def look_again(folder: Path, tests: list[str]) -> None:
    """Try survivors in a fresh process each, and write down what came of it."""
    survivors = [mutant for mutant, _ in recorded(folder) if mutant.outcome in ("survived", "untested")]
    if survivors:
        assert tried(folder, tests, "") == 0, "the tests fail on the unchanged copy"
        assert tried(folder, tests, "fail") != 0, "the tests do not reach the mutated copy"
    second = folder / "second.json"
    outcomes: dict[str, str] = json.loads(second.read_text()) if second.exists() else {}
    for number, mutant in enumerate(survivors, start=1):
        status = tried(folder, tests, mutant.name)
        outcomes[mutant.name] = {0: "survived", -signal.SIGALRM: "clock"}.get(status, "killed")
        second.write_text(json.dumps(outcomes, indent=1))
        say(f"{number}/{len(survivors)} {outcomes[mutant.name]}: {mutant.name}")


def tell(target: str, folder: Path) -> bool:
    """Print the figures and write down each survivor's change; whether all that is not words was killed."""
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for mutant, source in recorded(folder):
        counts[mutant.outcome] += 1
        if mutant.outcome not in ("killed", "types", "clock"):
            shown += [f"{mutant.outcome}: {mutant.name}", *source.difference(mutant.name), ""]
    report = folder / "survivors.txt"
    report.write_text("\n".join(shown), "utf-8")
    say(f"{target}: {counts.total()} mutants, " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    if shown:
        say(f"  what was not noticed: {report.relative_to(ROOT)}")
    return not (set(counts) - {"killed", "types", "clock", "words"})


def try_target(target: str, tests: list[str], again: bool) -> bool:
    """Run one room or module, from the start or its survivors only."""
    folder = WORK / target
    if again:
        for place in (folder, folder / "mutants"):
            shutil.copytree(ROOT / "tests", place / "tests", dirs_exist_ok=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        copy_tree(folder)
        settle(folder, target, tests)
        log = folder / "mutmut.log"
        say(f"{target}: mutmut is at work, see {log.relative_to(ROOT)}")
        with log.open("w") as file:
            ended = subprocess.run(["mutmut", "run", "--max-children", "1", f"specdil_records.{target}.*"], cwd=folder,
                                   stdout=file, stderr=subprocess.STDOUT, check=False)
        if ended.returncode:
            sys.exit(f"mutmut ended with status {ended.returncode}")
    look_again(folder, tests)
    return tell(target, folder)


def main() -> int:
    rooms = tests_by_room()
    parser = argparse.ArgumentParser(description="Change the code of a room and see whether its tests notice.")
    parser.add_argument("--survivors", action="store_true", help="only what survived the last run")
    parser.add_argument("targets", nargs="*", metavar="ROOM | ROOM.MODULE", help=f"rooms: {', '.join(rooms)}")
    arguments = parser.parse_args()
    for target in arguments.targets:
        room, _, module = target.partition(".")
        if room not in rooms or (module and not (ROOT / f"specdil_records/{room}/{module}.py").is_file()):
            parser.error(f"{target} is no room with tests of its own, or no module of it")
    results = [try_target(target, rooms[target.partition(".")[0]], arguments.survivors)
               for target in arguments.targets or rooms]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
