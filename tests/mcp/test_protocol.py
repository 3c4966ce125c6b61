"""Lines that are no good request: each is answered or passed over, and the server lives on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.conftest import LONG, Wire

NO_MESSAGES = [
    (b"{not json\n", -32700),
    (b"\xff\xfe\x00\n", -32700),
    (b'"text"\n', -32600),
    (b"[]\n", -32600),
    (b'{"id": 1, "method": "ping"}\n', -32600),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}\n', -32600),
]


def test_a_line_that_is_no_message_is_answered(wire: Wire) -> None:
    for line, code in NO_MESSAGES:
        wire.put(line)
        answer = wire.get()
        assert answer["id"] is None, line
        assert answer["error"]["code"] == code, line
        assert wire.ask("ping")["result"] == {}, line


def test_empty_lines_and_windows_line_ends_are_nothing_special(wire: Wire) -> None:
    wire.put(b"\n\r\n  \n")
    wire.put(b'{"jsonrpc": "2.0", "id": "x", "method": "ping"}\r\n')
    assert wire.get()["id"] == "x"


def test_an_unknown_method_is_an_error_of_the_protocol(wire: Wire) -> None:
    assert wire.ask("memex/dance", {})["error"]["code"] == -32601


def test_an_unknown_tool_is_named_with_those_there_are(wire: Wire) -> None:
    error = wire.ask("tools/call", {"name": "memex_fly", "arguments": {}})["error"]
    assert error["code"] == -32602
    assert "memex_fly" in error["message"]
    assert "memex_recall" in error["message"]


def test_missing_and_null_arguments_are_none_given(memex: Any, wire: Wire) -> None:
    for given in ({}, {"arguments": None}, {"arguments": {}}):
        result = wire.ask("tools/call", {"name": "memex_status", **given})["result"]
        assert result["structuredContent"]["pages"] == 0, given


def test_arguments_that_are_no_object_are_refused(wire: Wire) -> None:
    assert wire.ask("tools/call", {"name": "memex_status", "arguments": [1]})["error"]["code"] == -32602
    assert wire.ask("ping")["result"] == {}


def test_requests_before_the_handshake_are_refused(start: Callable[..., Wire]) -> None:
    wire = start()
    assert "error" in wire.ask("tools/list")
    assert "result" in wire.hello()


def test_requests_that_arrive_together_are_all_answered(memex: Any, wire: Wire) -> None:
    for number in range(12):
        memex.write(type="entity", title=f"Thing {number}", body=f"nail{number}")
    lines = b"".join(
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": f"n{number}",
                "method": "tools/call",
                "params": {"name": "memex_recall", "arguments": {"query": f"nail{number}"}},
            }
        ).encode()
        + b"\n"
        for number in range(12)
    )
    wire.put(lines)
    answers = {}
    for _ in range(12):
        message = wire.get()
        answers[message["id"]] = [hit["slug"] for hit in message["result"]["structuredContent"]["hits"]]
    assert answers == {f"n{number}": [f"thing-{number}"] for number in range(12)}


def test_a_cancelled_request_is_not_answered_and_holds_nothing_up(
    memex: Any, start: Callable[..., Wire], injected: dict[str, str]
) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    wire = start(**injected)
    wire.hello()
    stuck = wire.request("tools/call", {"name": "memex_recall", "arguments": {"query": "wait"}})
    until = time.monotonic() + LONG
    while not os.path.exists(injected["REACHED"]):
        assert time.monotonic() < until
        wire.ask("ping")
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": stuck}})
    found = wire.call("memex_recall", query="hot")
    assert [hit["slug"] for hit in found["structuredContent"]["hits"]] == ["oven"]
    assert "memex_write" not in wire.call("memex_write", type="entity", title="Door")["content"][0]["text"]
    assert wire.end() == 0
    assert [json.loads(line)["id"] for line in wire.rest()] == []


@pytest.mark.parametrize("env", [{"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "0"}])
def test_every_script_travels_whatever_the_locale(
    memex: Any, start: Callable[..., Wire], env: dict[str, str]
) -> None:
    wire = start(**env)
    wire.hello()
    wire.call("memex_write", type="entity", title="东京 🍅", body="トマト und Käse — \u2028 fin")
    page = wire.content("memex_show", slug="东京 🍅")
    assert page["title"] == "东京 🍅"
    assert "トマト und Käse — \u2028 fin" in page["body"]


def test_a_message_of_megabytes_is_read(memex: Any, wire: Wire, root: Path) -> None:
    body = "a tomato a day\n" * 200_000
    wire.call("memex_write", type="entity", title="Long", body=body)
    assert (root / "docs" / "entities" / "long.md").stat().st_size > 3_000_000
