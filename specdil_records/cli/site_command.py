"""`records site`: the corpus as static pages."""
from __future__ import annotations

from pathlib import Path

import click

from specdil_records.cli.common import corpus_here, tell_left_out
from specdil_records.cli.exits import Code, Exit


@click.command("site", short_help="The corpus as static pages.")
@click.option("-o", "--output", required=True, help="A folder: new, empty, or one that this command made before.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; by default as many as are worth it.")
def command(output: str, jobs: int | None) -> int:
    """Write the corpus as pages that open from a file or any web server.

    Pages that did not change are not rewritten; pages of records that are gone are removed. Nothing outside the
    folder is touched, and a folder with other things in it is refused.

    Example: records site -o pages
    """
    from specdil_records.site.building import build
    from specdil_records.site.output import SiteError

    corpus = corpus_here()
    tell_left_out(corpus.own)
    try:
        built = build(corpus, Path(output), jobs)
    except SiteError as error:
        raise Exit(Code.USAGE, str(error)) from None
    click.echo(f"{built.pages} pages of {built.records} records in {output}; {built.written} files written, "
               f"{built.removed} removed")
    return Code.FINE if corpus.records else Code.NOTHING
