"""The end of the server: prompt whatever ends it, and never a byte on standard output that is no message."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.mcp import serve
from tests.conftest import MEMEX
from tests.mcp.conftest import LONG, Wire


def test_the_server_leaves_itself_less_than_two_seconds() -> None:
    assert serve.GRACE < serve.DEADLINE < 2


def test_the_end_of_the_input_ends_it(wire: Wire) -> None:
    assert wire.end() == 0
    assert wire.rest() == []
    assert wire.heard == ""


def test_it_ends_before_any_request(start: Callable[..., Wire]) -> None:
    assert start().end() == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_it(wire: Wire, name: str) -> None:
    assert wire.signal(getattr(signal, name)) == 0
    assert wire.heard == ""


def test_an_interrupt_ends_it_as_an_interrupt(wire: Wire) -> None:
    assert wire.signal(signal.SIGINT) == 130
    assert wire.heard == ""


def test_it_ends_when_nobody_reads_though_the_input_stays_open(wire: Wire) -> None:
    wire.go_deaf()
    assert wire.process.wait(LONG) == 0
    assert wire.heard == ""


CALLS: dict[str, dict[str, Any]] = {
    "memex_recall": {"query": "wait"},
    "memex_write": {"type": "entity", "title": "Wait"},
}


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("how", ["input", "SIGTERM", "SIGHUP", "pipe"])
def test_it_ends_in_the_middle_of_a_call_that_never_does(
    memex: Any, start: Callable[..., Wire], injected: dict[str, str], tool: str, how: str
) -> None:
    wire = start(**injected)
    wire.hello()
    wire.request("tools/call", {"name": tool, "arguments": CALLS[tool]})
    until = time.monotonic() + LONG
    while not os.path.exists(injected["REACHED"]):
        assert time.monotonic() < until
        wire.ask("ping")
    if how == "input":
        code = wire.end()
    elif how == "pipe":
        wire.go_deaf()
        code = wire.process.wait(LONG)
    else:
        code = wire.signal(getattr(signal, how))
    assert code == 0
    assert "Traceback" not in wire.heard


@pytest.mark.parametrize("how", ["input", "signal"])
def test_an_end_while_the_index_is_made_leaves_a_store_that_works(
    root: Path, start: Callable[..., Wire], how: str
) -> None:
    (root / "docs").mkdir(parents=True)
    for number in range(2_000):
        (root / "docs" / f"p{number}.md").write_text(f"# Page {number}\n\nword{number} " + "bread " * 50)
    wire = start()
    wire.hello()
    assert (wire.end() if how == "input" else wire.signal(signal.SIGTERM)) == 0
    again = start()
    again.hello()
    found = again.content("memex_recall", query="word77")
    assert [hit["slug"] for hit in found["hits"]] == ["p77"]
    assert found["total_indexed"] == 2_000
    assert again.end() == 0
    with sqlite3.connect(root / "mem.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_was_asked_before_the_input_ended_is_answered(memex: Any, start: Callable[..., Wire]) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    wire = start()
    wire.hello()
    wire.content(
        "memex_recall", query="warm"
    )  # the first answer loads what it needs; the grace is for answers
    number = wire.request("tools/call", {"name": "memex_recall", "arguments": {"query": "hot"}})
    assert wire.end() == 0
    (line,) = wire.rest()
    answer = json.loads(line)
    assert "result" in answer, answer
    assert answer["id"] == number
    assert answer["result"]["structuredContent"]["hits"][0]["slug"] == "oven"


def test_files_do_for_pipes(memex: Any, root: Path, tmp_path: Path) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    asked = [
        {"id": 1, "method": "initialize", "params": hello},
        {"id": 2, "method": "tools/call", "params": {"name": "memex_recall", "arguments": {"query": "hot"}}},
    ]
    requests, answers = tmp_path / "requests", tmp_path / "answers"
    requests.write_text("\n".join(json.dumps({"jsonrpc": "2.0", **one}) for one in asked))  # no last line end
    with requests.open() as inward, answers.open("wb") as outward:
        done = subprocess.run(
            [MEMEX, "--root", str(root), "serve-mcp"], stdin=inward, stdout=outward, timeout=LONG
        )
    assert done.returncode == 0
    got = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [one["id"] for one in got] == [1, 2]
    assert got[1]["result"]["structuredContent"]["hits"][0]["slug"] == "oven"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_standard_streams_that_are_closed_are_ended_ones(root: Path, closed: str) -> None:
    line = f'exec "$0" --root "$1" serve-mcp {closed}'
    done = subprocess.run(
        ["sh", "-c", line, MEMEX, str(root)], stdin=subprocess.DEVNULL, capture_output=True, timeout=LONG
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_a_tool_prints_never_reaches_the_client(
    memex: Any, start: Callable[..., Wire], injected: dict[str, str]
) -> None:
    memex.write(type="entity", title="Print shop", body="It prints.")
    wire = start(**injected)
    wire.hello()
    found = wire.call("memex_recall", query="print")  # Wire reads every line as a message
    assert [hit["slug"] for hit in found["structuredContent"]["hits"]] == ["print-shop"]
    assert wire.end() == 0
    assert wire.rest() == []
    for printed in ("by Python", "to the descriptor", "by a child", "to stdout as it was"):
        assert printed in wire.heard


def test_a_tool_that_breaks_tells_its_kind_and_no_more(
    memex: Any, root: Path, start: Callable[..., Wire], injected: dict[str, str]
) -> None:
    wire = start(**injected)
    wire.hello()
    result = wire.call("memex_recall", query="break")
    assert result["isError"] is True
    assert result["content"][0]["text"] == "memex failed (RuntimeError); the call can be tried again"
    assert wire.content("memex_status")["pages"] == 0
    assert wire.end() == 0
    assert "secret" not in wire.heard
    assert str(root) not in wire.heard
