"""The model that consolidates: shown, chosen, tested, given up; the rest of ``memex.toml`` stays as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, Refused
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose

FILE = """\
# my settings
[llm]  # for all
provider = "ollama"   # on this machine
model    = 'qwen3'

[consolidation]
# not automatic
auto = false
"""


def config(memex: Memex) -> Path:
    return Path(memex.root, "memex.toml")


def told(shown: dict[str, Any]) -> dict[str, tuple[Any, str]]:
    return {row["name"]: (row["value"], row["origin"]) for row in shown["settings"]}


def test_every_value_says_where_it_is_from(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    config(memex).write_text(FILE)
    monkeypatch.setenv("MEMEX_CONSOLIDATE_MODEL", "small")
    monkeypatch.setenv("MEMEX_API_KEY", "sekret")
    shown = memex.models_show()
    assert (shown["name"], shown["ready"], shown["held"]) == ("ollama/small", True, None)
    assert told(shown) == {
        "provider": ("ollama", "file [llm]"),
        "model": ("small", "env MEMEX_CONSOLIDATE_MODEL"),
        "api_base": ("http://localhost:11434/v1", "default of the provider"),
        "api_key": ("(set)", "env MEMEX_API_KEY"),
        "reasoning": ("", "default"),
        "timeout": (60, "default"),
        "max_tokens": (4096, "default"),
    }
    assert "sekret" not in str(shown)


def test_choosing_changes_these_lines_and_no_others(memex: Memex) -> None:
    config(memex).write_text(FILE)
    done = memex.models_set("openrouter", model="meta/llama:free", api_key="sekret", timeout=90)
    assert (done["changed"], done["name"], done["changes"]["api_key"]) == (
        True,
        "openrouter/meta/llama:free",
        "(set)",
    )
    text = config(memex).read_text()
    assert text.startswith(FILE.removesuffix("auto = false\n"))
    assert 'provider = "openrouter"' in text and "timeout = 90" in text and "auto = false" in text
    assert memex.models_set("openrouter")["changed"] is False
    back = memex.models_reset()
    assert (back["changed"], back["name"]) == (True, "ollama/qwen3")
    assert config(memex).read_text() == FILE


def test_a_dry_run_and_a_variable_that_wins(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    config(memex).write_text(FILE)
    tried = memex.models_set("openai", model="x", dry_run=True)
    assert (tried["changed"], config(memex).read_text()) == (False, FILE)
    monkeypatch.setenv("MEMEX_LLM_MODEL", "other")
    done = memex.models_set(model="mine", table="llm")
    assert "MEMEX_LLM_MODEL is set and wins" in done["warnings"][-1]


def test_an_empty_text_takes_a_setting_out(memex: Memex) -> None:
    config(memex).write_text(FILE)
    memex.models_set(model="small")
    memex.models_set(model="")
    assert config(memex).read_text() == FILE


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"provider": "acme"},
        {"model": "a model"},
        {"model": "x" * 257},
        {"api_base": "localhost"},
        {"timeout": 0},
        {"reasoning": "very"},
        {"max_tokens": 0},
        {"provider": "ollama", "table": "embed"},
    ],
)
def test_what_no_endpoint_could_take_is_refused(memex: Memex, values: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        memex.models_set(**values)
    assert not config(memex).exists() or "acme" not in config(memex).read_text()


def test_reasoning_belongs_to_the_model_beside_it(memex: Memex) -> None:
    config(memex).write_text(FILE)
    memex.models_set(reasoning="high", table="llm")
    assert told(memex.models_show())["reasoning"] == ("high", "file [llm]")
    memex.models_set(model="small")
    assert told(memex.models_show())["reasoning"] == ("", "default")
    memex.models_set(reasoning="low")
    assert told(memex.models_show())["reasoning"] == ("low", "file [consolidation]")


def test_an_endpoint_is_told_how_hard_to_think(memex: Memex, server: ChatServer) -> None:
    choose(memex, server)
    server.says = ["ready", "ready"]
    assert memex.models_test()["ok"]
    memex.models_set(reasoning="minimal")
    assert memex.models_test()["ok"]
    assert [one.get("reasoning_effort") for one in server.requests] == [None, "minimal"]


def test_a_test_makes_exactly_one_call(memex: Memex, server: ChatServer) -> None:
    choose(memex, server)
    server.says = ["ready"]
    done = memex.models_test()
    assert (done["ok"], done["answer"], done["llm_prompt_tokens"], done["code"]) == (True, "ready", 100, "")
    assert len(server.requests) == 1
    assert memex.jobs_list()["calls"]["day"] == 1


@pytest.mark.parametrize(
    ("behaviour", "code", "calls"),
    [
        ("refused", "key-refused", 0),
        ("unknown", "model-unknown", 0),
        ("error", "endpoint-failed", 1),
        ("bare", "endpoint-failed", 1),
    ],
)
def test_a_test_that_fails_says_why_after_one_call(
    memex: Memex, server: ChatServer, behaviour: str, code: str, calls: int
) -> None:
    choose(memex, server)
    server.behave(behaviour)
    done = memex.models_test()
    assert (done["ok"], done["code"], len(server.requests)) == (False, code, 1)
    assert done["cause"] and done["next"] and done["llm_prompt_tokens"] is None
    assert memex.jobs_list()["calls"]["day"] == calls


def test_an_empty_answer_is_no_answer(memex: Memex, server: ChatServer) -> None:
    choose(memex, server)
    server.says = [" "]
    assert (memex.models_test()["ok"], memex.models_test()["code"]) == (False, "empty-answer")


def test_a_test_is_a_call_of_the_day(memex: Memex, talk: Talk, server: ChatServer) -> None:
    choose(memex, server, max_calls_per_day=2)
    assert memex.models_test()["ok"] is True
    assert memex.models_test()["ok"] is True
    refused = memex.models_test()
    assert (refused["ok"], refused["code"]) == (False, "day-cap")
    assert refused["next"] == "wait, or raise [consolidation] max_calls_per_day"
    talk("sess-1", "I prefer tea.")
    assert memex.consolidate()["waiting"]["code"] == "day-cap"
    assert (len(server.requests), memex.jobs_list()["calls"]["day"]) == (2, 2)


def test_a_call_that_another_process_took_is_not_made(
    memex: Memex, talk: Talk, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the count and the call, the last one was used up."""
    from memex_core.actions.learning.consolidating import _Run

    talk("sess-1", "I prefer tea.")
    choose(memex, server, max_calls_per_day=1)
    may_call = _Run._may_call

    def late(run: _Run) -> bool:
        may = may_call(run)
        assert memex.models_test()["ok"] is True
        return may

    monkeypatch.setattr(_Run, "_may_call", late)
    report = memex.consolidate()
    assert (report["waiting"]["code"], report["failed"], len(server.requests)) == ("day-cap", [], 1)
    (job,) = memex.jobs_list()["jobs"]
    assert (job["state"], job["attempts"]) == ("pending", 0)


def test_without_a_model_nothing_is_called(memex: Memex) -> None:
    done = memex.models_test()
    assert (done["ok"], done["code"], memex.jobs_list()["calls"]["day"]) == (False, "no-model", 0)


def test_an_answer_ends_what_a_refusal_held(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", "I prefer tea over coffee.")
    choose(memex, server)
    server.behave("refused")
    memex.consolidate()
    assert memex.models_show()["held"]["code"] == "key-refused"
    server.behave("well")
    server.says = ["ready"]
    assert memex.models_test()["released"] is True
    assert memex.models_show()["ready"] is True
    assert memex.jobs_list()["counts"]["pending"] == 1


def test_no_test_from_within_a_model(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMEX_INTERNAL", "1")
    with pytest.raises(Refused):
        memex.models_test()
