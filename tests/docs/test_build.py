"""The pages build without a warning, and their links lead somewhere."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.tutorial import DOCS

LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(?:#[^)]*)?\)")


def test_sphinx_builds_every_page_without_a_warning(tmp_path: Path) -> None:
    for name in ("sphinx", "myst_parser"):
        pytest.importorskip(name, reason="THE DOCS WERE NOT BUILT: the extra `docs` is not installed")
    done = subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", tmp_path / "trees", DOCS,
                           tmp_path / "pages"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    built = {file.relative_to(tmp_path / "pages").with_suffix("") for file in (tmp_path / "pages").rglob("*.html")}
    assert {file.relative_to(DOCS).with_suffix("") for file in DOCS.rglob("*.md")} <= built


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    lost = [target for target in LINK.findall(text) if not (page.parent / target).exists()]
    assert lost == []
