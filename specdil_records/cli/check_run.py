"""From what `records check` is asked to its report: kept from a check at which all was as it is now, or worked out."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from specdil_records.checking.baseline import Fingerprint
from specdil_records.checking.cache import Cache, default_folder
from specdil_records.checking.kept import KeptReport
from specdil_records.checking.keys import key_of_report
from specdil_records.checking.results import Report, Tally, make_report
from specdil_records.cli.engines import engaged, target_at
from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import CorpusFiles, Target, files_named
from specdil_records.cli.progress import Progress
from specdil_records.corpus.settings import Settings
from specdil_records.findings import ClaimVerdict
from specdil_records.report.console import visible

if TYPE_CHECKING:
    from specdil_records.checking import Options
    from specdil_records.corpus.cards import Card
    from specdil_records.corpus.files import Contents


@dataclass(frozen=True, slots=True)
class Request:
    """The options of a check that decide what is found."""

    paths: tuple[str, ...]
    staged: bool
    against: str | None
    stdin_filename: str | None
    select: frozenset[str] | None
    ignore: frozenset[str]
    today: date
    known: Mapping[Fingerprint, int] | None
    jobs: int | None
    scheduler: str | None
    no_cache: bool
    verbose: bool
    url: str | None

    def key_parts(self, found: CorpusFiles) -> list[str]:
        """What a report rests on beside the files."""
        dated = any(one.until is not None for one in found.settings.suppressions)
        return [repr(None if many is None else sorted(many))
                for many in (self.select, self.ignore, found.named, found.left)] + [
            self.today.isoformat() if dated else "any day",
            repr(None if self.known is None else sorted(self.known.items()))]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report with what its writers need: the settings, the records that were judged, a line for each if asked."""

    report: Report
    settings: Settings
    paths: tuple[str, ...]
    """The paths of the records that were judged, in their order."""
    verdicts: tuple[str, ...] = ()
    idle: str = ""
    """Why nothing was looked at, where a commit touches no record that is left."""


def run_check(request: Request) -> Outcome:
    """Check what is request. Raises `Exit`, and `UnreadableFile` for a file that changes on the way."""
    if request.url is not None:
        with pipeline(request, Cache()) as (options, _):
            return check_target(target_at(request.url), options, request)
    found = staged_in(request.paths) if request.staged else files_named(request.paths, request.stdin_filename)
    if request.staged and found.named == frozenset() and not found.left:
        return Outcome(make_report([], Tally()), found.settings, (), idle="no record is staged")
    with Cache(None if request.no_cache else default_folder(), found.settings.project) as cache:
        # What is seen against an earlier state, by other machines, or record by record, is seen anew.
        whole = request.against is None and request.scheduler is None and not request.verbose
        key = key_of_report(found.settings, found.files, request.key_parts(found)) if whole else ""
        kept = cache.report(key) if whole else None
        if kept is not None:
            paths = (one.path for one in found.files if one.own)
            return Outcome(kept.report, found.settings,
                          tuple(path for path in paths if kept.scope is None or path in kept.scope))
        from specdil_records.checking.surveying import new_cards

        with pipeline(request, cache) as (options, progress):
            target = found.target(cards_of(found.files, cache, request.jobs, progress))
            cache.keep_cards(new_cards(target.corpus))
            progress.say(f"judging {len(found.files)} records", len(found.files))
            outcome = check_target(target, options, request)
        if whole and not outcome.idle:
            scope = None if found.named is None else frozenset(outcome.paths)
            cache.keep_report(key, KeptReport(outcome.report, scope))
        return outcome


@contextmanager
def pipeline(request: Request, cache: Cache) -> Iterator[tuple[Options, Progress]]:
    """The options of the pipeline, with an executor where a scheduler is named, and a line that tells how far it is."""
    from specdil_records.checking import Options

    options = Options(select=request.select, ignore=request.ignore, today=request.today, known=request.known,
                      jobs=request.jobs, cache=cache)
    with Progress(sys.stderr) as progress, engaged(options, request.scheduler) as engaged_options:
        yield engaged_options, progress


def cards_of(files: Sequence[Contents], cache: Cache, jobs: int | None, progress: Progress) -> dict[str, Card]:
    """The cards of the files, by content: those that are kept, and of a large corpus the others."""
    from specdil_records.checking.surveying import survey
    from specdil_records.corpus import cards

    progress.say(f"reading {len(files)} records", len(files))
    known = cache.cards(files)
    count = len(files) - len(known)
    for number, texts in survey(files, known, jobs):
        progress.say(f"read {number} of {count} records", count)
        cache.keep_cards(texts)
        known.update((content, cards.read(text)) for content, text in texts.items())
    return known


def check_target(target: Target, options: Options, request: Request) -> Outcome:
    """The outcome that the pipeline gives. Raises `Exit`."""
    from specdil_records.checking import check
    from specdil_records.cli.earlier_state import beside

    target = beside(target, request.against, request.select)
    scope = target.scope
    settings = target.corpus.settings
    if request.staged and scope == frozenset():
        return Outcome(make_report([], Tally()), settings, (), idle="no record depends on what is deleted")
    report = check(target.corpus, replace(options, scope=scope))
    paths = tuple(one.path for one in target.corpus.own if scope is None or one.path in scope)
    return Outcome(report, settings, paths, tuple(verdicts(target, paths)) if request.verbose else ())


def staged_in(paths: tuple[str, ...]) -> CorpusFiles:
    """What git would commit, of the corpus here or of the one folder that is named. Raises `Exit`."""
    from specdil_records.cli.staged_files import staged_files

    if len(paths) > 1 or (paths and not Path(paths[0]).is_dir()):
        raise Exit(Code.USAGE, "--staged finds the records itself; at most the folder of a project may be named")
    return staged_files(Path(paths[0]) if paths else Path.cwd())


def verdicts(target: Target, paths: Iterable[str]) -> Iterator[str]:
    """One line a record: its claims by verdict."""
    from specdil_records.report.text import listed
    from specdil_records.rules import View

    records = {record.path: record for record in target.corpus.own}
    for record in map(records.__getitem__, paths):
        try:
            evaluation = View(record, target.corpus).evaluation
        except Exception as error:  # the summary names what failed
            yield visible(f"{record.path}: {type(error).__name__}")
            continue
        claims = evaluation.claims if evaluation is not None else ()
        counts = {str(verdict): sum(claim.verdict == verdict for claim in claims) for verdict in ClaimVerdict}
        words = listed(counts) or ("no claims" if record.sound else "not judged")
        yield visible(f"{record.path}: {words}")
    yield ""
