"""``memex`` without a command: the app on a terminal, help elsewhere."""

from __future__ import annotations

import sys

from memex_core.cli.help import help_text
from memex_core.cli.output import is_terminal, say
from memex_core.cli.parse import Request


def open_app(request: Request) -> int:
    """Open the app where a person sits in front; otherwise print help and say wrong usage."""
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        return open_screen(request, "")
    if sys.stdout is not None:
        sys.stdout.write(help_text("", None))
    if is_terminal(sys.stdout):
        say("the app needs a keyboard, and standard input is no terminal; the commands above do without")
    return 2


def open_screen(request: Request, screen: str) -> int:
    """Open the app in an area (empty: where it ended); the exit code. 2 without a terminal."""
    from memex_tui.app import run

    return int(run(request.root, screen))
