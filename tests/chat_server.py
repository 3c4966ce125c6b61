"""A real HTTP server on this machine that speaks the chat part of the OpenAI API, well or badly.

>>> with ChatServer() as server:
...     server.says = ["[]", lambda prompt: "…"]   # one answer a call, the last one from then on
...     server.behave("slow")                      # well | error | refused | unknown | busy | bare | slow
...     server.behave("stream")                    # | torn | dropped | stream | ended: a connection
...                                                # that ends early, a stream nobody asked for, half of one
...     server.prompts                             # what a person's turn of each call said
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.provider import Provider

Said = str | Callable[[str], str]

_STATUS = {"error": 500, "refused": 401, "unknown": 404, "busy": 429}


class ChatServer(Provider):
    """``usage`` None: the server counts no tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.says: Sequence[Said] = ["[]"]
        self.usage: dict[str, int] | None = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
        }
        self.finish: str | None = "stop"

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.requests]

    def answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        number = len(self.requests) - 1
        how = self._behaviour
        if how == "slow":  # until the test or the server ends: no test waits for a clock
            self._let_go.wait()
        if how in _STATUS:
            secret = {"error": {"message": f"PROVIDER DETAIL {body['messages'][-1]['content'][:40]}"}}
            self.send(handler, _STATUS[how], json.dumps(secret).encode())
            return
        if how == "bare":
            self.send(handler, 200, b'{"object": "chat.completion"}')
            return
        said = self.says[min(number, len(self.says) - 1)]
        text = said(body["messages"][-1]["content"]) if callable(said) else said
        raw = completion(text, self.usage, self.finish)
        if how in ("stream", "ended"):
            raw = stream(text, self.usage, ends=how == "stream")
        if how == "torn":
            raw = raw[: len(raw) // 2]
        whole = len(raw) if how == "dropped" else None
        if how == "dropped":
            raw = raw[: len(raw) // 2]
        self.send(handler, 200, raw, length=whole)


def completion(text: str, usage: Any, finish: str | None = "stop") -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    data: dict[str, Any] = {"id": "c1", "object": "chat.completion", "created": 1, "choices": [choice]}
    return json.dumps({**data, **({"usage": usage} if usage is not None else {})}).encode()


def stream(text: str, usage: Any, *, ends: bool) -> bytes:
    """The events of a stream, a few letters each. One that ``ends`` says so."""
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    choices: list[list[dict[str, Any]]] = [[{"index": 0, "delta": {"content": piece}}] for piece in pieces]
    if ends:
        choices += [[{"index": 0, "delta": {}, "finish_reason": "stop"}], []]
    events = [{"object": "chat.completion.chunk", "choices": one, "usage": None} for one in choices]
    if ends:
        events[-1]["usage"] = usage
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n" if ends else ""]).encode()
