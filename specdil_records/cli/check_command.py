"""`records check`: everything, with a report and an exit code."""
from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

import click

from specdil_records.checking import Options, Report, check
from specdil_records.checking import baseline as baselines
from specdil_records.checking.baseline import Fingerprint
from specdil_records.cli.exits import Code, Exit, worst
from specdil_records.cli.finding_paths import Target, load_target
from specdil_records.report.console import wants_color

FORMATS = ("text", "json")


@click.command("check", short_help="Judge a corpus.")
@click.argument("paths", nargs=-1)
@click.option("--format", "formats", multiple=True, metavar="FORMAT[:FILE]",
              help=f"Report format, {' or '.join(FORMATS)}; with :FILE written there; may be repeated.")
@click.option("--output", type=click.Path(dir_okay=False), help="Write the report to this file.")
@click.option("--strict", is_flag=True, help="Warnings fail the check, too.")
@click.option("--select", metavar="NAMES", help="Only these findings: names or codes, separated by commas.")
@click.option("--ignore", metavar="NAMES", help="All but these findings.")
@click.option("--allow-empty", is_flag=True, help="A corpus without records is no failure.")
@click.option("--exit-zero", is_flag=True, help="Findings do not make the check fail.")
@click.option("--stdin-filename", metavar="FILE", help="The path of the record that - reads from standard input.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The date by which suppressions end.")
@click.option("--baseline", type=click.Path(dir_okay=False), help="Findings listed in this file are known already.")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the baseline; it may only shrink.")
@click.option("--min-coverage", type=click.FloatRange(0, 100), metavar="P", help="Fail below this coverage, in percent.")
@click.option("--color/--no-color", default=None, help="Colour, or none, whatever the console is.")
@click.option("-q", "--quiet", is_flag=True, help="The summary line only.")
def command(paths: tuple[str, ...], formats: tuple[str, ...], output: str | None, strict: bool, select: str | None,
            ignore: str | None, allow_empty: bool, exit_zero: bool, stdin_filename: str | None,
            today: datetime | None, baseline: str | None, write_baseline: bool, min_coverage: float | None,
            color: bool | None, quiet: bool) -> int:
    """Check every record of a corpus, or the named ones and all that depend on them.

    Example: records check records/flops --format json

    Exit codes: 0 nothing worse than a warning, 1 findings, 2 the command is wrong, 3 the tool failed, 4 nothing was
    checked.
    """
    outputs = [parse_format(text, output) for text in formats] or [("text", output)]
    if len({target for _, target in outputs}) < len(outputs):
        raise Exit(Code.USAGE, "two formats would be written to the same place; give one of them a file, json:FILE")
    chosen = names_of(select) if select is not None else None
    target = load_target(paths, stdin_filename)
    if write_baseline and (baseline is None or paths):
        raise Exit(Code.USAGE, "--write-baseline needs --baseline FILE and the whole corpus")
    known = read_baseline(baseline) if baseline is not None and not write_baseline else None
    options = Options(select=chosen, ignore=names_of(ignore or ""), scope=scope_of(target),
                      today=today.date() if today else date.today(), known=known)
    report = check(target.corpus, options)
    if write_baseline:
        return keep_baseline(str(baseline), report)
    code = ending(report, strict, allow_empty, exit_zero, min_coverage)
    for name, file in outputs:
        write(report, name, file, color, quiet, code)
    return code


def read_baseline(file: str) -> Mapping[Fingerprint, int]:
    """The known findings. Raises `Exit`."""
    try:
        return baselines.read(Path(file))
    except baselines.BaselineError as error:
        raise Exit(Code.USAGE, str(error)) from None


def keep_baseline(file: str, report: Report) -> int:
    """Write the baseline anew. Raises `Exit` when it would grow, or when findings of a large file are not shown."""
    if report.summary.hidden:
        raise Exit(Code.USAGE, "a file has more findings than are shown; mend some before a baseline is written")
    try:
        count = baselines.write(Path(file), report.findings)
    except baselines.BaselineError as error:
        raise Exit(Code.USAGE, str(error)) from None
    click.echo(f"{count} findings in the baseline {file}")
    return Code.FINE


def scope_of(target: Target) -> frozenset[str] | None:
    """The paths to report on: the named ones and every record that depends on one of them."""
    if target.named is None:
        return None
    return frozenset(target.corpus.scope_of(set(target.named)))


def names_of(text: str) -> frozenset[str]:
    """Finding names or codes, separated by commas. Raises `Exit` for one that no rule has."""
    from specdil_records.rules import NAMES, RULES

    names = frozenset(part.strip() for part in text.split(",") if part.strip())
    known = NAMES | {rule.code for rule in RULES}
    if unknown := sorted(names - known):
        import difflib

        near = difflib.get_close_matches(unknown[0], sorted(known), n=1)
        raise Exit(Code.USAGE, f"no finding is called {', '.join(unknown)}"
                   + (f"; did you mean {near[0]}?" if near else ""))
    return names


def parse_format(text: str, output: str | None) -> tuple[str, str | None]:
    """A format and the file that it goes to; None is standard output. Raises `Exit`."""
    name, _, file = text.partition(":")
    if name not in FORMATS:
        raise Exit(Code.USAGE, f"no report format {name!r}; there are {', '.join(FORMATS)}")
    return name, file or output


def ending(report: Report, strict: bool, allow_empty: bool, exit_zero: bool, min_coverage: float | None) -> Code:
    """The exit code: a broken tool before findings, findings before nothing checked."""
    summary = report.summary
    codes = {Code.BROKEN} if summary.broken else set()
    uncovered = min_coverage is not None and summary.coverage * 100 < min_coverage
    if uncovered:
        click.echo(f"records: the coverage, {float(summary.coverage):.1%}, is below {min_coverage:g}%", err=True)
    if (summary.errors or summary.gone or uncovered or (strict and summary.warnings)) and not exit_zero:
        codes.add(Code.FINDINGS)
    if not summary.records and not allow_empty:
        codes.add(Code.NOTHING)
    return worst(codes)


def write(report: Report, name: str, file: str | None, color: bool | None, quiet: bool, code: Code) -> None:
    """Write one report. A reader that closes the pipe ends the writing, not the verdict."""
    from specdil_records.report import json_report, text

    if name == "json":
        content = json_report.write(report) + "\n"
    else:
        colored = wants_color(sys.stdout, color) if file is None else bool(color)
        content = "\n".join(text.write(report, colored, quiet)) + "\n"
    if file is not None:
        try:
            Path(file).write_text(content, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise Exit(Code.USAGE, f"{file} cannot be written: {error.strerror}") from None
        return
    try:
        sys.stdout.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        from specdil_records.cli.main import closed_pipe

        closed_pipe()
        raise Exit(code) from None
