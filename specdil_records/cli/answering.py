"""From what `records check` is asked to its report: kept from a check at which all was as it is now, or worked out."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
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
from specdil_records.cli.finding_paths import Choice, Target, choose
from specdil_records.cli.progress import Progress
from specdil_records.corpus.settings import Settings
from specdil_records.findings import ClaimVerdict
from specdil_records.report.console import visible

if TYPE_CHECKING:
    from specdil_records.checking import Options
    from specdil_records.corpus.cards import Card


@dataclass(frozen=True, slots=True)
class Asked:
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

    def words(self, choice: Choice) -> list[str]:
        """What a report rests on beside the files."""
        dated = any(one.until is not None for one in choice.settings.suppressions)
        return [repr(None if many is None else sorted(many))
                for many in (self.select, self.ignore, choice.named, choice.left)] + [
            self.today.isoformat() if dated else "any day",
            repr(None if self.known is None else sorted(self.known.items()))]


@dataclass(frozen=True, slots=True)
class Answer:
    """A report with what its writers need: the settings, the records that were judged, a line for each if asked."""

    report: Report
    settings: Settings
    paths: tuple[str, ...]
    """The paths of the records that were judged, in their order."""
    verdicts: tuple[str, ...] = ()
    idle: str = ""
    """Why nothing was looked at, where a commit touches no record that is left."""


def answered(asked: Asked) -> Answer:
    """Check what is asked. Raises `Exit`, and `UnreadableFile` for a file that changes on the way."""
    if asked.url is not None:
        with working(asked, Cache()) as (options, _):
            return judged(target_at(asked.url), options, asked)
    choice = staged_in(asked.paths) if asked.staged else choose(asked.paths, asked.stdin_filename)
    if asked.staged and choice.named == frozenset() and not choice.left:
        return Answer(make_report([], Tally()), choice.settings, (), idle="no record is staged")
    with Cache(None if asked.no_cache else default_folder(), choice.settings.project) as cache:
        # What is seen against an earlier state, by other machines, or record by record, is seen anew.
        whole = asked.against is None and asked.scheduler is None and not asked.verbose
        key = key_of_report(choice.settings, choice.files, asked.words(choice)) if whole else ""
        kept = cache.report(key) if whole else None
        if kept is not None:
            paths = (one.path for one in choice.files if one.own)
            return Answer(kept.report, choice.settings,
                          tuple(path for path in paths if kept.scope is None or path in kept.scope))
        from specdil_records.checking.surveying import new_cards

        with working(asked, cache) as (options, progress):
            target = choice.target(cards_of(choice, cache, asked.jobs, progress))
            cache.keep_cards(new_cards(target.corpus))
            progress.say(f"judging {len(choice.files)} records", len(choice.files))
            answer = judged(target, options, asked)
        if whole and not answer.idle:
            cache.keep_report(key, KeptReport(answer.report, None if choice.named is None else frozenset(answer.paths)))
        return answer


@contextmanager
def working(asked: Asked, cache: Cache) -> Iterator[tuple[Options, Progress]]:
    """The options of the pipeline, with an executor where a scheduler is named, and a line that tells how far it is."""
    from specdil_records.checking import Options

    options = Options(select=asked.select, ignore=asked.ignore, today=asked.today, known=asked.known,
                      jobs=asked.jobs, cache=cache)
    with Progress(sys.stderr) as progress, engaged(options, asked.scheduler) as engaged_options:
        yield engaged_options, progress


def cards_of(choice: Choice, cache: Cache, jobs: int | None, progress: Progress) -> dict[str, Card]:
    """The cards of the files, by content: those that are kept, and of a large corpus the others."""
    from specdil_records.checking.surveying import survey
    from specdil_records.corpus import cards

    progress.say(f"reading {len(choice.files)} records", len(choice.files))
    found = cache.cards(choice.files)
    count = len(choice.files) - len(found)
    for number, texts in survey(choice.files, found, jobs):
        progress.say(f"read {number} of {count} records", count)
        cache.keep_cards(texts)
        found.update((content, cards.read(text)) for content, text in texts.items())
    return found


def judged(target: Target, options: Options, asked: Asked) -> Answer:
    """The answer that the pipeline gives. Raises `Exit`."""
    from specdil_records.checking import check
    from specdil_records.cli.earlier_state import beside

    target = beside(target, asked.against, asked.select)
    scope = target.scope
    settings = target.corpus.settings
    if asked.staged and scope == frozenset():
        return Answer(make_report([], Tally()), settings, (), idle="no record depends on what is deleted")
    report = check(target.corpus, replace(options, scope=scope))
    paths = tuple(one.path for one in target.corpus.own if scope is None or one.path in scope)
    return Answer(report, settings, paths, tuple(verdicts(target, paths)) if asked.verbose else ())


def staged_in(paths: tuple[str, ...]) -> Choice:
    """What git would commit, of the corpus here or of the one folder that is named. Raises `Exit`."""
    from specdil_records.cli.staged_files import staged_choice

    if len(paths) > 1 or (paths and not Path(paths[0]).is_dir()):
        raise Exit(Code.USAGE, "--staged finds the records itself; at most the folder of a project may be named")
    return staged_choice(Path(paths[0]) if paths else Path.cwd())


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
