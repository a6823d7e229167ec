"""The life of a conversation with the language server, spoken by hand."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
SHUTDOWN, EXIT = {"id": 2, "method": "shutdown"}, {"method": "exit"}
HOVER = {"id": 7, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///x.yaml"},
                                                             "position": {"line": 0, "character": 0}}}


def framed(message: dict[str, Any] | bytes, header: str = "Content-Length: ") -> bytes:
    body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
    return f"{header}{len(body)}\r\n\r\n".encode() + body


def spoken(*messages: bytes, cwd: Path | None = None) -> tuple[int, list[dict[str, Any]], bytes]:
    """The exit code, the answers and what stands on standard error."""
    done = subprocess.run([sys.executable, "-m", "specdil_records", "lsp"], input=b"".join(messages), cwd=cwd,
                          capture_output=True, check=False, timeout=60)
    answers, rest = [], done.stdout
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        answers.append(json.loads(rest[:length]))
        rest = rest[length:]
    return done.returncode, answers, done.stderr


def errors(answers: list[dict[str, Any]]) -> dict[Any, int]:
    return {one.get("id"): one["error"]["code"] for one in answers if "error" in one}


@pytest.mark.parametrize(("messages", "code"), [
    ([INITIALIZE, SHUTDOWN, EXIT], 0), ([INITIALIZE, EXIT], 1), ([EXIT], 1), ([INITIALIZE, SHUTDOWN], 0)])
def test_the_exit_code_says_whether_the_end_was_orderly(messages: list[dict[str, Any]], code: int) -> None:
    assert spoken(*map(framed, messages))[0] == code


@pytest.mark.parametrize(("messages", "number", "error"), [
    ([HOVER, INITIALIZE], 7, -32002), ([INITIALIZE, SHUTDOWN, HOVER], 7, -32600),
    ([INITIALIZE, {**HOVER, "params": {"textDocument": {"uri": "file:///x.yaml"}}}], 7, -32602),
    ([INITIALIZE, {"id": 7, "method": "textDocument/hover"}], 7, -32602),
    ([INITIALIZE, {"id": 7, "method": "no/such"}], 7, -32601),
])
def test_every_request_is_answered(messages: list[dict[str, Any]], number: int, error: int) -> None:
    code, answers, said = spoken(*map(framed, [*messages, EXIT]))
    assert errors(answers) == {number: error}
    assert b"Traceback" not in said
    assert b"Traceback" not in json.dumps(answers).encode()
    assert code in (0, 1)


def test_what_is_no_json_is_refused_and_the_conversation_goes_on() -> None:
    _, answers, said = spoken(framed(INITIALIZE), framed(b"{no json"), framed({**SHUTDOWN, "id": 9}), framed(EXIT))
    assert errors(answers) == {None: -32700}
    assert [one["id"] for one in answers if "result" in one] == [1, 9]
    assert b"Traceback" not in said


@pytest.mark.parametrize("header", ["content-length: ", "Content-Length:", "CONTENT-LENGTH :  "])
def test_headers_count_in_any_case(header: str) -> None:
    code, answers, _ = spoken(framed(INITIALIZE, header), framed(SHUTDOWN), framed(EXIT))
    assert ([one["id"] for one in answers if "result" in one], code) == ([1, 2], 0)


def test_a_notification_before_its_time_is_passed_over() -> None:
    _, answers, _ = spoken(framed({"method": "initialized", "params": {}}), framed(INITIALIZE), framed(SHUTDOWN))
    assert [one["id"] for one in answers if "id" in one] == [1, 2]


def test_settings_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.records", "utf-8")
    file = tmp_path / "records" / "flops" / "a.yaml"
    file.parent.mkdir(parents=True)
    document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": "a: 1\n"}
    opened = {"method": "textDocument/didOpen", "params": {"textDocument": document}}
    _, answers, _ = spoken(framed(INITIALIZE), framed(opened), framed(opened), framed(SHUTDOWN), framed(EXIT))
    shown = [one["params"]["message"] for one in answers if one.get("method") == "window/showMessage"]
    assert len(shown) == 1
    assert "pyproject.toml cannot be read" in shown[0]
