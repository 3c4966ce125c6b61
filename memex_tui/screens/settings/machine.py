"""What is known of the terminal and of the programs that memex runs on."""

from __future__ import annotations

import os
import sqlite3
import sys
from typing import Any

import textual
from textual.app import App

import memex_core
from memex_core.files.layout import Layout
from memex_tui import clipboard
from memex_tui.screens.settings.presenter import Terminal

_COLOURS = {"truecolor": "16 million", "256": "256", "standard": "16"}


def terminal(app: App[Any]) -> Terminal:
    """The terminal that the app is shown on."""
    system = None if "NO_COLOR" in os.environ else app.console.color_system
    inside = [
        word for word, variable in (("tmux", "TMUX"), ("SSH", "SSH_CONNECTION")) if variable in os.environ
    ]
    command = clipboard.program(os.environ)
    return Terminal(
        _COLOURS.get(system, system) if system else "none",
        f"{app.size.width} × {app.size.height}",
        " in ".join([os.environ.get("TERM", "") or "unknown", *inside]),
        command[0] if command else "through the terminal (OSC 52)",
        app.animation_level,
    )


def versions(layout: Layout | None) -> dict[str, str]:
    """What runs here, and what was opened."""
    opened = "none" if layout is None else "a folder as it is" if layout.folder else "a store"
    return {
        "memex": memex_core.__version__,
        "Python": sys.version.split()[0],
        "SQLite": sqlite3.sqlite_version,
        "Textual": textual.__version__,
        "Opened as": opened,
    }
