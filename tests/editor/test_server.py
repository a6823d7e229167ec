"""The server from end to end, as an editor meets it: over standard input and output."""
from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="NOT TESTED END TO END: the extras lsp and lsp-test are missing")
pytest.importorskip("pygls", reason="NOT TESTED END TO END: the extra lsp is missing")

from lsprotocol import types as lsp  # noqa: E402 (behind the skip)
from pygls.exceptions import JsonRpcException  # noqa: E402 (behind the skip)
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402 (behind the skip)

from specdil_records.rules import Sample  # noqa: E402 (behind the skip)
from specdil_records.rules.samples import PATHS, files_of  # noqa: E402 (behind the skip)

pytestmark = pytest.mark.asyncio
SERVER = [sys.executable, "-m", "specdil_records", "lsp", "--stdio"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER))
async def client(lsp_client: LanguageClient, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    for name, text in files_of(Sample((), {})).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    lsp_client.folder = tmp_path  # type: ignore[attr-defined]
    able = client_capabilities("neovim")
    assert able.workspace is not None
    assert able.general is not None
    # The neovim of these capabilities would take UTF-8; most editors know nothing but UTF-16.
    agreed = "utf-8" if "utf_8" in request.node.name else "utf-16"
    able.general.position_encodings = [agreed]
    lsp_client.units = {"utf-8": "utf-8", "utf-16": "utf-16-le"}[agreed]  # type: ignore[attr-defined]
    able.workspace.workspace_edit = lsp.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=[lsp.ResourceOperationKind.Rename])
    able.workspace.did_change_watched_files = lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    registered: list[lsp.Registration] = []
    lsp_client.registered = registered  # type: ignore[attr-defined]

    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        registered.extend(params.registrations)

    await lsp_client.initialize_session(lsp.InitializeParams(able, root_uri=tmp_path.as_uri()))
    yield
    await lsp_client.shutdown_session()


class Buffer:
    """One open file, seen from the client."""

    def __init__(self, client: LanguageClient, name: str) -> None:
        self.client = client
        self.file: Path = client.folder / PATHS[name]  # type: ignore[attr-defined]
        self.uri = self.file.as_uri()
        self.text = self.file.read_text("utf-8")
        self.version = 1
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(self.uri, "yaml", self.version, self.text)))

    def edit(self, old: str, new: str) -> None:
        assert old in self.text
        self.version += 1
        self.text = self.text.replace(old, new, 1)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version),
            [lsp.TextDocumentContentChangeWholeDocument(self.text)]))

    def at(self, words: str) -> lsp.Position:
        offset = self.text.index(words.replace("|", "")) + words.index("|")
        start = self.text.rfind("\n", 0, offset) + 1
        return lsp.Position(self.text.count("\n", 0, offset), self.units(self.text[start:offset]))

    def units(self, text: str) -> int:
        """How many characters the client counts."""
        size = 2 if self.client.units == "utf-16-le" else 1  # type: ignore[attr-defined]
        return len(text.encode(self.client.units)) // size  # type: ignore[attr-defined]

    def marked(self, range_: lsp.Range) -> str:
        assert range_.start.line == range_.end.line
        line = self.text.split("\n")[range_.start.line]
        offsets = {self.units(line[:offset]): offset for offset in range(len(line) + 1)}
        return line[offsets[range_.start.character]:offsets[range_.end.character]]

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def shows(self, *codes: str) -> list[lsp.Diagnostic]:
        """The findings of the buffer once they have just these codes."""
        for _ in range(400):
            found = self.client.diagnostics.get(self.uri)
            if found is not None and sorted({str(one.code) for one in found}) == sorted(codes):
                return list(found)
            await asyncio.sleep(0.05)
        raise AssertionError(f"{self.client.diagnostics.get(self.uri)} and not {codes}")


async def points_behind_an_emoji(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    flop.edit("  At batch 16 a step", "  \U0001f600\U0001d538 At batch 16 a step")
    flop.edit("a gain of 25%.", "a gain of 52%.")
    (finding,) = await flop.shows("C01")
    assert flop.marked(finding.range) == "52"
    assert finding.severity == lsp.DiagnosticSeverity.Error
    assert "its expression gives 25%" in finding.message
    hover = await client.text_document_hover_async(lsp.HoverParams(flop.document, flop.at("a gain of 5|2%.")))
    assert hover is not None
    assert hover.range is not None
    assert flop.marked(hover.range) == "52%"


async def test_findings_come_while_one_types_and_point_behind_an_emoji(client: LanguageClient) -> None:
    await points_behind_an_emoji(client)


async def test_the_same_with_a_client_that_counts_in_utf_8(client: LanguageClient) -> None:
    await points_behind_an_emoji(client)


async def test_a_broken_file_survives(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    for old, new in (("25%.", "2%."), ("2%.", "%."), ("history:\n", "history: [\n")):
        flop.edit(old, new)
    assert [one.source for one in await flop.shows("R01")] == ["records not-yaml"]
    flop.edit("history: [\n", "history:\n")
    flop.edit("a gain of %.", "a gain of 25%.")
    await flop.shows()


async def test_an_open_dependent_is_judged_again(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    chip = Buffer(client, "chip")
    await chip.shows()
    chip.edit('value: "400 TFLOP/s"', 'value: "500 TFLOP/s"')
    assert "400 TFLOP/s" in (await flop.shows("C01"))[0].message
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(chip.document))
    await flop.shows()


async def test_hover_definition_references_and_symbols(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    hover = await client.text_document_hover_async(lsp.HoverParams(flop.document, flop.at("a gain of 2|5%.")))
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert "25%: recomputed (gain-at-16)" in hover.contents.value
    assert hover.range is not None
    assert flop.marked(hover.range) == "25%"
    name = flop.at("affected_by_hardware: [exam|ple-chip]")
    (target,) = await client.text_document_definition_async(lsp.DefinitionParams(flop.document, name)) or []
    assert target.uri.endswith("accelerators/example-chip.yaml")
    used = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), flop.document, name))
    assert len(used or []) == 5
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(flop.document))
    assert "claims" in [one.name for one in symbols or []]


async def test_completion_replaces_what_is_typed(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    flop.edit("gain of 25%: additive.gain(batch, draft_k)", "gain of 25%: addi")
    found = await client.text_document_completion_async(lsp.CompletionParams(flop.document, flop.at("25%: addi|")))
    assert isinstance(found, lsp.CompletionList)
    (item,) = [one for one in found.items if one.label == "additive.gain"]
    assert isinstance(item.text_edit, lsp.TextEdit)
    assert flop.marked(item.text_edit.range) == "addi"


async def test_actions_and_renaming(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    place = flop.at("a gain of 2|5%.")
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(flop.document, lsp.Range(place, place), lsp.CodeActionContext([])))
    assert "Dispute 25% of gain-at-16" in [one.title for one in actions or []]
    name = flop.at("affected_by_hardware: [exam|ple-chip]")
    edit = await client.text_document_rename_async(
        lsp.RenameParams(flop.document, new_name="other-chip", position=name))
    assert edit is not None
    steps = edit.document_changes or []
    assert {type(one) for one in steps} == {lsp.TextDocumentEdit, lsp.RenameFile}
    assert sum(len(one.edits) for one in steps if isinstance(one, lsp.TextDocumentEdit)) == 5
    refused = lsp.RenameParams(flop.document, new_name="No Id", position=name)
    with pytest.raises(JsonRpcException, match="not renamed: an id is made of lower-case letters"):
        await client.text_document_rename_async(refused)


async def test_a_file_that_changes_on_disk_is_seen(client: LanguageClient) -> None:
    flop = Buffer(client, "flop")
    await flop.shows()
    assert [one.method for one in client.registered] == [  # type: ignore[attr-defined]
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    chip = client.folder / PATHS["chip"]  # type: ignore[attr-defined]
    chip.write_text(chip.read_text("utf-8").replace("400 TFLOP/s", "500 TFLOP/s"), "utf-8")
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(
        [lsp.FileEvent(chip.as_uri(), lsp.FileChangeType.Changed)]))
    await flop.shows("C01")


async def test_a_file_that_is_no_record_is_left_alone(client: LanguageClient) -> None:
    uri = (client.folder / "mkdocs.yaml").as_uri()  # type: ignore[attr-defined]
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "yaml", 1, "a: 12.5%\n")))
    place = lsp.Position(0, 4)
    document = lsp.TextDocumentIdentifier(uri)
    assert await client.text_document_hover_async(lsp.HoverParams(document, place)) is None
    assert not await client.text_document_definition_async(lsp.DefinitionParams(document, place))
    assert uri not in client.diagnostics


async def test_nothing_but_the_protocol_goes_to_standard_output() -> None:
    silenced = ("import sys, os; import specdil_records.editor.server as server\n"
                "server.serve = lambda _, out, debug: (print('stray'), os.write(1, b'stray'), out.write(b'speech'))\n"
                "from specdil_records.cli.main import run; run(['lsp'])")
    done = subprocess.run([sys.executable, "-c", silenced], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    assert done.stdout == b"speech"
    assert b"stray" in done.stderr
