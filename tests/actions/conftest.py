"""A server of this machine that makes vectors, for every test here that asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.loopback import EmbeddingServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """Running; keys and proxies of this machine's environment play no part."""
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with EmbeddingServer() as running:
        yield running
