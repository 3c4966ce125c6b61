"""``memex install`` and ``uninstall`` as a person meets them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_without_a_name_it_lists_and_asks_nothing(bare: Runner, home: Path) -> None:
    (home / ".codex").mkdir()
    done = bare("install")
    assert done.code == 0
    found = {one["agent"]: one for one in done.json["agents"]}
    assert list(found) == ["claude", "codex", "pi", "copilot", "gemini"]
    assert (found["codex"]["found"], found["claude"]["found"]) == (True, False)
    assert not any(one["installed"] for one in found.values())
    assert files(home) == []
    text = bare("install", "--text").text
    assert "not installed" in text and "not here" in text


def test_dry_run_prints_a_diff_and_writes_nothing(bare: Runner, home: Path) -> None:
    (home / ".claude").mkdir()
    settings = home / ".claude" / "settings.json"
    settings.write_text('{\n  "model": "opus"\n}\n')
    done = bare("install", "claude", "--dry-run", "--text")
    assert done.code == 0, done.err
    assert f'--- {settings}\n+++ {settings}\n@@ -1,3 +1,60 @@\n {{\n-  "model": "opus"\n' in done.text
    assert "--- /dev/null" in done.text and '+    "memex": {' in done.text
    assert files(home) == [".claude/settings.json"]
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'


def test_a_diff_shows_nobodys_keys(bare: Runner, home: Path) -> None:
    key = "sk-ant-api03-" + "Ab1" * 31 + "AA"
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"x": {"env": {"API_KEY": key}}}}, indent=1))
    done = bare("install", "claude", "--dry-run")
    assert key not in done.text
    assert "[REDACTED:" in done.json["files"][1]["diff"]
    assert done.json["files"][1]["diff"].count("\\ No newline at end of file\n") == 1
    assert bare("install", "claude").code == 0
    assert key in (home / ".claude.json").read_text()


def test_the_summary_names_files_backups_and_the_next_step(bare: Runner, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{}")
    text = bare("install", "claude", "--text").text
    assert "~ home/.claude/settings.json  changed" in text
    assert "as it was: home/.claude/settings.json.memex-bak" in text
    assert "+ home/.claude.json  created" in text
    assert "restart Claude Code" in text and "memex uninstall claude removes it" in text
    assert "is installed already" in bare("install", "claude", "--text").text
    assert "removed from Claude Code" in bare("uninstall", "claude", "--text").text
    assert "has nothing to remove" in bare("uninstall", "claude", "--text").text
    assert files(home) == [".claude/settings.json"]


@pytest.mark.parametrize("named", [False, True])
def test_the_memory_is_named_also_when_it_is_the_default(
    bare: Runner, home: Path, root: Path, named: bool
) -> None:
    done = bare(*(("--root", str(root)) if named else ()), "install", "claude")
    assert done.code == 0, done.err
    at = str(root if named else home / ".memex")
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["memex"]
    assert server["args"] == ["serve-mcp", "--root", at]
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    words = shlex.split(hooks["Stop"][0]["hooks"][0]["command"])
    assert words[1:] == ["hook", "transcript", "--agent", "claude", "--root", at]
    assert not Path(at).exists()  # installing makes no store
    hint = f"there is no memory yet: memex init {shlex.quote(at)}"
    assert hint in done.json["next"]
    assert bare("init", at).code == 0
    again = bare(*(("--root", str(root)) if named else ()), "install", "claude")
    assert hint not in again.json["next"]


def test_a_repository_with_a_memory_of_its_own_does_not_take_the_persons_place(
    bare: Runner, home: Path, tmp_path: Path
) -> None:
    """Whoever clones it would be given its pages, and leave what they say in it."""
    assert bare("init", str(home / ".memex")).code == 0
    assert bare("write", "--type", "preference", "--title", "Own habit", "--body", "Ours.").code == 0
    assert bare("install", "claude").code == 0
    hostile = tmp_path / "hostile"
    (hostile / ".memex").mkdir(parents=True)
    (hostile / "habit.md").write_text("---\ntype: preference\ntitle: Habit\n---\nTheirs.\n")
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    done = subprocess.run(
        ["sh", "-c", hooks["SessionStart"][0]["hooks"][0]["command"]],
        input=json.dumps({"session_id": "s1", "source": "startup", "cwd": str(hostile)}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=hostile,
        timeout=120,
    )
    assert "Ours." in done.stdout and "Theirs." not in done.stdout
    assert files(hostile) == ["habit.md"]


def test_what_the_environment_says_holds_without_home_only(bare: Runner, home: Path, tmp_path: Path) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path / "cc"), "CODEX_HOME": str(tmp_path / "cx")}
    other = tmp_path / "other"
    other.mkdir()
    for agent in ("claude", "codex"):
        assert bare("install", agent, env=env).code == 0
        assert bare("install", agent, "--home", str(other), env=env).code == 0
    assert "settings.json" in files(tmp_path / "cc") and ".claude.json" in files(tmp_path / "cc")
    assert "config.toml" in files(tmp_path / "cx")
    assert {".claude.json", ".claude/settings.json", ".codex/config.toml"} <= set(files(other))
    assert files(home) == []


def test_a_project_has_settings_of_its_own(bare: Runner, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "p"
    project.mkdir()
    assert bare("install", "copilot", cwd=project).code == 0
    assert bare("install", "claude", "--project", str(project)).code == 0
    assert bare("install", "codex", "--project", str(project)).code == 0
    assert [name for name in files(project) if not name.endswith(".memex-made")] == [
        ".claude/settings.local.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".github/copilot-instructions.md",
        ".mcp.json",
        ".vscode/mcp.json",
    ]
    assert "notify" not in (project / ".codex/config.toml").read_text()
    for agent in ("claude", "codex", "copilot"):
        assert bare("uninstall", agent, "--project", str(project)).code == 0
    assert list(project.iterdir()) == [] and files(home) == []


def test_custom_prints_what_to_paste_and_makes_the_store(bare: Runner, root: Path) -> None:
    dry = bare("--root", str(root), "install", "custom", "--dry-run").json
    assert not root.exists()
    done = bare("--root", str(root), "install", "custom").json
    assert (root / "docs").is_dir()
    assert done["mcp"] == dry["mcp"]
    assert done["mcp"]["mcpServers"]["memex"]["args"] == ["serve-mcp", "--root", str(root)]
    assert [one["event"] for one in done["hooks"]][:2] == ["session-start", "prompt"]
    assert "hook prompt --agent custom" in bare("install", "custom", "--text", "--dry-run").text
    assert bare("uninstall", "custom").json["files"] == []


def test_codex_is_told_what_is_left_alone(bare: Runner, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('notify = ["say"]\n')
    text = bare("install", "codex", "--text").text
    assert "! Codex runs another notify program, which stays" in text
    assert (home / ".codex" / "config.toml").read_text().startswith('notify = ["say"]\n\n[mcp_servers.memex]')


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("install", "cursor"), 2, "is not one of claude, codex"),
        (("uninstall",), 2, "needs"),
        (("install", "claude", "--home", "/nowhere"), 2, "no folder"),
        (("install", "copilot", "--project", "/nowhere"), 2, "no folder"),
    ],
)
def test_a_mistake_is_one_line(bare: Runner, words: tuple[str, ...], code: int, message: str) -> None:
    done = bare(*words)
    assert (done.code, done.err.count("\n")) == (code, 1)
    assert message in done.err


def test_a_damaged_file_is_named_and_nothing_is_written(bare: Runner, home: Path) -> None:
    (home / ".claude.json").write_text('{\n  "a": 1\n  "b": 2\n}')
    done = bare("install", "claude", "--json")
    assert done.code == 1
    assert f"{home}/.claude.json is not JSON: line 3" in done.err
    assert done.json["error"]["code"] == "damaged"
    assert files(home) == [".claude.json"]
    assert not (home / ".claude").exists()


def test_what_stands_in_settings_is_shown_and_not_obeyed(bare: Runner, home: Path) -> None:
    (home / ".claude.json").write_bytes(b'{\n  "a": 1 // \x1b]52;c;aGk=\x07 \xe2\x80\xae\n}\n')
    done = bare("install", "claude", "--dry-run", "--text")
    assert done.code == 0, done.err
    assert "␛]52;c;aGk=␇" in done.text
    assert not re.search("[\x1b\x07\u202e]", done.text)


def test_on_a_terminal(terminal: Callable[..., tuple[int, str]], home: Path) -> None:
    code, shown = terminal("install", "gemini", NO_COLOR="1")
    assert code == 0
    assert "installed for Gemini CLI" in shown and "restart Gemini CLI" in shown
    code, shown = terminal("install", NO_COLOR="1")
    assert code == 0
    assert "gemini   installed" in shown
    assert all(len(re.sub("\x1b\\[[0-9;]*m", "", line)) <= 80 for line in shown.splitlines())
