"""What the two loopback servers share: a real HTTP server on this machine, asked as a provider of models is."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class Provider:
    """``base`` is what ``api_base`` must be. ``requests`` holds the bodies received, ``keys`` the Authorization
    headers. How it answers is :meth:`answer` of the server that is made of it."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.asked = threading.Event()
        """Set when a call has arrived."""
        self._behaviour = "well"
        self._let_go = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server.keys.append(self.headers.get("Authorization", ""))
                server.asked.set()
                server.answer(self, body)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Self:
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

    def answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        raise AssertionError("nobody says how to answer")

    @staticmethod
    def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, length: int | None = None) -> None:
        """``length`` is what the head says, where that is not so: then the connection ends with the body."""
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body) if length is None else length))
            handler.end_headers()
            handler.wfile.write(body)
            handler.close_connection = handler.close_connection or length is not None
        except OSError:
            pass  # who asked has given up
