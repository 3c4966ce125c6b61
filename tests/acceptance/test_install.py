"""Acceptance: a prepared home with other people's entries is, after install, install and uninstall, the
same to the byte, whichever the agent."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.harness.setup.command import recognised, recognised_line

OTHERS: dict[str, dict[str, bytes]] = {
    "claude": {
        ".claude/settings.json": b"""{
    // my own
    "model": "opus",
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say 'done'"}]}, // loud
        ],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}]
    },
    "env": {"KEY": "v\\u00fc"}, /* last */
}""",
        ".claude.json": b'{\r\n\t"numStartups": 12,\r\n\t"mcpServers": {\r\n\t\t"files": {"command": "npx", '
        b'"args": ["-y", "x"]}\r\n\t},\r\n\t"projects": {}\r\n}\r\n',
    },
    "codex": {
        ".codex/config.toml": b"""# Codex
model = "o5"   # the big one

[mcp_servers.files]
command = "npx"
args = [
  "-y", # yes
  "files",
]

[projects."/srv/shop"]
trust_level = "trusted\"""",
        ".codex/hooks.json": b'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say hi"}]}]}}',
    },
    "gemini": {
        ".gemini/settings.json": b'\xef\xbb\xbf{\n\t"mcpServers": {},\n\t"hooks": {"BeforeAgent": [ ]}\n}\n',
    },
    "pi": {
        ".pi/agent/settings.json": b'{"packages": []}',
        ".pi/agent/extensions/mine.ts": b"export default function (pi) {}\n",
    },
    "copilot": {
        "project/.github/copilot-instructions.md": b"# Rules\r\n\r\nUse tabs.",
        "project/.vscode/mcp.json": b'{\n  "inputs": [],\n  "servers": {\n    "x": { "command": "y" }\n  }\n}\n',
    },
}
AGENTS = tuple(OTHERS)


def tree(folder: Path) -> dict[str, tuple[int, str]]:
    """Every folder and file below: mode, and SHA-256 or where a link leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            content = f"-> {os.readlink(path)}"
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        found[str(path.relative_to(folder))] = (mode, content)
    return found


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """A home with settings for every agent, all of them of other people."""
    home = tmp_path / "home of ü"
    for files in OTHERS.values():
        for name, data in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    (home / ".claude.json").chmod(0o600)
    (home / ".codex/config.toml").chmod(0o640)
    return home


Run = Callable[..., Any]


@pytest.fixture
def run(cli: Any, person: Path) -> Run:
    def run(verb: str, agent: str, *words: str) -> Any:
        project = ("--project", str(person / "project")) if agent == "copilot" else ()
        return cli(verb, agent, "--home", str(person), *project, *words, "--json", check=True).json

    return run


@pytest.mark.parametrize("agent", AGENTS)
def test_install_twice_and_uninstall_leaves_no_trace(agent: str, run: Run, person: Path) -> None:
    before = tree(person)
    dry = run("install", agent, "--dry-run")
    assert tree(person) == before
    assert all(one["diff"].startswith("--- ") for one in dry["files"])
    first = run("install", agent)
    assert [one["change"] for one in dry["files"]] == [one["change"] for one in first["files"]]
    once = tree(person)
    for name in OTHERS[agent]:
        if agent != "pi":
            assert once[name][1] != before[name][1]
            assert once[name][0] == before[name][0]
            assert once[f"{name}.memex-bak"] == before[name]
    second = run("install", agent)
    assert [one["change"] for one in second["files"]] == ["unchanged"] * len(second["files"])
    assert tree(person) == once

    removed = run("uninstall", agent)
    assert not removed["notes"]
    assert tree(person) == before
    assert [one["change"] for one in run("uninstall", agent)["files"]] == ["unchanged"] * len(second["files"])
    assert tree(person) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_in_an_empty_home_everything_goes_again(agent: str, cli: Any, tmp_path: Path) -> None:
    home = tmp_path / "new"
    (home / ".codex").mkdir(parents=True)  # an agent that was started once, without settings
    (home / "project" / ".github").mkdir(parents=True)
    before = tree(home)
    where = ("--home", str(home), *(("--project", str(home / "project")) if agent == "copilot" else ()))
    for _ in range(2):
        cli("install", agent, *where, check=True)
    assert len(tree(home)) > len(before)
    cli("uninstall", agent, *where, check=True)
    assert tree(home) == before


def test_all_agents_at_once_and_in_any_order(run: Run, person: Path) -> None:
    before = tree(person)
    for agent in AGENTS:
        run("install", agent)
    for agent in ("pi", "claude", "copilot", "gemini", "codex"):
        run("uninstall", agent)
    assert tree(person) == before


def test_each_agent_is_told_what_it_needs(run: Run, person: Path, root: Path) -> None:
    for agent in AGENTS:
        run("install", agent)
    claude = json.loads((person / ".claude.json").read_bytes())["mcpServers"]["memex"]
    assert claude["type"] == "stdio"
    copilot = json.loads((person / "project/.vscode/mcp.json").read_bytes())["servers"]["memex"]
    gemini = json.loads((person / ".gemini/settings.json").read_text("utf-8-sig"))
    codex = tomllib.loads((person / ".codex/config.toml").read_text())
    servers = [claude, copilot, gemini["mcpServers"]["memex"], codex["mcp_servers"]["memex"]]
    for server in servers:
        call = recognised([server["command"], *server["args"]])
        assert call is not None and (call.verb, call.root) == ("serve-mcp", str(root))
        assert os.path.isabs(server["command"]) and os.access(server["command"], os.X_OK)
    assert codex["notify"][1:5] == ["hook", "transcript", "--agent", "codex"]
    lines = {
        "codex": json.loads((person / ".codex/hooks.json").read_bytes())["hooks"],
        "gemini": gemini["hooks"],
    }
    wanted = {
        "codex": {
            "SessionStart": ("session-start", 10),
            "UserPromptSubmit": ("prompt", 10),
            "Stop": ("transcript", 10),
            "PreCompact": ("pre-compact", 10),
            "PostCompact": ("post-compact", 10),
            "SessionEnd": ("session-end", 3),
        },
        "gemini": {
            "SessionStart": ("session-start", 10_000),
            "BeforeAgent": ("prompt", 10_000),
            "AfterAgent": ("transcript", 10_000),
            "PreCompress": ("pre-compact", 10_000),
            "SessionEnd": ("session-end", 10_000),
        },
    }
    for agent, events in wanted.items():
        for event, (verb, timeout) in events.items():
            handler = lines[agent][event][-1]["hooks"][0]
            call = recognised_line(handler["command"])
            assert call is not None
            assert (call.verb, call.agent, call.root) == (verb, agent, str(root))
            assert handler["timeout"] == timeout


def test_what_is_installed_really_answers(run: Run, person: Path, cli: Any, root: Path) -> None:
    """The very command that stands in the settings, as the agent's shell starts it."""
    import subprocess

    cli("init", str(root), check=True)
    run("install", "gemini")
    said = json.loads((person / ".gemini/settings.json").read_text("utf-8-sig"))
    server = said["mcpServers"]["memex"]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [server["command"], *server["args"]],
        input=json.dumps(hello) + "\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert json.loads(done.stdout.split("\n")[0])["result"]["serverInfo"]["name"] == "memex"
    payload = {"session_id": "s1", "hook_event_name": "BeforeAgent", "prompt": "why rye?", "cwd": str(root)}
    for event in ("BeforeAgent", "SessionStart", "PreCompress"):
        (handler,) = said["hooks"][event][-1]["hooks"]
        done = subprocess.run(
            ["sh", "-c", handler["command"]],
            input=json.dumps({**payload, "hook_event_name": event}),
            capture_output=True,
            text=True,
            env={**os.environ, "MEMEX_STRICT": "1"},
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
