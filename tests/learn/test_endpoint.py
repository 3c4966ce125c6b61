"""The client of a model: settings, and failures in our own words."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from memex_core.files.config import Embed
from memex_core.learn.endpoint import Endpoint, EndpointFailed, embed, within
from memex_core.model.errors import BadInput
from tests.loopback import EmbeddingServer, dead_base, vector


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


def settings(**values: object) -> Embed:
    made = Embed()
    for name, value in {"provider": "custom", "model": "toy", **values}.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize(
    ("provider", "base"),
    [
        ("openai", "https://api.openai.com/v1"),
        ("Ollama", "http://localhost:11434/v1"),
        ("lmstudio", "http://localhost:1234/v1"),
        ("openrouter", "https://openrouter.ai/api/v1"),
    ],
)
def test_providers_have_an_address_of_their_own(provider: str, base: str) -> None:
    assert Endpoint.of(settings(provider=provider), "embed").base == base
    other = Endpoint.of(settings(provider=provider, api_base="http://box:8000/v1"), "embed")
    assert other.base == "http://box:8000/v1"


@pytest.mark.parametrize(
    "values", [{"provider": "acme"}, {"provider": "custom"}, {"provider": "openai", "model": ""}]
)
def test_what_is_missing_is_named(values: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"\[embed\] (provider|api_base|model)"):
        Endpoint.of(settings(**values), "embed")


def test_the_host_is_named_without_credentials() -> None:
    endpoint = Endpoint.of(settings(api_base="http://me:secret@box:8000/v1"), "embed")
    assert endpoint.at == "box:8000"


def test_vectors_come_in_the_order_of_their_texts(server: EmbeddingServer) -> None:
    endpoint = Endpoint.of(settings(api_base=server.base, api_key="k"), "embed")
    found = embed(endpoint.client(), endpoint, ["car", "moon"])  # the server answers backwards
    assert found == [vector("car"), vector("moon")]
    assert server.keys == ["Bearer k"]


@pytest.mark.parametrize(
    ("behaviour", "said", "down", "refused"),
    [
        ("error", "error 500", True, False),
        ("refused", "refused the API key", True, False),
        ("unknown", "does not know the model", True, False),
        ("long", "error 400", False, True),
        ("torn", "no usable answer", False, False),
        ("short", "no usable answer", False, False),
        ("nan", "no usable answer", False, False),
    ],
)
def test_failures_are_told_without_what_the_provider_says(
    server: EmbeddingServer, behaviour: str, said: str, down: bool, refused: bool
) -> None:
    server.behave(behaviour)
    endpoint = Endpoint.of(settings(api_base=server.base), "embed")
    with pytest.raises(EndpointFailed, match=said) as raised:
        embed(endpoint.client(retries=0), endpoint, ["this is too long and private"])
    assert (raised.value.down, raised.value.refused) == (down, refused)
    assert "private" not in str(raised.value) and "PROVIDER" not in str(raised.value)


def test_nobody_there() -> None:
    endpoint = Endpoint.of(settings(api_base=dead_base()), "embed")
    with pytest.raises(EndpointFailed, match="cannot be reached; is it running") as raised:
        embed(endpoint.client(retries=0), endpoint, ["car"])
    assert raised.value.down


def test_an_answer_that_never_comes(server: EmbeddingServer) -> None:
    server.behave("slow")
    endpoint = Endpoint.of(settings(api_base=server.base), "embed")
    with pytest.raises(EndpointFailed, match="did not answer in time"):
        embed(endpoint.client(timeout=0.05, retries=0), endpoint, ["car"])


def test_within_a_time_or_not() -> None:
    never = threading.Event()
    assert within(60, lambda: 7, lambda: TimeoutError()) == 7
    with pytest.raises(KeyError):
        within(60, lambda: {}["a"], lambda: TimeoutError())
    with pytest.raises(TimeoutError):
        within(0.01, never.wait, lambda: TimeoutError())
    never.set()
