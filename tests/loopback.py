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
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.provider import Provider

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


class EmbeddingServer(Provider):
    """``headers`` holds those of each request, ``width`` is that of its vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.headers: list[dict[str, str]] = []
        self.width = WIDTH

    @property
    def texts(self) -> list[str]:
        return [text for body in self.requests for text in body["input"]]

    def answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
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
            self.send(handler, status, json.dumps(secret).encode())
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
        self.send(handler, 200, text[: len(text) // 2] if how == "torn" else text)


def dead_base() -> str:
    """The address of a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"
