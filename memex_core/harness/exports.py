"""Conversations exported from ChatGPT (``conversations.json``) and claude.ai, one at a time.

Both are one JSON array that may be larger than memory, so its items are decoded as they come.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from memex_core.harness.records import Damage, Readable
from memex_core.harness.talk import Talk, stamp_of, text_of

CHATGPT, CLAUDE_AI = "chatgpt", "claude-ai"

_CHUNK = 1 << 20
_LARGEST = 256 << 20  # characters of one conversation
_HIDDEN = ("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap")
_decode = json.JSONDecoder().raw_decode
_NO_ID = re.compile(r"[^A-Za-z0-9._-]+")


def items(file: Readable, damaged: list[Damage]) -> Iterator[Any]:
    """The values of a JSON array, or the one value that is no array. Damage ends the reading."""
    text = _Text(file)
    array = text.peek() == "["
    text.at += array
    number = 0
    while text.peek(",") not in ("", "]" if array else ""):
        number += 1
        try:
            yield text.value()
        except (ValueError, RecursionError):
            damaged.append(Damage(number, f"conversation {number} is cut off, damaged or nested too deeply"))
            return
        if not array:
            return


class _Text:
    """Text of a file, read as far as it is wanted; what was used is forgotten."""

    def __init__(self, file: Readable) -> None:
        self.file = file
        self.at = 0
        self._text = ""
        self._ended = False
        self._incoming = codecs.getincrementaldecoder("utf-8-sig")("replace")

    def peek(self, between: str = "") -> str:
        """The next character that is no blank and not in ``between``; empty at the end."""
        while True:
            while self.at < len(self._text):
                char = self._text[self.at]
                if not (char.isspace() or char in between):
                    return char
                self.at += 1
            if self._ended:
                return ""
            self._more(_CHUNK)

    def value(self) -> Any:
        """The JSON value that begins here. Raises ValueError and RecursionError."""
        while True:
            try:
                value, stop = _decode(self._text, self.at)
                if stop < len(self._text) or self._ended:
                    self.at = stop
                    return value
            except ValueError:
                if self._ended or len(self._text) - self.at > _LARGEST:
                    raise
            self._more(max(len(self._text) - self.at, _CHUNK))  # twice as much: few tries for a long one

    def _more(self, size: int) -> None:
        parts = [self._text[self.at :]]
        self.at = 0
        while size > 0 and not self._ended:
            chunk = self.file.read(min(size, _CHUNK))
            self._ended = not chunk
            size -= len(chunk)
            parts.append(self._incoming.decode(chunk, final=self._ended))
        self._text = "".join(parts)


def document(data: Any) -> Talk | None:
    """The conversation in one item of an export; None when it is none."""
    if isinstance(data, dict) and isinstance(data.get("mapping"), dict):
        return _chatgpt(data)
    if isinstance(data, dict) and isinstance(data.get("chat_messages"), list):
        return _claude_ai(data)
    return None


class ExportTalk(Talk):
    """A conversation read at once: nothing of it is fed."""

    def __init__(self, agent: str, session_id: str) -> None:
        super().__init__(session_id)
        self.agent = agent

    def feed(self, record: dict[str, Any], at: int) -> None:
        self.unknown(record.get("type"))

    @property
    def closed(self) -> bool:
        return False


# -- ChatGPT -----------------------------------------------------------------------------------


def _chatgpt(data: dict[str, Any]) -> Talk:
    talk = ExportTalk(CHATGPT, _id(data.get("conversation_id") or data.get("id"), data))
    talk.fact("title", data.get("title"))
    talk.fact("title_source", "title" if data.get("title") else None)
    talk.listed("models", data.get("default_model_slug"))
    began = stamp_of(data.get("create_time"))
    talk.at_time(began)
    stamp = began
    for name, message in _way(data):
        # Where a message has no time, that of the one before it stands, and of the first the conversation's.
        stamp = stamp_of(message.get("create_time")) or stamp
        _said(talk, name, message, stamp)
    return talk


def _way(data: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The messages from the root to the current node; a list in time order where that way is broken."""
    mapping = data["mapping"]
    at = data.get("current_node")
    way: list[tuple[str, dict[str, Any]]] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)
        node = mapping[at]
        node = node if isinstance(node, dict) else {}
        if isinstance(node.get("message"), dict):
            way.append((at, node["message"]))
        at = node.get("parent")
    if way:
        return way[::-1]
    nodes = [(name, node) for name, node in mapping.items() if isinstance(node, dict)]
    found = [(name, node["message"]) for name, node in nodes if isinstance(node.get("message"), dict)]
    return sorted(found, key=lambda one: stamp_of(one[1].get("create_time")))


def _said(talk: Talk, name: str, message: dict[str, Any], stamp: str) -> None:
    content, about, author = (
        value if isinstance(value := message.get(key), dict) else {}
        for key in ("content", "metadata", "author")
    )
    kind, role = content.get("content_type"), author.get("role")
    if message.get("weight") == 0 or about.get("is_visually_hidden_from_conversation") or kind in _HIDDEN:
        return
    xid = message["id"] if isinstance(message.get("id"), str) and message["id"] else name
    text = text_of(content.get("parts")) or text_of(content)
    talk.at_time(stamp)
    if isinstance(about.get("model_slug"), str):
        talk.listed("models", about["model_slug"])
    recipient = message.get("recipient") or "all"
    if role == "user" and text.strip():
        talk.prompt(text, stamp, xid)
    elif role == "assistant" and recipient != "all":
        talk.call(xid, str(recipient), text, stamp)
    elif role == "assistant" and text.strip():
        talk.answer(text, stamp, xid)
    elif role == "tool":
        tool = str(author.get("name") or "tool")
        asked = next((one for one in reversed(talk.calls.values()) if one["tool_name"] == tool), None)
        if asked is not None:
            talk.result(asked["xid"], text, stamp)
        elif text.strip():
            talk.call(xid, tool, None, stamp)
            talk.result(xid, text, stamp)


# -- claude.ai ---------------------------------------------------------------------------------


def _claude_ai(data: dict[str, Any]) -> Talk:
    talk = ExportTalk(CLAUDE_AI, _id(data.get("uuid"), data))
    talk.fact("title", data.get("name"))
    talk.fact("title_source", "name" if data.get("name") else None)
    stamp = stamp_of(data.get("created_at"))
    talk.at_time(stamp)
    for place, message in enumerate(data["chat_messages"]):
        if not isinstance(message, dict):
            continue
        stamp = stamp_of(message.get("created_at")) or stamp
        talk.at_time(stamp)
        xid = message["uuid"] if isinstance(message.get("uuid"), str) else talk.id_at(place)
        if message.get("sender") == "human":
            text = "\n\n".join(filter(None, [_words(message), *_attached(message.get("attachments"))]))
            if text.strip():
                talk.prompt(text, stamp, xid)
        else:
            _answered(talk, message, stamp, xid)
    return talk


def _words(message: dict[str, Any]) -> str:
    content = message.get("content")
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    parts = [text_of(block) for block in blocks if block.get("type") in ("text", "voice_note")]
    return "\n".join(part for part in parts if part.strip()) or text_of(message.get("text"))


def _attached(attachments: Any) -> Iterator[str]:
    for one in attachments if isinstance(attachments, list) else ():
        if isinstance(one, dict):
            yield f"[{one.get('file_name') or 'attachment'}]\n{text_of(one.get('extracted_content'))}".strip()


def _answered(talk: Talk, message: dict[str, Any], stamp: str, xid: str) -> None:
    text = _words(message)
    if text.strip():
        talk.answer(text, stamp, xid)
    calls: list[str] = []
    content = message.get("content")
    for place, block in enumerate(content if isinstance(content, list) else ()):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_use":
            calls.append(str(block.get("id") or f"{xid}#{place}"))
            talk.call(calls[-1], str(block.get("name") or "tool"), block.get("input"), stamp)
        elif kind == "tool_result":
            call = block.get("tool_use_id") or (calls.pop(0) if calls else f"{xid}#{place}")
            talk.result(str(call), text_of(block.get("content")), stamp, error=bool(block.get("is_error")))


def _id(given: Any, data: dict[str, Any]) -> str:
    if isinstance(given, str) and given:
        return _NO_ID.sub("-", given).strip("-._")[:128]
    from _blake2 import blake2b

    told = f"{data.get('title') or data.get('name')}:{data.get('create_time') or data.get('created_at')}"
    return f"export-{blake2b(told.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
