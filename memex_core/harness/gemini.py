"""Gemini CLI: ``~/.gemini/tmp/<project>/chats/session-*.jsonl``, and ``.json`` before 0.40.

A message is told again when it grows, the same id replacing the earlier one; ``$set`` patches the
session, ``$rewindTo`` takes a message and all behind it back. So the whole is read each time. What was
taken back is not stored, as the agent drops it too; where it had been stored before, it stays, marked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from memex_core.harness.talk import Talk, kind_of, stamp_of, text_of
from memex_core.model.prompts import typed

AGENT = "gemini"

_USAGE = ("input", "output", "cached", "thoughts", "tool")
_KINDS = ("user", "gemini", "info", "error", "warning")


def places(environ: Mapping[str, str], home: str) -> list[str]:
    """The folders that hold session files."""
    return [os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini", "tmp")]


def files(folder: str) -> Iterator[str]:
    """Session files under ``folder``, oldest first in each project."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        if os.path.basename(at) == "chats":
            for name in sorted(names):
                if name.startswith("session-") and name.endswith((".jsonl", ".json")):
                    yield os.path.join(at, name)


def reader(path: str, head: list[dict[str, Any]]) -> Talk | None:
    """A reader for the file if its first records are Gemini CLI's; None otherwise."""
    for record in head[:5]:
        if is_session(record):
            return GeminiTalk(str(record["sessionId"]))
    return None


def is_session(record: dict[str, Any]) -> bool:
    return isinstance(record.get("sessionId"), str) and "projectHash" in record


def document(data: Any) -> Talk | None:
    """The conversation in a ``.json`` file; None when it is none of Gemini CLI's."""
    if not isinstance(data, dict) or not is_session(data):
        return None
    talk = GeminiTalk(data["sessionId"])
    talk.feed(data, 0)
    talk.finish()
    return talk


class GeminiTalk(Talk):
    agent = AGENT
    at_large = True  # any message may be told again

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self._messages: dict[str, dict[str, Any]] = {}
        self._rewound: set[str] = set()

    def feed(self, record: dict[str, Any], at: int) -> None:
        patch = record.get("$set")
        if isinstance(patch, dict) or is_session(record):
            self._session(patch if isinstance(patch, dict) else record, at)
        elif "$rewindTo" in record:
            names = [name for name in self._messages if name not in self._rewound]
            target = record["$rewindTo"]
            self._rewound.update(names[names.index(target) :] if target in names else names)
        elif kind_of(record) in _KINDS:
            self._message(record, at)
        else:
            self.unknown(kind_of(record))

    def _session(self, patch: dict[str, Any], at: int) -> None:
        for key in ("startTime", "lastUpdated"):
            self.at_time(stamp_of(patch.get(key)))
        self.fact("title", patch.get("summary"))
        self.fact("title_source", "summary" if patch.get("summary") else None)
        self.fact("project_hash", patch.get("projectHash"))
        if isinstance(patch.get("messages"), list):
            for place, message in enumerate(patch["messages"]):
                if isinstance(message, dict):
                    self._message(message, at, place)

    def _message(self, message: dict[str, Any], at: int, place: int = 0) -> None:
        name = message["id"] if isinstance(message.get("id"), str) else self.id_at(at, place)
        self._messages[name] = message
        self._rewound.discard(name)

    def finish(self) -> None:
        """Make the turns of what the messages are in the end."""
        for name, message in self._messages.items():
            before = len(self.turns)
            self._turns(name, message)
            self.settle()
            if name in self._rewound:
                for turn in self.turns[before:]:
                    turn["abandoned"] = True

    def _turns(self, name: str, message: dict[str, Any]) -> None:
        stamp = stamp_of(message.get("timestamp"))
        self.at_time(stamp)
        text = text_of(message.get("displayContent")) or text_of(message.get("content"))
        kind = kind_of(message)
        if kind == "user":
            text = typed(text)
            if text.startswith("/"):
                self.event("command", text, stamp)
            elif text:
                self.prompt(text, stamp, name)
        elif kind == "gemini":
            self.listed("models", message.get("model"))
            if text.strip():
                self.answer(text, stamp, name, thinking=_thoughts(message.get("thoughts")))
            calls = message.get("toolCalls")
            for call in calls if isinstance(calls, list) else ():
                if isinstance(call, dict):
                    self._tool(call, stamp)
            if name not in self._rewound:
                self._count(message.get("tokens"))
        elif kind in ("info", "error", "warning"):
            self.event(str(kind), text, stamp)

    def _tool(self, call: dict[str, Any], stamp: str) -> None:
        call_id, name = str(call.get("id") or ""), str(call.get("name") or "tool")
        if self.call(call_id, name, call.get("args"), stamp_of(call.get("timestamp")) or stamp) is None:
            return
        text = _response(call.get("result")) or text_of(call.get("resultDisplay"))
        if text or call.get("status") not in (
            None,
            "executing",
            "scheduled",
            "validating",
            "awaiting_approval",
        ):
            self.result(call_id, text, stamp, error=call.get("status") in ("error", "cancelled"))

    def _count(self, tokens: Any) -> None:
        if isinstance(tokens, dict):
            total = self.memo.setdefault("usage", dict.fromkeys(_USAGE, 0))
            for key in _USAGE:
                value = tokens.get(key)
                total[key] += value if isinstance(value, int) else 0


def _thoughts(thoughts: Any) -> str:
    if not isinstance(thoughts, list):
        return ""
    said = [
        f"{t.get('subject') or ''}: {t.get('description') or ''}" for t in thoughts if isinstance(t, dict)
    ]
    return "\n".join(said)


def _response(result: Any) -> str:
    """The text in ``[{functionResponse: {response: {output | error}}}]``."""
    parts = []
    for part in result if isinstance(result, list) else [result]:
        inner = part.get("functionResponse") if isinstance(part, dict) else None
        inner = inner.get("response") if isinstance(inner, dict) else part
        if isinstance(inner, dict):
            parts.append(text_of(inner.get("output") or inner.get("error") or inner))
        else:
            parts.append(text_of(inner))
    return "\n".join(filter(None, parts))
