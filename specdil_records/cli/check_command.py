"""`records check`: everything, with a report and an exit code."""
from __future__ import annotations

import gc
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import click

from specdil_records.checking import Report
from specdil_records.checking import baseline as baselines
from specdil_records.checking.baseline import Fingerprint
from specdil_records.cli.check_run import Outcome, Request, run_check
from specdil_records.cli.common import refuse_to_replace
from specdil_records.cli.engines import ENGINES, settle
from specdil_records.cli.exits import Code, Exit, worst
from specdil_records.corpus.settings import Settings
from specdil_records.reading.files import idle_exclusions
from specdil_records.report.console import visible, wants_color
from specdil_records.whole_files import put_whole

FORMATS = ("text", "json", "sarif", "junit", "github")


@click.command("check", short_help="Judge a corpus.")
@click.argument("paths", nargs=-1)
@click.option("--format", "formats", multiple=True, metavar="FORMAT[:FILE]",
              help=f"Report format, {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; with :FILE written there; "
              "may be repeated.")
@click.option("--output", type=click.Path(dir_okay=False), help="Write the report to this file.")
@click.option("--strict", is_flag=True, help="Warnings fail the check, too.")
@click.option("--select", multiple=True, metavar="NAMES",
              help="Only these findings: names or codes, separated by commas; may be repeated.")
@click.option("--ignore", multiple=True, metavar="NAMES", help="All but these findings; may be repeated.")
@click.option("--staged", is_flag=True, help="What git would commit: the staged records and all that depend on them.")
@click.option("--against", metavar="REV", help="Compare with a revision of git: changed content has a history entry.")
@click.option("--allow-empty", is_flag=True, help="A corpus without records is no failure.")
@click.option("--exit-zero", is_flag=True, help="Findings do not make the check fail.")
@click.option("--stdin-filename", metavar="FILE", help="The path of the record that - reads from standard input.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The date by which suppressions end.")
@click.option("--baseline", type=click.Path(dir_okay=False), help="Findings listed in this file are known already.")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the baseline; it may only shrink.")
@click.option("--min-coverage", type=click.FloatRange(0, 100), metavar="P", help="Fail below this coverage in percent.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Worker processes; by default as many as help.")
@click.option("--engine", type=click.Choice(ENGINES), default=ENGINES[0], show_default=True,
              help="Who judges the records: worker processes here, or a Dask cluster.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of the Dask cluster.")
@click.option("--no-cache", is_flag=True, help="Judge every record anew, and keep nothing for the next run.")
@click.option("--color/--no-color", default=None, help="Colour, or none, whatever the console is.")
@click.option("-q", "--quiet", is_flag=True, help="The summary line only.")
@click.option("-v", "--verbose", is_flag=True, help="Also one line a record: its claims by verdict.")
def command(paths: tuple[str, ...], formats: tuple[str, ...], output: str | None, strict: bool,
            select: tuple[str, ...], ignore: tuple[str, ...], staged: bool, against: str | None, allow_empty: bool,
            exit_zero: bool, stdin_filename: str | None, today: datetime | None, baseline: str | None,
            write_baseline: bool, min_coverage: float | None, jobs: int | None, engine: str, scheduler: str | None,
            no_cache: bool, color: bool | None, quiet: bool, verbose: bool) -> int:
    """Check every record of a corpus, or the named ones and all that depend on them.

    Example: records check records/flops --format json

    Exit codes: 0 nothing worse than a warning, 1 findings, 2 the command is wrong, 3 the tool failed, 4 nothing was
    checked.
    """
    # Trees and verdicts live until the end: to look through all of them for cycles again and again costs a fifth.
    gc.set_threshold(50_000, 20, 100)
    outputs = parse_formats(formats, output)
    if quiet and verbose:
        raise Exit(Code.USAGE, "--quiet and --verbose cannot both be meant")
    if write_baseline and (baseline is None or paths or staged or select or ignore):
        raise Exit(Code.USAGE, "--write-baseline needs --baseline FILE, the whole corpus and every finding")
    if stdin_filename is not None and "-" not in paths:
        raise Exit(Code.USAGE, "--stdin-filename names what - reads; - is not there")
    if min_coverage is not None and math.isnan(min_coverage):
        raise Exit(Code.USAGE, "--min-coverage is a percentage, not nan")
    outcome = run_check(Request(
        paths, staged, against, stdin_filename, url=settle(engine, scheduler, paths, staged or against is not None),
        select=names_of(",".join(select)) if select else None, ignore=names_of(",".join(ignore)),
        today=today.date() if today else date.today(),
        known=read_baseline(baseline) if baseline is not None and not write_baseline else None,
        jobs=jobs, scheduler=scheduler, no_cache=no_cache, verbose=verbose))
    if write_baseline:
        return keep_baseline(str(baseline), outcome.report)
    if not staged and outcome.settings.url is None:
        tell_idle_exclusions(outcome.settings)
    code = ending(outcome.report, strict, allow_empty or staged, exit_zero, min_coverage)
    shown = Shown(outcome, code, color, quiet, strict)
    for _, file in outputs:
        if file is not None:
            refuse_to_replace(file, outcome.settings)
    for name, file in outputs:
        write(shown, name, file)
    return code


def tell_idle_exclusions(settings: Settings) -> None:
    """Say which patterns exclude nothing: they are relative to the corpus folder, which is easily forgotten."""
    for glob in idle_exclusions(settings.folder, settings.exclude):
        click.echo(visible(f"records: exclude has {glob!r}, which fits nothing in {settings.folder.name}"), err=True)


@dataclass(frozen=True, slots=True)
class Shown:
    """An outcome with what its writers are told: the exit code, and how it is wanted."""

    outcome: Outcome
    code: Code
    color: bool | None
    quiet: bool
    strict: bool


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


def names_of(text: str) -> frozenset[str]:
    """Finding names or codes, separated by commas. Raises `Exit` for one that no rule has."""
    names = frozenset(part.strip() for part in text.split(",") if part.strip())
    if not names:
        return names
    from specdil_records.rules import NAMES, RULES

    known = NAMES | {rule.code for rule in RULES}
    if unknown := sorted(names - known):
        import difflib

        near = difflib.get_close_matches(unknown[0], sorted(known), n=1)
        raise Exit(Code.USAGE, f"no finding is called {', '.join(unknown)}"
                   + (f"; did you mean {near[0]}?" if near else ""))
    return names


def parse_formats(texts: tuple[str, ...], output: str | None) -> list[tuple[str, str | None]]:
    """The formats, each with the file that it goes to; None is standard output. Raises `Exit`."""
    found = [parse_format(text, output) for text in texts] or [("text", output)]
    if output is not None and output not in (file for _, file in found):
        raise Exit(Code.USAGE, "--output has nothing to take: every format has a file of its own")
    places = [None if file is None else os.path.abspath(file) for _, file in found]
    if len(set(places)) < len(places):
        raise Exit(Code.USAGE, "two formats would be written to the same place; give one of them a file, json:FILE")
    return found


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
    if not allow_empty and not (summary.records and summary.rules_run):
        codes.add(Code.NOTHING)
    return worst(codes)


def write(shown: Shown, name: str, file: str | None) -> None:
    """Write one report. A reader that closes the pipe ends the writing, not the verdict."""
    text = content(shown, name, file) + "\n"
    if file is not None:
        try:
            put_whole(Path(file), text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise Exit(Code.USAGE, f"{visible(file)} cannot be written: {error.strerror or error}") from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        from specdil_records.cli.main import closed_pipe

        closed_pipe()
        raise Exit(shown.code) from None


def content(shown: Shown, name: str, file: str | None) -> str:
    """One report as text. The writers are imported when they are asked for."""
    report, settings = shown.outcome.report, shown.outcome.settings
    if name == "json":
        from specdil_records.report import json_report

        return json_report.write(report)
    if name == "sarif":
        from specdil_records.report import sarif

        return sarif.write(report, shown.code, place_in_checkout(settings))
    if name == "junit":
        from specdil_records.report import junit

        return junit.write(report, shown.outcome.paths, shown.strict)
    if name == "github":
        from specdil_records.report import github

        return "\n".join(github.write(report, place_in_checkout(settings)))
    from specdil_records.report import text

    if shown.outcome.idle:
        return f"nothing to check: {shown.outcome.idle}"
    colored = wants_color(sys.stdout, shown.color) if file is None else bool(shown.color)
    encoding = (sys.stdout.encoding or "utf-8") if file is None else "utf-8"
    return "\n".join([*shown.outcome.verdicts, *text.write(report, colored, shown.quiet, encoding)])


def place_in_checkout(settings: Settings) -> str:
    """The way from the top of the checkout that a GitHub workflow works on to the project, with a slash at its end."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace or settings.url is not None:
        return ""
    way = os.path.relpath(os.path.realpath(settings.project), os.path.realpath(workspace)).replace(os.sep, "/")
    return "" if way == "." or way.startswith("..") else way + "/"
