"""`records schema`: a shipped schema, for editors and validators."""
from __future__ import annotations

from pathlib import Path

import click

from specdil_records.cli.exits import Code, Exit
from specdil_records.report.json_report import REPORT_VERSION, report_schema
from specdil_records.whole_files import put_whole


@click.command("schema", short_help="Print or write a shipped schema.")
@click.argument("version", required=False)
@click.argument("kind", required=False)
@click.option("-o", "--output", type=click.Path(file_okay=False), help="Write VERSION/KIND.json into this folder.")
def command(version: str | None, kind: str | None, output: str | None) -> int:
    """Print a shipped schema, or write it; without arguments list what there is, or write all.

    Example: records schema 3.0 flop -o schema
    """
    from specdil_records.schemas import kinds, schema_text, versions

    shipped = [(one, name) for name in kinds() for one in versions(name)] + [(REPORT_VERSION, "report")]
    if version is None and output is None:
        for one, name in sorted(shipped):
            click.echo(f"{one} {name}")
        return Code.FINE
    wanted = [(one, name) for one, name in shipped if version in (None, one) and kind in (None, name)]
    if not wanted:
        listed = ", ".join(f"{one} {name}" for one, name in sorted(shipped))
        raise Exit(Code.USAGE, f"no schema {version} {kind or ''}; there are {listed}")
    if output is None and len(wanted) > 1:
        raise Exit(Code.USAGE, f"which kind of {version}? " + ", ".join(name for _, name in wanted))
    for one, name in wanted:
        text = report_schema() if name == "report" else schema_text(one, name)
        if output is None:
            click.echo(text, nl=False)
            continue
        target = Path(output, one, f"{name}.json")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            put_whole(target, text.encode("utf-8"))
        except OSError as error:
            raise Exit(Code.USAGE, f"{target} cannot be written: {error.strerror or error}") from None
        click.echo(f"wrote {target}")
    return Code.FINE
