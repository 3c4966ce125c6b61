"""Agents' own commands as models: real executables that answer, fail, hang and look around."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.learn.agent_cli import AGENTS, AgentFailed, Said, ask, installed
from memex_core.learn.prompt import SYSTEM
from memex_core.model.exclusion import why_excluded
from memex_core.model.prompts import own_prompt
from tests.learn.conftest import Talk, note, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts with a first line that names Python")

Agent = Callable[..., Path]


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """Put an executable called like an agent's command on the path. What it saw is in ``seen.json`` beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, body: str) -> Path:
        path = folder / name
        path.write_text(
            f"#!{sys.executable}\n"
            "import json, os, sys\n"
            "prompt = sys.stdin.read()\n"
            "seen = {'args': sys.argv[1:], 'prompt': prompt, 'cwd': os.listdir('.'),\n"
            "        'internal': os.environ.get('MEMEX_INTERNAL')}\n"
            f"open({str(folder / 'seen.json')!r}, 'w').write(json.dumps(seen))\n"
            f"{body}\n"
        )
        path.chmod(0o755)
        return folder / "seen.json"

    return make


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("claude", ["-p", "--output-format", "json", "--model", "m1"]),
        (
            "codex",
            ["exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", "--model", "m1", "-"],
        ),
        ("pi", ["-p", "--no-session", "--no-tools", "--model", "m1"]),
    ],
)
def test_each_is_asked_in_print_mode_in_an_empty_folder_and_marked(
    agent: Agent, name: str, words: list[str]
) -> None:
    seen = agent(name, "print('[]')")
    assert installed(name)
    assert ask(name, "m1", "<memex-task>\nhéllo 世界", 60) == Said("[]")
    found = read(seen)
    assert (found["args"], found["cwd"], found["internal"]) == (words, [], "1")
    assert found["prompt"] == "<memex-task>\nhéllo 世界"
    assert "--model" not in AGENTS[name]("")


def test_the_envelope_of_claude_is_opened(agent: Agent) -> None:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 3}
    envelope = {"type": "result", "is_error": False, "result": "[1]", "usage": usage}
    agent("claude", f"print({json.dumps(envelope)!r})")
    assert ask("claude", "", "x", 60) == Said("[1]", 12, 3)
    agent("claude", f"print({json.dumps({'type': 'result', 'result': '[]'})!r})")
    assert ask("claude", "", "x", 60) == Said("[]", None, None)
    agent("claude", f"print({json.dumps({**envelope, 'is_error': True})!r})")
    with pytest.raises(AgentFailed) as raised:
        ask("claude", "", "x", 60)
    assert raised.value.code == "agent-failed"


def test_a_command_that_fails_tells_only_that(agent: Agent) -> None:
    agent("pi", "print('half'); print('secret detail', file=sys.stderr); sys.exit(3)")
    with pytest.raises(AgentFailed, match="pi ended with code 3") as raised:
        ask("pi", "", "x", 60)
    assert (raised.value.code, raised.value.raw) == ("agent-failed", "half")
    assert "secret" not in str(raised.value)


def test_a_command_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not installed("codex")
    with pytest.raises(AgentFailed) as raised:
        ask("codex", "", "x", 60)
    assert raised.value.code == "agent-missing"


def test_a_command_that_hangs_is_ended_with_what_it_started(agent: Agent, tmp_path: Path) -> None:
    """The child's child holds a pipe open: it is closed only when both are gone."""
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    child = tmp_path / "child.py"
    child.write_text(f"import time\nfile = open({str(pipe)!r}, 'w')\ntime.sleep(600)\n")
    body = f"import subprocess, time\nsubprocess.Popen([sys.executable, {str(child)!r}])\ntime.sleep(600)"
    agent("pi", body)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(AgentFailed, match="did not answer within") as raised:
            ask("pi", "", "x", 1)
        assert raised.value.code == "endpoint-slow"
        os.set_blocking(reader, True)
        while os.read(reader, 100):  # until nobody holds the other end
            pass
    finally:
        os.close(reader)


def test_consolidation_by_an_agent(memex: Memex, talk: Talk, agent: Agent) -> None:
    talk("sess-1", "For this project I prefer ruff over flake8 and always will.")
    answer = json.dumps({"type": "result", "result": said(note())})
    seen = agent("claude", f"print({answer!r})")
    memex.models_set("claude")
    report = memex.consolidate()
    assert [row["slug"] for row in report["nodes_created"]] == ["ruff-for-linting"]
    assert (report["model"], report["llm_prompt_tokens"]) == ("claude/its own", None)
    assert own_prompt(read(seen)["prompt"])


def test_an_agent_that_has_memex_consolidate_gets_nowhere(memex: Memex, talk: Talk, agent: Agent) -> None:
    """No call leads to another one, and no hook of such a call does anything."""
    talk("sess-1", "For this project I prefer ruff over flake8 and always will.")
    command = [sys.executable, "-m", "memex_core.cli", "--root", memex.root, "--json"]
    body = (
        "import subprocess\n"
        f"again = subprocess.run({command!r} + ['consolidate'], capture_output=True, text=True)\n"
        f"hook = subprocess.run({command!r} + ['hook', 'prompt'], input='{{\"prompt\": \"which linter?\"}}',\n"
        "                      capture_output=True, text=True)\n"
        "print('again', again.returncode, 'hook', hook.stdout)"
    )
    agent("codex", body)
    memex.models_set("codex")
    report = memex.consolidate()
    assert report["failed"][0]["code"] == "unreadable-answer"
    assert memex.jobs_show("sess-1#1")["raw"].startswith("again 1 hook")


def test_a_conversation_of_our_own_is_never_taken_in() -> None:
    turns = [{"role": "user", "content": f"{SYSTEM}\n\nTHE CONVERSATION"}, {"role": "agent", "content": "[]"}]
    assert why_excluded(turns) == "memex's own"


def test_an_agent_that_is_not_installed_holds_and_does_not_fail(
    memex: Memex, talk: Talk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    talk("sess-1", "I prefer tea.")
    memex.models_set("pi")
    monkeypatch.setenv("PATH", str(tmp_path))
    report = memex.consolidate()
    assert (report["held"]["code"], report["failed"]) == ("agent-missing", [])
    assert memex.jobs_list()["counts"]["held"] == 1
