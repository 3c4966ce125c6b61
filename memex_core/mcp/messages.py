"""Between the SDK's pipe and its server: what is not answered yet, and lines that are no message.

The SDK drops a line that is no JSON-RPC without a word, and a client would wait for an answer for ever;
and it drops running requests when the input ends, though a client that pipes in its requests and closes
wants the answers. Both are mended here.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError


class Open:
    """What has no answer yet: requests, and lines on their way to become one."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._lines = 0
        self._none = anyio.Event()
        self._none.set()

    def read(self) -> None:
        """A line came. The input may end before the SDK has made a message of it."""
        self._begun()
        self._lines += 1

    def arrived(self) -> None:
        self._lines -= 1
        self._ended()

    def asked(self, request: Any) -> None:
        self._begun()
        self._ids.add(str(request))

    def settled(self, request: Any) -> None:
        self._ids.discard(str(request))
        self._ended()

    def _begun(self) -> None:
        if self._none.is_set():
            self._none = anyio.Event()

    def _ended(self) -> None:
        if not self._ids and self._lines <= 0:
            self._none.set()

    async def all_settled(self, within: float) -> None:
        """Wait until each is answered, at most so many seconds."""
        with anyio.move_on_after(within):
            await self._none.wait()


class _Stream:
    """What both directions share: the SDK's stream inside."""

    def __init__(self, inner: Any, open: Open) -> None:
        self.inner = inner
        self.open = open

    async def aclose(self) -> None:
        await self.inner.aclose()

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        await self.inner.aclose()
        return None


class Outward(_Stream):
    """Messages to the client."""

    async def send(self, item: SessionMessage, /) -> None:
        await self.inner.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self.open.settled(item.message.id)


class Inward(_Stream):
    """Messages from the client. What is none is answered as the protocol says and goes no further."""

    def __init__(self, inner: Any, open: Open, outward: Outward) -> None:
        super().__init__(inner, open)
        self.outward = outward

    @property
    def last_context(self) -> Any:
        return getattr(self.inner, "last_context", None)

    def __aiter__(self) -> Inward:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        while True:
            item: SessionMessage | Exception = await self.inner.receive()
            if isinstance(item, Exception):
                await self._refuse(item)
                self.open.arrived()
                continue
            message = item.message
            if isinstance(message, JSONRPCRequest):
                self.open.asked(message.id)
            elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
                self.open.settled((message.params or {}).get("requestId"))
            self.open.arrived()
            return item

    async def _refuse(self, error: Exception) -> None:
        kinds = [one["type"] for one in error.errors()] if isinstance(error, ValidationError) else []
        if "json_invalid" in kinds:
            answer = ErrorData(code=PARSE_ERROR, message="the line is not JSON")
        else:
            answer = ErrorData(code=INVALID_REQUEST, message="the line is not a JSON-RPC 2.0 message")
        await self.outward.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=answer)))
