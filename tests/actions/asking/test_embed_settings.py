"""The settings of ``[embed]``: what is asked of the endpoint, whose key it gets, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput
from tests.actions.asking.vectored import fill, reopened, turn_on
from tests.loopback import EmbeddingServer, dead_base


@pytest.fixture
def store(memex: Memex, server: EmbeddingServer) -> Memex:
    turn_on(Path(memex.root), server.base)
    fill(memex)
    return memex


def test_dimensions_are_asked_for(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), server.base, dimensions=16)
    memex = reopened(store)
    memex.embed()
    assert {body["dimensions"] for body in server.requests} == {16}
    assert {body["encoding_format"] for body in server.requests} == {"float"}
    memex.close()


def test_the_key_of_openai_goes_to_no_other_endpoint(
    store: Memex, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-openai")
    monkeypatch.setenv("OPENAI_BASE_URL", dead_base())
    store.embed(limit=1)
    monkeypatch.setenv("MEMEX_EMBED_API_KEY", "of-this-endpoint")
    memex = reopened(store)
    memex.embed(limit=1)
    assert server.keys == ["Bearer none", "Bearer of-this-endpoint"]
    assert "of-openai" not in json.dumps(server.headers)
    memex.close()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"provider": "acme"}, "provider 'acme' is not known"),
        ({"provider": "custom", "api_base": ""}, "api_base is missing"),
        ({"model": ""}, "model is missing"),
    ],
)
def test_settings_that_lack_something_stop_embed_and_warn_in_recall(
    memex: Memex, settings: dict[str, Any], said: str
) -> None:
    fill(memex)
    turn_on(Path(memex.root), "http://127.0.0.1:9/v1", **settings)
    memex = reopened(memex)
    with pytest.raises(BadInput, match=said):
        memex.embed()
    found = memex.recall("car")
    assert [hit["slug"] for hit in found["hits"]] == ["garage"]
    assert said in found["warnings"][0] and found["warnings"][0].endswith("words only")
    assert any(said in warning for warning in memex.status()["warnings"])
    memex.close()
