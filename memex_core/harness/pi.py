"""pi (and its forks): ``~/.pi/agent/sessions/--<folder>--/<time>_<uuid>.jsonl``, versions 1 to 3.

Version 1 is a list without ids; from 2 on entries are a tree, and what is not on the way to the last
entry was left. A fork copies its past with the same ids and times.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memex_core.harness.billing import bill
from memex_core.harness.branches import Branches
from memex_core.harness.talk import Talk, kind_of, stamp_of, text_of
from memex_core.model.prompts import typed

AGENT = "pi"

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_QUIET = frozenset("session title thinking_level_change custom label".split())
_USAGE = {"input": "input", "output": "output", "cache_read": "cacheRead", "cache_write": "cacheWrite"}


def places(environ: Mapping[str, str], home: str) -> list[str]:
    """The folders that hold session files."""
    own = environ.get("PI_CODING_AGENT_SESSION_DIR")
    at = environ.get("PI_CODING_AGENT_DIR") or os.path.join(home, ".pi", "agent")
    return [own] if own else [os.path.join(at, "sessions")]


def files(folder: str) -> Iterator[str]:
    """Session files under ``folder``, oldest first in each of its folders."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".jsonl"):
                yield os.path.join(at, name)


def reader(path: str, head: list[dict[str, Any]]) -> Talk | None:
    """A reader for the file if its first records are pi's; None otherwise."""
    for record in head[:3]:
        if kind_of(record) == "session" and isinstance(record.get("id"), str) and "cwd" in record:
            return PiTalk(record["id"])
    return None


class PiTalk(Talk):
    agent = AGENT

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.tree = Branches(self)
        self.memo.update(thought="", named="")

    def remember(self) -> dict[str, Any]:
        self.tree.note()
        return self.memo

    def restore(self, memo: dict[str, Any]) -> None:
        super().restore(memo)
        self.tree.restore()

    def feed(self, record: dict[str, Any], at: int) -> None:
        kind = kind_of(record)
        stamp = stamp_of(record.get("timestamp"))
        self.at_time(stamp)
        xid = record["id"] if isinstance(record.get("id"), str) and kind != "session" else ""
        parent = record.get("parentId")
        if xid:
            if xid not in self.tree:
                self.tree.follow(parent)
            self.tree.grow(xid, parent)
        xid = xid or self.id_at(at)
        if kind == "session":
            self._session(record)
        elif kind == "title":
            self.fact("title", record.get("title"))
        elif kind == "message":
            self._message(record, stamp, xid, parent)
        elif kind == "model_change":
            self.listed("models", record.get("modelId"))
        elif kind == "session_info":
            self.fact("title", record.get("name"))
            self.fact("title_source", "session_info" if record.get("name") else None)
        elif kind == "compaction":
            self.event(
                "compaction", text_of(record.get("summary")), stamp, pre_tokens=record.get("tokensBefore")
            )
        elif kind == "branch_summary":
            self.event("summary", text_of(record.get("summary")), stamp)
        elif kind == "label":
            labels = self.memo["facts"].setdefault("labels", {})
            if isinstance(record.get("targetId"), str) and len(labels) < 500:
                labels[record["targetId"]] = record.get("label")
        elif kind == "custom_message":
            self.event("extension", text_of(record.get("content")) if record.get("display") else "", stamp)
        elif kind not in _QUIET:
            self.unknown(kind)

    def _session(self, record: dict[str, Any]) -> None:
        self.fact("cwd", record.get("cwd"))
        self.listed("models", record.get("modelId"))
        parent = record.get("parentSession") or record.get("branchedFrom")
        if isinstance(parent, str):
            found = _UUID.findall(parent)
            self.fact("forked_from", found[-1] if found else parent)
            self.fact("parent_session", found[-1] if found else parent)

    def _message(self, record: dict[str, Any], stamp: str, xid: str, parent: Any) -> None:
        message = record.get("message")
        if not isinstance(message, dict):
            return
        role = message.get("role")
        stamp = stamp or stamp_of(message.get("timestamp"))
        if role == "user":
            text = typed(text_of(message.get("content")))
            if text and not self.known(xid, stamp):
                self.tree.message(xid, parent)
                self.prompt(text, stamp, xid)
        elif role == "assistant":
            self._answer(message, stamp, xid, parent)
        elif role == "toolResult":
            call_id = str(message.get("toolCallId") or xid)
            self.result(call_id, text_of(message.get("content")), stamp, error=bool(message.get("isError")))
        elif role == "bashExecution":
            self.tree.message(xid, parent)
            made = self.shell(xid, message.get("command"), stamp)
            if made is not None:
                code = message.get("exitCode")
                self.result(xid, text_of(message.get("output")), stamp, error=bool(code), **_code(code))
        elif role in ("branchSummary", "compactionSummary"):
            self.event("summary", text_of(message.get("summary") or message.get("content")), stamp)
        elif role not in ("custom", "hookMessage"):
            self.unknown(f"message {role}")

    def _answer(self, message: dict[str, Any], stamp: str, xid: str, parent: Any) -> None:
        self.listed("models", message.get("model"))
        self.tree.message(xid, parent)
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": text_of(content)}]
        texts = [text_of(b) for b in blocks if isinstance(b, dict) and b.get("type") == "text"]
        thoughts = [text_of(b) for b in blocks if isinstance(b, dict) and b.get("type") == "thinking"]
        thought = "\n".join(filter(None, [self.memo["thought"], *thoughts]))
        self.copied = new = False
        text = "\n".join(part for part in texts if part.strip())
        if text:
            new |= self.answer(text, stamp, xid, thinking=thought, stopped=_stop(message))
            thought = ""
        for block in blocks:
            if isinstance(block, dict) and kind_of(block) == "toolCall":
                call_id, name = str(block.get("id") or xid), str(block.get("name") or "tool")
                made = self.call(call_id, name, block.get("arguments"), stamp, thinking=thought)
                new |= made is not None
                thought = ""
        self.memo["thought"] = thought
        if message.get("stopReason") in ("aborted", "error"):
            self.settle()
            self.event(str(message["stopReason"]), text_of(message.get("errorMessage")), stamp)
        if new or not (self.copied or text):
            self._count(message.get("usage"))

    def _count(self, usage: Any) -> None:
        """Each answer tells its own tokens, once; those of an answer that was left were paid too."""
        if isinstance(usage, dict):
            now = {
                name: value if isinstance(value := usage.get(key), int) else 0 for name, key in _USAGE.items()
            }
            total = self.memo.setdefault("usage", dict.fromkeys(_USAGE, 0))
            for name, value in now.items():
                total[name] += value
            bill(self, now)


def _code(code: Any) -> dict[str, int]:
    return {"exit_code": code} if isinstance(code, int) and code else {}


def _stop(message: dict[str, Any]) -> str:
    reason = message.get("stopReason")
    return reason if reason in ("aborted", "error", "length") else ""
