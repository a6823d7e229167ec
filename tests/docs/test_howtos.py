"""Every command has a page, and every line of it runs in the tutorial's corpus."""
from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from specdil_records.cli.main import COMMANDS, run
from tests.docs.conftest import Shell
from tests.docs.tutorial import DOCS

PAGES = sorted((DOCS / "how-to").glob("*.md"))
LINES = [(page.stem, line) for page in PAGES
         for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
         for line in block.splitlines()]
WITHOUT = {"lsp": ("pygls", "lsp"), "mcp": ("mcp", "mcp")}
"""Servers, run by a test of its own until their client closes the conversation: the module of each, and its extra."""
EXTRAS = {**dict.fromkeys(("bind", "fmt", "fix", "migrate"), ("yaml_edit", "edit")), "site": ("jinja2", "site")}
"""Commands that do not run without an extra: the module that is looked for, and the extra."""


def test_every_command_has_a_page() -> None:
    missing = set(COMMANDS) - {page.stem for page in PAGES}
    assert not missing, f"write docs/how-to/NAME.md for {sorted(missing)}"
    assert {page.stem for page in PAGES} <= set(COMMANDS)
    assert {name for name, _ in LINES} == {page.stem for page in PAGES}


@pytest.mark.parametrize(("name", "line"), [one for one in LINES if one[0] not in WITHOUT], ids=lambda one: one)
def test_every_line_runs(name: str, line: str, corpus: Path, monkeypatch: pytest.MonkeyPatch,
                         capfd: pytest.CaptureFixture[str]) -> None:
    module, extra = EXTRAS.get(name, ("click", ""))
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"NOT RUN: records {name} needs the extra `{extra}`")
    monkeypatch.chdir(corpus)
    program, *arguments = shlex.split(line)
    assert program == "records"
    assert arguments[0] == name
    code = run(arguments)
    assert code == 0, capfd.readouterr()


@pytest.mark.parametrize(("name", "line"), [one for one in LINES if one[0] in WITHOUT], ids=lambda one: one)
def test_a_server_starts_and_ends_with_its_client(name: str, line: str, corpus: Path, shell: Shell) -> None:
    module, extra = WITHOUT[name]
    pytest.importorskip(module, reason=f"NOT RUN: records {name} needs the extra `{extra}`")
    assert shell(f"{line} && echo fine", corpus) == "fine\n"
