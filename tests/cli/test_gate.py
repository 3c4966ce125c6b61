"""The gate's commands as processes: JSON when piped, text on a terminal, one line for bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


def test_a_prompt_is_judged(memex: Runner, store: Path) -> None:
    before = sorted(path.name for path in store.rglob("*"))
    told = memex("gate", "test", "what did we decide about the port again?", "--compare-builtin").json
    assert (told["action"], told["reason"], told["differs"]) == ("retrieve", "memory", False)
    assert told["built_in"]["fired"] == ["memory.en.again", "memory.en.did-we"]
    told = memex("gate", "test", "-", stdin="上次怎么说的".encode()).json
    assert [rule["id"] for rule in told["intents"][0]["rules"]] == ["memory.zh.last-time"]
    assert memex("gate", "test", "x " * 60_000).json["cut"] is True
    assert sorted(path.name for path in store.rglob("*")) == before


def test_rules_from_the_command_line(memex: Runner, store: Path) -> None:
    added = memex("gate", "add", "memory", r"\brunbook\b", "--note", "how we do things")
    assert (added.code, added.json["changed"], added.json["kept"]) == (0, True, 1)
    revision = added.json["revision"]
    assert memex("gate", "disable", "memory.en.again", "--expect", revision).code == 0
    late = memex("gate", "set", "ack_max_tokens", "3", "--expect", revision)
    assert late.code == 1
    assert "have changed" in late.err
    assert memex("gate", "set", "ack_max_tokens", "3").code == 0
    assert (store / "rules" / "gate.toml").read_text() == (
        "# Own rules of the recall gate. `memex gate show` lists what is in force.\n\n"
        '[[pattern]]\nintent = "memory"\nsource = \'\\brunbook\\b\'\nflags = "i"\nnote = "how we do things"\n\n'
        '[rules]\ndisable = ["memory.en.again"]\n\n'
        "[thresholds]\nack_max_tokens = 3\n"
    )
    shown = memex("gate", "show").json
    assert [row["id"] for row in shown["rules"] if row["source"] == "user"] == [added.json["id"]]
    rows = memex("gate", "show", "--jsonl").lines
    assert {row["state"] for row in rows} == {"on", "off"}
    assert memex("gate", "validate").code == 0
    assert memex("gate", "enable", "memory.en.again").json["changed"] is True
    assert memex("gate", "rollback").json["to"] == 4
    assert memex("gate", "rollback", "--to", "1", "--dry-run").json["dry_run"] is True


def test_a_reset_asks_first(memex: Runner, store: Path) -> None:
    memex("gate", "disable", "memory.en.again")
    done = memex("gate", "reset")
    assert done.code == 1
    assert "add --yes to do it" in done.err
    assert "memory.en.again" in (store / "rules" / "gate.toml").read_text()
    assert memex("gate", "reset", "--yes").code == 0
    assert "memory.en.again" not in (store / "rules" / "gate.toml").read_text()


def test_a_file_that_is_not_sound(memex: Runner, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[thresholds]\nack_max_tokens = -1\n")
    done = memex("gate", "validate", str(other))
    assert done.code == 1
    assert done.json["problems"] == [f"{other}, line 2: ack_max_tokens must lie between 0 and 1000"]
    assert memex("gate", "validate", str(tmp_path / "none")).code == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("gate",), 2, "memex gate needs one of test"),
        (("gate", "tests"), 2, "did you mean test"),
        (("gate", "test"), 2, "needs PROMPT"),
        (("gate", "add", "ack"), 2, "needs PATTERN"),
        (("gate", "add", "nod", "x"), 2, "'nod' is no intent"),
        (("gate", "add", "ack", "("), 2, "no regular expression"),
        (("gate", "add", "ack", "(a+)+$"), 1, "more than 300 ms"),
        (("gate", "add", "ack", "x", "--flags", "q"), 2, "only i and s"),
        (("gate", "disable", "memory.en.agian"), 1, "did you mean memory.en.again"),
        (("gate", "set", "nonsense", "1"), 2, "no threshold"),
        (("gate", "set", "ack_max_tokens", "many"), 2, "whole number"),
        (("gate", "rollback"), 1, "never changed"),
        (("gate", "rollback", "--to", "x"), 2, "whole number"),
        (("gate", "quarantine", "clear"), 2, "which rule"),
        (("gate", "quarantine", "drop"), 2, "clear"),
        (("gate", "replay", "--limit", "0"), 2, "out of range"),
        (("gate", "test", "x", "--session", "none"), 1, "no hook has seen"),
        (("gate", "test", "x", "--session", "../x"), 2, "no session id"),
    ],
)
def test_bad_input_gets_one_clear_line(
    memex: Runner, store: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = memex(*words)
    assert done.code == code
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (store / "rules").exists()


def test_a_bare_folder_is_judged_and_stays_bare(bare: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_text("a\n")
    for words in (
        ("test", "ok"),
        ("show",),
        ("validate",),
        ("quarantine",),
        ("replay",),
        ("disable", "ack.en.words", "--dry-run"),
    ):
        assert bare("--root", str(folder), "gate", *words).code == 0
    assert [path.name for path in folder.iterdir()] == ["a.md"]
    assert bare("--root", str(folder), "gate", "disable", "ack.en.words").code == 0
    assert (folder / ".memex" / "rules" / "gate.toml").is_file()


def plain(told: tuple[int, str]) -> list[str]:
    """The lines of a terminal without their styles; the command has succeeded."""
    assert told[0] == 0
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", told[1]).splitlines()]


def test_on_a_terminal(memex: Runner, store: Path, terminal: Callable[..., tuple[int, str]]) -> None:
    memex("gate", "disable", "memory.en.did-we")
    lines = plain(terminal("gate", "test", "did we keep [it] in [/red] again?", "--compare-builtin"))
    assert lines[:3] == [
        "ambiguous: the words do not tell; a word search will  unsure",
        "  without own rules: retrieve  memory",
        "  changed by memory.en.did-we",
    ]
    assert "disabled: memory.en.did-we" in lines
    assert lines[-1].endswith("ms, nothing recorded")
    lines = plain(terminal("gate", "show"))
    assert any(line.startswith("memory.en.did-we") and " off " in line for line in lines)
    assert all(len(line) <= 80 for line in lines)
    assert plain(terminal("gate", "replay")) == ["0 of 0 prompts decided otherwise"]
    lines = plain(terminal("gate", "enable", "memory.en.did-we", "--dry-run"))
    assert lines[0] == "memory.en.did-we would be switched on"
