"""Which agents are here, and what of memex each of them has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.actions.agents.installing import install
from memex_core.harness.hook_input import EVENTS
from memex_core.harness.setup.agents import AGENTS, Installed, agents


def look(home: Path, project: Path | None = None) -> dict[str, Installed]:
    return {one.agent: one for one in agents(str(home), {}, str(project) if project else None)}


def test_an_empty_home_has_none(home: Path) -> None:
    found = look(home, home)
    assert list(found) == list(AGENTS)
    assert not any(one.found or one.installed or one.problem or one.complete for one in found.values())
    assert list(look(home)) == [name for name in AGENTS if name != "copilot"]


def test_each_tells_what_it_has(home: Path) -> None:
    (home / ".gemini").mkdir()
    for agent in ("claude", "codex", "pi"):
        install(agent, home=str(home))
    install("copilot", home=str(home), project=str(home))
    found = look(home, home)
    assert all(found[name].complete and not found[name].problem for name in AGENTS if name != "gemini")
    assert found["gemini"].found and not found["gemini"].installed
    assert found["claude"].hooks == ("session-start", "prompt", "transcript", "pre-compact", "session-end")
    assert found["codex"].hooks == found["pi"].hooks == EVENTS
    assert found["copilot"].entries == ("instructions", "MCP server memex")
    assert {name for name, one in found.items() if one.mcp} == {"claude", "codex", "copilot"}
    assert "notify" in found["codex"].entries
    assert found["claude"].config == (str(home / ".claude/settings.json"), str(home / ".claude.json"))


def test_half_an_installation_is_told_as_such(home: Path) -> None:
    install("claude", home=str(home))
    (home / ".claude.json").unlink()
    one = look(home)["claude"]
    assert one.installed and not one.complete and not one.mcp


def test_what_codex_runs_instead_of_notify_is_no_lack(home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text('notify = ["say"]\n')
    install("codex", home=str(home))
    assert look(home)["codex"].complete


def test_settings_that_cannot_be_read_are_a_problem_not_a_failure(home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{\n"a" 1}')
    (home / ".gemini").symlink_to("/")
    found = look(home)
    assert "settings.json is not JSON: line 2" in found["claude"].problem
    assert "outside the home" in found["gemini"].problem
    assert not found["claude"].complete


def test_a_program_that_is_gone_is_a_problem(home: Path) -> None:
    install("claude", home=str(home))
    path = home / ".claude.json"
    command = look(home)["claude"]
    assert not command.problem
    path.write_text(path.read_text().replace('"command": "', '"command": "/gone'))
    assert look(home)["claude"].problem.startswith("/gone")


def test_looking_writes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install("codex", home=str(home))
    before = sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*"))
    monkeypatch.chdir(home)
    install(home=str(home))
    agents(str(home), os.environ, str(home))
    assert sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*")) == before


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "ada"
    home.mkdir()
    return home
