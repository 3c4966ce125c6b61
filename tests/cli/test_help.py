"""Help fits a small terminal, names everything, and touches nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.cli.help import help_text
from memex_core.model.operations.registry import COMMANDS, Operation, every_operation
from tests.cli.conftest import Runner


def test_the_first_help_fits_and_names_every_command() -> None:
    text = help_text("", None)
    lines = text.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 80
    words = set(text.split())
    assert set(COMMANDS) <= words


@pytest.mark.parametrize("op", every_operation(), ids=lambda op: op.name)
def test_the_help_of_a_command_explains_each_option(op: Operation) -> None:
    text = help_text(op.name.split(" ")[0], op)
    for param in op.cli_params():
        assert all(flag in text for flag in param.spellings)
        assert param.type == "bool" or param.shown in text
        assert param.help.split(" ")[0] in text
    assert op.example in text
    for line in text.splitlines():
        assert len(line) <= 80 or line.strip() == op.example or line.startswith("Usage"), line


def test_a_group_lists_its_commands() -> None:
    text = help_text("diary", None)
    assert "diary append" in text
    assert "diary dates" in text


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("-h",),
        ("help",),
        ("recall", "--help"),
        ("help", "recall"),
        ("diary", "-h"),
        ("write", "--title", "x", "-h"),
    ],
)
def test_help_writes_nothing_and_creates_nothing(
    bare: Runner, home: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = bare(*words)
    assert done.code == 0
    assert done.err == ""
    assert done.text.count("\n") > 5
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("word", sorted(COMMANDS))
def test_every_command_answers_help(capsys: pytest.CaptureFixture[str], word: str) -> None:
    from memex_core.cli import main

    assert main([word, "--help"]) == 0
    assert "Usage: memex " + word in capsys.readouterr().out


def test_version(bare: Runner) -> None:
    from memex_core import __version__

    for words in (("--version",), ("recall", "--version"), ("--json", "--version")):
        assert bare(*words) == (0, f"memex {__version__}\n".encode(), "")


def test_without_a_command_and_terminal_it_is_help_and_wrong_usage(bare: Runner) -> None:
    done = bare()
    assert done.code == 2
    assert done.text == help_text("", None)
