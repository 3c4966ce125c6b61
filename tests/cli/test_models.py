"""``memex models`` as processes."""

from __future__ import annotations

from pathlib import Path

from tests.chat_server import ChatServer
from tests.cli.conftest import Runner
from tests.cli.test_consolidate import filled, server, settings  # noqa: F401 - fixtures


def test_a_model_is_chosen_shown_and_given_up(filled: Path, memex: Runner) -> None:  # noqa: F811
    (filled / "memex.toml").write_text("# mine\n[llm]\ntimeout = 70\n")
    done = memex("models", "set", "ollama", "--model", "qwen3", "--text")
    assert done.code == 0 and "Wrote provider, model in [consolidation]" in done.text
    shown = memex("models", "show").json
    assert (shown["name"], shown["ready"]) == ("ollama/qwen3", True)
    text = memex("models", "show", "--text").text
    assert "timeout    70  file [llm]" in text and "model      qwen3  file [consolidation]" in text
    names = "provider, model, api_base, api_key, reasoning, timeout, max_tokens"
    tried = memex("models", "reset", "--dry-run", "--text")
    assert tried.text.startswith(f"Would take {names}")
    done = memex("models", "reset", "--text")
    assert done.code == 0
    assert " ".join(done.text.split()).startswith(f"Took {names} out of [consolidation]")
    assert (filled / "memex.toml").read_text() == "# mine\n[llm]\ntimeout = 70\n\n[consolidation]\n"


def test_a_key_comes_from_standard_input(filled: Path, memex: Runner) -> None:  # noqa: F811
    done = memex("models", "set", "openai", "--model", "x", "--api-key", "-", stdin=b"sekret\n")
    assert done.code == 0 and "sekret" not in done.text
    assert 'api_key = "sekret"' in (filled / "memex.toml").read_text()


def test_the_exit_code_of_a_test(filled: Path, memex: Runner, server: ChatServer) -> None:  # noqa: F811
    server.says = ["ready"]
    done = memex("models", "test", "--text")
    assert done.code == 0 and done.text.startswith("custom/toy answers: ready")
    server.behave("unknown")
    done = memex("models", "test", "--text")
    assert done.code == 1
    assert "does not know the model toy  model-unknown" in done.text
    assert "next: memex models set --model NAME" in done.text
    assert len(server.requests) == 2
    for behaviour, step in (("error", "memex models show"), ("refused", "memex models set --api-key -")):
        server.behave(behaviour)
        done = memex("models", "test", "--text")
        assert (done.code, done.text.splitlines()[1].strip()) == (1, f"next: {step}")
    server.behave("well")
    server.says = [""]
    done = memex("models", "test")
    assert (done.code, done.json["code"], done.json["next"]) == (1, "empty-answer", "memex models show")


def test_wrong_usage_exits_2(filled: Path, memex: Runner) -> None:  # noqa: F811
    assert memex("models", "set").code == 2
    assert memex("models", "set", "acme").code == 2
    assert memex("models", "set", "--timeout", "soon").code == 2
