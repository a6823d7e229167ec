"""The command where its extra is missing."""
from __future__ import annotations

import sys

import pytest

from specdil_records.cli.main import run
from specdil_records.extras import ExtraMissing


@pytest.mark.parametrize("missing", ["pygls", "lsprotocol"])
def test_a_missing_extra_is_named(missing: str, monkeypatch: pytest.MonkeyPatch,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    for name in [one for one in sys.modules if one.partition(".")[0] == missing]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "specdil_records.editor.server", raising=False)
    assert run(["lsp"]) == 2
    assert str(ExtraMissing("lsp", "the language server")) in capsys.readouterr().err
