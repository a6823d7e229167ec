"""The server in a real editor: headless Neovim with the configuration that docs/editors.md gives."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of

ROOT = Path(__file__).parents[2]
FLOP = "records/flops/example-stall.yaml"

pytest.importorskip("pygls", reason="NOT TESTED IN NEOVIM: the extra lsp is missing")
NEOVIM = shutil.which("nvim")
if NEOVIM is None:
    pytest.skip("NOT TESTED IN NEOVIM: nvim is not installed (Debian: apt install neovim)", allow_module_level=True)

VISIT = """
local done = {}

local function wait(what, reached)
  if not vim.wait(60000, reached, 50) then error("waited in vain for " .. what) end
end

local function found(line, words)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.fn.search(words, "c", line)
end

local function shown()
  return vim.tbl_map(function(one)
    local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
    return { line = one.lnum + 1, marked = line:sub(one.col + 1, one.end_col), message = one.message,
             code = one.code or one.user_data.lsp.code, severity = one.severity }
  end, vim.diagnostic.get(0))
end

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then return window end
  end
end

local function visit()
  wait("the findings", function() return #vim.diagnostic.get(0) == 2 end)
  done.before = shown()

  found(6, "52%")
  vim.cmd("normal K")
  wait("the hover", floating)
  done.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(floating()), 0, -1, false)
  vim.api.nvim_win_close(floating(), true)

  vim.ui.select = function(items, options, choose)
    local titles = vim.tbl_map(options.format_item or tostring, items)
    done.offered = titles
    for at, title in ipairs(titles) do
      if title:find("ambiguous%-scalar") then choose(items[at], at) return end
    end
  end
  found(vim.fn.search("^- no$", "nw"), "no")
  vim.cmd("normal gra")
  wait("the action's edit", function() return vim.fn.search('^- "no"$', "nw") > 0 end)
  wait("the finding to go", function() return #vim.diagnostic.get(0) == 1 end)
  done.after = shown()

  found(vim.fn.search("^affected_by_hardware", "nw"), "example-chip")
  vim.cmd("normal gd")
  wait("the definition", function() return vim.api.nvim_buf_get_name(0):find("accelerators/example%-chip") ~= nil end)
  done.definition = true
end

local fine, why = pcall(visit)
if not fine then done.failed = tostring(why) .. vim.inspect(shown()) end
vim.fn.writefile({ vim.fn.json_encode(done) }, os.getenv("SEEN"))
vim.cmd("qall!")
"""
"""What somebody does who opens the record; what is seen is written to a file of JSON."""


def configuration() -> str:
    page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- neovim -->\n```lua\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    return "\n".join(blocks)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is seen in a record with a drifted figure behind an emoji and an item that YAML takes for false."""
    folder, home = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("home")
    edits = (("flop", "a gain of 25%.\n", "a gain of 52%.\n"),
             ("flop", "  At batch 16 a", "  \U0001f600 At batch 16 a"),
             ("flop", "- Draft less when the batch is large.", "- no"))
    for name, text in files_of(Sample(edits, {})).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    command = home / "bin" / "records"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m specdil_records "$@"\n')
    command.chmod(0o755)
    (home / "init.lua").write_text(configuration(), encoding="utf-8")
    (home / "visit.lua").write_text(VISIT, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(home),
                   "PYTHONPATH": str(ROOT), "SEEN": str(home / "seen.json"),
                   **{f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}}
    assert NEOVIM is not None
    done = subprocess.run([NEOVIM, "--headless", "-n", "-i", "NONE", "-u", str(home / "init.lua"), FLOP, "-S",
                           str(home / "visit.lua")], cwd=folder, env=environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=400, check=False)
    assert (home / "seen.json").exists(), done.stderr
    found: dict[str, Any] = json.loads((home / "seen.json").read_text(encoding="utf-8"))
    assert "failed" not in found, (found, done.stderr)
    return found


def test_findings_stand_under_their_words(seen: dict[str, Any]) -> None:
    drift, scalar = sorted(seen["before"], key=lambda one: one["line"])
    assert (drift["code"], drift["line"], drift["marked"]) == ("C01", 6, "52")
    assert "the prose says 52%, its expression gives 25%" in drift["message"]
    assert (scalar["code"], scalar["marked"]) == ("R07", "no")


def test_the_hover_shows_the_derivation(seen: dict[str, Any]) -> None:
    text = "\n".join(seen["hover"])
    assert "gain-at-16" in text
    assert "additive.gain(batch, draft_k)" in text


def test_an_action_is_applied_and_its_finding_goes(seen: dict[str, Any]) -> None:
    assert [one["code"] for one in seen["after"]] == ["C01"]
    assert any("ambiguous-scalar" in title for title in seen["offered"])


def test_the_definition_of_a_name_is_its_record(seen: dict[str, Any]) -> None:
    assert seen["definition"] is True
