"""The way to the clipboard: a program when local, an escape sequence else."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from memex_tui import clipboard


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that write what they get into a file; the only one in PATH."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for name in ("wl-copy", "xclip"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\ncat > {tmp_path}/{name}.got\n")
        program.chmod(0o755)
    return tmp_path


def test_the_program_of_the_session_is_used(programs: Path) -> None:
    assert clipboard.program({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux") == ("wl-copy",)
    assert clipboard.program({"DISPLAY": ":0"}, "linux")[0] == "xclip"
    assert clipboard.program({}, "darwin") == ("pbcopy",)
    assert clipboard.program({}, "linux") == ()


def test_over_ssh_no_program_of_the_far_machine_is_used(programs: Path) -> None:
    assert clipboard.program({"DISPLAY": ":0", "SSH_CONNECTION": "x"}, "linux") == ()
    assert clipboard.program({"SSH_TTY": "/dev/pts/1"}, "darwin") == ()


def test_the_program_gets_the_text(programs: Path) -> None:
    assert clipboard.run(("wl-copy",), "[[Ü 数据]]\n")
    assert (programs / "wl-copy.got").read_text() == "[[Ü 数据]]\n"
    assert not clipboard.run((str(programs / "none"),), "x")
    assert not clipboard.run(("false",), "x")


def test_the_sequence_holds_the_text_and_passes_tmux() -> None:
    coded = base64.b64encode("ü[/]".encode()).decode()
    assert clipboard.sequence("ü[/]", {}) == f"\x1b]52;c;{coded}\x07"
    inside = clipboard.sequence("ü[/]", {"TMUX": "/tmp/t,1,0"})
    assert inside.startswith("\x1bPtmux;\x1b\x1b]52;c;") and coded in inside
