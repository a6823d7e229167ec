"""The language server: the protocol's requests to the features, and their answers to the protocol's values.

Together with `protocol` the only module that knows pygls and lsprotocol; the extra `lsp` brings them.
"""
from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from specdil_records.corpus import Record
from specdil_records.editor import acting, completing, defining, diagnostics, hovering, outlining, renaming
from specdil_records.editor.answers import Action, Change, Spot, Symbol
from specdil_records.editor.positions import Encoding, Position, Positions
from specdil_records.editor.protocol import Headers, Protocol, Refusal
from specdil_records.editor.workspace import Workspace, Workspaces
from specdil_records.findings import Finding, Severity
from specdil_records.version import VERSION

DELAY_SECONDS = 0.25
"""How long a buffer has to rest before it is judged."""

WATCHED = ("**/*.{yaml,yml,json}", "**/pyproject.toml")
"""Files whose change on disk may change what is to be said of the open ones."""

SEVERITIES = {Severity.ERROR: lsp.DiagnosticSeverity.Error, Severity.WARNING: lsp.DiagnosticSeverity.Warning}
KINDS = {
    "record": lsp.CompletionItemKind.Reference, "value": lsp.CompletionItemKind.EnumMember,
    "key": lsp.CompletionItemKind.Property, "function": lsp.CompletionItemKind.Function,
    "name": lsp.CompletionItemKind.Variable, "text": lsp.CompletionItemKind.Text,
}
SYMBOLS = {
    "field": lsp.SymbolKind.Field, "claim": lsp.SymbolKind.Function, "dispute": lsp.SymbolKind.Event,
    "row": lsp.SymbolKind.Property, "table": lsp.SymbolKind.Array, "quote": lsp.SymbolKind.String,
    "quantity": lsp.SymbolKind.Number,
}
Params = TypeVar("Params")
Here = tuple[Workspace, Path, Record, int]


class RecordsServer(LanguageServer):
    """The server with the buffers that are open and the judgements that are due."""

    def __init__(self) -> None:
        # Whole texts, so that no other idea of what ends a line can shift a buffer.
        super().__init__("records", VERSION, text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
                         protocol_cls=Protocol)
        self.desk = Workspaces()
        self.shown: dict[Path, list[Finding]] = {}
        self.versions: dict[Path, int | None] = {}
        self.uris: dict[Path, str] = {}
        self._due: dict[Path, asyncio.TimerHandle] = {}
        self._told = ""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What no answer could say. A request that failed has been answered with its error."""
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            cast("Protocol", self.protocol).refuse_unreadable(f"this is no JSON: {error}")
        elif not isinstance(error, Refusal):
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, f"{source.__name__}: {error}"))

    @property
    def encoding(self) -> Encoding:
        """What the client counts the characters of a line in."""
        agreed = self.server_capabilities.position_encoding
        if agreed == lsp.PositionEncodingKind.Utf8:
            return "utf-8"
        return "utf-32" if agreed == lsp.PositionEncodingKind.Utf32 else "utf-16"

    # Positions ---------------------------------------------------------------------------------------------

    def positions(self, record: Record) -> Positions:
        """The positions of a record's text as the client counts."""
        return Positions(record.document.text, self.encoding)

    def here(self, uri: str, position: lsp.Position) -> Here | None:
        """The record and the offset that a request is about; None for a file that is no record."""
        found = self.record(uri)
        if found is None:
            return None
        workspace, file, record = found
        return workspace, file, record, self.positions(record).offset(Position(position.line, position.character))

    def record(self, uri: str) -> tuple[Workspace, Path, Record] | None:
        """The record of a file."""
        file = path_of(uri)
        workspace = self.desk.of(file) if file is not None else None
        record = workspace.record(file) if workspace is not None and file is not None else None
        return (workspace, file, record) if workspace is not None and file is not None and record is not None else None

    def range(self, positions: Positions, start: int, end: int) -> lsp.Range:
        """A stretch as the protocol has it."""
        first, last = positions.position(start), positions.position(end)
        return lsp.Range(lsp.Position(first.line, first.character), lsp.Position(last.line, last.character))

    def locations(self, workspace: Workspace, spots: Iterable[Spot]) -> list[lsp.Location]:
        """Places in files."""
        texts: dict[Path, Positions] = {}
        found = []
        for spot in spots:
            if spot.file not in texts:
                texts[spot.file] = self._positions_of(workspace, spot.file)
            found.append(lsp.Location(self.uri_of(spot.file), self.range(texts[spot.file], spot.start, spot.end)))
        return found

    def _positions_of(self, workspace: Workspace, file: Path) -> Positions:
        record = workspace.record(file) or next(
            (one for one in workspace.corpus.records if not one.own and workspace.file(one) == file), None)
        return Positions(record.document.text if record is not None else "", self.encoding)

    def uri_of(self, file: Path) -> str:
        """The address of a file, as the client wrote it where it did."""
        return self.uris.get(file) or file.as_uri()

    def edits(self, workspace: Workspace, changes: Iterable[Change]) -> dict[Path, list[lsp.TextEdit]]:
        """Changes by file."""
        found: dict[Path, list[lsp.TextEdit]] = {}
        for change in changes:
            positions = self._positions_of(workspace, change.file)
            found.setdefault(change.file, []).append(
                lsp.TextEdit(self.range(positions, change.start, change.end), change.text))
        return found

    # Judging -----------------------------------------------------------------------------------------------

    def put(self, document: lsp.TextDocumentItem | lsp.VersionedTextDocumentIdentifier, text: str,
            delay: float) -> None:
        """Take a buffer's text in and have it judged once it rests."""
        file = path_of(document.uri)
        if file is None:
            return
        known = self.desk.of(file)
        before = frozenset(diagnostics.affected(known, file)) if known is not None else frozenset()
        self.uris[file], self.versions[file] = document.uri, document.version
        workspace = self.desk.put(file, text)
        self._tell_trouble()
        if workspace is not None:
            self._judge_soon(file, before, delay)

    def _tell_trouble(self) -> None:
        """Say once why nothing is judged, or nothing by the settings as they are now."""
        if self.desk.trouble != self._told:
            self._told = self.desk.trouble
            if self._told:
                self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, self._told))

    def _judge_soon(self, file: Path, before: frozenset[Path], delay: float) -> None:
        if (due := self._due.pop(file, None)) is not None:
            due.cancel()
        if delay:
            self._due[file] = asyncio.get_running_loop().call_later(delay, self.judge, file, before)
        else:
            self.judge(file, before)

    def judge(self, file: Path, before: frozenset[Path] = frozenset()) -> None:
        """Publish the findings of a file and of the open files that depend on it."""
        self._due.pop(file, None)
        workspace = self.desk.of(file)
        if workspace is None:
            return
        broken: dict[str, str] = {}
        judged = diagnostics.findings(workspace, diagnostics.affected(workspace, file, before), broken)
        for name, why in broken.items():
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, f"the rule {name} failed: {why}"))
        for each, found in judged.items():
            self.shown[each] = found
            record = workspace.record(each)
            shown = [self._diagnostic(record, one) for one in found] if record is not None else []
            self._publish(each, shown)

    def forget(self, uri: str) -> None:
        """A buffer is closed: its findings go, and open files that depend on it are judged by the file on disk."""
        file = path_of(uri)
        if file is None:
            return
        known = self.desk.of(file)
        before = frozenset(diagnostics.affected(known, file)) if known is not None else frozenset()
        if (due := self._due.pop(file, None)) is not None:
            due.cancel()
        self.desk.drop(file)
        self.shown.pop(file, None)
        self.versions.pop(file, None)
        self._publish(file, [])
        self.uris.pop(file, None)
        self.judge(file, before)

    def judge_all(self) -> None:
        """Judge every open buffer anew: a file has changed under the editor."""
        for file in list(self.versions):
            self._judge_soon(file, frozenset(), DELAY_SECONDS)

    def _publish(self, file: Path, shown: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uri_of(file), shown, self.versions.get(file)))

    def _diagnostic(self, record: Record, finding: Finding) -> lsp.Diagnostic:
        positions = self.positions(record)
        return lsp.Diagnostic(self.range(positions, *positions.offsets(finding.span)), diagnostics.words(finding),
                              SEVERITIES[finding.severity], finding.code, source=f"records {finding.name}")


def path_of(uri: str) -> Path | None:
    """The file of an address; None for one that is no file."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None


def make_server() -> RecordsServer:
    """A server with every feature."""
    server = RecordsServer()
    _buffers(server)
    _questions(server)
    _changes(server)
    return server


def _buffers(server: RecordsServer) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(ls: RecordsServer, _: lsp.InitializedParams) -> None:
        able = ls.client_capabilities.workspace
        watching = able.did_change_watched_files if able is not None else None
        if watching is not None and watching.dynamic_registration:
            await ls.client_register_capability_async(lsp.RegistrationParams([lsp.Registration(
                "records-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(one) for one in WATCHED]))]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: RecordsServer, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.put(params.text_document, params.text_document.text, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: RecordsServer, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.put(params.text_document, params.content_changes[-1].text, DELAY_SECONDS)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: RecordsServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: RecordsServer, _: lsp.DidSaveTextDocumentParams) -> None:
        ls.judge_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(ls: RecordsServer, _: lsp.DidChangeWatchedFilesParams) -> None:
        ls.judge_all()


def _questions(server: RecordsServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: RecordsServer, params: lsp.HoverParams) -> lsp.Hover | None:
        here = ls.here(params.text_document.uri, params.position)
        found = hovering.hover(here[0], here[2], here[3]) if here is not None else None
        if here is None or found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text),
                         ls.range(ls.positions(here[2]), found.start, found.end))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: RecordsServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        here = ls.here(params.text_document.uri, params.position)
        return ls.locations(here[0], defining.definition(here[0], here[2], here[3])) if here is not None else []

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: RecordsServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        here = ls.here(params.text_document.uri, params.position)
        if here is None:
            return []
        spots = defining.references(here[0], here[2], here[3], params.context.include_declaration)
        return ls.locations(here[0], spots)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION,
                    lsp.CompletionOptions(trigger_characters=[" ", ".", '"', "'", "#", "[", "{", "(", "-"]))
    async def completion(ls: RecordsServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        here = ls.here(params.text_document.uri, params.position)
        return lsp.CompletionList(False, [] if here is None else _items(ls, here))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: RecordsServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = ls.record(params.text_document.uri)
        if found is None:
            return []
        workspace, _, record = found
        return _symbols(ls, ls.positions(record), outlining.outline(workspace, record))


def _items(ls: RecordsServer, here: Here) -> list[lsp.CompletionItem]:
    workspace, file, record, offset = here
    positions = ls.positions(record)
    return [lsp.CompletionItem(
        label=one.label, kind=KINDS[one.kind], detail=one.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.about) if one.about else None,
        filter_text=one.label, sort_text=f"{number:05}",
        text_edit=lsp.TextEdit(ls.range(positions, one.start, one.end), one.text),
    ) for number, one in enumerate(completing.complete(workspace, file, record, offset))]


def _symbols(ls: RecordsServer, positions: Positions, found: Sequence[Symbol]) -> list[lsp.DocumentSymbol]:
    return [lsp.DocumentSymbol(one.name, SYMBOLS[one.kind], ls.range(positions, one.start, one.end),
                               ls.range(positions, one.name_start, one.name_end), one.detail or None,
                               children=_symbols(ls, positions, one.children)) for one in found]


def _changes(server: RecordsServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION,
                    lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]))
    async def actions(ls: RecordsServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = ls.record(params.text_document.uri)
        if found is None:
            return []
        workspace, file, record = found
        positions = ls.positions(record)
        start, end = (positions.offset(Position(one.line, one.character))
                      for one in (params.range.start, params.range.end))
        sheet = workspace.sheet(record)
        near = [one for one in ls.shown.get(file, [])
                if sheet.offsets(one.span)[0] <= end and start <= sheet.offsets(one.span)[1]]
        return [_action(ls, workspace, params, one)
                for one in acting.actions(workspace, record, start, end, near)]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(ls: RecordsServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        here = ls.here(params.text_document.uri, params.position)
        spot = renaming.renamable(here[0], here[2], here[3]) if here is not None else None
        return ls.range(ls.positions(here[2]), spot.start, spot.end) if here is not None and spot is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(ls: RecordsServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        here = ls.here(params.text_document.uri, params.position)
        if here is None:
            return None
        try:
            found = renaming.renamed(here[0], here[2], here[3], params.new_name)
        except renaming.CannotRename as refusal:
            raise Refusal(f"not renamed: {refusal}") from None
        return _renaming(ls, here[0], found)


def _action(ls: RecordsServer, workspace: Workspace, params: lsp.CodeActionParams, one: Action) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit({ls.uri_of(file): edits for file, edits in ls.edits(workspace, one.changes).items()})
    if one.mends is None:
        return lsp.CodeAction(one.title, lsp.CodeActionKind.RefactorRewrite, edit=edit)
    mended = [each for each in params.context.diagnostics if each.code == one.mends]
    return lsp.CodeAction(one.title, lsp.CodeActionKind.QuickFix, mended, one.preferred, edit=edit)


def _renaming(ls: RecordsServer, workspace: Workspace, found: renaming.Renaming) -> lsp.WorkspaceEdit:
    """Edits and, where the client can, the file moved after them; one that cannot moves it by hand."""
    edits = ls.edits(workspace, found.changes)
    client = ls.client_capabilities.workspace
    able = client.workspace_edit if client is not None else None
    if able is None or not able.document_changes:
        return lsp.WorkspaceEdit({ls.uri_of(file): each for file, each in edits.items()})
    steps: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = [lsp.TextDocumentEdit(
        lsp.OptionalVersionedTextDocumentIdentifier(ls.uri_of(file), ls.versions.get(file)), list(each))
        for file, each in edits.items()]
    operations = able.resource_operations or []
    if found.moved is not None and lsp.ResourceOperationKind.Rename in operations:
        steps.append(lsp.RenameFile(ls.uri_of(found.moved[0]), found.moved[1].as_uri()))
    return lsp.WorkspaceEdit(document_changes=steps)


def serve(stdin: BinaryIO, stdout: BinaryIO, debug: bool = False) -> int:
    """Answer requests until the client says that it is done; the exit code that the protocol has for how it ended."""
    if not debug:
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it prints tracebacks of what was answered with an error
    server = make_server()
    server.start_io(cast("BinaryIO", Headers(stdin)), stdout)
    return cast("Protocol", server.protocol).exit_code
