from __future__ import annotations

import pytest

from tests.conftest import Build
from tests.editor.desks import Desk


@pytest.fixture
def desk(build: Build) -> Desk:
    return Desk(build())
