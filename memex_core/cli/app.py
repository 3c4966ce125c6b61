"""``memex`` without a command: the app on a terminal, help elsewhere."""

from __future__ import annotations

import sys

from memex_core.cli.help import help_text
from memex_core.cli.output import is_terminal
from memex_core.cli.parse import Request


def open_app(request: Request) -> int:
    """Open the app where a person sits in front; otherwise print help and say wrong usage."""
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        try:
            from memex_tui.app import run  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("memex_tui"):
                raise
        else:
            return int(run(request.root))
        sys.stdout.write(help_text("", None))
        return 0
    sys.stdout.write(help_text("", None))
    return 2
