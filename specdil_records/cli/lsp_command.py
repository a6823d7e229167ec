"""`records lsp`: the language server."""
from __future__ import annotations

import os
import sys

import click

from specdil_records.extras import ExtraMissing


@click.command("lsp", short_help="The language server, for editors.")
@click.option("--stdio", is_flag=True, expose_value=False, help="Speak over standard input and output, as always.")
@click.pass_obj
def command(debug: bool) -> int:
    """Serve editors over standard input and output: findings as one types, hover, completion, definitions, renaming.

    Example: records lsp
    """
    try:
        from specdil_records.editor.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ExtraMissing("lsp", "the language server") from None
    # Whatever prints, prints to standard error: one stray line would end the conversation.
    speech = os.dup(sys.stdout.fileno())
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with open(speech, "wb") as out:
        return serve(sys.stdin.buffer, out, debug)
