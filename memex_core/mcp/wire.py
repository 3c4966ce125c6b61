"""The two pipes to the client, owned by the protocol alone.

Descriptor 1 is pointed at standard error as soon as the server starts, so a ``print`` in any tool, library
or child process cannot reach the client. Reading happens in a thread that may be left behind at any
moment: a read that waits cannot be cancelled otherwise. The classes have the few methods that the SDK's
``stdio_server`` asks of its files; it splits nothing and frames nothing here.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
import threading
from collections.abc import Awaitable, Callable

_CHUNK = 1 << 16
_AHEAD = 256  # lines read before one is asked for


def claim() -> tuple[int, int]:
    """Take standard input and output: descriptors of the pipes, above the standard ones.

    From here on descriptor 0 is empty and descriptor 1 is standard error, for this process and its children.
    """
    if sys.stdout is not None:
        sys.stdout.flush()
    inward, outward = _private(0, os.O_RDONLY), _private(1, os.O_WRONLY)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed: what is printed is lost
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    if nothing > 2:
        os.close(nothing)
    return inward, outward


def _private(number: int, mode: int) -> int:
    """A duplicate of a standard descriptor that no child inherits; a closed one is an ended pipe."""
    try:
        return _above(os.dup(number))
    except OSError:
        return _above(os.open(os.devnull, mode))


def _above(descriptor: int) -> int:
    """The descriptor, moved out of the way of the three standard ones."""
    if descriptor > 2:
        return descriptor
    try:
        return _above(os.dup(descriptor))
    finally:
        os.close(descriptor)


class Lines:
    """The client's lines as text, one a message; iteration ends with the input.

    ``on_line`` is called for each line given out; ``before_end`` is awaited when the input has ended,
    before the iteration does.
    """

    def __init__(
        self, descriptor: int, on_line: Callable[[], None], before_end: Callable[[], Awaitable[None]]
    ) -> None:
        self._descriptor = descriptor
        self._on_line = on_line
        self._before_end = before_end
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        threading.Thread(target=self._read, name="client", daemon=True).start()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._waiting.get()
        if line is None:
            await self._before_end()
            raise StopAsyncIteration
        self._room.release()
        self._on_line()
        return line

    def _read(self) -> None:
        begun: list[bytes] = []  # of the line that is coming; joined once, however long it gets
        while True:
            try:
                data = os.read(self._descriptor, _CHUNK)
            except OSError:
                data = b""
            *lines, rest = data.split(b"\n") if data else (b"", b"")
            if lines:
                lines[0] = b"".join([*begun, lines[0]])
                begun.clear()
            begun.append(rest)
            for line in lines:
                if line.strip():
                    self._room.acquire()
                    self._hand_over(line.decode("utf-8", "replace"))
            if not data:
                self._hand_over(None)
                return

    def _hand_over(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._waiting.put_nowait, line)
        except RuntimeError:  # the loop is closed: nobody reads any more
            pass


class Output:
    """Where messages to the client go. ``on_broken`` is called once nobody can read them."""

    def __init__(self, descriptor: int, on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_broken = on_broken
        if hasattr(select, "poll"):
            threading.Thread(target=self._watch, args=(asyncio.get_running_loop(),), daemon=True).start()

    async def write(self, text: str) -> None:
        import anyio.to_thread

        data = text.encode("utf-8", "replace")
        try:
            await anyio.to_thread.run_sync(self._write, data, abandon_on_cancel=True)
        except OSError:
            self._on_broken()

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait until the client's end is closed; a pipe says so without being written to."""
        poll = select.poll()
        poll.register(self._descriptor, 0)
        try:
            poll.poll()
            loop.call_soon_threadsafe(self._on_broken)
        except (OSError, RuntimeError):
            pass
