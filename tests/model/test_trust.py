"""Who said a turn, and whether it can prove anything."""

from __future__ import annotations

import pytest

from memex_core.model.prompts import MEMORY_HEAD, MEMORY_TAIL
from memex_core.model.trust import PROVING, TRUSTS, settled, trust_of
from memex_core.recall.block import HEAD, TAIL

BLOCK = "\n".join([*HEAD, "1. Ruff (preference)", "   | Use ruff.", TAIL])


def test_who_speaks_decides() -> None:
    assert trust_of("user") == "human"
    assert trust_of("agent") == "agent"
    assert set(PROVING) == {"human", "local-tool"}
    assert {*PROVING, "agent", "recall", "external-tool"} == set(TRUSTS)


@pytest.mark.parametrize(
    ("tool", "harness", "query", "trust"),
    [
        ("Read", "claude", '{"file_path": "a.py"}', "local-tool"),
        ("Bash", "claude", '{"command": "pytest -q"}', "local-tool"),
        ("Bash", "claude", '{"command": "git log --oneline | head"}', "local-tool"),
        ("shell", "codex", '["bash", "-lc", "rg curl src"]', "local-tool"),
        ("apply_patch", "codex", "*** Begin Patch", "local-tool"),
        ("read_file", "gemini", "{}", "local-tool"),
        ("run_shell_command", "gemini", "ls", "local-tool"),
        ("bash", "pi", "ls", "local-tool"),
        ("Bash", "claude", '{"command": "curl https://example.org"}', "external-tool"),
        ("Bash", "claude", "cd /w && wget -q https://example.org/x", "external-tool"),
        ("Bash", "claude", "git fetch origin", "external-tool"),
        ("Bash", "claude", "sudo ssh host uptime", "external-tool"),
        ("shell", "codex", '["bash", "-lc", "curl -s localhost"]', "external-tool"),
        ("WebFetch", "claude", "{}", "external-tool"),
        ("google_web_search", "gemini", "{}", "external-tool"),
        ("mcp__github__get_issue", "claude", "{}", "external-tool"),
        ("something_new", "claude", "{}", "external-tool"),
        ("", "", "", "external-tool"),
        ("mcp__memex__memex_recall", "claude", "{}", "recall"),
        ("memex_show", "codex", "{}", "recall"),
        ("memex.recall", "codex", "{}", "recall"),
        ("Bash", "claude", '{"command": "memex recall linter"}', "recall"),
        ("Bash", "claude", "cd x && ~/bin/memex --root . context", "recall"),
        ("Bash", "claude", "grep memex setup.py", "local-tool"),
        ("Task", "claude", "{}", "agent"),
        ("update_plan", "codex", "{}", "agent"),
    ],
)
def test_a_tool_is_known_by_its_name_and_command(tool: str, harness: str, query: str, trust: str) -> None:
    assert trust_of("tool", tool, harness, query) == trust


def test_what_shows_a_memory_is_recall() -> None:
    assert HEAD[0].startswith(MEMORY_HEAD)
    assert TAIL == MEMORY_TAIL
    assert trust_of("tool", "Bash", "claude", "cat log", f"x\n{BLOCK}\n") == "recall"
    turn = {"role": "tool", "tool_name": "Read", "result": BLOCK, "trust": "local-tool"}
    assert settled(turn)["trust"] == "recall"


def test_memory_put_into_a_prompt_is_not_said_by_the_user() -> None:
    turn = {"role": "user", "content": f"{BLOCK}\n\nWhich linter?"}
    assert settled(turn) == {"role": "user", "content": "Which linter?", "trust": "human"}
    alone = {"role": "user", "content": BLOCK, "trust": "human"}
    assert settled(alone) == {"role": "user", "content": "", "trust": "recall"}
    told = {"role": "user", "content": f"What does {MEMORY_HEAD} mean?", "trust": "human"}
    assert settled(told) == told


def test_a_trust_that_is_given_is_kept() -> None:
    assert settled({"role": "user", "content": "x", "trust": "agent"})["trust"] == "agent"
    assert (
        settled({"role": "tool", "tool_name": "make-report", "trust": "local-tool"})["trust"] == "local-tool"
    )
    assert settled({"role": "tool", "tool_name": "make-report"})["trust"] == "external-tool"
