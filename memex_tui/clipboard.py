"""Putting text on the clipboard: a program of the system when the terminal is local, the terminal else.

A terminal takes text by an escape sequence (OSC 52); inside tmux it has to be wrapped to pass through.
Nothing tells whether the terminal obeyed, so the way taken is named to the person.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

LONGEST = 100_000  # bytes that terminals accept by escape sequence

_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
)


def program(environ: Mapping[str, str], platform: str = sys.platform) -> tuple[str, ...]:
    """The command that takes the clipboard's text on its input; empty when there is none, or over SSH."""
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return ()
    if platform == "darwin":
        return ("pbcopy",)
    if "WSL_DISTRO_NAME" in environ and shutil.which("clip.exe"):
        return ("clip.exe",)
    for variable, command in _PROGRAMS:
        if environ.get(variable) and shutil.which(command[0]):
            return command
    return ()


def run(command: tuple[str, ...], text: str) -> bool:
    """Hand the text to a clipboard program; whether it took it."""
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=3,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def sequence(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The escape sequence that asks the terminal to take ``text``."""
    coded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    code = f"\x1b]52;c;{coded}\x07"
    if environ.get("TMUX"):
        return "\x1bPtmux;" + code.replace("\x1b", "\x1b\x1b") + "\x1b\\" + code
    return code
