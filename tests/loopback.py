"""A real HTTP server on this machine that speaks the embeddings part of the OpenAI API, well or badly.

>>> with EmbeddingServer() as server:
...     server.behave("torn")          # well | wide | torn | error | refused | unknown | slow | short | nan
...     server.texts                   # every text that was sent to it, in order

A text's vector says which of a few meanings its words have, so that a test can tell what must be near what.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

MEANINGS = (
    "car automobile vehicle limousine driving",
    "bread loaf rye dough baking",
    "linter ruff flake8 style checker",
    "moon lunar satellite orbit",
    "physician doctor surgeon medicine",
)
_AXES = {word: axis for axis, words in enumerate(MEANINGS) for word in words.split()}
WIDTH = 16


def vector(text: str, width: int = WIDTH) -> list[float]:
    """Mostly the meanings of its words; a little of the words themselves, so that no two texts are equal."""
    values = [0.02] * width
    for word in re.findall(r"\w+", text.lower()):
        if word in _AXES:
            values[_AXES[word]] += 1.0
        else:
            at = hashlib.blake2b(word.encode(), digest_size=2).digest()
            values[len(MEANINGS) + at[0] % (width - len(MEANINGS))] += 0.1 if at[1] % 2 else -0.1
    return values


class EmbeddingServer:
    """``base`` is what ``api_base`` must be. ``requests`` holds the bodies received, ``keys`` the
    Authorization headers."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.width = WIDTH
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

    def __enter__(self) -> EmbeddingServer:
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

    @property
    def texts(self) -> list[str]:
        return [text for body in self.requests for text in body["input"]]

    def _answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        self.requests.append(body)
        self.keys.append(handler.headers.get("Authorization", ""))
        self.headers.append(dict(handler.headers.items()))
        how = self._behaviour
        if how == "slow":  # until the server goes: no test waits for a clock
            self._let_go.wait()
            return
        status = {"error": 500, "refused": 401, "unknown": 404, "long": 400}.get(how, 200)
        if how == "long":  # refuses the one text that is too long for its model
            status = 400 if any("too long" in text for text in body["input"]) else 200
        if status != 200:
            secret = {"error": {"message": f"PROVIDER DETAIL {body['input'][0]}"}}
            self._send(handler, status, json.dumps(secret).encode())
            return
        width = self.width + 3 if how == "wide" else self.width
        rows = [
            {"object": "embedding", "index": number, "embedding": vector(text, width)}
            for number, text in enumerate(body["input"])
        ]
        if how == "short":
            rows = rows[:-1]
        if how == "nan":
            rows[0]["embedding"][0] = float("nan")
        rows.reverse()  # the index says which is which
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        data = {"object": "list", "data": rows, "model": body["model"], "usage": usage}
        text = json.dumps(data).encode()
        self._send(handler, 200, text[: len(text) // 2] if how == "torn" else text)

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


def dead_base() -> str:
    """The address of a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"
