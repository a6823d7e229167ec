"""`records mcp`: the server for assistants."""
from __future__ import annotations

from pathlib import Path

import click

from specdil_records.cli.exits import Code
from specdil_records.extras import ExtraMissing


@click.command("mcp", short_help="The server for assistants, read-only.")
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
def command(folder: str) -> int:
    """Serve assistants that write records, over standard input and output: the tools check, why, ledger, bind and new.

    Example: records mcp path/to/project

    Nothing is ever written and no connection opened. FOLDER is the project; without it the current folder.
    """
    try:
        from specdil_records.assistants.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "mcp":
            raise
        raise ExtraMissing("mcp", "the server for assistants") from None
    serve(Path(folder).absolute())
    return Code.FINE
