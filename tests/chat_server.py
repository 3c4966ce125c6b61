"""A real HTTP server on this machine that speaks the chat part of the OpenAI API, well or badly.

>>> with ChatServer() as server:
...     server.says = ["[]", lambda prompt: "…"]   # one answer a call, the last one from then on
...     server.behave("slow")                      # well | error | refused | unknown | busy | torn | bare | slow
...     server.prompts                             # what a person's turn of each call said
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Said = str | Callable[[str], str]

_STATUS = {"error": 500, "refused": 401, "unknown": 404, "busy": 429}


class ChatServer:
    """``base`` is what ``api_base`` must be. ``requests`` holds the bodies received, ``keys`` the
    Authorization headers. ``usage`` None: the server counts no tokens."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.says: Sequence[Said] = ["[]"]
        self.usage: dict[str, int] | None = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
        }
        self.finish = "stop"
        self.asked = threading.Event()
        """Set when a call has arrived."""
        self._behaviour = "well"
        self._let_go = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server._answer(self, json.loads(body))

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def behave(self, behaviour: str) -> None:
        self._behaviour = behaviour

    def let_go(self) -> None:
        """Answer what was held back by ``slow``."""
        self._let_go.set()

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.requests]

    def _answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        number = len(self.requests)
        self.requests.append(body)
        self.keys.append(handler.headers.get("Authorization", ""))
        self.asked.set()
        how = self._behaviour
        if how == "slow":  # until the test or the server ends: no test waits for a clock
            self._let_go.wait()
        if how in _STATUS:
            secret = {"error": {"message": f"PROVIDER DETAIL {body['messages'][-1]['content'][:40]}"}}
            self._send(handler, _STATUS[how], json.dumps(secret).encode())
            return
        if how == "bare":
            self._send(handler, 200, b'{"object": "chat.completion"}')
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
        self._send(handler, 200, raw[: len(raw) // 2] if how == "torn" else raw)

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:
            pass  # who asked has given up
