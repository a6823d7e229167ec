"""The shipped schemas in yaml-language-server, the YAML support of most editors, over standard input and output."""
from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="NOT TESTED: the extra lsp-test is missing")
SERVER = shutil.which("yaml-language-server")
if SERVER is None:
    pytest.skip("NOT TESTED IN yaml-language-server: npm's yaml-language-server is not installed",
                allow_module_level=True)

from lsprotocol import types as lsp  # noqa: E402 (behind the skip)
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402 (behind the skip)

from specdil_records.cli.main import run  # noqa: E402 (behind the skip)
from specdil_records.rules.samples import BASE, PATHS  # noqa: E402 (behind the skip)

pytestmark = pytest.mark.asyncio
KINDS = {"flop": "flop", "chip": "accelerator", "sheet": "source", "bench": "source"}


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[SERVER, "--stdio"]))
async def client(lsp_client: LanguageClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").mkdir()
    for kind in ("flop", "accelerator", "model", "source"):
        assert run(["schema", "3.0", kind, "-o", "schema"]) == 0
    lsp_client.folder = tmp_path  # type: ignore[attr-defined]
    # Nothing is asked of the network.
    lsp_client.set_configuration({"yaml": {"validate": True, "hover": True, "completion": True,
                                           "schemaStore": {"enable": False}}})

    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(_: lsp.RegistrationParams) -> None:
        """The server wants to be told of changed settings; these do not change."""

    await lsp_client.initialize_session(lsp.InitializeParams(client_capabilities("neovim"), root_uri=tmp_path.as_uri()))
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, path: str, text: str) -> tuple[str, list[lsp.Diagnostic]]:
    """A file of the project as the server judges it: its address and the diagnostics."""
    file: Path = client.folder / path  # type: ignore[attr-defined]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    uri = file.as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "yaml", 1, text)))
    for _ in range(600):
        if uri in client.diagnostics:
            return uri, list(client.diagnostics[uri])
        await asyncio.sleep(0.05)
    raise AssertionError("no diagnostics were published")


def with_line(name: str, text: str) -> str:
    """A record with the line that names its schema."""
    return f"# yaml-language-server: $schema=../../schema/3.0/{KINDS[name]}.json\n{text}"


def at(text: str, words: str) -> lsp.Position:
    offset = text.index(words.replace("|", "")) + words.index("|")
    return lsp.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


@pytest.mark.parametrize("name", list(KINDS))
async def test_a_good_record_has_nothing_to_say_about(client: LanguageClient, name: str) -> None:
    assert await opened(client, PATHS[name], with_line(name, BASE[name])) == (
        (client.folder / PATHS[name]).as_uri(), [])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "old", "new", "words", "marked"), [
    ("flop", "status: active", "status: activ", 'Value is not accepted. Valid values: "active"', "activ"),
    ("flop", "scales_with:\n", "scale_with: []\nscales_with:\n", "Property scale_with is not allowed", "scale_with"),
    ("flop", "name: Drafting stalls", "name: 7", 'Incorrect type. Expected "string"', "7"),
    ("flop", "affected_by_hardware: [example-chip]\n", "", 'Missing property "affected_by_hardware"', "s"),
    ("chip", '"2.00 TB/s", basis: specified', '"2.00 TB/s", basis: guessed', "Value is not accepted", "guessed"),
    ("bench", "seen: full-text\n  conditions", "seen: hearsay\n  conditions", "Value is not accepted", "hearsay"),
])
async def test_a_fault_is_told_where_it_stands(client: LanguageClient, name: str, old: str, new: str, words: str,
                                               marked: str) -> None:
    assert BASE[name].count(old) == 1
    text = with_line(name, BASE[name].replace(old, new))
    _, found = await opened(client, PATHS[name], text)
    lines = text.split("\n")
    told = [(lines[one.range.start.line][one.range.start.character:one.range.end.character], one.message)
            for one in found]
    assert [stretch for stretch, _ in told] == [marked], told
    assert words in told[0][1]


async def test_the_skeleton_of_a_new_record_names_the_schema_that_was_written(client: LanguageClient) -> None:
    for kind, path in (("flop", "flops/fresh"), ("accelerator", "accelerators/fresh"), ("model", "models/fresh"),
                       ("source", "sources/fresh")):
        assert run(["new", kind, path]) == 0
        path = f"records/{path}.yaml"
        text = (client.folder / path).read_text(encoding="utf-8")  # type: ignore[attr-defined]
        assert (await opened(client, path, text))[1] == []
        wrong = text.replace("\nid: ", "\nidd: ")
        assert [one.message for one in (await opened(client, path.replace("fresh", "wrong"), wrong))[1]] != []


async def test_hover_tells_what_a_key_is_for_and_completion_what_it_may_say(client: LanguageClient) -> None:
    text = with_line("flop", BASE["flop"]).replace("status: active", "status: ")
    uri, _ = await opened(client, PATHS["flop"], text)
    document = lsp.TextDocumentIdentifier(uri)
    hover = await client.text_document_hover_async(lsp.HoverParams(document, at(text, "affected_by|_hardware")))
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert "accelerator" in hover.contents.value.lower()
    found = await client.text_document_completion_async(lsp.CompletionParams(document, at(text, "status: |")))
    items = found.items if isinstance(found, lsp.CompletionList) else found or []
    assert {"active", "withdrawn"} <= {one.label for one in items}
