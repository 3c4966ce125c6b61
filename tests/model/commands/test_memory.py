"""What looks into the store is recall, however the store is named."""

from __future__ import annotations

import json

import pytest

from memex_core.model.commands.memory import Memory
from memex_core.model.trust import trust_of

STORE = Memory(("/home/ada/notes",), (), ("/home/ada/shop",), "/home/ada")
VAULT = Memory(("/home/ada/vault/.memex",), ("/home/ada/vault",), ("/home/ada/vault",), "/home/ada")


def trust(tool: str, query: str | dict[str, object], memory: Memory = STORE, result: str = "") -> str:
    said = query if isinstance(query, str) else json.dumps(query)
    return trust_of("tool", tool, "claude", said, result, memory)


@pytest.mark.parametrize(
    "command",
    [
        "cat /home/ada/notes/docs/preferences/p.md",
        "cat ~/notes/transcripts/a.jsonl",
        "cat $HOME/notes/diary/2026-11-30.md",
        "cat ${HOME}/notes/journal.jsonl",
        "cat ../notes/docs/p.md",
        "cat ./../notes/docs/p.md | head -5",
        "cd ../notes && cat docs/p.md",
        "cd .. && cd notes && rg zlotys",
        "rg zlotys ../notes",
        "sed -n 1,9p < ../notes/docs/p.md",
        "ls /home/ada/notes",
        "ls /home/ada/notes/",
        "cat /home/ada/not*/docs/*.md",
        "git -C ../notes log -p",
        "find ../notes -name '*.md' -exec cat {} +",
        "grep -r x --include=*.md ../notes",
        "ROOT=/home/ada/notes; cat $ROOT/docs/p.md",
        "python -c \"print(open('/home/ada/notes/docs/p.md').read())\"",
        "cat ~/.memex/docs/p.md",
        "cat $MEMEX_HOME/docs/p.md",
        "cat ${MEMEX_ROOT}/docs/p.md",
        "cat $MEMEX_DATA_DIR/docs/p.md",
        "cat /mnt/x/.memex/docs/p.md",
        "bash -c 'cat ../notes/docs/p.md'",
        "cat ~/.codex/sessions/2026/05/04/rollout-x.jsonl",
        "cat ~/.claude/projects/-w/x.jsonl",
        "sqlite3 ../notes/mem.db .dump",
        "MEMEX_HOME=x memex recall a",
    ],
)
def test_commands_that_look_into_memory(command: str) -> None:
    assert trust("Bash", {"command": command}) == "recall"
    assert trust("shell", {"cmd": command}) == "recall"


@pytest.mark.parametrize(
    "command",
    [
        "cat /home/ada/shop/docs/p.md",
        "cat docs/preferences/p.md",
        "cat /home/ada/notes-of-mine/p.md",
        "cat /home/ada/notes.md",
        "ls ..",
        "rg notes .",
        "grep -rn 'notes' src",
        "cat notes/p.md",
        "ls",
        "git log --oneline",
    ],
)
def test_commands_that_look_elsewhere(command: str) -> None:
    assert trust("Bash", {"command": command}) == "local-tool"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": "/home/ada/notes/docs/p.md"}),
        ("Grep", {"pattern": "zlotys", "path": "/home/ada/notes"}),
        ("Glob", {"pattern": "/home/ada/notes/**/*.md"}),
        ("LS", {"path": "~/notes/docs"}),
        ("read_file", {"path": "../notes/docs/p.md"}),
        ("read_many_files", {"paths": ["a.py", "../notes/docs/p.md"]}),
        ("Edit", {"file_path": "/home/ada/notes/docs/p.md", "old_string": "a", "new_string": "b"}),
        ("shell", {"cmd": ["cat", "docs/p.md"], "workdir": "/home/ada/notes"}),
        ("shell", {"cmd": ["cat", "docs/p.md"], "workdir": "../notes"}),
        ("apply_patch", "*** Begin Patch\n*** Update File: ../notes/docs/p.md\n-a\n+b\n*** End Patch"),
        ("mcp__memex__memex_show", {"slug": "p"}),
    ],
)
def test_tools_that_look_into_memory(tool: str, arguments: str | dict[str, object]) -> None:
    assert trust(tool, arguments) == "recall"


def test_tools_that_look_elsewhere() -> None:
    assert trust("Read", {"file_path": "/home/ada/shop/docs/p.md"}) == "local-tool"
    assert trust("Grep", {"pattern": "zlotys", "path": "src"}) == "local-tool"
    assert trust("Write", {"file_path": "a.md", "content": "we live in ../notes/docs"}) == "local-tool"


def test_a_search_from_above_that_came_by_memory() -> None:
    assert trust("Bash", "grep -r zlotys ..", result="../shop/a.py:zlotys") == "local-tool"
    assert trust("Bash", "grep -r zlotys ..", result="../notes/docs/p.md:zlotys") == "recall"


def test_a_session_that_was_in_the_store_itself() -> None:
    inside = Memory(
        ("/home/ada/shop/docs", "/home/ada/shop/journal.jsonl"), (), ("/home/ada/shop",), "/home/ada"
    )
    assert trust("Bash", "cat docs/p.md", inside) == "recall"
    assert trust("Bash", "rg zlotys docs", inside) == "recall"
    assert trust("Bash", "tail journal.jsonl", inside) == "recall"
    assert trust("Bash", "cat src/a.py", inside) == "local-tool"
    assert trust("Bash", "rg zlotys", inside, "docs/p.md:1:zlotys") == "recall"
    assert trust("Bash", "rg zlotys", inside, "src/a.py:1:zlotys") == "local-tool"


def test_of_a_folder_opened_as_it_is_the_pages_are_memory() -> None:
    assert trust("Read", {"file_path": "/home/ada/vault/a/b.md"}, VAULT) == "recall"
    assert trust("Bash", "cat a/b.md", VAULT) == "recall"
    assert trust("Bash", "cat tool.py", VAULT) == "local-tool"
    assert trust("Bash", "rg zlotys", VAULT, "a/b.md:1:zlotys") == "recall"
    assert trust("Bash", "rg zlotys", VAULT, "tool.py:1:zlotys") == "local-tool"
    assert trust("Grep", {"pattern": "zlotys"}, VAULT, "a/b.md") == "recall"
    assert trust("Bash", "tail .memex/journal.jsonl", VAULT) == "recall"
