"""A conversation with the server over real pipes, as an assistant's program has it."""
from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="NOT TESTED: the extra mcp is missing")

from mcp import Client, StdioServerParameters

GUARD = """
import os, socket, sys

def guard(event, arguments):
    wrong = None
    if event == "open":
        path, mode, flags = arguments
        writes = set(mode or "") & set("wax+") or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        wrong = writes and not isinstance(path, int) and path != os.devnull and f"writes {path}"
    elif event == "socket.__new__":
        wrong = arguments[1] != socket.AF_UNIX and f"opens a socket {arguments}"
    elif event.startswith("socket.") or event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate",
                                                  "os.chmod", "os.link", "os.symlink", "os.fork", "subprocess.Popen"):
        wrong = event not in ("socket.gethostname",) and f"{event} {arguments}"
    if wrong:
        os.write(2, f"FORBIDDEN: {wrong}\\n".encode())
        os._exit(70)

sys.addaudithook(guard)
sys.argv[0] = "records"
from specdil_records.cli.main import main
main()
"""
"""Starts the command and ends it at once should it open a socket, write, or start another program."""


@asynccontextmanager
async def talk(folder: Path, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of the server for a folder; the server is watched, and dies of whatever is more than reading."""
    server = StdioServerParameters(command=sys.executable, args=["-B", "-c", GUARD, "mcp", str(folder)], cwd=folder,
                                   env={"PYTHONPATH": str(Path(__file__).parents[2])})
    async with Client(server, mode=mode, read_timeout_seconds=120) as client:  # type: ignore[arg-type]
        yield client


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers; the SDK's client has compared it with the tool's schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """The words with which a tool refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    assert result.structured_content is None
    (words,) = result.content
    assert words.type == "text"
    return words.text
