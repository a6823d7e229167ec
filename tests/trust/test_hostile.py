"""Hostile records and arguments run no code, open no socket, write nothing outside, and stall no command."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trust import hostile
from tests.trust.guarded import Guard

ROOT = Path(__file__).parents[2]
COMMANDS = [
    ["check", "--no-cache", "-j", "1"],
    *(["check", "--no-cache", "-j", "1", "--format", form, "--output", f"out/{form}"] for form in
      ("json", "sarif", "junit", "github")),
    ["check", "--no-cache", "-j", "1", "--against=--output=owned"],
    ["check", "--no-cache", "-j", "1", "--against", "-o"],
    ["check", "../outside"], ["check", "--select", "\x1b[31m,../x"],
    ["ledger"], ["why", "../../outside/secret"], ["why", "\x1b[2J"], ["explain", "../../outside/secret"],
    *(["why", f"flops/text-{index}"] for index in (0, 5, 9)),
    *(["why", f"flops/expression-{one}"] for one in (0, 3, 18)),
    ["impact", "flops/text-0"], ["impact", "example-chip", "--set", "memory_bandwidth=__import__('os')"],
    ["impact", "example-chip", "--set", "../x=1"], ["diff", "--", "--output=owned"], ["diff", "HEAD", "--", "-o"],
    ["quantities", "__class__"], ["schema", "../../outside", "secret"], ["schema", "3.0", "../flop"],
    ["sweep", "__import__('os').system('x')", "--over", "batch=1..4"],
    ["sweep", "additive.gain", "--over", "batch=1..9**9**9", "--set", "draft_k=4"],
    ["sweep", "additive.gain", "--over", "batch=[exec('x')]", "--set", "draft_k=__import__('os')"],
    ["fmt", "--diff"], ["fmt", "--check"], ["fix", "--diff"], ["migrate", "--to", "3.0", "--diff"],
    ["migrate", "--to", "../x"], ["bind", "flops/text-0"], ["new", "flop", "../../outside/mine"],
    ["new", "flop", "/etc/owned"], ["new", "flop", "con"],
    ["new", "flop", "a\0b"], ["new", "../outside", "x"],
    ["export", "--format", "csv"], ["export", "--format", "bibtex"], ["export", "--format", "csv", "-o", "out/rows/"],
    ["export", "--format", "sqlite", "-o", "out/all.sqlite"],
    ["site", "-o", "out/pages", "-j", "1"],
]
MOST_SECONDS = 120


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Everything, once, in a process of its own."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile.write(folder)
    (folder / "project/out").mkdir()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
                   "PYTHONPATH": str(ROOT), **{name: str(folder / "project/out/own") for name in
                                               ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR")}}
    for words in (["init", "-q"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q",
                                   "--allow-empty", "-m", "all"]):
        subprocess.run(["git", *words], cwd=folder / "project", check=True, env=environment, capture_output=True)
    done = subprocess.run([sys.executable, "-m", "tests.trust.guarded", str(folder)], cwd=ROOT, env=environment,
                          text=True, input=json.dumps(COMMANDS), capture_output=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return folder, outcome


def test_every_command_ends_in_words(run: tuple[Path, dict[str, Any]]) -> None:
    outcomes = run[1]["outcomes"]
    assert len(outcomes) == len(COMMANDS)
    assert outcomes[0]["code"] == 1 and outcomes[0]["said"] > 10_000, "the corpus was not judged"
    assert [one for one in outcomes if one["code"] not in (0, 1, 2, 4) or one["traceback"]] == []


def test_no_command_stalls(run: tuple[Path, dict[str, Any]]) -> None:
    assert [one for one in run[1]["outcomes"] if one["seconds"] > MOST_SECONDS] == []


def test_no_control_character_reaches_the_console(run: tuple[Path, dict[str, Any]]) -> None:
    unescaped = [(one["arguments"], odd) for one in run[1]["outcomes"] for odd in one["odd"]
                 if one["arguments"][0] != "export" and odd not in "\u00a0\u202f\u2009"]
    assert unescaped == []


def test_nothing_happens_that_should_not(run: tuple[Path, dict[str, Any]]) -> None:
    assert run[1]["breaches"] == []
    assert run[1]["seen"] > 1000, "the hook saw nothing"


def test_nothing_is_left_outside(run: tuple[Path, dict[str, Any]]) -> None:
    folder = run[0]
    assert sorted(path.name for path in folder.iterdir()) == ["outside", "project"]
    assert sorted(path.name for path in (folder / "outside").iterdir()) == ["secret.yaml"]
    assert not list(folder.rglob("owned*"))
    assert sorted(path.name for path in (folder / "project").iterdir()) == [".git", "out", "pyproject.toml", "records"]
    assert (folder / "project/out/pages/index.html").exists()


def test_no_page_holds_a_script_of_a_record(run: tuple[Path, dict[str, Any]]) -> None:
    pages = list((run[0] / "project/out/pages").rglob("*.html"))
    assert len(pages) > len(hostile.TEXTS)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>canary" not in text
        assert "<img src=x" not in text
        assert 'href="javascript:' not in text.lower()
        assert 'href="file:' not in text.lower()


@pytest.mark.parametrize(("event", "arguments"), [
    ("socket.connect", (None, ("127.0.0.1", 80))), ("os.system", ("touch owned",)),
    ("subprocess.Popen", ("sh", ["sh", "-c", "x"], None, None)),
    ("subprocess.Popen", ("git", ["git", "diff", "--output=owned"], None, None)),
    ("exec", (compile("1", "<string>", "eval"),)), ("open", ("/etc/owned", "w", os.O_WRONLY | os.O_CREAT)),
    ("open", ("/secret/a.yaml", "r", os.O_RDONLY)), ("os.rename", ("/allowed/a", "/etc/owned", -1, -1)),
])
def test_the_hook_would_notice(event: str, arguments: tuple[Any, ...]) -> None:
    guard = Guard(Path("/allowed"), Path("/secret"))
    assert guard.against(event, arguments)


def test_the_hook_lets_pass_what_is_promised() -> None:
    guard = Guard(Path("/allowed"), Path("/secret"))
    assert guard.against("open", ("/allowed/a", "w", os.O_WRONLY)) == ""
    assert guard.against("open", ("/etc/hostname", "r", os.O_RDONLY)) == ""
    assert guard.against("subprocess.Popen", ("git", ["git", "-C", "/x", "rev-parse"], None, None)) == ""
