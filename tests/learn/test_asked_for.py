"""A consolidation that its caller narrows: to some conversations, and to notes without links."""

from __future__ import annotations

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

RUFF = "I prefer ruff over flake8."


def test_several_conversations_by_id_or_episode(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF, day="2026-11-28")
    talk("sess-2", "I prefer tea over coffee.", day="2026-11-29")
    talk("sess-3", "I prefer cats over dogs.", day="2026-11-30")
    choose(memex, server, max_episodes=1)
    memex.consolidate(episode_ids=["sess-1", "episodes/sess-3.md"])  # type: ignore[call-arg]
    asked = "".join(server.prompts)
    assert len(server.prompts) == 2
    assert ("flake8" in asked, "coffee" in asked, "cats" in asked) == (True, False, True)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (["nothing"], NotFound),
        ([], BadInput),
        (5, BadInput),
        ("../x", BadInput),
        (["sess-1", "no"], NotFound),
    ],
)
def test_what_names_no_conversation_is_told(
    memex: Memex, talk: Talk, asked: object, error: type[Exception]
) -> None:
    talk("sess-1", RUFF)
    with pytest.raises(error):
        memex.consolidate(session=asked)


def test_pages_without_links(memex: Memex, talk: Talk, server: ChatServer) -> None:
    memex.write(type="entity", title="Flake8", body="A linter.")
    talk("sess-1", RUFF)
    choose(memex, server)
    body = "Ruff, not [[flake8|the old one]], see [[Flake8#x]]."
    server.says = [said(note(body=body, links=["flake8"]))]
    memex.consolidate(include_links=False)
    page = memex.show("ruff-for-linting")
    assert "Ruff, not the old one, see Flake8." in page["body"]
    assert [link for link in page["links"] if link["target"].lower().startswith("flake8")] == []
