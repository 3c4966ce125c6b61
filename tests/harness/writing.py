"""Session files as agents write them, made up a record at a time."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memex_core.harness.opening import Bytes, opened
from memex_core.harness.places import reader_of
from memex_core.harness.records import records
from memex_core.harness.talk import Talk

Record = dict[str, Any]


def at(minute: int, second: int = 0) -> str:
    """So many minutes after ten on a day in March, however many there are."""
    made = datetime(2026, 3, 4, 10) + timedelta(minutes=minute, seconds=second)
    return f"{made.isoformat()}.250Z"


def lines(path: Path, *made: Record | bytes, mode: str = "wb") -> Path:
    """Write (or with ``ab`` append) records, one a line; bytes go in as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open(mode) as file:
        for one in made:
            file.write(
                one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode() + b"\n"
            )
    return path


def read(path: Path) -> Talk:
    """The file read from its first byte to its last."""
    begin = reader_of(str(path))
    assert begin is not None, f"{path} is nobody's"
    talk = begin()
    with opened(str(path)) as raw:
        for record in records(Bytes(raw)):
            talk.feed(record.value, record.at)
    talk.finish()
    return talk


def said(talk: Talk, role: str) -> list[str]:
    return [turn["content"] for turn in talk.turns if turn["role"] == role]


def tools(talk: Talk) -> list[tuple[str, Any, Any, Any]]:
    """Name, query, result and whether it failed, of each tool turn."""
    keys = ("tool_name", "query", "result", "is_error")
    return [tuple(turn.get(key) for key in keys) for turn in talk.turns if turn["role"] == "tool"]  # type: ignore[misc]


class Claude:
    """Records of one Claude Code session, each the child of the one before unless told otherwise."""

    def __init__(self, session: str = "5e551000-0000-4000-8000-000000000001") -> None:
        self.session = session
        self.last: str | None = None
        self.minute = 0

    def record(self, uuid: str, **more: Any) -> Record:
        self.minute += 1
        made = {
            "parentUuid": more.pop("parent", self.last),
            "isSidechain": False,
            "userType": "external",
            "cwd": "/w/boat",
            "sessionId": self.session,
            "version": "2.1.100",
            "gitBranch": "main",
            "uuid": uuid,
            "timestamp": more.pop("ts", at(self.minute)),
            **more,
        }
        self.last = uuid
        return made

    def user(self, uuid: str, content: Any, **more: Any) -> Record:
        return self.record(uuid, type="user", message={"role": "user", "content": content}, **more)

    def agent(self, uuid: str, *blocks: Record | str, id: str = "", usage: Any = None, **more: Any) -> Record:
        content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        message: Record = {
            "id": id or f"msg-{uuid}",
            "role": "assistant",
            "model": "claude-t",
            "content": content,
        }
        message["stop_reason"] = more.pop("stop", "end_turn")
        if usage is not None:
            keys = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
            message["usage"] = dict(zip(keys, usage, strict=True))
        return self.record(uuid, type="assistant", message=message, **more)

    def result(self, uuid: str, call: str, content: Any, **more: Any) -> Record:
        block = {"type": "tool_result", "tool_use_id": call, "content": content, **more.pop("block", {})}
        return self.record(uuid, type="user", message={"role": "user", "content": [block]}, **more)


def use(call: str, name: str = "Bash", **asked: Any) -> Record:
    return {"type": "tool_use", "id": call, "name": name, "input": asked}


def thinking(text: str) -> Record:
    return {"type": "thinking", "thinking": text, "signature": "c2ln"}
