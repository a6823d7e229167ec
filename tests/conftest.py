"""Corpora for tests: the base example, written to a folder and changed there."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of

settings.register_profile("quiet", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quiet")

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Writes the base example with edits and more files to a folder of its own, and returns it."""

    def write(*edits: tuple[str, str, str], files: dict[str, str] | None = None) -> Path:
        for name, text in files_of(Sample(edits, files or {})).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        return tmp_path

    return write
