"""The folder that the client works in: the first of its roots, where it says so."""

from __future__ import annotations

import warnings
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio

PATIENCE = 15.0  # seconds for the client's answer; without one the server's own folder counts


class Roots:
    """Asked for once, when first needed, and again after the client says that they changed."""

    def __init__(self) -> None:
        self._folder: str | None = None

    async def changed(self, ctx: Any, params: Any) -> None:
        self._folder = None

    async def folder(self, session: Any) -> str:
        """The folder of the first root that is one; empty when there is none, or no answer."""
        if self._folder is None:
            self._folder = await self._asked(session)
        return self._folder

    async def _asked(self, session: Any) -> str:
        client = session.client_params
        if client is None or client.capabilities.roots is None:
            return ""
        try:
            with anyio.move_on_after(PATIENCE), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # newer revisions of the protocol have no roots
                listed = await session.list_roots()
                return next((path for root in listed.roots if (path := path_of(str(root.uri)))), "")
        except Exception:
            pass  # a client that cannot say is taken for one that did not
        return ""


def path_of(uri: str) -> str:
    """The path that a ``file:`` address names on this machine; empty for any other."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    return url2pathname(parts.path)
