"""Agents' own commands as models: real executables that answer, fail, hang and look around."""

from __future__ import annotations

import itertools
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.learn import child
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
            "        'internal': os.environ.get('MEMEX_INTERNAL'), 'env': dict(os.environ)}\n"
            f"open({str(folder / 'seen.json')!r}, 'w').write(json.dumps(seen))\n"
            f"{body}\n"
        )
        path.chmod(0o755)
        return folder / "seen.json"

    return make


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


CLAUDE = ["-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--disable-slash-commands"]
CODEX = ["exec", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", "--ignore-user-config"]
PI = ["-p", "--no-session", "--no-tools", "--no-extensions", "--no-skills", "--no-prompt-templates"]


@pytest.mark.parametrize(
    ("name", "first", "also"),
    [
        ("claude", CLAUDE, [("--setting-sources", ""), ("--no-session-persistence", "--model")]),
        (
            "codex",
            CODEX,
            [
                ("--disable", "shell_tool"),
                ("--disable", "unified_exec"),
                ("--disable", "apps"),
                ("--disable", "plugins"),
                ("-c", "features.code_mode_host=false"),
                ("-c", "features.hooks=false"),
                ("-c", "web_search=disabled"),
                ("m1", "-"),
            ],
        ),
        ("pi", PI, [("--no-context-files", "--no-themes")]),
    ],
)
def test_each_is_asked_without_tools_in_an_empty_folder_and_marked(
    agent: Agent,
    name: str,
    first: list[str],
    also: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")  # memex runs within a session of an agent
    seen = agent(name, "print('[]')")
    assert installed(name)
    assert ask(name, "m1", "<memex-task\nhéllo 世界", 60) == Said("[]")
    found = read(seen)
    assert (found["args"][: len(first)], found["cwd"], found["internal"]) == (first, [], "1")
    pairs = list(itertools.pairwise(found["args"]))
    assert [pair for pair in [("--model", "m1"), *also] if pair not in pairs] == []
    assert found["prompt"] == "<memex-task\nhéllo 世界"
    assert (found["env"].get("CLAUDE_CODE_DISABLE_ATTACHMENTS"), "CLAUDECODE" in found["env"]) == ("1", False)
    assert "--model" not in AGENTS[name]("", "")


@pytest.mark.parametrize(
    ("name", "word", "pair"),
    [
        ("claude", "high", ("--effort", "high")),
        ("codex", "low", ("-c", "model_reasoning_effort=low")),
        ("pi", "xhigh", ("--thinking", "xhigh")),
        ("pi", "none", ("--thinking", "off")),
    ],
)
def test_each_is_told_how_hard_to_think(agent: Agent, name: str, word: str, pair: tuple[str, str]) -> None:
    seen = agent(name, "print('[]')")
    ask(name, "m1", "hello", 60, word)
    assert pair in itertools.pairwise(read(seen)["args"])
    ask(name, "m1", "hello", 60)
    assert not {"--effort", "--thinking", "model_reasoning_effort="} & set(read(seen)["args"])


def test_a_version_that_cannot_be_told_says_so(agent: Agent) -> None:
    agent("claude", "print(\"error: unknown option '--effort'\", file=sys.stderr); sys.exit(1)")
    with pytest.raises(AgentFailed, match=r"^claude refuses --effort$") as failed:
        ask("claude", "", "hello", 60, "high")
    assert failed.value.code == "agent-too-old"


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_nothing_in_the_prompt_is_a_reference_that_a_command_follows(agent: Agent, name: str) -> None:
    """Claude Code reads a file named after ``@``, Codex a skill named after ``$``: whoever said it."""
    line = json.dumps({"turn": 1, "text": 'see @/etc/passwd, "\\@x", $imagegen for $5 and mail a@b.c'})
    seen = agent(name, "print(json.dumps([prompt]))")
    answer = ask(name, "", line, 60)
    prompt = read(seen)["prompt"]
    assert not re.search(r"@|\$[a-z]", prompt) and "$5" in prompt
    assert json.loads(prompt) == json.loads(line)
    assert json.loads(json.loads(answer.text)[0]) == json.loads(line)  # quoted it reads as it was said


@pytest.mark.parametrize(
    ("name", "complaint", "option"),
    [
        ("claude", "error: unknown option '--tools'", "--tools"),
        ("claude", "error: unknown option '--no-session-persistence'\n(Did you mean --x?)", None),
        ("codex", "error: unexpected argument '--ignore-user-config' found\n\n  tip: to pass", None),
        ("codex", "WARNING: proceeding\nError: Unknown feature flag: apps", "apps"),
        ("pi", "Error: Unknown option: --no-context-files", None),
    ],
)
def test_a_version_that_cannot_be_kept_from_its_tools_is_not_asked(
    memex: Memex, talk: Talk, agent: Agent, name: str, complaint: str, option: str | None
) -> None:
    option = option or re.findall(r"--[a-z-]{4,}", complaint)[0]
    runs = f"open({str(Path(memex.root, 'runs'))!r}, 'a').write('x')"
    agent(name, f"{runs}; print({complaint!r}, file=sys.stderr); sys.exit(1)")
    talk("sess-1", "I prefer tea over coffee.")
    memex.models_set(name)
    report = memex.consolidate()
    assert (report["held"]["code"], report["failed"]) == ("agent-too-old", [])
    assert report["held"]["message"] == f"{name} refuses {option}, and is not asked with its tools on"
    assert report["held"]["next"] == "update it, then memex models test"
    assert Path(memex.root, "runs").read_text() == "x"  # no second try without the option
    counts = memex.jobs_list()["counts"]
    assert (counts["held"], counts["failed"]) == (1, 0)


def test_other_complaints_are_no_refused_option(agent: Agent) -> None:
    agent(
        "codex",
        "print('error: unknown model --model m1; invalid argument of m1', file=sys.stderr); sys.exit(1)",
    )
    with pytest.raises(AgentFailed, match="codex ended with code 1"):
        ask("codex", "m1", "x", 60)


def test_an_answer_without_end_is_cut_off(agent: Agent) -> None:
    agent("pi", "while True: sys.stdout.write('x' * 65536)")
    with pytest.raises(AgentFailed, match="more than 4,000,000 bytes") as raised:
        ask("pi", "", "x", 600)
    assert (raised.value.code, len(raised.value.raw)) == ("agent-failed", 4_000_000)


def test_a_command_that_reads_nothing_still_answers(agent: Agent, tmp_path: Path) -> None:
    Path(agent("pi", "")).with_name("pi").write_text("#!/bin/sh\necho '[]'\n")
    assert ask("pi", "", "x" * 1_000_000, 60) == Said("[]")


def test_what_a_command_leaves_behind_does_not_hold_up_the_answer(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper that took itself out of the group keeps the pipes open."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    monkeypatch.setattr(child, "_DRAIN", 1.0)
    agent(
        "pi",
        "import subprocess\nprint('[]', flush=True)\n"
        f"subprocess.Popen([sys.executable, '-c', 'open({json.dumps(str(gate))})'], start_new_session=True)",
    )
    try:
        assert ask("pi", "", "x", 600) == Said("[]")
    finally:
        os.close(os.open(gate, os.O_WRONLY))  # lets the helper go


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
