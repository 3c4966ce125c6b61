"""A server as a process of its own, spoken to line by line or by the SDK's own client."""

from __future__ import annotations

import json
import os
import queue
import select
import signal
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.conftest import MEMEX

Message = dict[str, Any]
LONG = 60  # seconds after which a test gives up; no test waits for it to pass


class Wire:
    """Raw lines to and from ``memex serve-mcp``."""

    def __init__(self, words: list[str], env: dict[str, str], cwd: Path) -> None:
        self.process = subprocess.Popen(
            [MEMEX, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            cwd=cwd,
        )
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.errors: list[bytes] = []
        self.number = 0
        self.aside: list[Message] = []  # notifications
        self._deafened, self._deafen = os.pipe()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _read(self) -> None:
        """Lines into the queue, until the end or until deafened: a read that waits keeps a pipe open."""
        assert self.process.stdout
        from_server, rest = self.process.stdout.fileno(), b""
        while self._deafened not in select.select([from_server, self._deafened], [], [])[0]:
            data = os.read(from_server, 1 << 16)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.lines.put(line + b"\n")
            if not data:
                break
        self.lines.put(rest)
        if rest:
            self.lines.put(b"")

    def go_deaf(self) -> None:
        """Close our end of the server's output; its input stays open."""
        assert self.process.stdout
        os.write(self._deafen, b"x")
        self._reading.join()
        self.process.stdout.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LONG)
        os.write(self._deafen, b"x")
        self._reading.join()
        self._hearing.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass
        os.close(self._deafen)
        os.close(self._deafened)

    def _hear(self) -> None:
        assert self.process.stderr
        self.errors += list(self.process.stderr)

    @property
    def heard(self) -> str:
        """What the ended process wrote to standard error."""
        self._hearing.join(LONG)
        return b"".join(self.errors).decode("utf-8", "replace")

    def put(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Message) -> None:
        self.put(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def get(self) -> Message:
        """The next line, which has to be one JSON-RPC message."""
        line = self.lines.get(timeout=LONG)
        assert line, "the server ended: " + self.heard
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message  # type: ignore[no-any-return]

    def request(self, method: str, params: Message | None = None) -> int:
        self.number += 1
        message: Message = {"jsonrpc": "2.0", "id": self.number, "method": method}
        self.send({**message, "params": params} if params is not None else message)
        return self.number

    def ask(self, method: str, params: Message | None = None) -> Message:
        """Send a request and read up to its answer."""
        return self.answer(self.request(method, params))

    def answer(self, number: int) -> Message:
        while True:
            message = self.get()
            if "method" in message:
                self.aside.append(message)
            elif message["id"] == number:
                return message

    def hello(self, version: str = "2025-06-18", name: str = "Test Client") -> Message:
        answer = self.ask(
            "initialize",
            {
                "protocolVersion": version,
                "capabilities": {},
                "clientInfo": {"name": name, "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool: str, **given: Any) -> Message:
        """A tool's result."""
        answer = self.ask("tools/call", {"name": tool, "arguments": given})
        assert "error" not in answer, answer
        return answer["result"]  # type: ignore[no-any-return]

    def content(self, tool: str, **given: Any) -> Message:
        """The structured content of a call that has to succeed."""
        result = self.call(tool, **given)
        assert not result["isError"], result["content"]
        return result["structuredContent"]  # type: ignore[no-any-return]

    def end(self) -> int:
        """Close the input and wait for the end; the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(LONG)

    def rest(self) -> list[bytes]:
        """Lines not read yet, of an ended process."""
        out = []
        while line := self.lines.get(timeout=LONG):
            out.append(line)
        return out

    def signal(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(LONG)


@pytest.fixture
def start(root: Path, tmp_path: Path) -> Iterator[Callable[..., Wire]]:
    """Start a server on the store, with more words or environment."""
    started: list[Wire] = []

    def run(*words: str, **env: str) -> Wire:
        wire = Wire(["--root", str(root), "serve-mcp", *words], {**os.environ, **env}, tmp_path)
        started.append(wire)
        return wire

    yield run
    for wire in started:
        wire.close()


@pytest.fixture
def wire(start: Callable[..., Wire]) -> Wire:
    """A server that has been greeted."""
    opened = start()
    opened.hello()
    return opened


class Agent:
    """The SDK's client; every result is held against the schema that its tool declares."""

    def __init__(self, client: Client, schemas: dict[str, Any]) -> None:
        self.client = client
        self.schemas = schemas

    async def raw(self, tool: str, given: Message) -> Any:
        result = await self.client.call_tool(tool, given)
        assert len(result.model_dump_json(by_alias=True).encode()) <= 20_480
        assert result.content[0].text.strip()
        if not result.is_error:
            jsonschema.validate(result.structured_content, self.schemas[tool])
        return result

    async def __call__(self, tool: str, **given: Any) -> Any:
        """The structured content of a call that has to succeed."""
        result = await self.raw("memex_" + tool, given)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    async def text(self, tool: str, **given: Any) -> str:
        result = await self.raw("memex_" + tool, given)
        assert not result.is_error, result.content[0].text
        return result.content[0].text  # type: ignore[no-any-return]

    async def refused(self, tool: str, **given: Any) -> str:
        """The one line that a call fails with."""
        result = await self.raw("memex_" + tool, given)
        assert result.is_error
        assert len(result.content) == 1
        line: str = result.content[0].text
        assert "\n" not in line
        return line


@pytest.fixture
def connect(root: Path, tmp_path: Path) -> Callable[..., Any]:
    """``async with connect() as agent``: the official client over a real subprocess."""

    @asynccontextmanager
    async def open(*words: str, mode: str = "legacy") -> AsyncIterator[Agent]:
        server = StdioServerParameters(
            command=MEMEX,
            args=["--root", str(root), "serve-mcp", *words],
            env=dict(os.environ),
            cwd=tmp_path,
        )
        async with Client(stdio_client(server), mode=mode) as client:  # type: ignore[arg-type]
            listed = await client.list_tools()
            yield Agent(client, {tool.name: tool.output_schema for tool in listed.tools})

    return open


INJECTED = """
import sys
if sys.argv[0].endswith("memex"):
    import os, subprocess, threading
    import memex_core.memex as at

    plain = at.Memex.recall

    def recall(self, query="", **options):
        if query.startswith("print"):
            print("printed by Python")
            sys.stdout.flush()
            os.write(1, b"written to the descriptor\\n")
            subprocess.run([sys.executable, "-c", "print('printed by a child')"])
            import builtins
            builtins.print("to stdout as it was", file=sys.__stdout__, flush=True)
        if query.startswith("wait"):
            open(os.environ["REACHED"], "w").close()
            threading.Event().wait()
        if query.startswith("break"):
            raise RuntimeError("secret " + self.root)
        return plain(self, query, **options)

    at.Memex.recall = recall

    written = at.Memex.write

    def write(self, **options):
        if options["title"] == "Wait":
            open(os.environ["REACHED"], "w").close()
            threading.Event().wait()
        return written(self, **options)

    at.Memex.write = write
"""


@pytest.fixture
def injected(tmp_path: Path) -> dict[str, str]:
    """Environment in which ``memex_recall`` prints, waits for ever or breaks when its query says so, and
    ``memex_write`` waits for ever when the title does."""
    place = tmp_path / "injected"
    place.mkdir()
    (place / "sitecustomize.py").write_text(INJECTED)
    return {"PYTHONPATH": str(place), "REACHED": str(tmp_path / "reached")}
