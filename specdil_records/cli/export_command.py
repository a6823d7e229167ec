"""`records export`: the corpus as rows for other programs."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from specdil_records.cli.common import corpus_here, refuse_to_replace, tell_left_out
from specdil_records.cli.exits import Code, Exit
from specdil_records.corpus import Corpus
from specdil_records.export.tables import COLUMNS, tables
from specdil_records.whole_files import put_whole

FORMATS = ("csv", "parquet", "sqlite", "bibtex")
FIRST = "numbers"


@click.command("export", short_help="Rows for other programs.")
@click.option("--format", "form", type=click.Choice(FORMATS), required=True, help="What to write.")
@click.option("--table", type=click.Choice(tuple(COLUMNS)), help=f"One table of CSV or Parquet; without it {FIRST}, or "
              "all where the output is a folder.")
@click.option("-o", "--output", help="A file; for CSV and Parquet also a folder, which gets one file a table.")
def command(form: str, table: str | None, output: str | None) -> int:
    """Write records, numbers, claims, figures, values and cells as rows, or the sources as a bibliography.

    Example: records export --format csv --table values -o values.csv
    """
    if table is not None and form in ("sqlite", "bibtex"):
        raise Exit(Code.USAGE, f"--table is for csv and parquet; {form} holds everything that it can hold")
    if output is None and form in ("parquet", "sqlite"):
        raise Exit(Code.USAGE, f"{form} is no text for a console; -o says where to write it")
    corpus = corpus_here()
    tell_left_out(corpus.own)
    if output is not None:
        refuse_to_replace(output, corpus.settings)
    if form == "sqlite":
        from specdil_records.export.plain import sqlite_database

        deliver(sqlite_database(tables(corpus)), output)
    elif form == "bibtex":
        from specdil_records.export.bibtex import bibtex

        deliver(bibtex(corpus).encode("utf-8"), output)
    elif output is not None and is_folder(output):
        write_folder(corpus, form, Path(output), tuple(COLUMNS) if table is None else (table,))
    else:
        deliver(one_table(corpus, form, table or FIRST), output)
        if table is None:
            others = ", ".join(name for name in COLUMNS if name != FIRST)
            click.echo(f"records: this is the table {FIRST}; --table has {others}, -o FOLDER/ all", err=True)
    return Code.FINE if corpus.records else Code.NOTHING


def is_folder(output: str) -> bool:
    """Whether the output is meant as a folder: it is one, or ends like one."""
    return output.endswith(("/", os.sep)) or Path(output).is_dir()


def one_table(corpus: Corpus, form: str, name: str) -> bytes:
    """One table in a format."""
    return encoder(form)(tables(corpus, (name,))[0])


def encoder(form: str) -> Callable[..., bytes]:
    """What turns a table into the bytes of a file."""
    if form == "parquet":
        from specdil_records.export.columnar import parquet

        return parquet
    from specdil_records.export.plain import csv_text

    return lambda table: csv_text(table).encode("utf-8")


def write_folder(corpus: Corpus, form: str, folder: Path, names: tuple[str, ...]) -> None:
    """Each of the named tables as a file of its own. Raises `Exit`."""
    encode = encoder(form)
    contents = {f"{table.name}.{form}": encode(table) for table in tables(corpus, names)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Exit(Code.USAGE, f"{folder} cannot be made: {error.strerror}") from None
    for name, content in contents.items():
        deliver(content, str(folder / name))


def deliver(content: bytes, output: str | None) -> None:
    """Bytes to a file, or to standard output. Raises `Exit`."""
    if output is not None:
        replace_file(Path(output), content)
        return
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stream of text, as tests and notebooks have
        sys.stdout.write(content.decode("utf-8"))
    else:
        sys.stdout.flush()
        stream.write(content)
        stream.flush()


def replace_file(path: Path, content: bytes) -> None:
    """Put bytes in the place of a file, whole or not at all. Raises `Exit`."""
    try:
        put_whole(path, content)
    except OSError as error:
        raise Exit(Code.USAGE, f"{path} cannot be written: {error.strerror or error}") from None


__all__ = ["command"]
