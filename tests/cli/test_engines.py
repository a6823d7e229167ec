"""`--engine dask` on a real cluster of two processes: the report of a plain run, or words and an exit code."""
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dask.config
import fsspec
import pytest
from distributed import LocalCluster

from specdil_records.checking import cluster as door
from specdil_records.checking import dispatch
from specdil_records.cli.main import run
from specdil_records.rules import Sample
from specdil_records.rules.samples import BASE, files_of

FAULTS = (("a gain of 25%.", "a gain of 52%."), ("status: active", "status: asleep"),
          ("affected_by_hardware: [example-chip]", "affected_by_hardware: [exmaple-chip]"))


def local_cluster(workers: int) -> LocalCluster:
    # A task whose worker dies is not given to the next: once is enough to see what is said.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        return LocalCluster(n_workers=workers, processes=True, threads_per_worker=1, dashboard_address=":0")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_cluster(2) as running:
        yield running.scheduler_address


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    files = files_of(Sample())
    for number in range(60):
        text = BASE["flop"].replace("flops/example-stall", f"flops/copy-{number}")
        if number % 7 == 3:
            text = text.replace(*FAULTS[number // 7 % len(FAULTS)])
        files[f"records/flops/copy-{number}.yaml"] = text
    files["records/sources/lonely.yaml"] = (
        'schema_version: "3.0"\nid: sources/lonely\nkind: paper\ntitle: A paper that nobody cites\n')
    files["records/sources/old/left-out.yaml"] = "not: a record\n"
    files["records/flops/.hidden.yaml"] = "not: a record\n"
    files["pyproject.toml"] = ('[tool.records]\nexclude = ["sources/old"]\n\n[[tool.records.suppress]]\n'
                               'name = "schema"\npath = "records/flops/copy-10.yaml"\nbecause = "it is a trial"\n')
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = run(["check", "--no-cache", *map(str, arguments)])  # a kept verdict is never asked for elsewhere
        out, err = capsys.readouterr()
        return code, out, err

    return call


def in_memory(project: Path, name: str) -> str:
    """A copy of the project that only this process can see."""
    files = fsspec.filesystem("memory")
    for file in project.rglob("*"):
        if file.is_file():
            files.pipe_file(f"/{name}/{file.relative_to(project).as_posix()}", file.read_bytes())
    return f"memory://{name}"


Said = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_cluster_gives_the_report_of_a_plain_run(form: str, said: Said, project: Path, address: str) -> None:
    plain = said(project, "--format", form, "-j", 1)
    assert plain[0] == 1
    assert said(project, "--format", form, "--engine", "dask", "--scheduler", address) == plain
    assert said(project, "--format", form, "--engine", "dask", "--scheduler", address, "-j", 7) == plain


def test_a_url_gives_the_report_of_its_folder(said: Said, project: Path, address: str) -> None:
    plain = said(project, "--format", "json")
    far = ("--format", "json", "--engine", "dask", "--scheduler", address)
    assert said(project.as_uri(), *far) == plain
    assert said(project.as_uri() + "/records/", *far) == plain
    assert said(in_memory(project, "whole"), *far) == plain


def test_a_url_without_settings_is_a_project_or_its_records(said: Said, project: Path, address: str,
                                                            tmp_path: Path) -> None:
    shutil.copytree(project / "records", tmp_path / "p" / "records")
    plain = said(tmp_path / "p", "--format", "json")
    far = ("--format", "json", "--engine", "dask", "--scheduler", address)
    assert said((tmp_path / "p").as_uri(), *far) == said((tmp_path / "p" / "records").as_uri(), *far) == plain


def test_named_records_are_judged_with_their_dependents(said: Said, project: Path, address: str) -> None:
    chip = project / "records/accelerators/example-chip.yaml"
    assert said(chip, "--engine", "dask", "--scheduler", address) == said(chip)


@pytest.mark.parametrize(("arguments", "words"), [
    (("--engine", "dask"), "--engine dask needs --scheduler ADDRESS"),
    (("--scheduler", "tcp://127.0.0.1:1"), "--scheduler is for --engine dask"),
    (("memory://x",), "memory://x is a URL; --engine dask reads"),
    (("memory://x", "y", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"), "a URL names one whole corpus"),
    (("memory://x", "--staged", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"), "a URL names one whole"),
    (("--engine", "dask", "--scheduler", "nonsense"), "no Dask scheduler answers at nonsense (ValueError)"),
    (("--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"), "no Dask scheduler answers at tcp://127.0.0.1:1"),
])
def test_what_does_not_go_together_or_does_not_answer_is_a_wrong_command(
        said: Said, arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "ANSWERS_WITHIN", 0.3)
    code, out, err = said(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("url", "words"), [
    ("memory://nothing-there", "is no folder"),
    ("nonsense://x", "cannot be opened: ValueError: Protocol not known"),
])
def test_a_url_that_leads_nowhere_is_a_wrong_command(url: str, words: str, said: Said, address: str) -> None:
    code, out, err = said(url, "--engine", "dask", "--scheduler", address)
    assert (code, out) == (2, "")
    assert words in err


def test_settings_behind_a_url_that_are_wrong_are_named_by_their_url(said: Said, project: Path, address: str) -> None:
    url = in_memory(project, "wrong")
    fsspec.filesystem("memory").pipe_file("/wrong/pyproject.toml", b"[tool.records]\nfolder = 1\n")
    code, _, err = said(url, "--engine", "dask", "--scheduler", address)
    assert code == 2
    assert f"{url}/pyproject.toml: [tool.records] has no setting folder" in err.replace(":///", "://")


def test_an_empty_folder_behind_a_url_is_nothing_checked(said: Said, address: str, tmp_path: Path) -> None:
    (tmp_path / "empty" / "records").mkdir(parents=True)
    assert said((tmp_path / "empty").as_uri(), "--engine", "dask", "--scheduler", address)[0] == 4


@pytest.mark.parametrize("library", ["distributed", "fsspec.core"])
def test_a_missing_library_names_the_extra(library: str, said: Said, address: str,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    code, _, err = said("memory://x", "--engine", "dask", "--scheduler", address)
    assert code == 2
    assert "pip install 'specdil-records[cluster]'" in err


def test_workers_with_another_tool_are_told(said: Said, project: Path, address: str,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "identity", lambda: "0.0.9 abc")
    code, out, err = said(project, "--engine", "dask", "--scheduler", address)
    assert (code, out) == (3, "")
    assert "of the tool, this is 0.0.9" in err


def deadly(tool: str, parcel: bytes) -> None:
    os._exit(9)


def test_a_cluster_without_a_worker_is_told(said: Said, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "ANSWERS_WITHIN", 1.0)
    with local_cluster(0) as running:
        code, out, err = said(project, "--engine", "dask", "--scheduler", running.scheduler_address)
    assert (code, out) == (2, "")
    assert "has no worker" in err


def test_a_worker_that_dies_is_told(said: Said, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadly, "__module__", "__main__")  # so that the worker is sent the function itself
    monkeypatch.setattr(dispatch, "judge", deadly)
    with local_cluster(1) as running:
        code, out, err = said(project, "--engine", "dask", "--scheduler", running.scheduler_address)
    assert (code, out) == (3, "")
    assert err.startswith("records: a worker failed: KilledWorker")


@pytest.mark.parametrize(("ending", "words"), [
    (lambda running: running.scale(0), "the Dask cluster has had no worker for 0.2 s"),
    (lambda running: running.close(), "a worker failed|the connection to the Dask scheduler is lost"),
])
def test_a_cluster_that_goes_away_is_told(ending: Callable[[LocalCluster], None], words: str, said: Said,
                                          project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "BACK_WITHIN", 0.2)
    monkeypatch.setattr(dispatch, "LOOK", 0.05)
    submit = door.DaskExecutor.submit
    with local_cluster(1) as running:
        def last(self: door.DaskExecutor, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            ending(running)
            while running.status.name == "running" and self.client.nthreads():
                pass
            return submit(self, fn, *args, **kwargs)

        monkeypatch.setattr(door.DaskExecutor, "submit", last)
        code, out, err = said(project, "--engine", "dask", "--scheduler", running.scheduler_address)
    assert (code, out) == (3, "")
    assert any(word in err for word in words.split("|"))
