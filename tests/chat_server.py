"""A real HTTP server on this machine that speaks the chat part of the OpenAI API, well or badly.

>>> with ChatServer() as server:
...     server.says = ["[]", lambda prompt: "…"]   # one answer a call, the last one from then on
...     server.behave("slow")                      # well | error | refused | unknown | busy | torn | bare | slow
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
        self.finish = "stop"

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
        data: dict[str, Any] = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "finish_reason": self.finish,
                    "message": {"role": "assistant", "content": text},
                }
            ],
        }
        if self.usage is not None:
            data["usage"] = self.usage
        raw = json.dumps(data).encode()
        self.send(handler, 200, raw[: len(raw) // 2] if how == "torn" else raw)
