"""What `--engine` names: who judges the records, and where a corpus behind a URL comes from."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from specdil_records.cli.exits import Code, Exit
from specdil_records.cli.finding_paths import Target
from specdil_records.extras import ExtraMissing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from specdil_records.checking import Options

ENGINES = ("processes", "dask")


def settle(engine: str, scheduler: str | None, paths: tuple[str, ...], by_git: bool) -> str | None:
    """The URL among the paths, if there is one. Raises `Exit` for options that do not go together."""
    if engine == "dask" and scheduler is None:
        raise Exit(Code.USAGE, "--engine dask needs --scheduler ADDRESS, such as tcp://10.0.0.1:8786")
    if engine != "dask" and scheduler is not None:
        raise Exit(Code.USAGE, "--scheduler is for --engine dask")
    urls = [path for path in paths if "://" in path]
    if not urls:
        return None
    if engine != "dask":
        raise Exit(Code.USAGE, f"{urls[0]} is a URL; --engine dask reads corpora behind one")
    if len(paths) > 1 or by_git:
        raise Exit(Code.USAGE, "a URL names one whole corpus, without other paths, --staged or --against")
    return urls[0]


@contextmanager
def engaged(options: Options, scheduler: str | None) -> Iterator[Options]:
    """The options with an executor where a scheduler is named. Raises `Exit` when its cluster fails."""
    if scheduler is None:
        yield options
        return
    from specdil_records.checking.cluster import AddressError, EngineError, dask

    try:
        with dask(scheduler) as executor:
            chosen: Executor = executor
            yield replace(options, executor=chosen, jobs=options.jobs or executor.threads)
    except (ExtraMissing, AddressError) as error:
        raise Exit(Code.USAGE, str(error)) from None
    except EngineError as error:
        raise Exit(Code.BROKEN, str(error)) from None


def target_at(url: str) -> Target:
    """The corpus behind a URL. Raises `SettingsError`, and the errors that `engaged` turns into an ending."""
    from specdil_records.checking.cluster import load_corpus_at

    return Target(load_corpus_at(url), None)
