"""Exports of ChatGPT and claude.ai: whole archives, holes included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core.harness import exports
from memex_core.harness.places import conversations
from memex_core.harness.records import Damage
from memex_core.harness.talk import Talk
from tests.harness.writing import said, tools


def node(parent: str | None, role: str, text: Any, kind: str = "text", **more: Any) -> dict[str, Any]:
    content = (
        {"content_type": kind, "parts": text}
        if isinstance(text, list)
        else {"content_type": kind, "text": text}
    )
    message = {"author": {"role": role, "name": more.pop("name", None)}, "content": content, **more}
    return {"parent": parent, "children": [], "message": message}


def opened(tmp_path: Path, data: Any) -> list[Talk]:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(data))
    damaged: list[Damage] = []
    found = list(conversations(str(path), damaged))
    assert damaged == []
    return found


CHAT = {
    "conversation_id": "chat-1",
    "title": "Boats",
    "create_time": 1767603600.5,
    "current_node": "n7",
    "default_model_slug": "gpt-t",
    "mapping": {
        "root": {"parent": None, "children": ["n0"], "message": None},
        "n0": node("root", "user", ["My instructions"], "user_editable_context"),
        "n1": node("n0", "user", ["How long", {"content_type": "image_asset_pointer"}], "multimodal_text",
                   create_time=1767603602.25),
        "n2": node("n1", "assistant", ["A side branch"], create_time=1767603603.0),
        "n3": node("n1", "assistant", "search(boats)", "code", recipient="web", create_time=None),
        "n4": node("n3", "tool", ["nine metres"], name="web"),
        "n5": node("n4", "assistant", ["Hidden"], weight=0),
        "n6": node("n5", "system", ["Also hidden"]),
        "n7": node("n6", "assistant", ["Nine metres."], metadata={"model_slug": "gpt-u"}),
    },
}  # fmt: skip


def test_a_chatgpt_conversation_is_the_way_to_its_current_node(tmp_path: Path) -> None:
    (found,) = opened(tmp_path, [CHAT])
    assert (found.session_id, found.agent, found.memo["facts"]["title"]) == ("chat-1", "chatgpt", "Boats")
    assert said(found, "user") == ["How long"]
    assert said(found, "agent") == ["Nine metres."]
    assert tools(found) == [("web", "search(boats)", "nine metres", None)]
    assert [turn["ts"] for turn in found.turns] == ["2026-01-05T09:00:02Z"] * 3
    assert found.meta()["models"] == ["gpt-t", "gpt-u"]
    assert found.usage() is None


def test_holes_in_a_conversation_are_read_around(tmp_path: Path) -> None:
    broken = {"id": "chat-2", "title": None, "create_time": None, "current_node": "gone", "mapping": {
        "a": node("x", "user", ["Second"], create_time=1767603700),
        "b": node("a", "user", ["First"], create_time=1767603600),
        "c": {"message": None}, "d": None,
    }}  # fmt: skip
    found = opened(tmp_path, [broken, None, {"other": 1}, CHAT])
    assert [said(one, "user") for one in found] == [["First", "Second"], ["How long"]]


def test_a_claude_ai_conversation(tmp_path: Path) -> None:
    messages = [
        {"uuid": "m1", "sender": "human", "text": "Read this", "created_at": "2026-01-05T09:00:00.123456Z",
         "content": [{"type": "text", "text": "Read this"}],
         "attachments": [{"file_name": "log.txt", "extracted_content": "Day 1: rain"}]},
        {"uuid": "m2", "sender": "assistant", "text": "", "created_at": "2026-01-05T09:00:09Z", "content": [
            {"type": "thinking", "thinking": "Hm"}, {"type": "tool_use", "name": "web_search", "input": {"q": "rain"}},
            {"type": "tool_result", "content": [{"type": "text", "text": "wet"}]}, {"type": "text", "text": "It rained."}]},
        {"uuid": "m3", "sender": "human", "text": "An old message has text only"},
    ]  # fmt: skip
    (found,) = opened(
        tmp_path,
        [{"uuid": "c-1", "name": "Log", "created_at": "2026-01-05T08:00:00Z", "chat_messages": messages}],
    )
    assert (found.session_id, found.agent) == ("c-1", "claude-ai")
    assert said(found, "user") == ["Read this\n\n[log.txt]\nDay 1: rain", "An old message has text only"]
    assert said(found, "agent") == ["It rained."]
    assert tools(found) == [("web_search", '{"q": "rain"}', "wet", False)]
    assert found.turns[-1]["ts"] == "2026-01-05T09:00:09Z"


@pytest.mark.parametrize("chunk", [1, 13, 1 << 20])
def test_an_archive_is_read_an_item_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(exports, "_CHUNK", chunk)
    many = [{**CHAT, "conversation_id": f"chat-{n}"} for n in range(3)]
    assert [one.session_id for one in opened(tmp_path, many)] == ["chat-0", "chat-1", "chat-2"]
    assert [one.session_id for one in opened(tmp_path, CHAT)] == ["chat-1"]
    assert opened(tmp_path, []) == []


def test_a_cut_archive_gives_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHAT, CHAT])[:-40])
    damaged: list[Damage] = []
    assert len(list(conversations(str(path), damaged))) == 1
    assert [one.message for one in damaged] == ["conversation 2 is cut off, damaged or nested too deeply"]
