"""The server for assistants: the protocol's requests to the tools, and their answers to the protocol's values.

The only module that knows the protocol's SDK; the extra `mcp` brings it.
"""
from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from specdil_records.assistants.asking import CannotAnswer
from specdil_records.assistants.tools import Tool, tools
from specdil_records.version import VERSION

INSTRUCTIONS = """\
Knowledge records about machine-learning performance: prose whose numbers are all accounted for. To write one: `new` \
gives a beginning, `check` with `draft` judges a text before it is written, `ledger` shows the numbers that nothing \
accounts for, `bind` proposes what they are made of, `why` shows how one was judged. This server only reads; write the \
file yourself once it checks."""


def make_server(folder: Path) -> Server[Any]:
    """A server for the corpus of a folder."""
    turn = threading.Lock()

    def answer(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        with turn:
            return answered(folder, name, arguments)

    async def list_tools(_: ServerRequestContext[Any],
                         __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in tools().values()])

    async def call_tool(_: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        # In a thread, so that a client that pings is answered while a large corpus is judged.
        return await asyncio.to_thread(answer, params.name, params.arguments or {})

    return Server("records", version=VERSION, instructions=INSTRUCTIONS, on_list_tools=list_tools,
                  on_call_tool=call_tool)


def described(tool: Tool) -> types.Tool:
    """A tool as the protocol lists it."""
    hints = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True,
                                  open_world_hint=False)
    return types.Tool(name=tool.name, title=tool.title, description=tool.description, input_schema=tool.takes,
                      output_schema=tool.gives, annotations=hints)


def answered(folder: Path, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """What a call gives; whatever goes wrong is a tool's error in words, which an assistant can act upon."""
    tool = tools().get(name)
    if tool is None:
        return refused(f"no tool is called {name!r}; there are {', '.join(tools())}")
    try:
        data = plain(tool.asked(folder, arguments))
    except CannotAnswer as error:
        return refused(str(error))
    except Exception as error:
        return refused(f"the tool itself failed ({type(error).__name__}: {str(error)[:300]})")
    text = json.dumps(data, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=data)


def refused(why: str) -> types.CallToolResult:
    """An error of a tool."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=plain(why))], is_error=True)


def plain(data: Any) -> Any:
    """The same data without lone surrogates, which a record may hold and no message can carry."""
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(data, dict):
        return {plain(key): plain(value) for key, value in data.items()}
    return [plain(item) for item in data] if isinstance(data, list | tuple) else data


async def _converse(folder: Path) -> None:
    server = make_server(folder)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def serve(folder: Path) -> None:
    """Answer over standard input and output until the client closes them; stray prints go to standard error."""
    asyncio.run(_converse(folder))
