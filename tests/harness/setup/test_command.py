"""How agents call memex, and which calls in somebody's settings are memex's."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from memex_core.harness.setup.command import (
    Caller,
    looks_like,
    recognised,
    recognised_line,
    running,
    shell_line,
)
from memex_core.model.errors import Refused

ODD = Caller(("/opt/a b/ü'\"$x/memex",), "/srv/it's; rm -rf $HOME `x` #\\")


def test_a_line_comes_back_as_the_words_that_made_it() -> None:
    words = ODD.hook("prompt", "claude")
    line = shell_line(words, windows=False)
    assert shlex.split(line) == words
    call = recognised_line(line)
    assert call is not None
    assert (call.program, call.verb, call.agent, call.root) == (ODD.program, "prompt", "claude", ODD.root)
    assert ODD.would_call(call)


def test_a_shell_takes_the_words_as_they_are(tmp_path: Path) -> None:
    import subprocess

    program = tmp_path / "it's a $HOME" / "memex"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    line = shell_line(Caller((str(program),), ODD.root).hook("prompt", "pi"), windows=False)
    said = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["hook", "prompt", "--agent", "pi", "--root", ODD.root]


def test_windows_gets_forward_slashes_in_double_quotes() -> None:
    caller = Caller(("C:\\Program Files\\memex\\memex.exe",), "D:\\my notes")
    line = shell_line(caller.hook("prompt", "codex"), windows=True)
    assert line == '"C:/Program Files/memex/memex.exe" hook prompt --agent codex --root "D:/my notes"'
    call = recognised_line(line)
    assert call is not None and call.root == "D:/my notes"


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("memex hook prompt", "prompt"),
        ("/usr/bin/memex --root /x hook session-start", "session-start"),
        ("'/a b/memex' hook transcript --agent=codex --root='/c d'", "transcript"),
        ("python3.11 -P -m memex_core.cli hook session-end --agent pi", "session-end"),
        ("/venv/bin/python -m memex_core serve-mcp --read-only", "serve-mcp"),
        ('"C:/x/memex.exe" hook pre-compact', "pre-compact"),
    ],
)
def test_these_are_memex(line: str, verb: str) -> None:
    call = recognised_line(line)
    assert call is not None and call.verb == verb


@pytest.mark.parametrize(
    "line",
    [
        "memex hook prompt | tee log",
        "memex hook prompt; echo",
        "memex hook prompt --agent claude&&curl evil",
        "memex hook prompt --root $(pwd)",
        "nice memex hook prompt",
        "MEMEX_HOME=/x memex hook prompt",
        "memex hook prompt > /dev/null",
        "python -m other hook prompt",
        "memexx hook prompt",
        "memex hook unheard-of",
        "memex recall x",
        "memex hook 'prompt",
        "",
    ],
)
def test_these_are_somebodys(line: str) -> None:
    assert recognised_line(line) is None


def test_a_wrapped_call_is_known_as_one() -> None:
    assert looks_like("nice /usr/bin/memex hook prompt | tee log")
    assert looks_like("uv run memex serve-mcp")
    assert not looks_like("echo memex is great")
    assert not looks_like("git hook prompt")
    assert recognised([]) is None


def test_the_running_program_is_named_by_its_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "memex"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    link = tmp_path / "bin" / "memex"
    link.parent.mkdir()
    link.symlink_to(script)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bin/memex"])
    assert running({}) == (str(link),)  # the link, which outlives what it points to
    monkeypatch.setattr(sys, "argv", ["-m"])
    monkeypatch.setattr(sys, "executable", str(script.parent / "python3"))
    assert running({}) == (str(script),)
    script.chmod(0o644)
    assert running({}) == (str(tmp_path / "python3"), "-P", "-m", "memex_core.cli")


def test_a_name_that_settings_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(sys, "executable", os.fsdecode(b"/nowhere/\xff/python"))
    with pytest.raises(Refused):
        running({})
