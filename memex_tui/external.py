"""A file in an editor of the person's own choice."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from textual.app import App, SuspendNotSupported

from memex_core.model.errors import MemexError, NotFound

FALLBACKS = ("nano", "vim", "vi")
_PLUS_LINE = frozenset(
    ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "jed")
)


def has_desktop(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can open: not over SSH, nor on a console."""
    if platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY") or environ.get("WSL_DISTRO_NAME"))


class EditorFailed(MemexError):
    """The outside editor could not be run, or said that it failed."""

    code = "editor-failed"


def editor_command(
    environ: Mapping[str, str], which: Callable[[str], str | None] = shutil.which
) -> list[str]:
    """The words of the command that edits a file. Raises NotFound when there is no such program."""
    for name in ("VISUAL", "EDITOR"):
        value = environ.get(name, "").strip()
        if not value:
            continue
        try:
            words = shlex.split(value, posix=os.name != "nt")
        except ValueError:
            raise NotFound(f"${name} cannot be read: {value}", hint="mind its quotes") from None
        if words and which(words[0]):
            return words
        raise NotFound(
            f"${name} names {words[0]!r}, which is not on this machine", hint=f"set ${name} to your editor"
        )
    for name in FALLBACKS:
        if which(name):
            return [name]
    raise NotFound("no editor was found", hint="set $EDITOR to your editor")


def with_line(command: list[str], file_path: str, line: int) -> list[str]:
    """The command for a file, at a line where the editor can be told."""
    name = os.path.basename(command[0])
    if line > 1 and name in _PLUS_LINE:
        return [*command, f"+{line}", file_path]
    if line > 1 and name in ("hx", "helix"):
        return [*command, f"{file_path}:{line}"]
    return [*command, file_path]


def run_editor(command: list[str], file_path: str, line: int) -> None:
    """Run the editor on this terminal and wait for it. Raises EditorFailed."""
    try:
        done = subprocess.run(with_line(command, file_path, line), check=False)
    except OSError as error:
        raise EditorFailed(f"{command[0]} could not be started: {error.strerror or error}") from error
    if done.returncode:
        raise EditorFailed(
            f"{command[0]} ended with code {done.returncode}", hint="the file was read again all the same"
        )


def edit_outside(app: App[Any], file_path: str, line: int = 1) -> None:
    """Lend the terminal to the editor, wait for it, then draw everything again.

    Raises NotFound without an editor, EditorFailed when it could not be run or said that it failed.
    """
    command = editor_command(os.environ)
    try:
        with app.suspend():
            run_editor(command, file_path, line)
    except SuspendNotSupported:
        raise EditorFailed("this terminal cannot be lent to another program", hint=file_path) from None
    finally:
        app.refresh(layout=True)
