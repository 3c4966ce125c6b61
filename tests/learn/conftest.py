"""Conversations to learn from, and a model that answers what a test tells it to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from tests.chat_server import ChatServer

Talk = Callable[..., str]


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:00Z")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as running:
        yield running


@pytest.fixture
def talk(memex: Memex) -> Talk:
    """Store a conversation: texts are a person's turns, pairs ``(role, text)`` anybody's, maps whole turns."""

    def store(session: str, *said: Any, day: str = "2026-11-20", project: str | None = None) -> str:
        turns = []
        for number, one in enumerate(said):
            if isinstance(one, str):
                one = {"role": "user", "content": one}
            elif isinstance(one, tuple):
                one = {"role": one[0], "content": one[1]}
            turns.append({"ts": f"{day}T10:{number:02}:00Z", **one})
        memex.ingest_transcript(session, turns=turns, project=project, overwrite=True)
        return session

    return store


def choose(memex: Memex, server: ChatServer, **settings: Any) -> None:
    """Make the store ask this server."""
    values = {"provider": "custom", "model": "toy", "api_base": server.base, **settings}
    text = "[consolidation]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    Path(memex.root, "memex.toml").write_text(text, encoding="utf-8")
    memex.store.forget_config()


def note(**values: Any) -> dict[str, Any]:
    """A note as a good model writes it."""
    made = {
        "type": "preference",
        "title": "Ruff for linting",
        "body": "The person lints with ruff and never with flake8.",
        "tags": ["python", "tooling"],
        "importance": 0.8,
        "links": [],
        "quotes": [{"turn": 1, "quote": "I prefer ruff over flake8"}],
        "grounding": "explicit",
        "durable": True,
        "scope": "global",
        "verdict": "independent",
    }
    return {**made, **values}


def said(*notes: dict[str, Any]) -> str:
    return json.dumps(list(notes), ensure_ascii=False)
