"""What is uploaded: the same bytes wherever and whenever it is built, one version, and nothing of the machine."""
from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from specdil_records.version import VERSION
from tests.packaging.support import ROOT, run

DAY = "1764547200"


def build(folder: Path, out: Path) -> dict[str, bytes]:
    """The sdist and the wheel of a source folder by their names."""
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", out, cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": DAY})
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": DAY})
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return build(ROOT, tmp_path_factory.mktemp("first"))


def contents(built: dict[str, bytes]) -> dict[str, bytes]:
    """Every file of the sdist and the wheel, below the name of either."""
    sdist, wheel = sorted(built, key=lambda name: name.endswith(".whl"))
    found = {}
    with tarfile.open(fileobj=io.BytesIO(built[sdist])) as archive:
        for member in archive:
            content = archive.extractfile(member)
            found[f"sdist/{member.name.partition('/')[2]}"] = content.read() if content else b""
    with zipfile.ZipFile(io.BytesIO(built[wheel])) as packed:
        found.update({f"wheel/{name}": packed.read(name) for name in packed.namelist()})
    return found


def test_there_is_one_version(first: dict[str, bytes]) -> None:
    assert sorted(first) == [f"specdil_records-{VERSION}-py3-none-any.whl", f"specdil_records-{VERSION}.tar.gz"]
    places = [name for name, content in contents(first).items()
              if name.startswith("sdist/") and not name.startswith(("sdist/tests/", "sdist/records/"))
              and re.search(rb"^(?:VERSION|version) *= *[\"'][0-9]", content, re.MULTILINE)]
    assert places == ["sdist/specdil_records/version.py"]


def test_what_is_built_from_the_sdist_is_what_is_built_from_the_tree(first: dict[str, bytes], tmp_path: Path) -> None:
    (sdist,) = (name for name in first if name.endswith(".tar.gz"))
    (tmp_path / sdist).write_bytes(first[sdist])
    shutil.unpack_archive(tmp_path / sdist, tmp_path / "elsewhere", filter="data")
    (tree,) = (tmp_path / "elsewhere").iterdir()
    for path in tree.rglob("*"):
        os.utime(path)  # another place, another day
    again = build(tree, tmp_path / "second")
    assert {name: again[name] == content for name, content in first.items()} == dict.fromkeys(first, True)


def test_nothing_of_the_machine_is_inside(first: dict[str, bytes]) -> None:
    found = contents(first)
    assert len(found) > 600
    machine = {str(ROOT), str(Path.home()), sys.prefix, sys.base_prefix} - {"/", "/usr", "/root"}
    paths = [path.encode() for path in machine]
    assert [name for name, content in found.items() if any(path in content for path in paths)] == []
    assert [name for name in found if re.search(r"__pycache__|\.pyc$|\.venv|/\.ci/|\.egg-info|_cache/", name)] == []


def test_the_sdist_holds_what_its_tests_need(first: dict[str, bytes]) -> None:
    found = contents(first)
    for name in ("tests/data/seed-record.txt", "pyproject.toml", "CHANGELOG.md", "CONTRIBUTING.md", "docs/generate.py",
                 ".pre-commit-hooks.yaml", "action.yml", "benchmarks/check.py", "records/LICENSE"):
        assert f"sdist/{name}" in found


def test_the_changelog_has_a_section_for_what_is_to_come_or_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[(?:Unreleased|{re.escape(VERSION)})\]", text, re.MULTILINE)
