"""The life of the server process: from claiming the pipes to a prompt end, whatever ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from memex_core.mcp import wire

if TYPE_CHECKING:
    from memex_core.mcp.server import Served

GRACE = 1.0  # seconds for requests under way when the input ends
DEADLINE = 1.7  # seconds after the first sign of an end, when the process is gone whatever still runs


class Ending:
    """The one end of the server. Whatever comes first decides the exit code."""

    def __init__(self) -> None:
        self.code = 0
        self.came = asyncio.Event()
        self._last: threading.Timer | None = None

    def near(self) -> None:
        """From now on the time runs out: a write cut off here is mended when the store is next opened."""
        if self._last is None:
            self._last = threading.Timer(DEADLINE, lambda: os._exit(self.code))
            self._last.daemon = True
            self._last.start()

    def end(self, code: int = 0) -> None:
        if not self.came.is_set():
            self.code = code
            self.near()
            self.came.set()


def serve(root: str | None, *, read_only: bool = False) -> int:
    """Answer one client until its input ends, it goes away or a signal comes; the exit code."""
    inward, outward = wire.claim()
    _load()
    import anyio

    from memex_core.mcp.server import Served

    return anyio.run(_live, Served(root, read_only=read_only), inward, outward)


def _load() -> None:
    import memex_core.mcp.messages
    import memex_core.mcp.server  # noqa: F401


async def _live(served: Served, inward: int, outward: int) -> int:
    import anyio
    from mcp.server.stdio import stdio_server

    from memex_core.mcp.messages import Inward, Open, Outward

    ending, open = Ending(), Open()
    _hear_signals(ending)
    server = served.server()

    async def stop(scope: anyio.CancelScope) -> None:
        await ending.came.wait()
        scope.cancel()

    async def settle() -> None:
        ending.near()
        await open.all_settled(GRACE)

    lines: Any = wire.Lines(inward, open.read, settle)
    output: Any = wire.Output(outward, ending.end)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(stop, group.cancel_scope)
            async with stdio_server(lines, output) as (reading, writing):
                out = Outward(writing, open)
                await server.run(Inward(reading, open, out), out, server.create_initialization_options())
            ending.end()
    except Exception as error:
        print(f"memex: the server ended ({type(error).__name__})", file=sys.stderr)
        return 1
    return ending.code


def _hear_signals(ending: Ending) -> None:
    loop = asyncio.get_running_loop()
    for name, code in (("SIGTERM", 0), ("SIGHUP", 0), ("SIGINT", 130)):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, ending.end, code)
        except NotImplementedError:  # Windows' loops have none
            signal.signal(number, lambda *_, code=code: loop.call_soon_threadsafe(ending.end, code))
