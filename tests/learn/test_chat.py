"""Which model is asked, and what its failures are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files.config import ENVIRONMENT
from memex_core.learn import endpoint
from memex_core.learn.chat import Model, ModelFailed, reply_of
from memex_core.learn.endpoint import Body, Endpoint
from tests.chat_server import ChatServer, completion, stream
from tests.loopback import dead_base


def model(memex: Memex, text: str) -> Model:
    Path(memex.root, "memex.toml").write_text(text, encoding="utf-8")
    memex.store.forget_config()
    return Model.of(memex.store.config)


def at(memex: Memex, server: ChatServer, **more: Any) -> Model:
    return model(
        memex, f'[llm]\nprovider = "custom"\nmodel = "toy"\napi_base = "{server.base}"\ntimeout = 30\n'
    )


def test_what_consolidation_leaves_open_is_llm_s(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = model(
        memex,
        '[llm]\nprovider = "openai"\nmodel = "big"\napi_key = "k"\nmax_tokens = 99\n[consolidation]\nmodel = "small"\n',
    )
    assert (chosen.provider, chosen.model, chosen.api_key, chosen.max_tokens) == ("openai", "small", "k", 99)
    assert chosen.origins["model"] == "file [consolidation]"
    assert chosen.origins["api_key"] == "file [llm]"
    assert chosen.origins["timeout"] == "default"
    monkeypatch.setenv("MEMEX_CONSOLIDATE_MODEL", "smaller")
    memex.store.forget_config()
    chosen = Model.of(memex.store.config)
    assert (chosen.model, chosen.origins["model"]) == ("smaller", "env MEMEX_CONSOLIDATE_MODEL")


def test_a_key_and_an_address_stay_with_their_provider(memex: Memex) -> None:
    general = '[llm]\nprovider = "openai"\nmodel = "big"\napi_base = "https://x/v1"\napi_key = "k"\n'
    chosen = model(memex, general + '[consolidation]\nprovider = "ollama"\n')
    assert (chosen.provider, chosen.model, chosen.api_base, chosen.api_key) == ("ollama", "", "", "")
    same = model(memex, general + '[consolidation]\nprovider = "OpenAI"\n')
    assert (same.provider, same.model, same.api_key) == ("openai", "big", "k")


def test_a_selection_is_told_from_another_and_tells_nothing(
    memex: Memex, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = model(memex, '[llm]\nprovider = "openai"\nmodel = "a"\napi_key = "sekret"\n')
    two = model(memex, '[llm]\nprovider = "openai"\nmodel = "a"\n')
    assert one.fingerprint() != two.fingerprint()
    assert "sekret" not in one.fingerprint()
    before = two.fingerprint()
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    assert two.fingerprint() != before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-model"),
        ('[llm]\nprovider = "acme"\nmodel = "x"\n', "bad-settings"),
        ('[llm]\nprovider = "custom"\nmodel = "x"\n', "bad-settings"),
        ('[llm]\nprovider = "ollama"\n', "bad-settings"),
    ],
)
def test_settings_that_name_no_model_are_known_without_asking(memex: Memex, text: str, code: str) -> None:
    with pytest.raises(ModelFailed) as raised:
        model(memex, text).check()
    assert raised.value.code == code and raised.value.hint


def test_an_answer_with_and_without_its_tokens(memex: Memex, server: ChatServer) -> None:
    server.says = ["hello"]
    reply = at(memex, server).ask("system", "question")
    assert reply == ("hello", 100, 10, False)
    assert [one["content"] for one in server.requests[0]["messages"]] == ["system", "question"]
    assert server.requests[0]["max_tokens"] == 4096
    server.usage, server.finish = None, "length"
    assert at(memex, server).ask("system", "question") == ("hello", None, None, True)


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        ("error", "endpoint-failed"),
        ("refused", "key-refused"),
        ("unknown", "model-unknown"),
        ("busy", "endpoint-busy"),
        ("torn", "endpoint-failed"),
        ("bare", "endpoint-failed"),
    ],
)
def test_failures_have_codes_and_are_not_tried_twice(
    memex: Memex, server: ChatServer, behaviour: str, code: str
) -> None:
    server.behave(behaviour)
    with pytest.raises(ModelFailed) as raised:
        at(memex, server).ask("system", "private question")
    assert raised.value.code == code
    assert "PROVIDER" not in str(raised.value) and "private" not in str(raised.value)
    assert len(server.requests) == 1


def test_an_envelope_cut_at_every_byte_is_whole_or_kept_as_it_came(memex: Memex, server: ChatServer) -> None:
    asked = at(memex, server)
    where = Endpoint.of(asked, "llm")
    data = completion("ready to go", server.usage)
    for size in range(len(data)):
        with pytest.raises(ModelFailed, match="gave no usable answer") as raised:
            reply_of(where, Body(data[:size], ""))
        assert (raised.value.code, raised.value.raw.encode()) == ("endpoint-failed", data[:size])
    assert reply_of(where, Body(data, "")) == ("ready to go", 100, 10, False)


def test_a_stream_cut_at_every_byte_is_read_up_to_there(memex: Memex, server: ChatServer) -> None:
    where = Endpoint.of(at(memex, server), "llm")
    data = stream("ready to go", server.usage, ends=True)
    seen: dict[tuple[str, bool], None] = {}
    for size in range(len(data)):
        try:
            reply = reply_of(where, Body(data[:size], ""))
        except ModelFailed:
            assert not seen
        else:
            seen[(reply.text, reply.cut)] = None
    assert list(seen) == [("ready t", True), ("ready to go", True), ("ready to go", False)]


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("stream", ("ready to go", 100, 10, False)), ("ended", ("ready to go", None, None, True))],
)
def test_a_stream_that_nobody_asked_for_is_read(
    memex: Memex, server: ChatServer, behaviour: str, expected: tuple[str, int, int, bool]
) -> None:
    server.says = ["ready to go"]
    server.behave(behaviour)
    assert at(memex, server).ask("s", "q") == expected


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [("dropped", "broke off in its answer (the connection ended)"), ("torn", "no usable")],
)
def test_what_came_of_a_broken_answer_is_kept(
    memex: Memex, server: ChatServer, behaviour: str, says: str
) -> None:
    server.says = ["my key is k-123"]
    server.finish = None
    server.behave(behaviour)
    with pytest.raises(ModelFailed) as raised:
        at(memex, server)._replace(api_key="c1").ask("s", "q")
    assert says in raised.value.message
    assert raised.value.raw.startswith('{"id": "(the key)", "object": "chat.completion"')


def test_letters_that_are_none_are_read_as_well_as_can_be(memex: Memex, server: ChatServer) -> None:
    server.says = ["ready \x00\ud800 é"]
    assert at(memex, server).ask("s", "q").text == "ready \x00\ud800 é"


def test_an_answer_longer_than_any_is_cut_off(
    memex: Memex, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "LARGEST", 1000)
    server.says = ["x" * 5000]
    with pytest.raises(ModelFailed, match=r"broke off .* \(it is longer than 1,000 bytes") as raised:
        at(memex, server).ask("s", "q")
    assert len(raised.value.raw) == 1000


def test_nobody_there_and_nobody_in_time(memex: Memex, server: ChatServer) -> None:
    with pytest.raises(ModelFailed) as raised:
        at(memex, server)._replace(api_base=dead_base()).ask("s", "q")
    assert raised.value.code == "endpoint-down"
    server.behave("slow")
    with pytest.raises(ModelFailed) as raised:
        at(memex, server)._replace(timeout=1).ask("s", "q")
    assert raised.value.code == "endpoint-slow"


def test_every_variable_of_the_environment_is_named(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (table, field) in ENVIRONMENT.items():
        if table == "consolidation" and field in ("provider", "model", "api_key"):
            monkeypatch.setenv(name, "ollama" if field == "provider" else "v")
    memex.store.forget_config()
    origins = Model.of(memex.store.config).origins
    assert [origins[field].split()[0] for field in ("provider", "model", "api_key")] == ["env"] * 3


def test_openai_is_told_of_the_limit_in_its_own_word_and_gets_its_key(
    memex: Memex, server: ChatServer
) -> None:
    chosen = model(
        memex, f'[llm]\nprovider = "openai"\nmodel = "x"\napi_base = "{server.base}"\napi_key = "k"\n'
    )
    chosen.ask("system", "question")
    assert server.requests[0]["max_completion_tokens"] == 4096 and "max_tokens" not in server.requests[0]
    assert server.keys == ["Bearer k"]
