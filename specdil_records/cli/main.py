"""`records`: the group of commands, and the one place where an ending becomes an exit code."""
from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import warnings
from typing import Any

import click

from specdil_records.cli.exits import Code, Exit, prepare_streams
from specdil_records.corpus.settings import SettingsError
from specdil_records.extras import ExtraMissing
from specdil_records.reading.files import UnreadableFile
from specdil_records.version import VERSION

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C has ended: 128 and the signal's number."""

COMMANDS = {
    "bind": "Propose expressions for unbound numbers.",
    "check": "Judge every number, quote and reference of a corpus.",
    "diff": "What changed in meaning since a revision.",
    "explain": "What a finding means, why it matters, how to mend it.",
    "export": "Rows for other programs: CSV, Parquet, SQLite, BibTeX.",
    "fix": "Make the repairs that a program may make.",
    "fmt": "Put record files into canonical form.",
    "impact": "What depends on a record, and what another value would change.",
    "ledger": "Every number of the prose with its status.",
    "lsp": "The language server, for editors.",
    "mcp": "The server for assistants, read-only.",
    "migrate": "Take records to a newer version of the format.",
    "new": "Begin a record.",
    "quantities": "The catalogue of expressions.",
    "schedule": "The best draft length for each batch.",
    "schema": "Print a shipped schema, or write it for editors.",
    "selftest": "Open every shipped schema and replay every example.",
    "site": "The corpus as static pages.",
    "sweep": "A quantity of the catalogue over a grid.",
    "why": "How a number was judged: expression, inputs, verdict.",
}


class Lazy(click.Group):
    """A group whose commands are imported only when they are called; their short help stands in `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's own signature)
        """Every command, in the order of the alphabet."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click's own)
        """The command of a name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"specdil_records.cli.{cmd_name}_command")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (click's own)
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(VERSION, prog_name="records")
@click.option("--debug", is_flag=True, help="Show tracebacks of the tool's own failures.")
@click.pass_context
def records(ctx: click.Context, debug: bool) -> None:
    """Knowledge records whose numbers cannot drift.

    Example: records check
    """
    ctx.obj = debug


OF_THE_CALLER = frozenset({errno.ENAMETOOLONG, errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; nothing but an integer leaves this function."""
    prepare_streams()
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given[:2]
    try:
        outcome = records.main(args=given, prog_name="records", standalone_mode=False)
        sys.stdout.flush()
        return int(outcome) if isinstance(outcome, int) else Code.FINE
    except Exit as ending:
        return _end(ending)
    except (SettingsError, ExtraMissing, UnreadableFile) as error:
        return _end(Exit(Code.USAGE, str(error)))
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.ClickException as error:
        error.show()
        return Code.USAGE
    except click.Abort:
        return interrupted()
    except BrokenPipeError:
        return closed_pipe()
    except OSError as error:
        return _refused(error) if error.errno in OF_THE_CALLER else _failed(error, debug)
    except Exception as error:
        return _failed(error, debug)


def interrupted() -> int:
    """Ctrl-C: one that comes again changes nothing, and workers that are still at it are not waited for.

    Python would wait for them when it ends, and for ever where the interruption came while it did so.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    processes = sys.modules.get("multiprocessing")
    if processes is not None and (left := processes.active_children()):
        for worker in left:
            worker.kill()
        os._exit(INTERRUPTED)
    return INTERRUPTED


def _end(ending: Exit) -> int:
    try:
        if ending.message:
            click.echo(f"records: {_escaped(ending.message)}", err=True)
        sys.stdout.flush()
    except BrokenPipeError:
        closed_pipe()
    return ending.code


def _escaped(message: str) -> str:
    """A message may quote ids, paths and texts of anybody's; its lines stay lines, all else is escaped."""
    from specdil_records.report.console import visible

    return "\n".join(map(visible, message.split("\n")))


def closed_pipe(code: int = Code.FINE) -> int:
    """The reader has enough: say nothing more, not even when Python closes its streams."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _refused(error: OSError) -> int:
    """A name that no file can have, or a place for the output that takes no more: no fault of the tool."""
    if error.filename is None:
        closed_pipe()
    name = str(error.filename or "the output cannot be written")
    return _end(Exit(Code.USAGE, f"{name if len(name) < 100 else name[:99] + '…'}: {error.strerror}"))


def _failed(error: Exception, debug: bool) -> int:
    if debug:
        raise error
    text = " ".join(str(error).split())
    click.echo(f"records: the tool itself failed ({type(error).__name__}: {_escaped(text[:300])}); "
               "records --debug COMMAND shows where", err=True)
    return Code.BROKEN


def main() -> Any:
    """The entry point of the installed command."""
    # numpy starts a thread a core for matrices, which costs more than all matrices here: the largest has a few rows.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "--debug" not in sys.argv[1:3]:
        warnings.simplefilter("ignore")  # a library's warning is no message for the user
    sys.exit(run())
