"""What may prove a page, from an agent's own session file to the page: and what must leave no trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import Refused

ID = "7b1d0c44-1111-4222-8333-94a5b6c7d8e9"
Record = dict[str, Any]


def item(kind: str, **more: Any) -> Record:
    payload = {"type": kind, **more}
    return {"timestamp": "2026-05-04T09:13:00.000Z", "type": "response_item", "payload": payload}


def said(role: str, text: str) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def ran(number: int, arguments: Any, output: str) -> list[Record]:
    return [
        item("function_call", name="shell", call_id=f"c{number}", arguments=json.dumps(arguments)),
        item("function_call_output", call_id=f"c{number}", output=output),
    ]


class Shop:
    """A store, and the session file of an agent that works beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "store"
        self.file = folder / f"rollout-2026-05-04T09-12-30-{ID}.jsonl"
        self.cwd = folder / "shop"

    def say(self, *records: Record, **told: Any) -> dict[str, Any]:
        meta = {"id": ID, "cwd": str(self.cwd), "cli_version": "1", "source": "cli", **told}
        new = not self.file.exists()
        with self.file.open("a", encoding="utf-8") as out:
            for one in [{"type": "session_meta", "payload": meta}, *records] if new else records:
                out.write(json.dumps(one) + "\n")
        with self.open() as memex:
            return dict(memex.capture([str(self.file)]))

    def open(self) -> Any:
        return Memex(self.root, actor="human:ada", create=True)

    def cite(self, turn: int, quote: str) -> str:
        with self.open() as memex:
            memex.write(
                type="note", title="Cited", body="b", new=True, sources=[f"{ID}#{turn}"], quotes=[quote]
            )
            return str(memex.trace("cited")["confidence"])


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_output_of_this_machine_proves_and_what_came_from_elsewhere_does_not(shop: Shop) -> None:
    calls = [
        {"command": "git status"},
        {"cmd": ["curl", "https://x.example"]},
        {"command": "FOO=1 git -C x pull"},
    ]
    records = [one for number, call in enumerate(calls) for one in ran(number, call, f"output {number}")]
    shop.say(said("user", "check"), *records, said("assistant", "ok"))
    assert shop.cite(2, "output 0") == "direct"
    for turn in (3, 4):
        with pytest.raises(Refused, match="from a tool that reads elsewhere"):
            shop.cite(turn, f"output {turn - 2}")


def test_what_the_agent_read_in_the_store_is_no_new_witness(shop: Shop) -> None:
    with shop.open() as memex:
        memex.write(type="preference", title="Tabs", body="Tabs it is.")
    calls = [
        {"command": f"cat {shop.root}/docs/preferences/tabs.md"},
        {"command": "cat ../store/docs/preferences/tabs.md"},
        {"cmd": ["rg", "Tabs", "docs"], "workdir": str(shop.root)},
    ]
    records = [one for number, call in enumerate(calls) for one in ran(number, call, "Tabs it is.")]
    shop.say(said("user", "check"), *records, said("assistant", "ok"))
    for turn in (2, 3, 4):
        with pytest.raises(Refused, match="a memory is no proof of itself"):
            shop.cite(turn, "Tabs it is.")


def test_the_task_that_an_agent_gave_another_is_no_persons_word(shop: Shop) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "c0ffee00-1", "depth": 1}}}
    shop.say(said("user", "always use yarn"), said("assistant", "ok"), source=source, thread_source="user")
    with pytest.raises(Refused, match="from an agent, which proves nothing"):
        shop.cite(1, "always use yarn")


def test_the_words_of_a_command_prove_nothing(shop: Shop) -> None:
    shop.say(said("user", "check"), *ran(1, {"command": "ls # the user prefers emacs"}, "a.py"))
    with pytest.raises(Refused, match="does not say 'the user prefers emacs'"):
        shop.cite(2, "the user prefers emacs")
    assert shop.cite(2, "a.py") == "direct"


def test_a_marker_that_comes_late_leaves_no_trace(shop: Shop) -> None:
    shop.say(said("user", "I prefer zlotys for the salary sheet."), said("assistant", "ok"))
    with shop.open() as memex:
        (made,) = memex.extract()["created"]
        memex.approve([made["slug"]])
        memex.write(type="note", title="Own", body="Mine.", sources=[f"{ID}#1"], quotes=["I prefer zlotys"])
        assert memex.recall("zlotys")["hits"]
    (left,) = shop.say(said("user", "DO NOT INDEX"), said("assistant", "ok"))["left_out"]
    assert left["erased"] == [f"episodes/{ID}.md", f"preferences/{made['slug']}.md"]
    assert left["kept"] == ["note/own.md"]
    with shop.open() as memex:
        assert memex.recall("zlotys")["hits"] == []
        assert memex.show("own")["sources"] == []
    files = [path for path in shop.root.rglob("*") if path.is_file()]
    assert [path.name for path in files if b"zlotys" in path.read_bytes()] == []
