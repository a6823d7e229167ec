"""The one door to distributed and fsspec, which the extra `cluster` brings: Dask clusters, and corpora behind a URL."""
from __future__ import annotations

import logging
import posixpath
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from specdil_records.checking.dispatch import EngineError, Watched
from specdil_records.corpus import KINDS, Corpus, Settings, SettingsError, SourceFile, build_corpus
from specdil_records.corpus.settings import read_settings_text
from specdil_records.extras import ExtraMissing
from specdil_records.reading.files import SUFFIXES, exclusions
from specdil_records.reading.limits import MOST_BYTES

JOB = "a Dask cluster, or a corpus behind a URL,"
ANSWERS_WITHIN = 10.0
"""Seconds that a scheduler has to answer, and to have a worker."""
BACK_WITHIN = 30.0
"""Seconds without any worker after which none is expected to come back."""
AT_ONCE = 500
"""Files that are fetched together."""


class AddressError(Exception):
    """A scheduler or a URL that was named and cannot be used."""


class DaskExecutor(Watched):
    """A Dask cluster as an executor; `threads` is how many tasks it works on at a time."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.tasks = client.get_executor(pure=False)
        self.threads = sum(client.nthreads().values())
        self.alone_since: float | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a task to the cluster."""
        future: Future[Any] = self.tasks.submit(fn, *args, **kwargs)
        return future

    def trouble(self) -> str:
        """That the scheduler is gone, or that for a while no worker is left."""
        try:
            left = self.client.nthreads() if self.client.status == "running" else None
        except Exception:
            left = None
        if left is None:
            return "the connection to the Dask scheduler is lost"
        now = time.monotonic()
        self.alone_since = None if left else self.alone_since or now
        if self.alone_since is not None and now - self.alone_since > BACK_WITHIN:
            return f"the Dask cluster has had no worker for {BACK_WITHIN:g} s"
        return ""


@contextmanager
def dask(address: str) -> Iterator[DaskExecutor]:
    """A running Dask cluster by the address of its scheduler, such as `tcp://10.0.0.1:8786`.

    Raises `ExtraMissing`, and `AddressError` when no scheduler answers or it has no worker.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError:
        raise ExtraMissing("cluster", JOB) from None
    connect: Any = Client  # the library is typed in part
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in our words
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions of libraries on the workers; of the tool `elsewhere` asks
        try:
            resolve_address(address)
            client = connect(address, timeout=ANSWERS_WITHIN, set_as_default=False)
        except Exception as error:
            raise AddressError(f"no Dask scheduler answers at {address} ({type(error).__name__})") from None
        try:
            try:
                client.wait_for_workers(1, timeout=ANSWERS_WITHIN)
            except Exception:
                raise AddressError(f"the Dask scheduler at {address} has no worker") from None
            yield DaskExecutor(client)
        finally:
            client.close()


def _file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL and the path in it, without a slash at its end."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ExtraMissing("cluster", JOB) from None
    try:
        files, path = url_to_fs(url)
    except Exception as error:  # whatever a file system's own library raises
        raise AddressError(f"{url} cannot be opened: {_words(error)}") from None
    return files, path.rstrip("/")


def read_all(url: str, paths: list[str]) -> dict[str, bytes]:
    """What can be read of these files below a URL, never more than one byte beyond the limit of a record.

    A file that cannot be read is left out. Raises `ExtraMissing` and `AddressError`.
    """
    files, top = _file_system(url)
    found: dict[str, bytes] = {}
    for start in range(0, len(paths), AT_ONCE):
        some = [f"{top}/{path}" for path in paths[start:start + AT_ONCE]]
        parts = files.cat_ranges(some, 0, MOST_BYTES + 1, on_error="return")
        for path, whole, part in zip(paths[start:], some, parts, strict=False):
            # A range of an empty file is an error to some stores.
            content = part if isinstance(part, bytes) else _whole(files, whole)
            if content is not None:
                found[path] = content
    return found


def _whole(files: Any, path: str) -> bytes | None:
    try:
        content = files.cat_file(path)
    except Exception:
        return None
    return bytes(content[: MOST_BYTES + 1])


def load_corpus_at(url: str) -> Corpus:
    """The corpus behind a URL that fsspec knows: a project folder, or a folder of records.

    Raises `ExtraMissing`, `AddressError` and `SettingsError`.
    """
    try:
        settings, prefix = _settings(url)
        paths = _listed(settings, prefix)
        assert settings.url is not None
        found = read_all(settings.url, [prefix + path for path in paths])
    except (ExtraMissing, AddressError, SettingsError):
        raise
    except Exception as error:
        raise AddressError(f"{url} cannot be read: {_words(error)}") from None
    if unread := [path for path in paths if prefix + path not in found]:
        raise AddressError(f"{url}: {len(unread)} of {len(paths)} files cannot be read, the first is {unread[0]}")
    return build_corpus(settings, [SourceFile(prefix + path, path, lambda raw=found[prefix + path]: raw)  # type: ignore[misc]
                                   for path in paths])


def _settings(url: str) -> tuple[Settings, str]:
    """The settings of the corpus at a URL, and the way from its project to its records, with a slash at its end."""
    files, path = _file_system(url)
    if not files.isdir(path):
        raise AddressError(f"{url} is no folder")
    above, _, name = path.rpartition("/")
    for project, must in ((path, None), (above, name)):
        settings = _written(files, project)
        if settings is None or (must is not None and settings.folder.name != must):
            continue
        return settings, settings.folder.relative_to(settings.project).as_posix() + "/"
    if files.isdir(f"{path}/records"):
        return _plain(files, path, "records"), "records/"
    if name == "records" or any(files.isdir(f"{path}/{kind}") for kind in KINDS):
        return _plain(files, above, name), f"{name}/"
    raise SettingsError(f"no corpus at {url}: neither a pyproject.toml with [tool.records] nor a records folder")


def _plain(files: Any, project: str, folder: str) -> Settings:
    url = files.unstrip_protocol(project)
    return Settings(project=Path(url), folder=Path(url) / folder, url=url)


def _written(files: Any, project: str) -> Settings | None:
    file = f"{project}/pyproject.toml"
    if not files.isfile(file):
        return None
    url = files.unstrip_protocol(project)
    name = Path(url) / "pyproject.toml"
    try:
        settings = read_settings_text(name, files.cat_file(file).decode("utf-8"))
    except (SettingsError, UnicodeDecodeError) as error:
        raise SettingsError(str(error).replace(str(name), f"{url}/pyproject.toml")) from None
    if settings is None:
        return None
    return replace(settings, url=url)


def _listed(settings: Settings, prefix: str) -> list[str]:
    """The record files below the corpus folder, by their paths from there, as `find_records` lists a folder."""
    assert settings.url is not None
    files, project = _file_system(settings.url)
    top = posixpath.join(project, prefix)
    excluded = exclusions(settings.exclude)
    found = []
    for whole in files.find(top):
        path = whole.removeprefix(top)
        parts = path.split("/")
        ways = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
        hidden = any(part.startswith(".") for part in parts)
        if hidden or not path.lower().endswith(SUFFIXES):
            continue
        if excluded is None or not any(excluded.fullmatch(way) for way in ways):
            found.append(path)
    return sorted(found)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


__all__ = ["AddressError", "DaskExecutor", "EngineError", "dask", "load_corpus_at", "read_all"]
