"""What the protocol asks of a server beside its features, where the library leaves it out.

Every request is answered, one that cannot be understood or comes at the wrong time as well, and header names count in
any case.
"""
from __future__ import annotations

import re
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)


class Refusal(JsonRpcException):
    """A request that cannot be done, for a reason that its user should read."""

    CODE = lsp.LSPErrorCodes.RequestFailed


class Protocol(LanguageServerProtocol):
    """The life of a conversation: `initialize`, requests, `shutdown`, `exit`."""

    begun = done = False
    exit_code = 0

    def structure_message(self, data: Any) -> Any:
        """A message as its type has it; None for a request that has none and was refused."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if data.get("id") is None or "method" not in data:
                raise
            known = self.get_message_type(data["method"]) is not None
            self.refuse(data["id"], error.code if known else lsp.ErrorCodes.MethodNotFound, error.message)
            return None

    def handle_message(self, message: Any) -> None:
        """Hand a message on, if it comes at its time."""
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        if method == lsp.EXIT:
            self.exit_code = 0 if self.done else 1
        elif method is not None and method != lsp.INITIALIZE and not self.begun:
            self.refuse(number, lsp.ErrorCodes.ServerNotInitialized, "the first request is initialize")
            return
        elif method is not None and self.done:
            self.refuse(number, lsp.ErrorCodes.InvalidRequest, "after shutdown nothing but exit is answered")
            return
        self.begun |= method == lsp.INITIALIZE
        self.done |= method == lsp.SHUTDOWN
        if message is not None:
            super().handle_message(message)

    def refuse(self, number: Any, code: int, why: str) -> None:
        """Answer a request with an error. A notification, which has no number, is passed over."""
        if number is not None:
            self._send_response(number, None, lsp.ResponseError(code, why))

    def refuse_unreadable(self, why: str) -> None:
        """Answer what is no JSON."""
        self._send_data(lsp.ResponseErrorMessage(error=lsp.ResponseError(lsp.ErrorCodes.ParseError, why)))


class Headers:
    """Standard input whose headers are spelled in the one way that the library reads."""

    def __init__(self, stdin: BinaryIO) -> None:
        self.stdin = stdin
        self.read = stdin.read

    def readline(self) -> bytes:
        """The next line."""
        line = self.stdin.readline()
        length = _LENGTH.fullmatch(line)
        return b"Content-Length: %s\r\n" % length[1] if length is not None else line
