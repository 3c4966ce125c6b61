"""The first exchange: versions, who is who, and nothing that waits for the index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memex_core
from tests.mcp.conftest import Wire


def test_the_server_says_what_it_is(wire: Wire, start: Callable[..., Wire]) -> None:
    result = start().hello()["result"]
    assert result["serverInfo"]["name"] == "memex"
    assert result["serverInfo"]["version"] == memex_core.__version__
    assert set(result["capabilities"]) >= {"tools", "resources", "prompts"}
    assert 0 < len(result["instructions"].encode()) <= 2048


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ],
)
def test_a_version_is_agreed_on_whatever_is_asked(
    start: Callable[..., Wire], asked: str, agreed: str
) -> None:
    wire = start()
    assert wire.hello(asked)["result"]["protocolVersion"] == agreed
    assert wire.ask("ping")["result"] == {}


def test_nothing_is_made_by_a_handshake_alone(wire: Wire, root: Path) -> None:
    assert wire.end() == 0
    assert not root.exists()


def test_nor_by_a_first_write_that_is_refused(wire: Wire, root: Path) -> None:
    assert wire.call("memex_write", type="entity", title=" ", body="x")["isError"]
    assert not root.exists()
    assert not wire.call("memex_write", type="entity", title="Oven", body="x").get("isError")
    assert wire.call("memex_write", type="entity", title="Oven", body="another")["isError"]
    assert (root / "docs" / "entities" / "oven.md").exists()


def test_writes_are_signed_with_the_clients_name(memex: Any, root: Path, start: Callable[..., Wire]) -> None:
    wire = start()
    wire.hello(name="Codex CLI (beta)")
    wire.call("memex_write", type="entity", title="Oven", body="It is hot.")
    assert [event["actor"] for event in memex.store.journal.read()] == ["codex-cli-beta/1"]
    assert "generated: {by: codex-cli-beta/1, at: " in (root / "docs" / "entities" / "oven.md").read_text()


def test_a_client_without_a_name_is_an_agent_still(
    memex: Any, root: Path, start: Callable[..., Wire]
) -> None:
    wire = start()
    wire.hello(name="  ")
    wire.call("memex_write", type="entity", title="Oven", body="It is hot.")
    assert [event["actor"] for event in memex.store.journal.read()] == ["unknown/1"]


async def test_the_newest_protocol_is_spoken_too(memex: Any, connect: Callable[..., Any]) -> None:
    memex.write(type="entity", title="Oven", body="It is hot.")
    async with connect(mode="2026-07-28") as agent:
        assert agent.client.protocol_version == "2026-07-28"
        assert [hit["slug"] for hit in (await agent("recall", query="hot"))["hits"]] == ["oven"]


def test_the_index_is_made_behind_the_handshake_and_the_first_call_waits_for_it(
    root: Path, start: Callable[..., Wire]
) -> None:
    (root / "docs").mkdir(parents=True)
    for number in range(300):
        (root / "docs" / f"p{number}.md").write_text(
            f"---\ntype: entity\n---\n# Page {number}\n\nword{number}\n"
        )
    wire = start()
    wire.hello()
    number = wire.request(
        "tools/call",
        {"name": "memex_recall", "arguments": {"query": "word7"}, "_meta": {"progressToken": "p"}},
    )
    result = wire.answer(number)["result"]
    assert [hit["slug"] for hit in result["structuredContent"]["hits"]] == ["p7"]
    assert result["structuredContent"]["total_indexed"] == 300
    assert "300 pages" in result["content"][0]["text"]  # it says that it had to wait
    assert "index" not in wire.call("memex_recall", query="word8")["content"][0]["text"]


def test_a_store_that_appears_later_is_used(wire: Wire, root: Path) -> None:
    missing = wire.call("memex_recall", query="oven")
    assert missing["isError"] is True
    assert missing["content"][0]["text"] == "there is no memory here yet; memex_write makes it"
    assert not root.exists()
    from memex_core import Memex

    with Memex(root, create=True) as memex:
        memex.write(type="entity", title="Oven", body="It is hot.")
    assert [hit["slug"] for hit in wire.content("memex_recall", query="oven")["hits"]] == ["oven"]
