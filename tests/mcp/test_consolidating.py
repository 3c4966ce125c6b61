"""``memex_consolidate``: drafts for a person, or an error with its reason; other writes do not wait for it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.chat_server import ChatServer

RUFF = "For this project I prefer ruff over flake8 and always will."
NOTE = {
    "type": "preference",
    "title": "Ruff for linting",
    "body": "The person lints with ruff.",
    "quotes": [{"turn": 1, "quote": "I prefer ruff over flake8"}],
    "grounding": "explicit",
    "durable": True,
}


@pytest.fixture
def server(root: Path, memex: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A model, and a store with one conversation that uses it."""
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    memex.ingest_transcript("s1", turns=[{"role": "user", "content": RUFF, "ts": "2026-01-01T10:00:00Z"}])
    with ChatServer() as running:
        text = f'[consolidation]\nprovider = "custom"\nmodel = "toy"\napi_base = "{running.base}"\n'
        (root / "memex.toml").write_text(text)
        yield running


async def test_what_comes_of_it_is_a_draft(
    memex: Any, server: ChatServer, connect: Callable[..., Any]
) -> None:
    invented = {**NOTE, "title": "Invented", "quotes": [{"turn": 1, "quote": "never said"}]}
    server.says = [json.dumps([NOTE, invented])]
    async with connect() as agent:
        tried = await agent("consolidate", mode="dry-run")
        assert [row["slug"] for row in tried["nodes_created"]] == ["ruff-for-linting"]
        done = await agent("consolidate", max_episodes=3)
        assert [row["slug"] for row in done["nodes_created"]] == ["ruff-for-linting"]
        assert done["rejected"] == [{"title": "Invented", "reason": "turn 1 does not say what it quotes"}]
        assert (await agent("show", slug="ruff-for-linting"))["status"] == "draft"
        assert "Drafted 0 pages" in await agent.text("consolidate")


async def test_what_failed_is_an_error_with_its_reason_and_no_detail(
    server: ChatServer, connect: Callable[..., Any]
) -> None:
    server.behave("error")
    async with connect() as agent:
        refused = await agent.refused("consolidate")
        assert "answered with the error 500" in refused and "memex jobs list" in refused
        assert "PROVIDER" not in refused and "flake8" not in refused
        server.behave("well")
        server.says = ["no list here"]
        assert "holds no page that can be read" in await agent.refused("consolidate")


async def test_without_a_model_it_says_so(
    root: Path, server: ChatServer, connect: Callable[..., Any]
) -> None:
    (root / "memex.toml").unlink()
    async with connect() as agent:
        assert "no model is named" in await agent.refused("consolidate")
        assert "Would send about" in await agent.text("consolidate", mode="dry-run")


async def test_a_slow_model_keeps_no_other_write_waiting(
    server: ChatServer, connect: Callable[..., Any]
) -> None:
    server.behave("slow")
    server.says = [json.dumps([NOTE])]
    async with connect() as agent, anyio.create_task_group() as group:
        done: list[Any] = []

        async def consolidate() -> None:
            done.append(await agent("consolidate"))

        group.start_soon(consolidate)
        await anyio.to_thread.run_sync(server.asked.wait, 120)
        made = await agent("write", type="entity", title="Oven", body="It is hot.")
        assert (made["slug"], done) == ("oven", [])
        server.let_go()
    assert [row["slug"] for row in done[0]["nodes_created"]] == ["ruff-for-linting"]


async def test_a_server_that_only_reads_does_not_offer_it(
    server: ChatServer, connect: Callable[..., Any]
) -> None:
    from memex_core.mcp.tools import offered

    assert "memex_consolidate" in offered(read_only=False)
    assert "memex_consolidate" not in offered(read_only=True)
